//! A JSON Schema read by position: a key inside `properties` is a field's name and nothing else.
//!
//! Passes work on this tree and not on JSON, so that a property called `title`, `default`, `$ref` or `anyOf` cannot be
//! taken for a keyword. Every node remembers where it stood in the source, which is what reports name.

use serde_json::{Map, Value};

/// How deep a schema may be nested. Deeper ones are refused, so every pass may recurse.
pub(crate) const MAX_DEPTH: usize = 96;

/// How many nodes a document may have, written out or not: references can make a short one endless.
pub(crate) const MAX_NODES: usize = 20_000;

/// The six types of JSON and `integer`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

impl Kind {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }

    pub(crate) fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "null" => Self::Null,
            "boolean" => Self::Boolean,
            "integer" => Self::Integer,
            "number" => Self::Number,
            "string" => Self::String,
            "array" => Self::Array,
            "object" => Self::Object,
            _ => return None,
        })
    }

    /// The type of a value.
    pub(crate) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Boolean,
            Value::Number(number) if number.is_i64() || number.is_u64() => Self::Integer,
            Value::Number(_) => Self::Number,
            Value::String(_) => Self::String,
            Value::Array(_) => Self::Array,
            Value::Object(_) => Self::Object,
        }
    }

    /// Whether a value of type `other` is also of this type.
    pub(crate) fn admits(self, other: Self) -> bool {
        self == other || (self == Self::Number && other == Self::Integer)
    }
}

/// Where a `$ref` leads.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Target {
    /// The whole document, `#`.
    Root,
    /// A definition, by its key.
    Definition(String),
}

/// Subschemas under a keyword that no pass treats by name.
#[derive(Debug, Clone)]
pub(crate) enum Applied {
    One(Box<Node>),
    Many(Vec<Node>),
    Named(Vec<(String, Node)>),
}

/// One schema.
#[derive(Debug, Clone, Default)]
pub(crate) struct Node {
    /// Where it stands in the source: a JSON Pointer.
    pub(crate) at: String,
    /// A schema that is just `true` or `false`.
    pub(crate) boolean: Option<bool>,
    pub(crate) description: Option<String>,
    pub(crate) reference: Option<Target>,
    /// The types; none means that the source says nothing.
    pub(crate) kinds: Vec<Kind>,
    pub(crate) choices: Option<Vec<Value>>,
    pub(crate) constant: Option<Value>,
    pub(crate) properties: Option<Vec<(String, Node)>>,
    pub(crate) required: Option<Vec<String>>,
    pub(crate) additional: Option<Box<Node>>,
    pub(crate) patterns: Vec<(String, Node)>,
    pub(crate) prefix: Option<Vec<Node>>,
    pub(crate) items: Option<Box<Node>>,
    pub(crate) any_of: Option<Vec<Node>>,
    pub(crate) one_of: Option<Vec<Node>>,
    pub(crate) all_of: Option<Vec<Node>>,
    pub(crate) not: Option<Box<Node>>,
    /// `nullable: true`, which only Gemini's `parameters` has. Never read, only written.
    pub(crate) nullable: bool,
    /// What is told in words only, by keyword: rendered behind the description at the very end.
    pub(crate) notes: Vec<(String, String)>,
    /// Every keyword whose value is not a schema.
    pub(crate) keywords: Vec<(String, Value)>,
    /// Every other keyword whose value holds schemas.
    pub(crate) applied: Vec<(String, Applied)>,
}

/// A schema and its definitions.
#[derive(Debug, Clone, Default)]
pub(crate) struct Document {
    pub(crate) root: Node,
    pub(crate) definitions: Vec<(String, Node)>,
}

impl Node {
    /// A node without any rule, for a place in the source.
    pub(crate) fn at(at: &str) -> Self {
        Self {
            at: at.to_owned(),
            ..Self::default()
        }
    }

    /// `{"type": "null"}`.
    pub(crate) fn null(at: &str) -> Self {
        Self {
            kinds: vec![Kind::Null],
            ..Self::at(at)
        }
    }

    pub(crate) fn keyword(&self, name: &str) -> Option<&Value> {
        self.keywords
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value)
    }

    pub(crate) fn take_keyword(&mut self, name: &str) -> Option<Value> {
        let index = self.keywords.iter().position(|(key, _)| key == name)?;
        Some(self.keywords.remove(index).1)
    }

    pub(crate) fn set_keyword(&mut self, name: &str, value: Value) {
        match self.keywords.iter_mut().find(|(key, _)| key == name) {
            Some((_, old)) => *old = value,
            None => self.keywords.push((name.to_owned(), value)),
        }
    }

    pub(crate) fn is_required(&self, name: &str) -> bool {
        self.required
            .as_ref()
            .is_some_and(|names| names.iter().any(|each| each == name))
    }

    pub(crate) fn property(&self, name: &str) -> Option<&Self> {
        self.properties
            .as_ref()?
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, node)| node)
    }

    /// Whether unlisted members are refused.
    pub(crate) fn is_closed(&self) -> bool {
        self.additional
            .as_ref()
            .is_some_and(|node| node.boolean == Some(false))
    }

    /// Whether the node describes objects.
    pub(crate) fn is_object(&self) -> bool {
        self.kinds.contains(&Kind::Object)
            || (self.kinds.is_empty()
                && (self.properties.is_some()
                    || self.additional.is_some()
                    || self.required.is_some()))
    }

    /// Whether the node says nothing about the value beyond words.
    pub(crate) fn is_unconstrained(&self) -> bool {
        self.boolean != Some(false)
            && !self.has_structure()
            && self.keywords.iter().all(|(key, _)| is_annotation(key))
    }

    /// Whether the node says anything that is neither a plain keyword nor a description.
    pub(crate) fn has_structure(&self) -> bool {
        self.reference.is_some()
            || !self.kinds.is_empty()
            || self.choices.is_some()
            || self.constant.is_some()
            || self.properties.is_some()
            || self.required.is_some()
            || self.additional.is_some()
            || !self.patterns.is_empty()
            || self.prefix.is_some()
            || self.items.is_some()
            || self.any_of.is_some()
            || self.one_of.is_some()
            || self.all_of.is_some()
            || self.not.is_some()
            || !self.applied.is_empty()
    }

    /// Whether a node with a reference has siblings that constrain: more than words beside the `$ref`.
    pub(crate) fn constrains_beside_reference(&self) -> bool {
        let mut rest = self.clone_shallow();
        rest.reference = None;
        rest.has_structure() || self.keywords.iter().any(|(key, _)| !is_annotation(key))
    }

    /// A copy that keeps which keywords exist but not what is in them, cheap to ask questions of.
    fn clone_shallow(&self) -> Self {
        Self {
            reference: self.reference.clone(),
            kinds: self.kinds.clone(),
            choices: self.choices.as_ref().map(|_| Vec::new()),
            constant: self.constant.as_ref().map(|_| Value::Null),
            properties: self.properties.as_ref().map(|_| Vec::new()),
            required: self.required.as_ref().map(|_| Vec::new()),
            additional: self.additional.as_ref().map(|_| Box::default()),
            patterns: self
                .patterns
                .iter()
                .take(1)
                .map(|(key, _)| (key.clone(), Self::default()))
                .collect(),
            prefix: self.prefix.as_ref().map(|_| Vec::new()),
            items: self.items.as_ref().map(|_| Box::default()),
            any_of: self.any_of.as_ref().map(|_| Vec::new()),
            one_of: self.one_of.as_ref().map(|_| Vec::new()),
            all_of: self.all_of.as_ref().map(|_| Vec::new()),
            not: self.not.as_ref().map(|_| Box::default()),
            applied: self
                .applied
                .iter()
                .take(1)
                .map(|(k, _)| (k.clone(), Applied::Many(Vec::new())))
                .collect(),
            ..Self::default()
        }
    }

    /// The schemas directly inside, in a fixed order.
    pub(crate) fn children(&self) -> Vec<&Self> {
        let mut all: Vec<&Self> = Vec::new();
        all.extend(self.properties.iter().flatten().map(|(_, node)| node));
        all.extend(self.additional.as_deref());
        all.extend(self.patterns.iter().map(|(_, node)| node));
        all.extend(self.prefix.iter().flatten());
        all.extend(self.items.as_deref());
        for union in [&self.any_of, &self.one_of, &self.all_of] {
            all.extend(union.iter().flatten());
        }
        all.extend(self.not.as_deref());
        for (_, applied) in &self.applied {
            match applied {
                Applied::One(node) => all.push(node),
                Applied::Many(nodes) => all.extend(nodes),
                Applied::Named(nodes) => all.extend(nodes.iter().map(|(_, node)| node)),
            }
        }
        all
    }

    /// [`children`](Self::children), to be changed.
    pub(crate) fn children_mut(&mut self) -> Vec<&mut Self> {
        let mut all: Vec<&mut Self> = Vec::new();
        all.extend(self.properties.iter_mut().flatten().map(|(_, node)| node));
        all.extend(self.additional.as_deref_mut());
        all.extend(self.patterns.iter_mut().map(|(_, node)| node));
        all.extend(self.prefix.iter_mut().flatten());
        all.extend(self.items.as_deref_mut());
        for union in [&mut self.any_of, &mut self.one_of, &mut self.all_of] {
            all.extend(union.iter_mut().flatten());
        }
        all.extend(self.not.as_deref_mut());
        for (_, applied) in &mut self.applied {
            match applied {
                Applied::One(node) => all.push(node),
                Applied::Many(nodes) => all.extend(nodes),
                Applied::Named(nodes) => all.extend(nodes.iter_mut().map(|(_, node)| node)),
            }
        }
        all
    }

    /// Visits this node and every node inside, outer first.
    pub(crate) fn visit<'a>(&'a self, see: &mut dyn FnMut(&'a Self)) {
        see(self);
        for child in self.children() {
            child.visit(see);
        }
    }

    /// Visits this node and every node inside, inner first.
    pub(crate) fn visit_mut(&mut self, change: &mut dyn FnMut(&mut Self)) {
        for child in self.children_mut() {
            child.visit_mut(change);
        }
        change(self);
    }

    /// The node as JSON; `point` spells a reference.
    pub(crate) fn write(&self, point: &dyn Fn(&Target) -> String) -> Value {
        if let Some(boolean) = self.boolean
            && !self.has_structure()
            && self.description.is_none()
        {
            return Value::Bool(boolean);
        }
        let mut out = Map::new();
        let named = |nodes: &[(String, Self)]| {
            Value::Object(
                nodes
                    .iter()
                    .map(|(name, node)| (name.clone(), node.write(point)))
                    .collect(),
            )
        };
        let list =
            |nodes: &[Self]| Value::Array(nodes.iter().map(|node| node.write(point)).collect());
        if let Some(target) = &self.reference {
            out.insert("$ref".into(), Value::from(point(target)));
        }
        match self.kinds.as_slice() {
            [] => {}
            [kind] => drop(out.insert("type".into(), Value::from(kind.as_str()))),
            kinds => {
                drop(
                    out.insert(
                        "type".into(),
                        kinds
                            .iter()
                            .map(|kind| Value::from(kind.as_str()))
                            .collect(),
                    ),
                );
            }
        }
        if let Some(text) = &self.description {
            out.insert("description".into(), Value::from(text.as_str()));
        }
        if self.nullable {
            out.insert("nullable".into(), Value::Bool(true));
        }
        if let Some(value) = &self.constant {
            out.insert("const".into(), value.clone());
        }
        if let Some(values) = &self.choices {
            out.insert("enum".into(), Value::Array(values.clone()));
        }
        for (key, value) in &self.keywords {
            out.insert(key.clone(), value.clone());
        }
        if let Some(nodes) = &self.properties {
            out.insert("properties".into(), named(nodes));
        }
        if let Some(names) = &self.required {
            out.insert(
                "required".into(),
                names
                    .iter()
                    .map(|name| Value::from(name.as_str()))
                    .collect(),
            );
        }
        if let Some(node) = &self.additional {
            out.insert("additionalProperties".into(), node.write(point));
        }
        if !self.patterns.is_empty() {
            out.insert("patternProperties".into(), named(&self.patterns));
        }
        if let Some(nodes) = &self.prefix {
            out.insert("prefixItems".into(), list(nodes));
        }
        if let Some(node) = &self.items {
            out.insert("items".into(), node.write(point));
        }
        for (key, nodes) in [
            ("anyOf", &self.any_of),
            ("oneOf", &self.one_of),
            ("allOf", &self.all_of),
        ] {
            if let Some(nodes) = nodes {
                out.insert(key.into(), list(nodes));
            }
        }
        if let Some(node) = &self.not {
            out.insert("not".into(), node.write(point));
        }
        for (key, applied) in &self.applied {
            let value = match applied {
                Applied::One(node) => node.write(point),
                Applied::Many(nodes) => list(nodes),
                Applied::Named(nodes) => named(nodes),
            };
            out.insert(key.clone(), value);
        }
        Value::Object(out)
    }
}

impl Document {
    pub(crate) fn definition(&self, name: &str) -> Option<&Node> {
        self.definitions
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, node)| node)
    }

    /// What a reference leads to.
    pub(crate) fn target(&self, target: &Target) -> Option<&Node> {
        match target {
            Target::Root => Some(&self.root),
            Target::Definition(name) => self.definition(name),
        }
    }

    /// The node itself or, through references without siblings, what it stands for. Gives up after a few steps.
    pub(crate) fn resolved<'a>(&'a self, node: &'a Node) -> &'a Node {
        let mut current = node;
        for _ in 0..16 {
            match current
                .reference
                .as_ref()
                .and_then(|target| self.target(target))
            {
                Some(next) => current = next,
                None => return current,
            }
        }
        current
    }

    /// Visits every node, inner first, definitions before the root.
    pub(crate) fn visit_mut(&mut self, change: &mut dyn FnMut(&mut Node)) {
        for (_, node) in &mut self.definitions {
            node.visit_mut(change);
        }
        self.root.visit_mut(change);
    }

    /// Visits every node, outer first, the root before the definitions.
    pub(crate) fn visit<'a>(&'a self, see: &mut dyn FnMut(&'a Node)) {
        self.root.visit(see);
        for (_, node) in &self.definitions {
            node.visit(see);
        }
    }

    /// The document as JSON.
    pub(crate) fn write(&self) -> Value {
        let mut out = self.root.write(&spell);
        if let (Value::Object(map), false) = (&mut out, self.definitions.is_empty()) {
            let definitions = self
                .definitions
                .iter()
                .map(|(name, node)| (name.clone(), node.write(&spell)))
                .collect();
            map.insert("$defs".into(), Value::Object(definitions));
        }
        out
    }
}

/// How a reference is written: a URI fragment that holds a JSON Pointer.
pub(crate) fn spell(target: &Target) -> String {
    let Target::Definition(name) = target else {
        return "#".to_owned();
    };
    let mut out = String::from("#/$defs/");
    for byte in escape(name).bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// One token of a JSON Pointer.
pub(crate) fn escape(token: &str) -> String {
    token.replace('~', "~0").replace('/', "~1")
}

/// Keywords that speak about a value without deciding whether it is right.
pub(crate) fn is_annotation(keyword: &str) -> bool {
    matches!(
        keyword,
        "title"
            | "default"
            | "examples"
            | "deprecated"
            | "readOnly"
            | "writeOnly"
            | "$comment"
            | "$schema"
            | "$id"
            | "$anchor"
            | "example"
            | "contentMediaType"
            | "contentEncoding"
    ) || keyword.starts_with("x-")
}
