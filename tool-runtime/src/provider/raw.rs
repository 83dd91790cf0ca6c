//! The exact text of a value inside JSON: big numbers keep their digits, repeated keys stay visible.
//!
//! Providers that send arguments as an object would otherwise have them pass through a parser that rounds and forgets.

/// The text of the value at a JSON Pointer. The text must be valid JSON; where a key repeats, the last one counts.
pub(crate) fn slice<'t>(text: &'t str, pointer: &str) -> Option<&'t str> {
    let mut scanner = Scanner {
        bytes: text.as_bytes(),
        at: 0,
    };
    for token in pointer.split('/').skip(1) {
        let token = token.replace("~1", "/").replace("~0", "~");
        scanner.space();
        match scanner.peek()? {
            b'{' => scanner.member(text, &token)?,
            b'[' => scanner.element(token.parse().ok()?)?,
            _ => return None,
        }
    }
    scanner.space();
    let start = scanner.at;
    scanner.value()?;
    text.get(start..scanner.at)
}

struct Scanner<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl Scanner<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn space(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    /// Goes to the value of a key of the object that starts here.
    fn member(&mut self, text: &str, wanted: &str) -> Option<()> {
        let mut found = None;
        self.at += 1;
        loop {
            self.space();
            match self.peek()? {
                b'}' => break,
                b',' => self.at += 1,
                _ => {
                    let start = self.at;
                    self.string()?;
                    let key: String = serde_json::from_str(text.get(start..self.at)?).ok()?;
                    self.space();
                    self.at += 1;
                    self.space();
                    if key == wanted {
                        found = Some(self.at);
                    }
                    self.value()?;
                }
            }
        }
        self.at = found?;
        Some(())
    }

    /// Goes to an element of the array that starts here.
    fn element(&mut self, wanted: usize) -> Option<()> {
        let mut index = 0;
        self.at += 1;
        loop {
            self.space();
            match self.peek()? {
                b']' => return None,
                b',' => {
                    index += 1;
                    self.at += 1;
                }
                _ if index == wanted => return Some(()),
                _ => self.value()?,
            }
        }
    }

    /// Passes over a string.
    fn string(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            match self.peek()? {
                b'"' => {
                    self.at += 1;
                    return Some(());
                }
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
    }

    /// Passes over any value, without recursion.
    fn value(&mut self) -> Option<()> {
        let mut depth = 0usize;
        loop {
            self.space();
            match self.peek()? {
                b'"' => self.string()?,
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                    continue;
                }
                b'}' | b']' => {
                    depth = depth.checked_sub(1)?;
                    self.at += 1;
                }
                b',' | b':' => {
                    self.at += 1;
                    continue;
                }
                _ => {
                    while self
                        .peek()
                        .is_some_and(|b| !b.is_ascii_whitespace() && !b"{}[],:\"".contains(&b))
                    {
                        self.at += 1;
                    }
                }
            }
            if depth == 0 {
                return Some(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::slice;

    #[test]
    fn finds_the_text() {
        let text =
            r#" {"a" : [1, {"b\"/": 12345678901234567890123 , "c":{"x":1,"x":2}}], "a2":null} "#;
        assert_eq!(slice(text, "/a/0"), Some("1"));
        assert_eq!(slice(text, "/a/1/b\"~1"), Some("12345678901234567890123"));
        assert_eq!(slice(text, "/a/1/c"), Some(r#"{"x":1,"x":2}"#));
        assert_eq!(slice(text, "/a2"), Some("null"));
        assert_eq!(slice(text, "/a/7"), None);
        assert_eq!(slice(text, "/b"), None);
        assert_eq!(slice("", "/b"), None);
        assert_eq!(slice("[\"\\", "/0"), None);
    }
}
