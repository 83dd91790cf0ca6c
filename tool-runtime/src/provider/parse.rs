//! From JSON to the tree of [`schema`](super::schema): by position, with every reference resolved or reported.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::schema::{Applied, Document, Kind, MAX_DEPTH, MAX_NODES, Node, Target, escape};

/// A place where the source is not a schema that can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unreadable {
    pub(crate) at: String,
    pub(crate) construct: &'static str,
    pub(crate) reason: String,
}

/// Reads a schema. Draft 4 to 7 spellings become those of 2020-12: `definitions`, `items` as a list, boolean
/// exclusive bounds. A reference into the middle of the document gets a definition of its own.
pub(crate) fn parse(source: &Value) -> Result<Document, Vec<Unreadable>> {
    let mut reader = Reader {
        source,
        anchors: BTreeMap::new(),
        names: BTreeMap::new(),
        waiting: Vec::new(),
        problems: Vec::new(),
        nodes: 0,
    };
    reader.find_anchors(source, &mut String::new(), 0);
    reader.name_definitions();
    let root = reader.node(source, "", 0);
    let mut definitions = Vec::new();
    // Reading a definition can find references that need another one.
    while !reader.waiting.is_empty() {
        for (name, pointer) in std::mem::take(&mut reader.waiting) {
            if let Some(value) = source.pointer(&pointer) {
                definitions.push((name, reader.node(value, &pointer, 0)));
            }
        }
    }
    if reader.problems.is_empty() {
        Ok(Document { root, definitions })
    } else {
        Err(reader.problems)
    }
}

struct Reader<'a> {
    source: &'a Value,
    /// `$anchor` to pointer.
    anchors: BTreeMap<String, String>,
    /// Pointer to definition name.
    names: BTreeMap<String, String>,
    waiting: Vec<(String, String)>,
    problems: Vec<Unreadable>,
    nodes: usize,
}

impl Reader<'_> {
    fn problem(&mut self, at: &str, construct: &'static str, reason: impl Into<String>) {
        if self.problems.len() < 50 {
            self.problems.push(Unreadable {
                at: at.to_owned(),
                construct,
                reason: reason.into(),
            });
        }
    }

    /// `$anchor`s by text. A property called `$anchor` holds an object, so a string is always the keyword.
    fn find_anchors(&mut self, value: &Value, at: &mut String, depth: usize) {
        if depth > 2 * MAX_DEPTH {
            return;
        }
        let length = at.len();
        match value {
            Value::Object(map) => {
                if let Some(Value::String(name)) = map.get("$anchor") {
                    self.anchors
                        .entry(name.clone())
                        .or_insert_with(|| at.clone());
                }
                for (key, child) in map {
                    at.push('/');
                    at.push_str(&escape(key));
                    self.find_anchors(child, at, depth + 1);
                    at.truncate(length);
                }
            }
            Value::Array(list) => {
                for (index, child) in list.iter().enumerate() {
                    at.push_str(&format!("/{index}"));
                    self.find_anchors(child, at, depth + 1);
                    at.truncate(length);
                }
            }
            _ => {}
        }
    }

    fn name_definitions(&mut self) {
        for keyword in ["$defs", "definitions"] {
            let Some(Value::Object(map)) = self.source.get(keyword) else {
                continue;
            };
            for name in map.keys() {
                let pointer = format!("/{keyword}/{}", escape(name));
                self.define(name, pointer);
            }
        }
    }

    fn define(&mut self, wanted: &str, pointer: String) -> String {
        if let Some(name) = self.names.get(&pointer) {
            return name.clone();
        }
        let mut name = wanted.to_owned();
        let mut number = 2;
        while self.names.values().any(|taken| *taken == name) {
            name = format!("{wanted}{number}");
            number += 1;
        }
        self.names.insert(pointer.clone(), name.clone());
        self.waiting.push((name.clone(), pointer));
        name
    }

    fn node(&mut self, value: &Value, at: &str, depth: usize) -> Node {
        let mut node = Node::at(at);
        self.nodes += 1;
        if depth > MAX_DEPTH {
            self.problem(
                at,
                "nesting",
                format!("the schema is nested deeper than {MAX_DEPTH} levels"),
            );
            return node;
        }
        if self.nodes > MAX_NODES {
            if self.nodes == MAX_NODES + 1 {
                self.problem(
                    at,
                    "size",
                    format!("the schema has more than {MAX_NODES} parts"),
                );
            }
            return node;
        }
        match value {
            Value::Bool(boolean) => node.boolean = Some(*boolean),
            Value::Object(map) => self.members(&mut node, map, depth),
            _ => self.problem(at, "schema", "a schema must be an object or a boolean"),
        }
        node
    }

    fn members(&mut self, node: &mut Node, map: &Map<String, Value>, depth: usize) {
        let at = node.at.clone();
        for (key, value) in map {
            let here = format!("{at}/{}", escape(key));
            match key.as_str() {
                "$ref" => node.reference = self.reference(value, &here),
                "type" => self.kinds(node, value, &here),
                "description" => match value {
                    Value::String(text) => node.description = Some(text.clone()),
                    _ => self.problem(&here, "description", "a description must be text"),
                },
                "enum" => match value {
                    Value::Array(values) => node.choices = Some(values.clone()),
                    _ => self.problem(&here, "enum", "enum must be a list"),
                },
                "const" => node.constant = Some(value.clone()),
                "properties" => node.properties = self.named(value, &here, depth),
                "patternProperties" => {
                    node.patterns = self.named(value, &here, depth).unwrap_or_default()
                }
                "required" => node.required = self.required(value, &here),
                "additionalProperties" => {
                    node.additional = Some(Box::new(self.node(value, &here, depth + 1)))
                }
                "items" => match value {
                    // Before 2020-12 a list here was a tuple.
                    Value::Array(_) => node.prefix = self.list(value, &here, depth),
                    _ => node.items = Some(Box::new(self.node(value, &here, depth + 1))),
                },
                "additionalItems" if map.get("items").is_some_and(Value::is_array) => {
                    node.items = Some(Box::new(self.node(value, &here, depth + 1)));
                }
                "prefixItems" => node.prefix = self.list(value, &here, depth),
                "anyOf" => node.any_of = self.list(value, &here, depth),
                "oneOf" => node.one_of = self.list(value, &here, depth),
                "allOf" => node.all_of = self.list(value, &here, depth),
                "not" => node.not = Some(Box::new(self.node(value, &here, depth + 1))),
                "if"
                | "then"
                | "else"
                | "contains"
                | "propertyNames"
                | "unevaluatedProperties"
                | "unevaluatedItems"
                | "contentSchema" => {
                    let inner = self.node(value, &here, depth + 1);
                    node.applied
                        .push((key.clone(), Applied::One(Box::new(inner))));
                }
                "dependentSchemas" => {
                    let inner = self.named(value, &here, depth).unwrap_or_default();
                    node.applied.push((key.clone(), Applied::Named(inner)));
                }
                // Whoever points into a nested `$defs` gets a definition at the root.
                "$defs" | "definitions" | "$anchor" => {}
                _ => node.keywords.push((key.clone(), value.clone())),
            }
        }
        exclusive_bound(node, "minimum", "exclusiveMinimum");
        exclusive_bound(node, "maximum", "exclusiveMaximum");
    }

    fn kinds(&mut self, node: &mut Node, value: &Value, here: &str) {
        let names: Vec<&Value> = match value {
            Value::Array(list) if !list.is_empty() => list.iter().collect(),
            Value::String(_) => vec![value],
            _ => {
                self.problem(here, "type", "type must be a type's name or a list of them");
                return;
            }
        };
        for name in names {
            match name.as_str().and_then(Kind::parse) {
                Some(kind) if !node.kinds.contains(&kind) => node.kinds.push(kind),
                Some(_) => {}
                None => self.problem(here, "type", format!("{name} is not a type of JSON Schema")),
            }
        }
    }

    fn required(&mut self, value: &Value, here: &str) -> Option<Vec<String>> {
        let names = value.as_array().and_then(|list| {
            list.iter()
                .map(|name| name.as_str().map(str::to_owned))
                .collect::<Option<Vec<_>>>()
        });
        if names.is_none() {
            self.problem(here, "required", "required must be a list of names");
        }
        let mut unique: Vec<String> = Vec::new();
        for name in names? {
            if !unique.contains(&name) {
                unique.push(name);
            }
        }
        Some(unique)
    }

    fn list(&mut self, value: &Value, here: &str, depth: usize) -> Option<Vec<Node>> {
        let Value::Array(list) = value else {
            self.problem(here, "schema list", "a list of schemas was expected");
            return None;
        };
        Some(
            list.iter()
                .enumerate()
                .map(|(i, item)| self.node(item, &format!("{here}/{i}"), depth + 1))
                .collect(),
        )
    }

    fn named(&mut self, value: &Value, here: &str, depth: usize) -> Option<Vec<(String, Node)>> {
        let Value::Object(map) = value else {
            self.problem(here, "schema map", "an object of schemas was expected");
            return None;
        };
        let nodes = map.iter().map(|(name, item)| {
            (
                name.clone(),
                self.node(item, &format!("{here}/{}", escape(name)), depth + 1),
            )
        });
        Some(nodes.collect())
    }

    fn reference(&mut self, value: &Value, here: &str) -> Option<Target> {
        let Some(text) = value.as_str() else {
            self.problem(here, "$ref", "a reference must be text");
            return None;
        };
        let Some(fragment) = text.strip_prefix('#') else {
            self.problem(
                here,
                "$ref",
                format!("`{text}` lies outside the schema, and nothing is fetched"),
            );
            return None;
        };
        let fragment = decode(fragment);
        if fragment.is_empty() || fragment == "/" {
            return Some(Target::Root);
        }
        let pointer = match self.anchors.get(&fragment) {
            Some(pointer) => pointer.clone(),
            None => fragment,
        };
        if pointer.is_empty() {
            return Some(Target::Root);
        }
        if self.source.pointer(&pointer).is_none() {
            self.problem(here, "$ref", format!("`{text}` leads nowhere"));
            return None;
        }
        let wanted: String = pointer
            .rsplit('/')
            .next()
            .unwrap_or("Part")
            .replace("~1", "/")
            .replace("~0", "~");
        Some(Target::Definition(self.define(&wanted, pointer)))
    }
}

/// Draft 4 wrote `minimum: 1, exclusiveMinimum: true`.
fn exclusive_bound(node: &mut Node, bound: &str, exclusive: &str) {
    match node.keyword(exclusive).and_then(Value::as_bool) {
        Some(true) => {
            let _ = node.take_keyword(exclusive);
            if let Some(value) = node.take_keyword(bound) {
                node.set_keyword(exclusive, value);
            }
        }
        Some(false) => drop(node.take_keyword(exclusive)),
        None => {}
    }
}

/// Percent-decoding; what is not valid stays as it is.
fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut index = 0;
    while let Some(&byte) = bytes.get(index) {
        let code = bytes
            .get(index + 1..index + 3)
            .and_then(|pair| std::str::from_utf8(pair).ok());
        match code.and_then(|pair| u8::from_str_radix(pair, 16).ok()) {
            Some(decoded) if byte == b'%' => {
                out.push(decoded);
                index += 3;
            }
            _ => {
                out.push(byte);
                index += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}
