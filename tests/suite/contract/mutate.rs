//! Edits as authors make them, applied to real schemas at random.

use serde_json::{Map, Value, json};

/// A small generator of numbers: the same seed makes the same run.
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 8
    }

    pub(super) fn below(&mut self, end: usize) -> usize {
        if end == 0 {
            0
        } else {
            (self.next() % end as u64) as usize
        }
    }

    pub(super) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

impl Dice {
    fn word(&mut self, from: &[&'static str]) -> &'static str {
        from[self.below(from.len())]
    }
}

/// The pointers of all schemas below, the root's first.
fn nodes(schema: &Value, at: String, out: &mut Vec<String>) {
    let Value::Object(members) = schema else {
        return;
    };
    out.push(at.clone());
    for (keyword, value) in members {
        match (keyword.as_str(), value) {
            (
                "properties" | "$defs" | "definitions" | "patternProperties",
                Value::Object(named),
            ) => {
                for (name, inner) in named {
                    let name = name.replace('~', "~0").replace('/', "~1");
                    nodes(inner, format!("{at}/{keyword}/{name}"), out);
                }
            }
            ("items" | "additionalProperties" | "not", inner) => {
                nodes(inner, format!("{at}/{keyword}"), out)
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(list)) => {
                for (index, inner) in list.iter().enumerate() {
                    nodes(inner, format!("{at}/{keyword}/{index}"), out);
                }
            }
            _ => {}
        }
    }
}

/// One edit at a random place. Returns what was done.
pub(super) fn mutate(schema: &mut Value, dice: &mut Dice) -> String {
    let mut places = Vec::new();
    nodes(schema, String::new(), &mut places);
    if places.is_empty() {
        return "nothing".into();
    }
    let place = dice.pick(&places).clone();
    let root = place.is_empty();
    let whole = schema.clone();
    let Some(Value::Object(node)) = schema.pointer_mut(&place) else {
        return "nothing".into();
    };
    let edit = dice.below(24);
    let small = dice.below(6) as i64;
    let insert = |node: &mut Map<String, Value>, keyword: &str, value: Value| {
        node.insert(keyword.into(), value);
    };
    match edit {
        0 => insert(node, "description", json!(format!("Words {small}."))),
        1 => insert(node, "default", json!(small)),
        2 => insert(node, "title", json!(format!("Title {small}"))),
        3 if !root => insert(
            node,
            "type",
            json!(dice.pick(&[
                "string", "integer", "number", "boolean", "null", "array", "object"
            ])),
        ),
        4 if !root => insert(
            node,
            "type",
            json!([dice.pick(&["string", "integer", "boolean"]), "null"]),
        ),
        5 => insert(
            node,
            dice.word(&["minLength", "minItems", "minProperties"]),
            json!(small),
        ),
        6 => insert(
            node,
            dice.word(&["maxLength", "maxItems", "maxProperties"]),
            json!(small + 2),
        ),
        7 => insert(
            node,
            dice.word(&["minimum", "exclusiveMinimum"]),
            json!(small - 3),
        ),
        8 => insert(
            node,
            dice.word(&["maximum", "exclusiveMaximum"]),
            json!(small * 100),
        ),
        9 => {
            let keyword = dice.word(&[
                "minLength",
                "maxLength",
                "minItems",
                "maxItems",
                "minimum",
                "maximum",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "pattern",
                "format",
                "enum",
                "const",
                "default",
                "uniqueItems",
            ]);
            node.remove(keyword);
        }
        10 => match node.get_mut("enum") {
            Some(Value::Array(values)) if values.len() > 1 => {
                values.remove(dice.below(values.len()));
            }
            _ => insert(node, "multipleOf", json!(small + 1)),
        },
        11 => match node.get_mut("enum") {
            Some(Value::Array(values)) => values.push(json!(format!("value {small}"))),
            _ => insert(node, "uniqueItems", json!(true)),
        },
        12 => insert(node, "additionalProperties", json!(false)),
        13 => {
            node.remove("additionalProperties");
        }
        14 => insert(
            node,
            "additionalProperties",
            json!({"type": dice.pick(&["string", "integer"])}),
        ),
        15 | 16 => {
            // A property comes, goes, or has to be there.
            let names: Vec<String> = node
                .get("properties")
                .and_then(Value::as_object)
                .map(|all| all.keys().cloned().collect())
                .unwrap_or_default();
            let properties = node.entry("properties").or_insert_with(|| json!({}));
            if let Value::Object(properties) = properties {
                match dice.below(3) {
                    0 => {
                        properties.insert(
                            format!("new_{small}"),
                            json!({"type": dice.pick(&["string", "integer", "array"])}),
                        );
                    }
                    1 if !names.is_empty() => {
                        let name = dice.pick(&names).clone();
                        properties.remove(&name);
                    }
                    _ if !names.is_empty() => {
                        let old = dice.pick(&names).clone();
                        if let Some(inner) = properties.remove(&old) {
                            properties.insert(format!("{old}_{small}"), inner);
                        }
                    }
                    _ => {}
                }
            }
        }
        17 => {
            let names: Vec<String> = node
                .get("properties")
                .and_then(Value::as_object)
                .map(|all| all.keys().cloned().collect())
                .unwrap_or_default();
            if !names.is_empty() {
                let name = json!(dice.pick(&names));
                if let Value::Array(required) = node.entry("required").or_insert_with(|| json!([]))
                {
                    match required.iter().position(|one| *one == name) {
                        Some(index) => drop(required.remove(index)),
                        None => required.push(name),
                    }
                }
            }
        }
        18 if !root => {
            let inner = Value::Object(node.clone());
            *node = Map::from_iter([(
                "anyOf".to_owned(),
                json!([inner, {"type": dice.pick(&["null", "integer"])}]),
            )]);
        }
        19 if !root => {
            let inner = Value::Object(node.clone());
            *node = Map::from_iter([("allOf".to_owned(), json!([inner, {"minLength": small}]))]);
        }
        20 if !root
            && place.matches('/').count() == 2
            && whole.get("$defs").is_none_or(Value::is_object) =>
        {
            // What stood here moves into a definition.
            let inner = Value::Object(node.clone());
            *node = Map::from_iter([("$ref".to_owned(), json!("#/$defs/Moved"))]);
            if let Some(root) = schema.as_object_mut()
                && let Value::Object(definitions) = root.entry("$defs").or_insert_with(|| json!({}))
            {
                definitions.insert("Moved".into(), inner);
            }
        }
        21 => insert(
            node,
            "pattern",
            json!(dice.pick(&["^[a-z]*$", "^A\\d{4}$", ".", "x"])),
        ),
        22 => insert(
            node,
            "format",
            json!(dice.pick(&["date", "uuid", "uri", "uint32", "int64", "email"])),
        ),
        23 => {
            // The same said in other words.
            if let Some(limit) = node.get("minimum").and_then(Value::as_i64)
                && node.get("type") == Some(&json!("integer"))
            {
                node.remove("minimum");
                insert(node, "exclusiveMinimum", json!(limit - 1));
            } else if let Some(Value::Array(values)) = node.get("enum").cloned() {
                node.remove("enum");
                let each: Vec<Value> = values
                    .into_iter()
                    .map(|value| json!({"const": value}))
                    .collect();
                insert(node, "oneOf", json!(each));
            } else {
                insert(node, "not", json!({"const": small}));
            }
        }
        _ => insert(node, "description", json!("Other words.")),
    }
    format!("{edit} at {place}")
}

/// A value near another: a member gone or added, a number moved, another kind.
pub(super) fn disturb(value: &Value, dice: &mut Dice) -> Value {
    match value {
        Value::Object(members) if !members.is_empty() => {
            let names: Vec<&String> = members.keys().collect();
            let name = (*dice.pick(&names)).clone();
            let mut members = members.clone();
            match dice.below(3) {
                0 => {
                    members.remove(&name);
                }
                _ => {
                    let inner = disturb(&members[&name], dice);
                    members.insert(name, inner);
                }
            }
            Value::Object(members)
        }
        Value::Array(items) if !items.is_empty() => {
            let mut items = items.clone();
            let index = dice.below(items.len());
            match dice.below(3) {
                0 => drop(items.remove(index)),
                1 => items.push(items[index].clone()),
                _ => items[index] = disturb(&items[index], dice),
            }
            Value::Array(items)
        }
        Value::Number(number) => match (number.as_i64(), dice.below(4)) {
            (Some(whole), 0) => json!(whole.saturating_add(1)),
            (Some(whole), 1) => json!(whole.saturating_sub(1)),
            (_, 2) => json!(4_294_967_296_i64),
            _ => json!(0.5),
        },
        Value::String(text) => match dice.below(3) {
            0 => json!(""),
            1 => json!(format!("{text}x")),
            _ => json!(text.chars().rev().collect::<String>()),
        },
        _ => dice
            .pick(&[
                json!(null),
                json!(true),
                json!(false),
                json!(""),
                json!(0),
                json!([]),
                json!({}),
            ])
            .clone(),
    }
}
