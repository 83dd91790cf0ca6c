//! Reads a list of tools from whatever holds one: our manifest, a lock, an MCP server's `tools/list` answer.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::document::{MANIFEST_VERSION, Manifest, ManifestTool};
use super::lock::LOCK_VERSION;

/// A list of tools as somebody published it, ready to be compared.
///
/// The members of a tool are kept as they were read, so that a change can be shown as it stands in the file.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    pub(crate) tools: Vec<ListedTool>,
    /// Whether the order of the tools means something. Ours are sorted, so theirs alone can be reordered.
    pub(crate) ordered: bool,
}

/// One tool of a [`Listing`].
#[derive(Debug, Clone, Default)]
pub(crate) struct ListedTool {
    pub(crate) name: String,
    pub(crate) members: Map<String, Value>,
    /// The order of the names below each `properties`, by pointer into the tool. The JSON reader may sort them away.
    pub(crate) orders: BTreeMap<String, Vec<String>>,
}

/// Why a file is not a list of tools: what was expected, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError(String);

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ReadError {}

impl Listing {
    /// Reads a manifest, a lock, the result of an MCP `tools/list` (with or without its JSON-RPC envelope), or the bare
    /// array of tools.
    ///
    /// # Errors
    /// When the text is not JSON, or holds no list of named tools.
    pub fn read(text: &str) -> Result<Self, ReadError> {
        let text = text.trim_start_matches('\u{feff}');
        let document: Value =
            serde_json::from_str(text).map_err(|error| ReadError(format!("not JSON: {error}")))?;
        let (at, tools) = find_tools(&document)?;
        let mut listing = Self {
            tools: Vec::with_capacity(tools.len()),
            ordered: at.ordered,
        };
        let mut orders = Orders::of(text, &at.pointer);
        let mut seen = BTreeSet::new();
        for (index, tool) in tools.iter().enumerate() {
            let place = format!("{}/{index}", at.pointer);
            let Value::Object(members) = tool else {
                return Err(ReadError(format!(
                    "expected a tool, an object with a `name`, at {place}"
                )));
            };
            let Some(name) = members.get("name").and_then(Value::as_str) else {
                return Err(ReadError(format!(
                    "expected a `name` that is a string at {place}/name"
                )));
            };
            if !seen.insert(name) {
                return Err(ReadError(format!(
                    "two tools are called `{name}` (the second at {place}): a list that is compared by name needs each \
                     name once"
                )));
            }
            listing.tools.push(ListedTool {
                name: name.to_owned(),
                members: members.clone(),
                orders: orders.take(index),
            });
        }
        Ok(listing)
    }

    /// The names of the tools, in the order they stand.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tools.iter().map(|tool| tool.name.as_str())
    }
}

impl From<&Manifest> for Listing {
    fn from(manifest: &Manifest) -> Self {
        let mut tools: Vec<ListedTool> = manifest.tools().iter().map(ListedTool::from).collect();
        // A broken build may hold a name twice; it has been told so already.
        tools.dedup_by(|second, first| second.name == first.name);
        Self {
            tools,
            ordered: false,
        }
    }
}

impl From<&ManifestTool> for ListedTool {
    fn from(tool: &ManifestTool) -> Self {
        let members = tool
            .contract()
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        Self {
            name: tool.name.clone(),
            members,
            orders: BTreeMap::new(),
        }
    }
}

impl ListedTool {
    pub(crate) fn text(&self, member: &str) -> Option<&str> {
        self.members.get(member).and_then(Value::as_str)
    }

    /// Whether this library wrote the tool, so that risk, confirmation and behaviour are declared and not hinted.
    pub(crate) fn is_ours(&self) -> bool {
        self.members.contains_key("behaviour")
    }

    pub(crate) fn version(&self) -> u64 {
        self.members
            .get("version")
            .and_then(Value::as_u64)
            .unwrap_or(1)
    }

    pub(crate) fn aliases(&self) -> Vec<&str> {
        strings(self.members.get("aliases"))
    }

    /// The argument that now stands for a name that arguments may still be sent under.
    pub(crate) fn argument_of_alias(&self, alias: &str) -> Option<&str> {
        let arguments = self.members.get("argumentAliases")?.as_object()?;
        arguments
            .iter()
            .find(|(_, aliases)| strings(Some(aliases)).contains(&alias))
            .map(|(name, _)| name.as_str())
    }
}

pub(crate) fn strings(value: Option<&Value>) -> Vec<&str> {
    value
        .and_then(Value::as_array)
        .map(|items| items.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default()
}

struct Found {
    pointer: String,
    ordered: bool,
}

/// Where in a document the tools are.
fn find_tools(document: &Value) -> Result<(Found, &Vec<Value>), ReadError> {
    if let Value::Array(tools) = document {
        return Ok((
            Found {
                pointer: String::new(),
                ordered: true,
            },
            tools,
        ));
    }
    for (member, newest, what) in [
        ("manifestVersion", MANIFEST_VERSION, "manifest"),
        ("lockVersion", LOCK_VERSION, "lock"),
    ] {
        let Some(version) = document.get(member) else {
            continue;
        };
        if version
            .as_u64()
            .is_none_or(|version| version == 0 || version > u64::from(newest))
        {
            return Err(ReadError(format!(
                "this {what} is of version {version}, and versions up to {newest} can be read; use the release of the \
                 library that wrote it, or a newer one"
            )));
        }
        let tools = document.get("tools").and_then(Value::as_array);
        let tools = tools.ok_or_else(|| {
            ReadError(format!("expected the {what}'s tools, an array, at /tools"))
        })?;
        return Ok((
            Found {
                pointer: "/tools".to_owned(),
                ordered: false,
            },
            tools,
        ));
    }
    for pointer in ["/tools", "/result/tools"] {
        if let Some(Value::Array(tools)) = document.pointer(pointer) {
            return Ok((
                Found {
                    pointer: pointer.to_owned(),
                    ordered: true,
                },
                tools,
            ));
        }
    }
    Err(ReadError(
        "expected a list of tools: a manifest, a lock, the result of an MCP `tools/list` (an object with `tools`), or \
         the array of tools itself"
            .to_owned(),
    ))
}

/// The order of names below each `properties`, by pointer into the document.
#[derive(Default)]
struct Orders(BTreeMap<usize, BTreeMap<String, Vec<String>>>);

impl Orders {
    fn of(text: &str, tools: &str) -> Self {
        let mut found = Vec::new();
        let mut deserializer = serde_json::Deserializer::from_str(text);
        // The text has been read once, so an error cannot come; without an order only reordering goes unseen.
        let _ = Walk {
            pointer: String::new(),
            found: &mut found,
        }
        .deserialize(&mut deserializer);
        let mut orders = Self::default();
        for (pointer, names) in found {
            let Some(rest) = pointer
                .strip_prefix(tools)
                .and_then(|rest| rest.strip_prefix('/'))
            else {
                continue;
            };
            let Some((index, inside)) = rest.split_once('/') else {
                continue;
            };
            if let Ok(index) = index.parse() {
                orders
                    .0
                    .entry(index)
                    .or_default()
                    .insert(format!("/{inside}"), names);
            }
        }
        orders
    }

    fn take(&mut self, index: usize) -> BTreeMap<String, Vec<String>> {
        self.0.remove(&index).unwrap_or_default()
    }
}

/// A second reading of the text that keeps nothing but the order of names.
struct Walk<'a> {
    pointer: String,
    found: &'a mut Vec<(String, Vec<String>)>,
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let keep = self.pointer.ends_with("/properties");
        let mut names = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            let pointer = format!("{}/{}", self.pointer, escape(&name));
            map.next_value_seed(Walk {
                pointer,
                found: &mut *self.found,
            })?;
            if keep {
                names.push(name);
            }
        }
        if keep {
            self.found.push((self.pointer, names));
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let mut index = 0;
        while items
            .next_element_seed(Walk {
                pointer: format!("{}/{index}", self.pointer),
                found: &mut *self.found,
            })?
            .is_some()
        {
            index += 1;
        }
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        serde::de::IgnoredAny::deserialize(deserializer).map(drop)
    }
}

/// A name as a token of a JSON Pointer.
pub(crate) fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// A token of a JSON Pointer as a name.
pub(crate) fn unescape(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

/// Finds the lines of places in a JSON text that is known to be valid. The items of one list, which are asked for again
/// and again, are found once.
#[derive(Debug)]
pub(crate) struct Lines<'a> {
    text: &'a str,
    /// Where each item of the list begins: the offset, and the line.
    items: Vec<(usize, usize)>,
}

impl<'a> Lines<'a> {
    /// The lines of a text whose list of tools stands at `list`.
    pub(crate) fn of(text: &'a str, list: &str) -> Self {
        let mut lines = Self {
            text,
            items: Vec::new(),
        };
        let mut scanner = Scanner {
            bytes: text.as_bytes(),
            at: 0,
            best: 0,
        };
        if !scanner.find(&tokens(list)) {
            return lines;
        }
        let (mut line, mut counted) = (1, 0);
        scanner.each_item(|offset| {
            line += line_breaks(text, counted, offset);
            counted = offset;
            lines.items.push((offset, line));
        });
        lines
    }

    /// The line, counted from one, on which the value at `pointer` into the list's item begins; where the place is
    /// missing, the line of the nearest one above it.
    pub(crate) fn line(&self, item: usize, pointer: &str) -> usize {
        let Some((offset, line)) = self.items.get(item) else {
            return 1;
        };
        let mut scanner = Scanner {
            bytes: self.text.as_bytes(),
            at: *offset,
            best: *offset,
        };
        scanner.find(&tokens(pointer));
        line + line_breaks(self.text, *offset, scanner.best)
    }
}

fn tokens(pointer: &str) -> Vec<String> {
    pointer.split('/').skip(1).map(unescape).collect()
}

fn line_breaks(text: &str, from: usize, to: usize) -> usize {
    let bytes = text.as_bytes().get(from..to).unwrap_or_default();
    bytes.iter().filter(|byte| **byte == b'\n').count()
}

/// Finds places in JSON text that is known to be valid. It never recurses, so no depth can hurt it.
struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The last place that was found on the way.
    best: usize,
}

impl Scanner<'_> {
    /// Goes down to a place; false where the way ends before.
    fn find(&mut self, tokens: &[String]) -> bool {
        self.blank();
        self.best = self.at;
        for token in tokens {
            if !self.enter(token) {
                return false;
            }
            self.best = self.at;
        }
        true
    }

    /// Calls `found` with the place of each item of the list that begins here.
    fn each_item(&mut self, mut found: impl FnMut(usize)) {
        if self.peek() != Some(b'[') {
            return;
        }
        self.at += 1;
        loop {
            self.blank();
            match self.peek() {
                None | Some(b']') => return,
                Some(b',') => self.at += 1,
                Some(_) => {
                    found(self.at);
                    self.skip();
                }
            }
        }
    }

    /// From the start of a value to the start of its member `token`.
    fn enter(&mut self, token: &str) -> bool {
        let open = self.peek();
        if !matches!(open, Some(b'{' | b'[')) {
            return false;
        }
        self.at += 1;
        let mut index = 0_usize;
        loop {
            self.blank();
            match self.peek() {
                None | Some(b'}' | b']') => return false,
                Some(b',') => {
                    self.at += 1;
                    continue;
                }
                Some(_) => {}
            }
            let here = if open == Some(b'{') {
                let from = self.at;
                self.skip();
                let name: Option<String> = self
                    .bytes
                    .get(from..self.at)
                    .and_then(|name| serde_json::from_slice(name).ok());
                self.blank();
                self.at += 1;
                self.blank();
                name.as_deref() == Some(token)
            } else {
                index.to_string() == token
            };
            if here {
                return true;
            }
            self.skip();
            index += 1;
        }
    }

    /// Past the value that begins here.
    fn skip(&mut self) {
        let mut depth = 0_usize;
        loop {
            match self.peek() {
                None => return,
                Some(b'"') => self.string(),
                Some(b'{' | b'[') => {
                    depth += 1;
                    self.at += 1;
                }
                Some(b'}' | b']') => {
                    depth = depth.saturating_sub(1);
                    self.at += 1;
                }
                Some(byte) if depth == 0 => {
                    // A number or a word ends where punctuation begins.
                    if matches!(byte, b',' | b':') || byte.is_ascii_whitespace() {
                        return;
                    }
                    self.at += 1;
                    if !matches!(self.peek(), Some(next) if !matches!(next, b',' | b'}' | b']') && !next.is_ascii_whitespace())
                    {
                        return;
                    }
                    continue;
                }
                Some(_) => self.at += 1,
            }
            if depth == 0 {
                return;
            }
        }
    }

    fn string(&mut self) {
        self.at += 1;
        while let Some(byte) = self.peek() {
            self.at += if byte == b'\\' { 2 } else { 1 };
            if byte == b'"' {
                return;
            }
        }
    }

    fn blank(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_list_is_read() {
        let check = |text: &str| {
            let listing = Listing::read(text).unwrap();
            assert_eq!(listing.names().collect::<Vec<_>>(), ["b", "a"], "{text}");
        };
        check(r#"[{"name":"b"},{"name":"a"}]"#);
        check(r#"{"tools":[{"name":"b"},{"name":"a"}],"nextCursor":"x"}"#);
        check(r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"b"},{"name":"a"}]}}"#);
        check(r#"{"manifestVersion":1,"tools":[{"name":"b"},{"name":"a"}]}"#);
        check("\u{feff}{\"lockVersion\":1,\"tools\":[{\"name\":\"b\"},{\"name\":\"a\"}]}");
    }

    #[test]
    fn what_is_not_a_list_says_what_was_expected() {
        let check = |text: &str, expected: &str| {
            let said = Listing::read(text).unwrap_err().to_string();
            assert!(said.contains(expected), "{text}: {said}");
        };
        check("{", "not JSON");
        check("7", "expected a list of tools");
        check(r#"{"tools":{}}"#, "expected a list of tools");
        check(r#"[7]"#, "expected a tool, an object with a `name`, at /0");
        check(r#"{"tools":[{"title":"x"}]}"#, "/tools/0/name");
        check(r#"[{"name":"a"},{"name":"a"}]"#, "two tools are called `a`");
        check(r#"{"manifestVersion":2,"tools":[]}"#, "version 2");
    }

    #[test]
    fn the_order_of_properties_is_kept() {
        let text = r#"{"tools":[{"name":"a","inputSchema":{"properties":{"z":{},"b":{"properties":{}}}}}]}"#;
        let listing = Listing::read(text).unwrap();
        assert_eq!(
            listing.tools[0].orders["/inputSchema/properties"],
            ["z", "b"]
        );
    }

    #[test]
    fn a_place_has_a_line() {
        let text = "{\n \"a\": [\n  1,\n  {\"x/y\": \"}\\\"\",\n   \"b\": true}\n ]\n}";
        let lines = Lines::of(text, "/a");
        let check = |item: usize, pointer: &str, line: usize| {
            assert_eq!(lines.line(item, pointer), line, "{pointer}")
        };
        check(0, "", 3);
        check(1, "", 4);
        check(1, "/x~1y", 4);
        check(1, "/b", 5);
        check(1, "/missing", 4);
        check(7, "/nowhere", 1);
        assert_eq!(Lines::of(text, "/b").line(0, ""), 1);
    }
}
