//! JSON in memory: the text itself and a flat list of nodes that point into it.
//!
//! Arguments are parsed once, judged and then read into types from the same form. It owns its text, so it can cross threads
//! without a copy; it is one list, so nesting cannot overflow the stack when it is dropped; it keeps every digit and
//! sees duplicate keys, which `serde_json::Value` does not.

use std::fmt::Write as _;

use serde_json::{Map, Number, Value};

/// A parsed JSON text.
#[derive(Clone)]
pub(crate) struct Tree {
    pub(crate) text: String,
    /// The strings that had escapes, without them.
    pub(crate) unescaped: String,
    /// In the order of the text: a container, then all that is in it. A member is its name, then its value.
    pub(crate) nodes: Vec<Node>,
    /// Whether `5.0` counts as an integer, as JSON Schema says. Where intake repairs it to `5`, it does not, so that the
    /// validator points at it.
    pub(crate) floats_count_as_integers: bool,
}

/// Arguments can hold secrets, so only the size is shown.
impl std::fmt::Debug for Tree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Tree({} bytes, {} nodes)",
            self.text.len(),
            self.nodes.len()
        )
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    /// The index behind the last node inside this one.
    pub(crate) end: u32,
    /// Where its text is: in `text`, or in `unescaped` for an escaped string.
    pub(crate) start: u32,
    /// The text's length; for a container the number of elements or members.
    pub(crate) len: u32,
    /// The number: a `u64`, an `i64` or an `f64`, by kind.
    pub(crate) bits: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    False,
    True,
    /// A non-negative integer that fits.
    Unsigned,
    /// A negative integer that fits.
    Signed,
    /// Written with a fraction or an exponent, or `-0`.
    Float,
    /// An integer beyond 64 bits; `bits` is the nearest float.
    Big,
    String,
    Escaped,
    Array,
    Object,
}

impl Tree {
    /// One string, for a validator that judges a member's name.
    pub(crate) fn of_string(text: &str) -> Self {
        #[allow(
            clippy::cast_possible_truncation,
            reason = "a name out of a tree, whose text is shorter than that"
        )]
        let node = Node {
            kind: Kind::String,
            end: 1,
            start: 0,
            len: text.len() as u32,
            bits: 0,
        };
        Self {
            text: text.to_owned(),
            unescaped: String::new(),
            nodes: vec![node],
            floats_count_as_integers: true,
        }
    }

    /// The whole value.
    pub(crate) fn root(&self) -> Json<'_> {
        Json {
            tree: self,
            index: 0,
        }
    }

    /// The same text with some values replaced, removed or renamed.
    pub(crate) fn rewrite(&self, edits: &[Edit]) -> String {
        let mut out = String::with_capacity(self.text.len());
        write_edited(self.root(), edits, &mut out);
        out
    }
}

/// One change to a tree, by the index of the node it concerns.
#[derive(Debug, Clone)]
pub(crate) enum Edit {
    /// Another JSON text for the value.
    Replace(u32, String),
    /// The member that holds this value goes.
    Remove(u32),
    /// The member that holds this value gets another name.
    Rename(u32, String),
}

fn write_edited(json: Json<'_>, edits: &[Edit], out: &mut String) {
    if let Some(text) = edits.iter().find_map(|edit| match edit {
        Edit::Replace(index, text) if *index == json.index => Some(text),
        _ => None,
    }) {
        out.push_str(text);
        return;
    }
    match json.view() {
        View::Array(items) => {
            out.push('[');
            for (i, item) in items.enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write_edited(item, edits, out);
            }
            out.push(']');
        }
        View::Object(members) => {
            out.push('{');
            let mut first = true;
            for (name, value) in members {
                if edits
                    .iter()
                    .any(|edit| matches!(edit, Edit::Remove(index) if *index == value.index))
                {
                    continue;
                }
                if !first {
                    out.push(',');
                }
                first = false;
                let renamed = edits.iter().find_map(|edit| match edit {
                    Edit::Rename(index, name) if *index == value.index => Some(name.as_str()),
                    _ => None,
                });
                write_string(renamed.unwrap_or(name), out);
                out.push(':');
                write_edited(value, edits, out);
            }
            out.push('}');
        }
        View::Null => out.push_str("null"),
        View::Bool(value) => out.push_str(if value { "true" } else { "false" }),
        View::Number(number) => out.push_str(number.text),
        View::String(text) => write_string(text, out),
    }
}

/// Writes a JSON string literal.
pub(crate) fn write_string(text: &str, out: &mut String) {
    out.push('"');
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte >= 0x20 && byte != b'"' && byte != b'\\' {
            continue;
        }
        // Every one of these is a character of one byte.
        out.push_str(&text[plain..at]);
        plain = at + 1;
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            byte => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{byte:04x}");
            }
        }
    }
    out.push_str(&text[plain..]);
    out.push('"');
}

/// One value of a tree.
#[derive(Clone, Copy)]
pub(crate) struct Json<'t> {
    tree: &'t Tree,
    index: u32,
}

/// A value, opened.
pub(crate) enum View<'t> {
    Null,
    Bool(bool),
    Number(Num<'t>),
    String(&'t str),
    Array(Items<'t>),
    Object(Members<'t>),
}

/// A number as it was written.
#[derive(Clone, Copy)]
pub(crate) struct Num<'t> {
    pub(crate) text: &'t str,
    pub(crate) value: NumValue,
    pub(crate) counts_as_integer: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum NumValue {
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    /// Beyond 64 bits; the nearest float.
    Big(f64),
}

impl Num<'_> {
    /// The integer that a float such as `5.0` stands for: no exponent, no fraction, and small enough that every
    /// neighbour is a float too.
    #[inline]
    pub(crate) fn integral(&self) -> Option<i64> {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        match self.value {
            NumValue::Float(value)
                if value.fract() == 0.0
                    && value.abs() <= EXACT
                    && !self.text.contains(['e', 'E']) =>
            {
                #[allow(
                    clippy::cast_possible_truncation,
                    reason = "bounded by 2^53 just above"
                )]
                Some(value as i64)
            }
            _ => None,
        }
    }

    /// The number as `serde_json` holds it; beyond 64 bits, the nearest float.
    pub(crate) fn to_number(self) -> Number {
        match self.value {
            NumValue::Unsigned(value) => value.into(),
            NumValue::Signed(value) => value.into(),
            // The parser refuses what is not finite.
            NumValue::Float(value) | NumValue::Big(value) => {
                Number::from_f64(value).unwrap_or_else(|| Number::from(0))
            }
        }
    }
}

impl<'t> Json<'t> {
    #[inline]
    fn node(self) -> &'t Node {
        // Indices come from the tree's own nodes.
        &self.tree.nodes[self.index as usize]
    }

    #[inline]
    pub(crate) fn index(self) -> u32 {
        self.index
    }

    /// The address of the tree and the place in it: what tells this value from every other.
    #[inline]
    pub(crate) fn identity(self) -> (usize, u32) {
        (std::ptr::from_ref(self.tree) as usize, self.index)
    }

    #[inline]
    fn slice(self) -> &'t str {
        let node = self.node();
        let range = node.start as usize..node.start as usize + node.len as usize;
        let text = if node.kind == Kind::Escaped {
            &self.tree.unescaped
        } else {
            &self.tree.text
        };
        &text[range]
    }

    #[inline]
    pub(crate) fn view(self) -> View<'t> {
        let node = self.node();
        match node.kind {
            Kind::Null => View::Null,
            Kind::False => View::Bool(false),
            Kind::True => View::Bool(true),
            Kind::Unsigned | Kind::Signed | Kind::Float | Kind::Big => View::Number(self.num(node)),
            Kind::String | Kind::Escaped => View::String(self.slice()),
            Kind::Array => View::Array(self.items(node)),
            Kind::Object => View::Object(self.members(node)),
        }
    }

    #[allow(
        clippy::cast_possible_wrap,
        reason = "the bits of an i64, put there by the parser"
    )]
    #[inline]
    fn num(self, node: &'t Node) -> Num<'t> {
        let value = match node.kind {
            Kind::Unsigned => NumValue::Unsigned(node.bits),
            Kind::Signed => NumValue::Signed(node.bits as i64),
            Kind::Big => NumValue::Big(f64::from_bits(node.bits)),
            _ => NumValue::Float(f64::from_bits(node.bits)),
        };
        Num {
            text: self.slice(),
            value,
            counts_as_integer: self.tree.floats_count_as_integers,
        }
    }

    #[inline]
    fn items(self, node: &Node) -> Items<'t> {
        Items {
            tree: self.tree,
            next: self.index + 1,
            left: node.len,
        }
    }

    #[inline]
    fn members(self, node: &Node) -> Members<'t> {
        Members {
            tree: self.tree,
            next: self.index + 1,
            left: node.len,
        }
    }

    #[inline]
    pub(crate) fn as_str(self) -> Option<&'t str> {
        matches!(self.node().kind, Kind::String | Kind::Escaped).then(|| self.slice())
    }

    #[inline]
    pub(crate) fn as_number(self) -> Option<Num<'t>> {
        let node = self.node();
        matches!(
            node.kind,
            Kind::Unsigned | Kind::Signed | Kind::Float | Kind::Big
        )
        .then(|| self.num(node))
    }

    #[inline]
    pub(crate) fn as_bool(self) -> Option<bool> {
        match self.node().kind {
            Kind::True => Some(true),
            Kind::False => Some(false),
            _ => None,
        }
    }

    /// What the value is, without opening it.
    #[inline]
    pub(crate) fn kind(self) -> Kind {
        self.node().kind
    }

    #[inline]
    pub(crate) fn is_null(self) -> bool {
        self.node().kind == Kind::Null
    }

    #[inline]
    pub(crate) fn as_array(self) -> Option<Items<'t>> {
        let node = self.node();
        (node.kind == Kind::Array).then(|| self.items(node))
    }

    #[inline]
    pub(crate) fn as_object(self) -> Option<Members<'t>> {
        let node = self.node();
        (node.kind == Kind::Object).then(|| self.members(node))
    }

    /// JSON Schema's name for what this is; every number is `number`.
    pub(crate) fn type_name(self) -> &'static str {
        match self.node().kind {
            Kind::Null => "null",
            Kind::False | Kind::True => "boolean",
            Kind::Unsigned | Kind::Signed | Kind::Float | Kind::Big => "number",
            Kind::String | Kind::Escaped => "string",
            Kind::Array => "array",
            Kind::Object => "object",
        }
    }

    /// The value at a JSON Pointer (RFC 6901).
    pub(crate) fn at(self, pointer: &str) -> Option<Self> {
        if pointer.is_empty() {
            return Some(self);
        }
        let mut here = self;
        for token in pointer.strip_prefix('/')?.split('/') {
            let token = token.replace("~1", "/").replace("~0", "~");
            here = match here.view() {
                View::Object(mut members) => members.find(|(name, _)| *name == token)?.1,
                View::Array(mut items) => items.nth(token.parse().ok()?)?,
                _ => return None,
            };
        }
        Some(here)
    }

    /// Writes the value as compact JSON, every number as it came.
    pub(crate) fn write(self, out: &mut String) {
        write_edited(self, &[], out);
    }

    /// The value as `serde_json` holds it; integers beyond 64 bits become the nearest float.
    pub(crate) fn to_value(self) -> Value {
        match self.view() {
            View::Null => Value::Null,
            View::Bool(value) => Value::Bool(value),
            View::Number(number) => Value::Number(number.to_number()),
            View::String(text) => Value::String(text.to_owned()),
            View::Array(items) => Value::Array(items.map(Json::to_value).collect()),
            View::Object(members) => Value::Object(
                members
                    .map(|(name, value)| (name.to_owned(), value.to_value()))
                    .collect::<Map<_, _>>(),
            ),
        }
    }
}

impl std::fmt::Debug for Json<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.type_name())
    }
}

/// The elements of an array.
#[derive(Clone)]
pub(crate) struct Items<'t> {
    tree: &'t Tree,
    next: u32,
    left: u32,
}

impl<'t> Iterator for Items<'t> {
    type Item = Json<'t>;

    #[inline]
    fn next(&mut self) -> Option<Json<'t>> {
        self.left = self.left.checked_sub(1)?;
        let item = Json {
            tree: self.tree,
            index: self.next,
        };
        self.next = item.node().end;
        Some(item)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for Items<'_> {}

/// The members of an object, in the order of the text.
#[derive(Clone)]
pub(crate) struct Members<'t> {
    tree: &'t Tree,
    next: u32,
    left: u32,
}

impl<'t> Iterator for Members<'t> {
    type Item = (&'t str, Json<'t>);

    #[inline]
    fn next(&mut self) -> Option<(&'t str, Json<'t>)> {
        self.left = self.left.checked_sub(1)?;
        let name = Json {
            tree: self.tree,
            index: self.next,
        };
        let value = Json {
            tree: self.tree,
            index: self.next + 1,
        };
        self.next = value.node().end;
        Some((name.slice(), value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for Members<'_> {}

impl<'t> Members<'t> {
    /// The member of this name.
    #[inline]
    pub(crate) fn get(self, name: &str) -> Option<Json<'t>> {
        let (mut next, mut left) = (self.next, self.left);
        while left > 0 {
            if self.is_called(next, name) {
                return Some(Json {
                    tree: self.tree,
                    index: next + 1,
                });
            }
            next = self.tree.nodes[next as usize + 1].end;
            left -= 1;
        }
        None
    }

    /// The member of this name, looked for first in the place it would have in a list of all members.
    #[inline]
    pub(crate) fn get_near(self, place: usize, name: &str) -> Option<Json<'t>> {
        let (mut next, mut left) = (self.next, self.left);
        for _ in 0..place.min((left as usize).saturating_sub(1)) {
            next = self.tree.nodes[next as usize + 1].end;
            left -= 1;
        }
        if left > 0 && self.is_called(next, name) {
            return Some(Json {
                tree: self.tree,
                index: next + 1,
            });
        }
        self.get(name)
    }

    #[inline]
    fn is_called(&self, index: u32, name: &str) -> bool {
        let node = &self.tree.nodes[index as usize];
        node.len as usize == name.len()
            && Json {
                tree: self.tree,
                index,
            }
            .slice()
                == name
    }
}

/// Appends one token to a JSON Pointer.
pub(crate) fn push_token(pointer: &mut String, token: &str) {
    pointer.push('/');
    for c in token.chars() {
        match c {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            c => pointer.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::Limits;

    #[test]
    fn edits_change_only_what_they_name() {
        let tree = Tree::parse(
            r#"{"a":1.0,"b":null,"c":[true,"x"]}"#.to_owned(),
            &Limits::default(),
        )
        .unwrap();
        let index = |pointer: &str| tree.root().at(pointer).unwrap().index();
        let edits = [
            Edit::Replace(index("/a"), "1".to_owned()),
            Edit::Remove(index("/b")),
            Edit::Rename(index("/c"), "d".to_owned()),
        ];
        assert_eq!(tree.rewrite(&edits), r#"{"a":1,"d":[true,"x"]}"#);
    }
}
