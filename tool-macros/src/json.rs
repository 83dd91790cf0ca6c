//! JSON with the line of everything, so that a message can say where in a file something stands.

/// A value, and the line it begins on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub(crate) line: usize,
    pub(crate) value: Json,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    /// As it is written.
    Number(String),
    Text(String),
    List(Vec<Node>),
    Object(Vec<Member>),
}

/// A member of an object, and the line of its key.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Member {
    pub(crate) key: String,
    pub(crate) line: usize,
    pub(crate) node: Node,
}

impl Node {
    pub(crate) fn get(&self, key: &str) -> Option<&Member> {
        match &self.value {
            Json::Object(members) => members.iter().find(|member| member.key == key),
            _ => None,
        }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn list(&self) -> &[Node] {
        match &self.value {
            Json::List(items) => items,
            _ => &[],
        }
    }

    pub(crate) fn members(&self) -> &[Member] {
        match &self.value {
            Json::Object(members) => members,
            _ => &[],
        }
    }

    /// The value on one line.
    pub(crate) fn to_text(&self) -> String {
        match &self.value {
            Json::Null => "null".to_owned(),
            Json::Bool(value) => value.to_string(),
            Json::Number(text) => text.clone(),
            Json::Text(text) => crate::model::json_string(text),
            Json::List(items) => {
                let items: Vec<String> = items.iter().map(Self::to_text).collect();
                format!("[{}]", items.join(","))
            }
            Json::Object(members) => {
                let members: Vec<String> = members
                    .iter()
                    .map(|member| {
                        format!(
                            "{}:{}",
                            crate::model::json_string(&member.key),
                            member.node.to_text()
                        )
                    })
                    .collect();
                format!("{{{}}}", members.join(","))
            }
        }
    }

    /// Whether two values are the same JSON: `1.0` is `1`, and the order of members says nothing.
    pub(crate) fn same(&self, other: &Self) -> bool {
        match (&self.value, &other.value) {
            (Json::Number(a), Json::Number(b)) => {
                a == b || (a.parse::<f64>().ok() == b.parse::<f64>().ok())
            }
            (Json::List(a), Json::List(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b))
            }
            (Json::Object(a), Json::Object(b)) => {
                a.len() == b.len()
                    && a.iter().all(|member| {
                        other
                            .get(&member.key)
                            .is_some_and(|found| member.node.same(&found.node))
                    })
            }
            (a, b) => a == b,
        }
    }
}

/// How deep values may lie in one another.
const DEPTH: usize = 64;

/// Reads a file. What is wrong with it is told with its line and column.
pub(crate) fn read(text: &str) -> Result<Node, String> {
    let mut reader = Reader {
        text,
        at: 0,
        line: 1,
        line_start: 0,
    };
    // Editors on some systems begin a file with this mark.
    if text.starts_with('\u{feff}') {
        reader.at += '\u{feff}'.len_utf8();
        reader.line_start = reader.at;
    }
    reader.space();
    let node = reader.value(0)?;
    reader.space();
    match reader.peek() {
        None => Ok(node),
        Some(_) => reader.wrong("expected the end of the file"),
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    line: usize,
    line_start: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        if c == '\n' {
            self.line += 1;
            self.line_start = self.at;
        }
        Some(c)
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(' ' | '\t' | '\n' | '\r')) {
            self.next();
        }
    }

    fn wrong<T>(&self, problem: &str) -> Result<T, String> {
        let before = self.text.get(self.line_start..self.at).unwrap_or("");
        Err(format!(
            "{problem} at line {}, column {}",
            self.line,
            before.chars().count() + 1
        ))
    }

    fn value(&mut self, depth: usize) -> Result<Node, String> {
        if depth > DEPTH {
            return self.wrong("values lie too deep in one another");
        }
        let line = self.line;
        let value = match self.peek() {
            Some('{') => self.object(depth)?,
            Some('[') => self.list(depth)?,
            Some('"') => Json::Text(self.string()?),
            Some('-' | '0'..='9') => self.number()?,
            Some('t') => self.word("true", Json::Bool(true))?,
            Some('f') => self.word("false", Json::Bool(false))?,
            Some('n') => self.word("null", Json::Null)?,
            Some(_) => return self.wrong("expected a value"),
            None => return self.wrong("the file ends where a value is expected,"),
        };
        Ok(Node { line, value })
    }

    fn word(&mut self, word: &str, value: Json) -> Result<Json, String> {
        if !self.rest().starts_with(word) {
            return self.wrong("expected a value");
        }
        self.at += word.len();
        Ok(value)
    }

    fn object(&mut self, depth: usize) -> Result<Json, String> {
        self.next();
        let mut members: Vec<Member> = Vec::new();
        self.space();
        if self.peek() == Some('}') {
            self.next();
            return Ok(Json::Object(members));
        }
        loop {
            self.space();
            if self.peek() != Some('"') {
                return self.wrong("expected a key in quotes");
            }
            let line = self.line;
            let key = self.string()?;
            if members.iter().any(|member| member.key == key) {
                return self.wrong(&format!("the key `{key}` is given twice,"));
            }
            self.space();
            if self.peek() != Some(':') {
                return self.wrong("expected `:`");
            }
            self.next();
            self.space();
            let node = self.value(depth + 1)?;
            members.push(Member { key, line, node });
            self.space();
            match self.peek() {
                Some(',') => self.next(),
                Some('}') => break,
                _ => return self.wrong("expected `,` or `}`"),
            };
        }
        self.next();
        Ok(Json::Object(members))
    }

    fn list(&mut self, depth: usize) -> Result<Json, String> {
        self.next();
        let mut items = Vec::new();
        self.space();
        if self.peek() == Some(']') {
            self.next();
            return Ok(Json::List(items));
        }
        loop {
            self.space();
            items.push(self.value(depth + 1)?);
            self.space();
            match self.peek() {
                Some(',') => self.next(),
                Some(']') => break,
                _ => return self.wrong("expected `,` or `]`"),
            };
        }
        self.next();
        Ok(Json::List(items))
    }

    fn number(&mut self) -> Result<Json, String> {
        let start = self.at;
        self.next_if('-');
        let whole = self.digits();
        let leading = self
            .text
            .get(start..self.at)
            .unwrap_or("")
            .trim_start_matches('-');
        let mut good = whole && (leading == "0" || !leading.starts_with('0'));
        if self.next_if('.') {
            good &= self.digits();
        }
        if self.next_if('e') || self.next_if('E') {
            let _signed = self.next_if('+') || self.next_if('-');
            good &= self.digits();
        }
        if !good {
            return self.wrong("expected a number");
        }
        Ok(Json::Number(
            self.text.get(start..self.at).unwrap_or("").to_owned(),
        ))
    }

    fn next_if(&mut self, wanted: char) -> bool {
        let here = self.peek() == Some(wanted);
        if here {
            self.next();
        }
        here
    }

    fn digits(&mut self) -> bool {
        let start = self.at;
        while matches!(self.peek(), Some('0'..='9')) {
            self.next();
        }
        self.at > start
    }

    fn string(&mut self) -> Result<String, String> {
        self.next();
        let mut out = String::new();
        loop {
            match self.peek() {
                None | Some('\n') => return self.wrong("expected `\"`"),
                Some('"') => {
                    self.next();
                    return Ok(out);
                }
                Some('\\') => {
                    self.next();
                    out.push(self.escape()?);
                }
                Some(c) if c < ' ' => return self.wrong("expected a printable character"),
                Some(c) => {
                    self.next();
                    out.push(c);
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, String> {
        let c = match self.peek() {
            Some(c @ ('"' | '\\' | '/')) => c,
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => {
                self.next();
                return self.unicode();
            }
            _ => return self.wrong("unknown escape"),
        };
        self.next();
        Ok(c)
    }

    fn unicode(&mut self) -> Result<char, String> {
        let high = self.hex()?;
        let code = if (0xD800..0xDC00).contains(&high) {
            if !(self.next_if('\\') && self.next_if('u')) {
                return self.wrong("half a character");
            }
            let low = self.hex()?;
            if !(0xDC00..0xE000).contains(&low) {
                return self.wrong("half a character");
            }
            0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)
        } else {
            high
        };
        match char::from_u32(code) {
            Some(c) => Ok(c),
            None => self.wrong("half a character"),
        }
    }

    fn hex(&mut self) -> Result<u32, String> {
        let mut code = 0;
        for _ in 0..4 {
            match self.peek().and_then(|c| c.to_digit(16)) {
                Some(digit) => code = code * 16 + digit,
                None => return self.wrong("expected four hexadecimal digits"),
            }
            self.next();
        }
        Ok(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(
            read(text).map(|node| node.to_text()),
            Ok(expected.to_owned()),
            "{text}"
        );
    }

    #[track_caller]
    fn wrong(text: &str, expected: &str) {
        assert_eq!(
            read(text).map(|node| node.to_text()),
            Err(expected.to_owned()),
            "{text}"
        );
    }

    #[test]
    fn values_are_read() {
        check(
            " {\"a\": [1, -0.5e+3, true, null], \"b\": {}} \n",
            "{\"a\":[1,-0.5e+3,true,null],\"b\":{}}",
        );
        check(r#""\u00e9\n\ud83d\ude00\/""#, "\"é\\n😀/\"");
        check("\u{feff}[]", "[]");
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        wrong(
            "",
            "the file ends where a value is expected, at line 1, column 1",
        );
        wrong(
            "{\"a\": 1,\n \"a\": 2}",
            "the key `a` is given twice, at line 2, column 5",
        );
        wrong("[1\n 2]", "expected `,` or `]` at line 2, column 2");
        wrong("{\"é\" 1}", "expected `:` at line 1, column 6");
        wrong("01", "expected a number at line 1, column 3");
        wrong("\"a\nb\"", "expected `\"` at line 1, column 3");
        wrong(r#""\ud83d""#, "half a character at line 1, column 8");
        wrong("{} {}", "expected the end of the file at line 1, column 4");
        wrong(
            &"[".repeat(1000),
            "values lie too deep in one another at line 1, column 66",
        );
    }

    #[test]
    fn lines_are_kept() {
        let node = read("{\n  \"a\":\n  1\n}").expect("JSON");
        let member = node.get("a").expect("a member");
        assert_eq!((node.line, member.line, member.node.line), (1, 2, 3));
    }
}
