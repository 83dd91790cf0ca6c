//! From text to tree: strict, bounded, and with the place of every fault.

use std::borrow::Cow;

use crate::tree::{Kind, Node, Tree, push_token};

/// What a text may cost before anything looks at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The most bytes of arguments. Default 1 MiB.
    pub max_bytes: usize,
    /// How deep arrays and objects may nest. Default 64; more than 128 is taken as 128.
    pub max_depth: usize,
    /// How many values and member names there may be. Default 100,000.
    pub max_nodes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_bytes: 1 << 20,
            max_depth: 64,
            max_nodes: 100_000,
        }
    }
}

/// Nesting is parsed and compared by recursion, so there is a ceiling that no setting lifts.
const DEEPEST: usize = 128;

/// Why a text is not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ParseFault {
    pub(crate) kind: FaultKind,
    /// In bytes from the start.
    pub(crate) offset: usize,
    /// JSON Pointer of the value being read.
    pub(crate) path: String,
    pub(crate) message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FaultKind {
    Syntax,
    TooLarge,
    TooDeep,
    DuplicateKey,
    BadUnicode,
}

impl Tree {
    /// Parses a whole text. Strictly RFC 8259: one value, no comments, no `NaN`, no trailing comma; a byte order mark in
    /// front is passed over.
    ///
    /// # Errors
    /// The text comes back with the fault, for repairs that work on it.
    pub(crate) fn parse(text: String, limits: &Limits) -> Result<Self, (String, ParseFault)> {
        if text.len() > limits.max_bytes.min(u32::MAX as usize - 1) {
            let fault = ParseFault {
                kind: FaultKind::TooLarge,
                offset: 0,
                path: String::new(),
                message: format!(
                    "{} bytes; at most {} are taken",
                    text.len(),
                    limits.max_bytes
                ),
            };
            return Err((text, fault));
        }
        let mut parser = Parser {
            text: &text,
            bytes: text.as_bytes(),
            at: if text.starts_with('\u{feff}') { 3 } else { 0 },
            nodes: Vec::with_capacity((text.len() / 8).clamp(4, 256)),
            unescaped: String::new(),
            max_depth: limits.max_depth.min(DEEPEST),
            max_nodes: limits.max_nodes.min(u32::MAX as usize - 1),
        };
        match parser.document() {
            Ok(()) => {
                let (nodes, unescaped) = (parser.nodes, parser.unescaped);
                Ok(Self {
                    text,
                    unescaped,
                    nodes,
                    floats_count_as_integers: true,
                })
            }
            Err(mut fault) => {
                fault.path = pointer_of(fault.path_reversed);
                let fault = ParseFault {
                    kind: fault.kind,
                    offset: fault.offset,
                    path: fault.path,
                    message: fault.message,
                };
                Err((text, fault))
            }
        }
    }
}

/// The first place from `at` on that is not plain text of a string: a quote, a backslash, a control character, or the end.
fn end_of_plain(bytes: &[u8], mut at: usize) -> usize {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGHS: u64 = u64::from_le_bytes([0x80; 8]);
    // The high bit of each byte that is zero; above the lowest of them, false ones may follow.
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word;
    while let Some(word) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let word = u64::from_le_bytes(*word);
        let control = word.wrapping_sub(ONES * 0x20) & !word;
        let quote = zeros(word ^ (ONES * u64::from(b'"')));
        let backslash = zeros(word ^ (ONES * u64::from(b'\\')));
        let found = (control | quote | backslash) & HIGHS;
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let plain = |byte: &&u8| **byte >= 0x20 && !matches!(**byte, b'"' | b'\\');
    at + bytes
        .get(at..)
        .map_or(0, |rest| rest.iter().take_while(plain).count())
}

fn pointer_of(reversed: Vec<Cow<'_, str>>) -> String {
    let mut pointer = String::new();
    for token in reversed.iter().rev() {
        push_token(&mut pointer, token);
    }
    pointer
}

struct Parser<'s> {
    text: &'s str,
    bytes: &'s [u8],
    at: usize,
    nodes: Vec<Node>,
    unescaped: String,
    max_depth: usize,
    max_nodes: usize,
}

struct Fault {
    kind: FaultKind,
    offset: usize,
    message: String,
    path: String,
    /// The way from the value to the root, gathered while the parser unwinds.
    path_reversed: Vec<Cow<'static, str>>,
}

type Parsed = Result<(), Box<Fault>>;

#[allow(
    clippy::cast_possible_truncation,
    reason = "lengths are below u32::MAX, checked before the parser starts"
)]
impl Parser<'_> {
    #[cold]
    fn fault(&self, kind: FaultKind, offset: usize, message: impl Into<String>) -> Box<Fault> {
        Box::new(Fault {
            kind,
            offset,
            message: message.into(),
            path: String::new(),
            path_reversed: Vec::new(),
        })
    }

    #[cold]
    fn expected(&self, what: &str) -> Box<Fault> {
        let got = match self
            .text
            .get(self.at..)
            .and_then(|rest| rest.chars().next())
        {
            None => "the text ends".to_owned(),
            Some(c) => format!("found `{}`", c.escape_debug()),
        };
        self.fault(
            FaultKind::Syntax,
            self.at,
            format!("expected {what}, but {got}"),
        )
    }

    #[inline]
    fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.bytes.get(self.at) {
            self.at += 1;
        }
    }

    fn document(&mut self) -> Parsed {
        self.skip_space();
        self.value(0)?;
        self.skip_space();
        if self.at < self.bytes.len() {
            Err(self.expected("the end of the JSON text"))
        } else {
            Ok(())
        }
    }

    /// Opens a node; its end is set when it is closed.
    #[inline]
    fn open(
        &mut self,
        kind: Kind,
        start: usize,
        len: usize,
        bits: u64,
    ) -> Result<usize, Box<Fault>> {
        let index = self.nodes.len();
        if index >= self.max_nodes {
            let message = format!("more than {} values", self.max_nodes);
            return Err(self.fault(FaultKind::TooLarge, self.at, message));
        }
        self.nodes.push(Node {
            kind,
            end: index as u32 + 1,
            start: start as u32,
            len: len as u32,
            bits,
        });
        Ok(index)
    }

    fn value(&mut self, depth: usize) -> Parsed {
        match self.bytes.get(self.at) {
            Some(b'"') => self.string(),
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true", Kind::True),
            Some(b'f') => self.word("false", Kind::False),
            Some(b'n') => self.word("null", Kind::Null),
            _ => Err(self.expected("a JSON value")),
        }
    }

    fn word(&mut self, word: &str, kind: Kind) -> Parsed {
        if !self.bytes[self.at..].starts_with(word.as_bytes()) {
            return Err(self.expected("a JSON value"));
        }
        self.open(kind, self.at, word.len(), 0)?;
        self.at += word.len();
        Ok(())
    }

    fn deeper(&self, depth: usize) -> Result<usize, Box<Fault>> {
        if depth >= self.max_depth {
            return Err(self.fault(
                FaultKind::TooDeep,
                self.at,
                format!("nested deeper than {}", self.max_depth),
            ));
        }
        Ok(depth + 1)
    }

    fn array(&mut self, depth: usize) -> Parsed {
        let depth = self.deeper(depth)?;
        let index = self.open(Kind::Array, self.at, 0, 0)?;
        self.at += 1;
        self.skip_space();
        let mut count = 0_u32;
        if self.bytes.get(self.at) == Some(&b']') {
            self.at += 1;
        } else {
            loop {
                self.skip_space();
                if let Err(mut fault) = self.value(depth) {
                    fault.path_reversed.push(Cow::Owned(count.to_string()));
                    return Err(fault);
                }
                count += 1;
                self.skip_space();
                match self.bytes.get(self.at) {
                    Some(b',') => self.at += 1,
                    Some(b']') => {
                        self.at += 1;
                        break;
                    }
                    _ => return Err(self.expected("`,` or `]`")),
                }
            }
        }
        self.close(index, count);
        Ok(())
    }

    fn object(&mut self, depth: usize) -> Parsed {
        let depth = self.deeper(depth)?;
        let index = self.open(Kind::Object, self.at, 0, 0)?;
        self.at += 1;
        self.skip_space();
        let mut count = 0_u32;
        if self.bytes.get(self.at) == Some(&b'}') {
            self.at += 1;
        } else {
            loop {
                self.skip_space();
                if self.bytes.get(self.at) != Some(&b'"') {
                    return Err(self.expected("a member name in double quotes"));
                }
                let name = self.nodes.len();
                self.string()?;
                self.skip_space();
                if self.bytes.get(self.at) != Some(&b':') {
                    return Err(self.expected("`:`"));
                }
                self.at += 1;
                self.skip_space();
                if let Err(mut fault) = self.value(depth) {
                    fault
                        .path_reversed
                        .push(Cow::Owned(self.string_at(name).to_owned()));
                    return Err(fault);
                }
                count += 1;
                self.skip_space();
                match self.bytes.get(self.at) {
                    Some(b',') => self.at += 1,
                    Some(b'}') => {
                        self.at += 1;
                        break;
                    }
                    _ => return Err(self.expected("`,` or `}`")),
                }
            }
        }
        self.close(index, count);
        self.refuse_duplicates(index)
    }

    fn close(&mut self, index: usize, count: u32) {
        let end = self.nodes.len() as u32;
        let node = &mut self.nodes[index];
        node.len = count;
        node.end = end;
    }

    fn string_at(&self, index: usize) -> &str {
        let node = &self.nodes[index];
        let range = node.start as usize..(node.start + node.len) as usize;
        if node.kind == Kind::Escaped {
            &self.unescaped[range]
        } else {
            &self.text[range]
        }
    }

    #[inline]
    fn same_text(&self, one: usize, other: usize) -> bool {
        self.nodes[one].len == self.nodes[other].len && self.string_at(one) == self.string_at(other)
    }

    /// Two members of one name: which of them counts is anybody's guess, so neither does.
    fn refuse_duplicates(&self, object: usize) -> Parsed {
        const FEW: u32 = 16;
        let (count, end) = (self.nodes[object].len, self.nodes[object].end as usize);
        let mut names = object + 1;
        let following = |name: usize| self.nodes[name + 1].end as usize;
        if count <= FEW {
            while names < end {
                let mut other = following(names);
                while other < end {
                    if self.same_text(names, other) {
                        return Err(self.duplicate(other));
                    }
                    other = following(other);
                }
                names = following(names);
            }
            return Ok(());
        }
        let mut seen = std::collections::HashSet::with_capacity(count as usize);
        while names < end {
            if !seen.insert(self.string_at(names)) {
                return Err(self.duplicate(names));
            }
            names = following(names);
        }
        Ok(())
    }

    #[cold]
    fn duplicate(&self, name: usize) -> Box<Fault> {
        let text = self.string_at(name).to_owned();
        let offset = if self.nodes[name].kind == Kind::String {
            self.nodes[name].start as usize
        } else {
            self.at
        };
        let mut fault = self.fault(
            FaultKind::DuplicateKey,
            offset,
            "this member is given twice",
        );
        fault.path_reversed.push(Cow::Owned(text));
        fault
    }

    fn string(&mut self) -> Parsed {
        let start = self.at + 1;
        self.at = end_of_plain(self.bytes, start);
        match self.bytes.get(self.at) {
            Some(b'"') => {
                self.open(Kind::String, start, self.at - start, 0)?;
                self.at += 1;
                Ok(())
            }
            Some(b'\\') => self.escaped_string(start),
            Some(_) => Err(self.expected("no bare control character inside a string")),
            None => Err(self.expected("the closing quote of a string")),
        }
    }

    fn escaped_string(&mut self, start: usize) -> Parsed {
        let first = self.unescaped.len();
        let mut from = start;
        loop {
            self.at = end_of_plain(self.bytes, self.at);
            match self.bytes.get(self.at) {
                Some(b'"') => {
                    self.unescaped.push_str(&self.text[from..self.at]);
                    self.open(Kind::Escaped, first, self.unescaped.len() - first, 0)?;
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => {
                    self.unescaped.push_str(&self.text[from..self.at]);
                    self.escape()?;
                    from = self.at;
                }
                Some(_) => return Err(self.expected("no bare control character inside a string")),
                None => return Err(self.expected("the closing quote of a string")),
            }
        }
    }

    fn escape(&mut self) -> Parsed {
        let start = self.at;
        let c = match self.bytes.get(start + 1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(),
            _ => {
                self.at += 1;
                return Err(self.expected("one of `\"\\/bfnrtu` behind a backslash"));
            }
        };
        self.unescaped.push(c);
        self.at = start + 2;
        Ok(())
    }

    fn unicode_escape(&mut self) -> Parsed {
        let start = self.at;
        let first = self.hex4(start + 2)?;
        let (code, len) =
            if (0xd800..0xdc00).contains(&first) && self.bytes[start + 6..].starts_with(b"\\u") {
                let second = self.hex4(start + 8)?;
                if (0xdc00..0xe000).contains(&second) {
                    (0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00), 12)
                } else {
                    (first, 6)
                }
            } else {
                (first, 6)
            };
        let Some(c) = char::from_u32(code) else {
            return Err(self.fault(
                FaultKind::BadUnicode,
                start,
                format!("`\\u{first:04x}` is half of a surrogate pair; write both halves, or the character itself"),
            ));
        };
        self.unescaped.push(c);
        self.at = start + len;
        Ok(())
    }

    fn hex4(&mut self, at: usize) -> Result<u32, Box<Fault>> {
        self.text
            .get(at..at + 4)
            .filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .ok_or_else(|| {
                self.fault(
                    FaultKind::Syntax,
                    at,
                    "expected four hexadecimal digits behind `\\u`",
                )
            })
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.bytes.get(self.at) {
            self.at += 1;
        }
        self.at - start
    }

    /// The digits from `first` on, which are few enough to fit.
    fn small(&self, first: usize) -> u64 {
        let digits = self.bytes[first..self.at].iter();
        digits.fold(0, |value, digit| value * 10 + u64::from(digit - b'0'))
    }

    fn number(&mut self) -> Parsed {
        let start = self.at;
        let negative = self.bytes[start] == b'-';
        if negative {
            self.at += 1;
        }
        let leading_zero = self.bytes.get(self.at) == Some(&b'0');
        let first = self.at;
        let whole = self.digits();
        if whole == 0 {
            return Err(self.expected("a digit"));
        }
        if leading_zero && whole > 1 {
            return Err(self.fault(FaultKind::Syntax, start, "a number does not begin with 0"));
        }
        let mut float = false;
        if self.bytes.get(self.at) == Some(&b'.') {
            float = true;
            self.at += 1;
            if self.digits() == 0 {
                return Err(self.expected("a digit behind the decimal point"));
            }
        }
        if let Some(b'e' | b'E') = self.bytes.get(self.at) {
            float = true;
            self.at += 1;
            if let Some(b'+' | b'-') = self.bytes.get(self.at) {
                self.at += 1;
            }
            if self.digits() == 0 {
                return Err(self.expected("a digit in the exponent"));
            }
        }
        // Nineteen digits always fit; more are for the general way.
        let short = !float && whole < 19;
        let text = &self.text[start..self.at];
        let (kind, bits) = if short && !negative {
            (Kind::Unsigned, self.small(first))
        } else if !float
            && !negative
            && let Ok(value) = text.parse::<u64>()
        {
            (Kind::Unsigned, value)
        } else if !float
            && negative
            && text != "-0"
            && let Ok(value) = text.parse::<i64>()
        {
            #[allow(clippy::cast_sign_loss, reason = "kept as bits")]
            (Kind::Signed, value as u64)
        } else {
            let value = text.parse::<f64>().unwrap_or(f64::INFINITY);
            if !value.is_finite() {
                return Err(self.fault(FaultKind::Syntax, start, "this number is out of range"));
            }
            (
                if float || text == "-0" {
                    Kind::Float
                } else {
                    Kind::Big
                },
                value.to_bits(),
            )
        };
        self.open(kind, start, self.at - start, bits)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<&str, (FaultKind, usize, &str)>) {
        let tree = Tree::parse(text.to_owned(), &Limits::default());
        match (tree, expected) {
            (Ok(tree), Ok(expected)) => {
                let mut out = String::new();
                tree.root().write(&mut out);
                assert_eq!(out, expected, "{text}");
            }
            (Err((back, fault)), Err((kind, offset, path))) => {
                assert_eq!(back, text, "the text comes back");
                assert_eq!(
                    (fault.kind, fault.offset, &*fault.path),
                    (kind, offset, path),
                    "{text}: {}",
                    fault.message
                );
            }
            (Ok(_), Err(_)) => panic!("{text}: parsed"),
            (Err((_, fault)), Ok(_)) => panic!("{text}: {}", fault.message),
        }
    }

    #[test]
    fn what_is_json_comes_back_as_it_was() {
        for (text, compact) in [
            ("null", "null"),
            (" [ 1 , -2.50 , 1e3 ] ", "[1,-2.50,1e3]"),
            (
                r#"{"a":{"b":[]},"c":"\u00e9\n\"x"}"#,
                "{\"a\":{\"b\":[]},\"c\":\"é\\n\\\"x\"}",
            ),
            ("18446744073709551615", "18446744073709551615"),
            (
                "340282366920938463463374607431768211456",
                "340282366920938463463374607431768211456",
            ),
            ("-0", "-0"),
            ("\u{feff}{}", "{}"),
            (r#""\ud83d\ude00""#, "\"\u{1f600}\""),
            (
                "{\"\u{e9}\":1,\"e\u{301}\":2}",
                "{\"\u{e9}\":1,\"e\u{301}\":2}",
            ),
        ] {
            check(text, Ok(compact));
        }
    }

    #[test]
    fn what_is_not_json_is_told_where() {
        use FaultKind::{BadUnicode, DuplicateKey, Syntax};
        for (text, kind, offset, path) in [
            ("", Syntax, 0, ""),
            ("{\"a\":1,}", Syntax, 7, ""),
            ("{'a':1}", Syntax, 1, ""),
            ("[NaN]", Syntax, 1, "/0"),
            ("+1", Syntax, 0, ""),
            ("01", Syntax, 0, ""),
            ("1.", Syntax, 2, ""),
            ("1e400", Syntax, 0, ""),
            ("{} x", Syntax, 3, ""),
            ("{\"summary\": \"Log th", Syntax, 19, "/summary"),
            ("\"a\nb\"", Syntax, 2, ""),
            ("/* c */ 1", Syntax, 0, ""),
            (r#"{"a/b":["\ud800"]}"#, BadUnicode, 9, "/a~1b/0"),
            (r#"{"x":[{"k":1,"\u006b":2}]}"#, DuplicateKey, 24, "/x/0/k"),
            (
                r#"{"path":"/tmp/a","path":"/etc"}"#,
                DuplicateKey,
                18,
                "/path",
            ),
        ] {
            check(text, Err((kind, offset, path)));
        }
    }

    #[test]
    fn bounds_hold_before_anything_is_built() {
        let deep = "[".repeat(100_000);
        check(&deep, Err((FaultKind::TooDeep, 64, &"/0".repeat(64))));
        let many = format!("[{}1]", "1,".repeat(100_000));
        let Err((_, fault)) = Tree::parse(many, &Limits::default()) else {
            panic!("taken")
        };
        assert_eq!(fault.kind, FaultKind::TooLarge);
        let keys: String = (0..2_000).map(|i| format!("\"k{i}\":1,")).collect();
        check(
            &format!("{{{keys}\"k7\":2}}"),
            Err((FaultKind::DuplicateKey, keys.len() + 2, "/k7")),
        );
    }
}
