//! Each provider's rules once more, as a checker of finished JSON. It shares nothing with the passes: written from the
//! providers' own terms, it walks JSON and not the passes' tree.

use serde_json::{Map, Value};

/// What a checker looks at, by dialect.
struct Terms {
    /// Every keyword that may appear in a schema. Empty: any.
    keywords: &'static [&'static str],
    formats: &'static [&'static str],
    closed: bool,
    all_required: bool,
    every_node_typed: bool,
    items_demanded: bool,
    one_type: bool,
    root_combinators: bool,
    beside_ref: &'static [&'static str],
    text_enums: bool,
    recursion: bool,
}

const ANY: Terms = Terms {
    keywords: &[],
    formats: &[],
    closed: false,
    all_required: false,
    every_node_typed: false,
    items_demanded: false,
    one_type: false,
    root_combinators: false,
    beside_ref: &[],
    text_enums: false,
    recursion: true,
};

const STRICT_FORMATS: &[&str] = &[
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uuid",
];

fn terms(dialect: &str) -> Terms {
    match dialect {
        "openai_chat_strict" | "openai_responses_strict" => Terms {
            keywords: &[
                "type",
                "description",
                "properties",
                "required",
                "additionalProperties",
                "items",
                "anyOf",
                "enum",
                "const",
                "$ref",
                "$defs",
                "minimum",
                "maximum",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "multipleOf",
                "minItems",
                "maxItems",
                "pattern",
                "format",
            ],
            formats: STRICT_FORMATS,
            closed: true,
            all_required: true,
            every_node_typed: true,
            items_demanded: true,
            ..ANY
        },
        "anthropic_strict" => Terms {
            keywords: &[
                "type",
                "description",
                "properties",
                "required",
                "additionalProperties",
                "items",
                "anyOf",
                "enum",
                "const",
                "$ref",
                "$defs",
                "minItems",
                "format",
                "default",
            ],
            formats: &[
                "date-time",
                "time",
                "date",
                "duration",
                "email",
                "hostname",
                "ipv4",
                "ipv6",
                "uuid",
                "uri",
            ],
            closed: true,
            every_node_typed: true,
            items_demanded: true,
            recursion: false,
            ..ANY
        },
        "bedrock_strict" => Terms {
            keywords: &[
                "type",
                "description",
                "properties",
                "required",
                "additionalProperties",
                "items",
                "anyOf",
                "enum",
                "const",
                "$ref",
                "$defs",
                "minItems",
                "format",
                "default",
                "minLength",
                "maxLength",
                "pattern",
            ],
            ..terms("anthropic_strict")
        },
        "deepseek_strict" => Terms {
            keywords: &[
                "type",
                "description",
                "properties",
                "required",
                "additionalProperties",
                "items",
                "anyOf",
                "enum",
                "const",
                "$ref",
                "$defs",
                "minimum",
                "maximum",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "multipleOf",
                "pattern",
                "format",
            ],
            formats: &["email", "hostname", "ipv4", "ipv6", "uuid"],
            beside_ref: &["description"],
            ..terms("openai_chat_strict")
        },
        "gemini_openapi" => Terms {
            keywords: &[
                "type",
                "description",
                "properties",
                "required",
                "items",
                "anyOf",
                "enum",
                "nullable",
                "format",
                "minimum",
                "maximum",
                "minItems",
                "maxItems",
                "minLength",
                "maxLength",
                "pattern",
            ],
            formats: &["enum", "date-time"],
            every_node_typed: true,
            items_demanded: true,
            one_type: true,
            text_enums: true,
            recursion: false,
            ..ANY
        },
        "gemini_json_schema" => Terms {
            keywords: &[
                "type",
                "description",
                "properties",
                "required",
                "items",
                "prefixItems",
                "anyOf",
                "enum",
                "format",
                "minimum",
                "maximum",
                "minItems",
                "maxItems",
                "additionalProperties",
                "$ref",
                "$defs",
                "default",
            ],
            beside_ref: &["description", "default"],
            ..ANY
        },
        "moonshot" => Terms {
            keywords: &[
                "type",
                "description",
                "properties",
                "required",
                "items",
                "anyOf",
                "enum",
                "minimum",
                "maximum",
                "minItems",
                "maxItems",
                "minLength",
                "maxLength",
                "additionalProperties",
                "$ref",
                "$defs",
                "default",
            ],
            every_node_typed: true,
            items_demanded: true,
            beside_ref: &["description"],
            ..ANY
        },
        "ollama" => Terms {
            keywords: &[
                "type",
                "description",
                "properties",
                "required",
                "items",
                "anyOf",
                "enum",
            ],
            recursion: false,
            ..ANY
        },
        "llamacpp" => Terms {
            keywords: &[
                "type",
                "description",
                "properties",
                "required",
                "items",
                "prefixItems",
                "anyOf",
                "enum",
                "const",
                "minimum",
                "maximum",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "minItems",
                "maxItems",
                "minLength",
                "maxLength",
                "pattern",
                "format",
                "additionalProperties",
                "$ref",
                "$defs",
                "default",
            ],
            formats: &["date", "time", "date-time", "uuid"],
            ..ANY
        },
        mcp if mcp.starts_with("mcp") => Terms {
            root_combinators: true,
            ..ANY
        },
        _ => ANY,
    }
}

/// Every rule that a definition's schema breaks.
pub(crate) fn broken(dialect: &str, schema: &Value) -> Vec<String> {
    let mut checker = Checker {
        dialect,
        terms: terms(dialect),
        root: schema,
        broken: Vec::new(),
    };
    checker.root();
    checker.node(schema, "", 0);
    checker.numbers();
    checker.broken
}

struct Checker<'a> {
    dialect: &'a str,
    terms: Terms,
    root: &'a Value,
    broken: Vec<String>,
}

impl Checker<'_> {
    fn fail(&mut self, at: &str, what: impl std::fmt::Display) {
        self.broken.push(format!("{at}: {what}"));
    }

    fn root(&mut self) {
        let root = self.root;
        if root["type"] != "object" {
            self.fail("", "the root is no object");
        }
        if !self.terms.root_combinators {
            for key in ["oneOf", "anyOf", "allOf", "enum", "not", "$ref"] {
                if root.get(key).is_some() {
                    self.fail("", format!("{key} at the root"));
                }
            }
            if root.get("$schema").is_some() || root.get("title").is_some() {
                self.fail("", "metadata at the root");
            }
        }
        if self.dialect == "bedrock_nova" {
            for key in root.as_object().into_iter().flatten().map(|(key, _)| key) {
                if !["type", "properties", "required"].contains(&key.as_str()) {
                    self.fail("", format!("{key} at the root"));
                }
            }
        }
        let top = [
            "anthropic",
            "anthropic_strict",
            "bedrock",
            "bedrock_strict",
            "bedrock_nova",
        ]
        .contains(&self.dialect);
        for name in root["properties"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, _)| name)
        {
            let legal = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
            if top && !(name.chars().all(legal) && (1..=64).contains(&name.len())) {
                self.fail("", format!("property name {name:?}"));
            }
        }
    }

    fn node(&mut self, schema: &Value, at: &str, depth: usize) {
        assert!(depth < 400, "{at}");
        let Value::Object(map) = schema else {
            if !schema.is_boolean() {
                self.fail(at, "no schema");
            } else if self.terms.every_node_typed
                || self.dialect == "llamacpp"
                || self.dialect == "ollama"
            {
                self.fail(at, "a boolean for a schema");
            }
            return;
        };
        for key in map.keys() {
            if !self.terms.keywords.is_empty() && !self.terms.keywords.contains(&key.as_str()) {
                self.fail(at, format!("keyword {key}"));
            }
        }
        self.reference(map, at);
        self.object(map, at);
        self.values(map, at);
        let has = |key: &str| map.contains_key(key);
        if self.terms.every_node_typed
            && !["type", "anyOf", "$ref", "const", "enum"]
                .iter()
                .any(|key| has(key))
        {
            self.fail(at, "no type");
        }
        if ["deepseek_strict", "moonshot"].contains(&self.dialect)
            && !["type", "anyOf", "$ref"].iter().any(|key| has(key))
        {
            self.fail(at, "values without a type");
        }
        let types = types(map);
        if types.contains(&"array") && self.terms.items_demanded && !has("items") {
            self.fail(at, "array without items");
        }
        if self.dialect.starts_with("openai")
            && types.contains(&"array")
            && !has("items")
            && !has("prefixItems")
        {
            self.fail(at, "array without items");
        }
        if self.terms.one_type
            && (map.get("type").is_some_and(Value::is_array) || types.contains(&"null"))
        {
            self.fail(at, "a list of types, or null for one");
        }
        if self.dialect == "deepseek_strict"
            && types.len() > 1
            && types.iter().any(|name| ["array", "object"].contains(name))
        {
            self.fail(at, "a list of types with a container");
        }
        if has("anyOf")
            && [
                "moonshot",
                "gemini_openapi",
                "gemini_json_schema",
                "llamacpp",
                "ollama",
            ]
            .contains(&self.dialect)
        {
            for key in map.keys().filter(|key| {
                !["anyOf", "description", "nullable", "default", "$defs"].contains(&key.as_str())
            }) {
                self.fail(at, format!("{key} beside anyOf"));
            }
        }
        for (key, child) in map {
            match key.as_str() {
                "properties" | "$defs" | "patternProperties" | "dependentSchemas" => {
                    for (name, child) in child.as_object().into_iter().flatten() {
                        self.node(child, &format!("{at}/{key}/{name}"), depth + 1);
                    }
                }
                "items" | "not" | "if" | "then" | "else" | "contains" | "propertyNames" => {
                    self.node(child, &format!("{at}/{key}"), depth + 1);
                }
                "additionalProperties" if child.is_object() => {
                    self.node(child, &format!("{at}/{key}"), depth + 1)
                }
                "anyOf" | "oneOf" | "allOf" | "prefixItems" => {
                    for (index, child) in child.as_array().into_iter().flatten().enumerate() {
                        if self.dialect == "deepseek_strict"
                            && key == "anyOf"
                            && child.get("$ref").is_some()
                        {
                            self.fail(at, "a reference directly in anyOf");
                        }
                        self.node(child, &format!("{at}/{key}/{index}"), depth + 1);
                    }
                }
                _ => {}
            }
        }
    }

    fn reference(&mut self, map: &Map<String, Value>, at: &str) {
        let Some(reference) = map.get("$ref") else {
            return;
        };
        let Some(fragment) = reference.as_str().and_then(|text| text.strip_prefix('#')) else {
            self.fail(at, format!("reference {reference}"));
            return;
        };
        let decoded = fragment.replace("%20", " ");
        let Some(target) = self.root.pointer(&decoded) else {
            self.fail(at, format!("{reference} leads nowhere"));
            return;
        };
        let plain = decoded.is_empty()
            || decoded
                .strip_prefix("/$defs/")
                .is_some_and(|name| !name.contains('/'));
        if !plain {
            self.fail(at, format!("reference {reference}"));
        }
        if self.dialect == "llamacpp"
            && (decoded.is_empty() || decoded.contains('~') || fragment.contains('%'))
        {
            self.fail(at, format!("reference {reference}"));
        }
        if !self.terms.keywords.is_empty() {
            for key in map
                .keys()
                .filter(|key| *key != "$ref" && !self.terms.beside_ref.contains(&key.as_str()))
            {
                self.broken.push(format!("{at}: {key} beside $ref"));
            }
        }
        if self.dialect == "moonshot"
            && map.contains_key("description")
            && target.get("description").is_some()
        {
            self.fail(at, "a description on both sides of $ref");
        }
        if !self.terms.recursion && reaches(target, &decoded, self.root, &mut Vec::new()) {
            self.fail(at, "a recursive type");
        }
    }

    fn object(&mut self, map: &Map<String, Value>, at: &str) {
        let properties = map.get("properties").and_then(Value::as_object);
        if !types(map).contains(&"object") {
            return;
        }
        let count = properties.map_or(0, Map::len);
        if self.terms.closed {
            if map.get("additionalProperties") != Some(&Value::Bool(false)) {
                self.fail(at, "an open object");
            }
            if properties.is_none() {
                self.fail(at, "an object without properties");
            }
        }
        let map_like = map
            .get("additionalProperties")
            .is_some_and(Value::is_object);
        if ["deepseek_strict", "gemini_openapi"].contains(&self.dialect)
            && !at.is_empty()
            && count == 0
            && !map_like
        {
            self.fail(at, "an empty object below the root");
        }
        let required: Vec<&str> = map
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        if self.terms.all_required && required.len() != count {
            self.fail(at, "not every property is required");
        }
        let checked =
            ["gemini_openapi", "moonshot"].contains(&self.dialect) || self.terms.all_required;
        for name in required {
            if checked && !properties.is_some_and(|map| map.contains_key(name)) {
                self.fail(at, format!("{name} is required and missing"));
            }
        }
        for name in properties.into_iter().flatten().map(|(name, _)| name) {
            let first = |c: char| c.is_ascii_alphabetic() || c == '_';
            let legal = name.starts_with(first)
                && name.chars().all(|c| first(c) || c.is_ascii_digit())
                && name.len() <= 64;
            if self.dialect == "gemini_openapi" && !legal {
                self.fail(at, format!("property name {name:?}"));
            }
            if self.dialect == "moonshot"
                && ["$defs", "$ref", "anyOf", "required", "additionalProperties"]
                    .contains(&name.as_str())
            {
                self.fail(at, format!("property name {name:?}"));
            }
        }
    }

    fn values(&mut self, map: &Map<String, Value>, at: &str) {
        if let Some(format) = map.get("format").and_then(Value::as_str) {
            let number = ["int", "uint", "float", "double"]
                .iter()
                .any(|start| format.starts_with(start));
            if number || (!self.terms.formats.is_empty() && !self.terms.formats.contains(&format)) {
                self.fail(at, format!("format {format}"));
            }
        }
        let values = map.get("enum").and_then(Value::as_array);
        if values.is_some_and(Vec::is_empty) && self.dialect != "openai_chat" {
            self.fail(at, "an empty enum");
        }
        if self.terms.text_enums && values.into_iter().flatten().any(|value| !value.is_string()) {
            self.fail(at, "an enum of other things than text");
        }
        if let Some(default) = map.get("default")
            && self.dialect == "moonshot"
            && (default.is_array() || default.is_object())
        {
            self.fail(at, "a default that is no primitive");
        }
        if let Some(pattern) = map.get("pattern").and_then(Value::as_str) {
            let strict = self.dialect.ends_with("_strict");
            if strict
                && ["(?=", "(?!", "(?<"]
                    .iter()
                    .any(|group| pattern.contains(group))
                && self.dialect != "deepseek_strict"
            {
                self.fail(at, "a pattern with lookaround");
            }
            let letters = pattern.match_indices('\\').any(|(i, _)| {
                pattern[i + 1..]
                    .chars()
                    .next()
                    .is_some_and(|c| c.is_ascii_alphanumeric())
            });
            if self.dialect == "llamacpp"
                && !(pattern.starts_with('^') && pattern.ends_with('$') && !letters)
            {
                self.fail(at, format!("pattern {pattern}"));
            }
        }
        if self.dialect == "llamacpp" && types(map) == ["number"] {
            for key in ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] {
                if map.contains_key(key) {
                    self.fail(at, format!("{key} on a number"));
                }
            }
        }
        let least = map.get("minItems").and_then(Value::as_u64);
        if ["anthropic_strict", "bedrock_strict"].contains(&self.dialect)
            && least.is_some_and(|least| least > 1)
        {
            self.fail(at, "minItems above 1");
        }
    }

    /// Sizes.
    fn numbers(&mut self) {
        let mut count = Numbers::default();
        count.add(self.root, 0);
        let (depth, properties, values, branches) = match self.dialect {
            "openai_chat_strict" | "openai_responses_strict" => (10, 5000, 1000, usize::MAX),
            "moonshot" => (5, 100, 500, 10),
            _ => return self.budget(&count),
        };
        if count.depth > depth
            || count.properties > properties
            || count.values > values
            || count.branches > branches
        {
            self.fail("", format!("too large: {count:?}"));
        }
    }

    fn budget(&mut self, count: &Numbers) {
        if self.dialect == "anthropic_strict" && (count.optional > 24 || count.unions > 16) {
            self.fail("", format!("over the request's budget: {count:?}"));
        }
    }
}

#[derive(Debug, Default)]
struct Numbers {
    depth: usize,
    properties: usize,
    values: usize,
    branches: usize,
    optional: usize,
    unions: usize,
}

impl Numbers {
    fn add(&mut self, schema: &Value, depth: usize) {
        let Value::Object(map) = schema else { return };
        self.depth = self.depth.max(depth);
        let required: Vec<&Value> = map
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .collect();
        for (name, child) in map
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            self.properties += 1;
            self.optional += usize::from(!required.iter().any(|known| *known == name));
            self.add(child, depth + 1);
        }
        self.values += map
            .get("enum")
            .and_then(Value::as_array)
            .map_or(0, Vec::len);
        self.unions +=
            usize::from(map.contains_key("anyOf") || map.get("type").is_some_and(Value::is_array));
        for child in map
            .get("anyOf")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            self.add(child, depth);
        }
        self.branches = self.branches.max(
            map.get("anyOf")
                .and_then(Value::as_array)
                .map_or(0, Vec::len),
        );
        for key in ["items", "additionalProperties"] {
            self.add(&map.get(key).cloned().unwrap_or_default(), depth);
        }
        for (_, child) in map
            .get("$defs")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            self.add(child, 0);
        }
    }
}

fn types(map: &Map<String, Value>) -> Vec<&str> {
    match map.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Whether a schema leads back to a place through references.
fn reaches(schema: &Value, place: &str, root: &Value, seen: &mut Vec<String>) -> bool {
    match schema {
        Value::Object(map) => {
            if let Some(fragment) = map
                .get("$ref")
                .and_then(Value::as_str)
                .and_then(|text| text.strip_prefix('#'))
            {
                if fragment == place {
                    return true;
                }
                if !seen.iter().any(|known| known == fragment) {
                    seen.push(fragment.to_owned());
                    if root
                        .pointer(fragment)
                        .is_some_and(|target| reaches(target, place, root, seen))
                    {
                        return true;
                    }
                }
            }
            map.values().any(|child| reaches(child, place, root, seen))
        }
        Value::Array(list) => list.iter().any(|child| reaches(child, place, root, seen)),
        _ => false,
    }
}
