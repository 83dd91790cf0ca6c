//! JSON in memory: the text itself and a flat list of nodes that point into it.
//!
//! Arguments are parsed once, judged and then read into types from the same form. It owns its text, so it can cross threads
//! without a copy; it is one list, so nesting cannot overflow the stack when it is dropped; it keeps every digit and
//! sees duplicate keys, which `serde_json::Value` does not.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde_json::{Map, Number, Value};

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

/// A parsed JSON text.
#[derive(Clone)]
pub(crate) struct Tree {
    text: String,
    /// The strings that had escapes, without them.
    unescaped: String,
    /// In the order of the text: a container, then all that is in it. A member is its name, then its value.
    nodes: Vec<Node>,
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
struct Node {
    kind: Kind,
    /// The index behind the last node inside this one.
    end: u32,
    /// Where its text is: in `text`, or in `unescaped` for an escaped string.
    start: u32,
    /// The text's length; for a container the number of elements or members.
    len: u32,
    /// The number: a `u64`, an `i64` or an `f64`, by kind.
    bits: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
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
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if (c as u32) < 0x20 => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
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
    fn node(self) -> &'t Node {
        // Indices come from the tree's own nodes.
        &self.tree.nodes[self.index as usize]
    }

    pub(crate) fn index(self) -> u32 {
        self.index
    }

    /// The address of the tree and the place in it: what tells this value from every other.
    pub(crate) fn identity(self) -> (usize, u32) {
        (std::ptr::from_ref(self.tree) as usize, self.index)
    }

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

    fn items(self, node: &Node) -> Items<'t> {
        Items {
            tree: self.tree,
            next: self.index + 1,
            left: node.len,
        }
    }

    fn members(self, node: &Node) -> Members<'t> {
        Members {
            tree: self.tree,
            next: self.index + 1,
            left: node.len,
        }
    }

    pub(crate) fn as_str(self) -> Option<&'t str> {
        matches!(self.node().kind, Kind::String | Kind::Escaped).then(|| self.slice())
    }

    pub(crate) fn as_number(self) -> Option<Num<'t>> {
        let node = self.node();
        matches!(
            node.kind,
            Kind::Unsigned | Kind::Signed | Kind::Float | Kind::Big
        )
        .then(|| self.num(node))
    }

    pub(crate) fn as_bool(self) -> Option<bool> {
        match self.node().kind {
            Kind::True => Some(true),
            Kind::False => Some(false),
            _ => None,
        }
    }

    pub(crate) fn is_null(self) -> bool {
        self.node().kind == Kind::Null
    }

    pub(crate) fn as_array(self) -> Option<Items<'t>> {
        let node = self.node();
        (node.kind == Kind::Array).then(|| self.items(node))
    }

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
    pub(crate) fn get(mut self, name: &str) -> Option<Json<'t>> {
        self.find(|(member, _)| *member == name)
            .map(|(_, value)| value)
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

    /// Two members of one name: which of them counts is anybody's guess, so neither does.
    fn refuse_duplicates(&self, object: usize) -> Parsed {
        const FEW: u32 = 16;
        let (count, end) = (self.nodes[object].len, self.nodes[object].end as usize);
        let mut names = object + 1;
        let following = |name: usize| self.nodes[name + 1].end as usize;
        if count <= FEW {
            while names < end {
                let name = self.string_at(names);
                let mut other = following(names);
                while other < end {
                    if self.string_at(other) == name {
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
        self.at += 1;
        let start = self.at;
        loop {
            match self.bytes.get(self.at) {
                Some(b'"') => {
                    self.open(Kind::String, start, self.at - start, 0)?;
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => return self.escaped_string(start),
                Some(0x20..) => self.at += 1,
                Some(_) => return Err(self.expected("no bare control character inside a string")),
                None => return Err(self.expected("the closing quote of a string")),
            }
        }
    }

    fn escaped_string(&mut self, start: usize) -> Parsed {
        let first = self.unescaped.len();
        let mut from = start;
        loop {
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
                Some(0x20..) => self.at += 1,
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

    fn number(&mut self) -> Parsed {
        let start = self.at;
        let negative = self.bytes[start] == b'-';
        if negative {
            self.at += 1;
        }
        let leading_zero = self.bytes.get(self.at) == Some(&b'0');
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
        let text = &self.text[start..self.at];
        let (kind, bits) = if !float
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
