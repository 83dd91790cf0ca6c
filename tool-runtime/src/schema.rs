//! Every schemars setting and every transform of what it emits. A change of dialect is one diff here.
//!
//! The schema the model sees is the schema that is enforced, so it says what the deserialiser will say: integers have the
//! bounds of their type, objects are closed, and `required` is asked of the deserialiser itself. Draft 2020-12, no
//! `$schema`, no `title`, and no numeric `format`, which is not a registered one and breaks some clients.

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Number, Value, json};

use crate::tool::{Parameter, StaticTool};

/// Deeper than any schema a type can have; a bound all the same.
const MAX_DEPTH: usize = 64;

/// The schema of a tool's arguments.
///
/// # Errors
/// Which parameter's default or example cannot be written as JSON, and why.
pub(crate) fn input(tool: &StaticTool) -> Result<Value, String> {
    let mut generator = generator(SchemaSettings::draft2020_12().for_deserialize());
    let mut properties = Map::new();
    let mut required = Vec::new();
    for parameter in tool.parameters {
        properties.insert(
            parameter.name.to_owned(),
            property(parameter, &mut generator)?,
        );
        if parameter.default.is_none() && !(parameter.ty.optional)() {
            required.push(Value::from(parameter.name));
        }
    }
    let mut root = Map::new();
    root.insert("type".to_owned(), "object".into());
    root.insert("properties".to_owned(), Value::Object(properties));
    root.insert("required".to_owned(), Value::Array(required));
    Ok(finish(root, &mut generator, true))
}

/// The schema of a tool's answer, where its type has one that says something.
pub(crate) fn output(tool: &StaticTool) -> Option<Value> {
    let mut generator = generator(SchemaSettings::draft2020_12().for_serialize());
    let schema = (tool.output)(&mut generator)?.to_value();
    let root = match schema {
        Value::Object(root) if root.get("type") != Some(&json!("null")) => root,
        _ => return None,
    };
    Some(finish(root, &mut generator, false))
}

/// Puts `additionalProperties: false` on every object of a foreign schema that lists its members and says nothing of others.
pub(crate) fn closed(mut schema: Value) -> Value {
    let definitions = take_definitions(&mut schema);
    close(&mut schema, false, &definitions, 0);
    put_definitions(&mut schema, definitions, |definition, all| {
        close(definition, false, all, 0)
    });
    schema
}

fn generator(settings: SchemaSettings) -> SchemaGenerator {
    settings
        .with(|settings| settings.meta_schema = None)
        .into_generator()
}

fn property(parameter: &Parameter, generator: &mut SchemaGenerator) -> Result<Value, String> {
    let mut schema = match (parameter.ty.schema)(generator).to_value() {
        Value::Object(schema) => schema,
        // `true`, from `serde_json::Value`: some clients refuse a boolean where a schema is expected.
        _ => Map::new(),
    };
    if let Some(description) = parameter.description {
        schema.insert("description".to_owned(), description.into());
    }
    // The macro writes these members, so they parse.
    let constraints: Map<String, Value> =
        serde_json::from_str(&format!("{{{}}}", parameter.constraints)).unwrap_or_default();
    for (keyword, value) in constraints {
        narrow(&mut schema, keyword, value);
    }
    let text = |what: &str, make: Option<fn() -> Result<String, String>>| match make {
        None => Ok(None),
        Some(make) => make()
            .and_then(|text| {
                serde_json::from_str::<Value>(&text).map_err(|error| error.to_string())
            })
            .map(Some)
            .map_err(|error| {
                format!(
                    "the {what} of `{}` cannot be written as JSON: {error}",
                    parameter.name
                )
            }),
    };
    if let Some(default) = text("default", parameter.default)? {
        schema.insert("default".to_owned(), default);
    }
    if let Some(example) = text("example", parameter.example)? {
        schema.insert("examples".to_owned(), Value::Array(vec![example]));
    }
    Ok(Value::Object(schema))
}

/// Adds a constraint; of two bounds on one keyword the narrower stays.
fn narrow(schema: &mut Map<String, Value>, keyword: String, value: Value) {
    let narrower = |old: &Value, new: &Value| match (old.as_f64(), new.as_f64()) {
        (Some(old), Some(new)) if keyword.starts_with("min") || keyword == "exclusiveMinimum" => {
            new >= old
        }
        (Some(old), Some(new)) if keyword.starts_with("max") || keyword == "exclusiveMaximum" => {
            new <= old
        }
        _ => true,
    };
    match schema.get(&keyword) {
        Some(old) if !narrower(old, &value) => {}
        _ => {
            schema.insert(keyword, value);
        }
    }
}

fn finish(root: Map<String, Value>, generator: &mut SchemaGenerator, input: bool) -> Value {
    let mut root = Value::Object(root);
    let definitions: Map<String, Value> = generator.take_definitions(true);
    plain(&mut root, 0);
    let mut definitions: Vec<(String, Value)> = definitions.into_iter().collect();
    for (_, definition) in &mut definitions {
        plain(definition, 0);
    }
    let definitions: Map<String, Value> = definitions.into_iter().collect();
    if input {
        close(&mut root, false, &definitions, 0);
        put_definitions(&mut root, definitions, |definition, all| {
            close(definition, false, all, 0)
        });
    } else {
        let definitions = written_out(&mut root, definitions);
        put_definitions(&mut root, definitions, |_, _| {});
    }
    root
}

/// Writes out a root that is nothing but a reference: readers of MCP look for `type: object` right there. Its
/// definition goes, unless the type holds itself.
fn written_out(root: &mut Value, mut definitions: Map<String, Value>) -> Map<String, Value> {
    let name = match root.as_object() {
        Some(only) if only.len() == 1 => only
            .get("$ref")
            .and_then(Value::as_str)
            .and_then(|target| target.strip_prefix("#/$defs/"))
            .map(unescaped),
        _ => None,
    };
    let Some((name, target)) =
        name.and_then(|name| definitions.get(&name).cloned().map(|target| (name, target)))
    else {
        return definitions;
    };
    let mut referred = false;
    for definition in definitions.values() {
        refers_to(definition, &name, &mut referred);
    }
    if !referred {
        definitions.remove(&name);
    }
    *root = target;
    definitions
}

/// Whether a schema refers to a definition, wherever in it.
fn refers_to(schema: &Value, name: &str, found: &mut bool) {
    match schema {
        Value::Object(members) => {
            let target = members.get("$ref").and_then(Value::as_str);
            let target = target.and_then(|target| target.strip_prefix("#/$defs/"));
            *found |= target.is_some_and(|target| unescaped(target) == name);
            members
                .values()
                .for_each(|value| refers_to(value, name, found));
        }
        Value::Array(items) => items.iter().for_each(|item| refers_to(item, name, found)),
        _ => {}
    }
}

fn take_definitions(schema: &mut Value) -> Map<String, Value> {
    match schema.as_object_mut().and_then(|root| root.remove("$defs")) {
        Some(Value::Object(definitions)) => definitions,
        _ => Map::new(),
    }
}

/// Puts the definitions back, each after `change`, which sees them all as they were.
fn put_definitions(
    root: &mut Value,
    definitions: Map<String, Value>,
    change: impl Fn(&mut Value, &Map<String, Value>),
) {
    if definitions.is_empty() {
        return;
    }
    let mut changed = definitions.clone();
    for (_, definition) in &mut changed {
        change(definition, &definitions);
    }
    if let Some(root) = root.as_object_mut() {
        root.insert("$defs".to_owned(), Value::Object(changed));
    }
}

/// Calls `f` for every schema directly inside this one, by position: a property may be called `items`.
pub(crate) fn for_each_subschema(
    schema: &mut Map<String, Value>,
    f: &mut dyn FnMut(&str, &mut Value),
) {
    for (keyword, value) in schema {
        match (keyword.as_str(), value) {
            ("properties" | "patternProperties" | "dependentSchemas", Value::Object(members)) => {
                for (_, member) in members {
                    f(keyword, member);
                }
            }
            ("oneOf" | "anyOf" | "allOf" | "prefixItems", Value::Array(schemas)) => {
                for schema in schemas {
                    f(keyword, schema);
                }
            }
            (
                "items"
                | "additionalProperties"
                | "unevaluatedProperties"
                | "unevaluatedItems"
                | "propertyNames"
                | "not"
                | "if"
                | "then"
                | "else"
                | "contains",
                value @ Value::Object(_),
            ) => f(keyword, value),
            _ => {}
        }
    }
}

/// Takes out what only Rust readers know, and writes the bounds of integers out.
fn plain(schema: &mut Value, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    let Value::Object(schema) = schema else {
        return;
    };
    schema.remove("title");
    if let Some(Value::String(format)) = schema.get("format") {
        let bounds: Option<(Option<Number>, Option<Number>)> = match format.as_str() {
            "int8" | "int16" | "uint8" | "uint16" | "int128" | "float" | "double" => {
                Some((None, None))
            }
            "uint128" => Some((Some(0.into()), None)),
            "int32" => Some((Some(i32::MIN.into()), Some(i32::MAX.into()))),
            "uint32" => Some((Some(0.into()), Some(u32::MAX.into()))),
            "int64" | "int" => Some((Some(i64::MIN.into()), Some(i64::MAX.into()))),
            "uint64" | "uint" => Some((Some(0.into()), Some(u64::MAX.into()))),
            _ => None,
        };
        if let Some((minimum, maximum)) = bounds {
            schema.remove("format");
            if let Some(minimum) = minimum.filter(|_| !schema.contains_key("exclusiveMinimum")) {
                narrow(schema, "minimum".to_owned(), minimum.into());
            }
            if let Some(maximum) = maximum.filter(|_| !schema.contains_key("exclusiveMaximum")) {
                narrow(schema, "maximum".to_owned(), maximum.into());
            }
        }
    }
    for_each_subschema(schema, &mut |_, inner| plain(inner, depth + 1));
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for (_, property) in properties {
            if *property == Value::Bool(true) {
                *property = json!({});
            }
        }
    }
}

/// Closes every object that lists its members and does not say what else it takes.
///
/// `composed`: this schema describes a part of an object that something around it closes, so it must stay open itself.
fn close(schema: &mut Value, composed: bool, definitions: &Map<String, Value>, depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    let Value::Object(schema) = schema else {
        return;
    };
    merge_reference(schema, definitions);
    let in_parts = ["allOf", "oneOf", "anyOf", "if", "$ref"]
        .iter()
        .any(|keyword| schema.contains_key(*keyword));
    let lists = schema.contains_key("properties");
    // A union whose branches stand for themselves passes its own position on to them.
    let branches_composed = composed || lists || schema.contains_key("allOf");
    for_each_subschema(schema, &mut |keyword, inner| {
        let composed = match keyword {
            "oneOf" | "anyOf" | "allOf" => branches_composed,
            // Conditions and negations are not the value itself.
            "if" | "then" | "else" | "not" | "dependentSchemas" | "contains" => true,
            _ => false,
        };
        close(inner, composed, definitions, depth + 1);
    });
    let says = [
        "additionalProperties",
        "unevaluatedProperties",
        "patternProperties",
    ];
    if composed
        || !(lists || schema.contains_key("allOf"))
        || says.iter().any(|keyword| schema.contains_key(*keyword))
    {
        return;
    }
    if in_parts {
        // Only this keyword sees the members that the parts know.
        if !open_part(schema, definitions, 0) {
            schema.insert("unevaluatedProperties".to_owned(), false.into());
        }
    } else {
        schema.insert("additionalProperties".to_owned(), false.into());
    }
}

/// Whether a part of the object takes members by any name, as a flattened map does.
fn open_part(schema: &Map<String, Value>, definitions: &Map<String, Value>, depth: usize) -> bool {
    depth < MAX_DEPTH
        && ["allOf", "oneOf", "anyOf"]
            .iter()
            .filter_map(|keyword| schema.get(*keyword)?.as_array())
            .flatten()
            .any(|part| {
                let part = reference(part.as_object(), definitions).or(part.as_object());
                part.is_some_and(|part| {
                    part.get("additionalProperties")
                        .is_some_and(|extra| *extra != Value::Bool(false))
                        || open_part(part, definitions, depth + 1)
                })
            })
}

fn reference<'d>(
    schema: Option<&Map<String, Value>>,
    definitions: &'d Map<String, Value>,
) -> Option<&'d Map<String, Value>> {
    let name = schema?.get("$ref")?.as_str()?.strip_prefix("#/$defs/")?;
    definitions.get(&unescaped(name))?.as_object()
}

/// A definition's name as `$ref` spells it: percent-encoded, then pointer-escaped.
fn unescaped(token: &str) -> String {
    let mut bytes = Vec::with_capacity(token.len());
    let raw = token.as_bytes();
    let mut at = 0;
    while let Some(&byte) = raw.get(at) {
        let decoded = (byte == b'%')
            .then(|| token.get(at + 1..at + 3))
            .flatten()
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        at += if decoded.is_some() { 3 } else { 1 };
        bytes.push(decoded.unwrap_or(byte));
    }
    String::from_utf8_lossy(&bytes)
        .replace("~1", "/")
        .replace("~0", "~")
}

/// Writes a reference out where the schema beside it describes the same object: an internally tagged newtype variant is
/// `$ref` beside the tag, and each half alone would refuse the other's members.
fn merge_reference(schema: &mut Map<String, Value>, definitions: &Map<String, Value>) {
    if !schema.contains_key("properties") || !schema.contains_key("$ref") {
        return;
    }
    let Some(target) = reference(Some(schema), definitions).cloned() else {
        return;
    };
    let mergeable = target.keys().all(|keyword| {
        matches!(
            keyword.as_str(),
            "type" | "properties" | "required" | "additionalProperties" | "description"
        )
    });
    let disjoint = match (schema.get("properties"), target.get("properties")) {
        (Some(Value::Object(ours)), Some(Value::Object(theirs))) => {
            ours.keys().all(|name| !theirs.contains_key(name))
        }
        _ => true,
    };
    schema.remove("$ref");
    if !(mergeable && disjoint) {
        schema.insert(
            "allOf".to_owned(),
            Value::Array(vec![Value::Object(target)]),
        );
        return;
    }
    for (keyword, value) in target {
        match (keyword.as_str(), schema.get_mut(&keyword), value) {
            ("properties", Some(Value::Object(ours)), Value::Object(theirs)) => ours.extend(theirs),
            ("required", Some(Value::Array(ours)), Value::Array(theirs)) => ours.extend(theirs),
            (_, None, value) => {
                schema.insert(keyword, value);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(schema: Value, expected: &Value) {
        let mut schema = schema;
        plain(&mut schema, 0);
        assert_eq!(&closed(schema), expected);
    }

    #[test]
    fn objects_are_closed_where_they_end() {
        check(
            json!({"type":"object","properties":{"a":{"type":"object","properties":{}}}}),
            &json!({"type":"object","additionalProperties":false,
                "properties":{"a":{"type":"object","properties":{},"additionalProperties":false}}}),
        );
        // A flattened map, a map, and an object nothing is known of stay open.
        for open in [
            json!({"type":"object","properties":{"id":{}},"additionalProperties":true}),
            json!({"type":"object","additionalProperties":{"type":"string"}}),
            json!({"type":"object"}),
        ] {
            check(open.clone(), &open);
        }
        // A flattened enum: the branches stay open, the whole is closed.
        check(
            json!({"type":"object","properties":{"id":{}},"oneOf":[{"type":"object","properties":{"Slow":{}}}]}),
            &json!({"type":"object","properties":{"id":{}},"oneOf":[{"type":"object","properties":{"Slow":{}}}],
                "unevaluatedProperties":false}),
        );
    }

    #[test]
    fn a_tag_beside_a_reference_becomes_one_object() {
        check(
            json!({"oneOf":[{"type":"object","properties":{"kind":{"const":"bank"}},"$ref":"#/$defs/Bank","required":["kind"]}],
                "$defs":{"Bank":{"type":"object","properties":{"iban":{"type":"string"}},"required":["iban"]}}}),
            &json!({"oneOf":[{"type":"object","properties":{"kind":{"const":"bank"},"iban":{"type":"string"}},
                    "required":["kind","iban"],"additionalProperties":false}],
                "$defs":{"Bank":{"type":"object","properties":{"iban":{"type":"string"}},"required":["iban"],
                    "additionalProperties":false}}}),
        );
    }

    #[test]
    fn a_result_has_its_type_at_the_root() {
        let definitions = |value: Value| value.as_object().cloned().unwrap();
        let mut root = json!({"$ref": "#/$defs/Receipt"});
        let left = written_out(
            &mut root,
            definitions(json!({"Receipt": {"type": "object"}, "Other": {"type": "string"}})),
        );
        assert_eq!(root, json!({"type": "object"}));
        assert_eq!(left, definitions(json!({"Other": {"type": "string"}})));
        // A type that holds itself keeps its definition.
        let node = json!({"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}});
        let mut root = json!({"$ref": "#/$defs/Node"});
        let left = written_out(&mut root, definitions(json!({"Node": node})));
        assert_eq!((root, &left["Node"]), (node.clone(), &node));
    }

    #[test]
    fn integers_have_the_bounds_of_their_type() {
        check(
            json!({"type":"integer","format":"uint32","minimum":5}),
            &json!({"type":"integer","minimum":5,"maximum":4_294_967_295_u32}),
        );
        check(
            json!({"type":"number","format":"double"}),
            &json!({"type":"number"}),
        );
        check(
            json!({"type":"string","format":"uuid"}),
            &json!({"type":"string","format":"uuid"}),
        );
        // A property may be called `format` or `title`.
        check(
            json!({"properties":{"format":{"type":"string"},"title":{"const":"x"}},"additionalProperties":false}),
            &json!({"properties":{"format":{"type":"string"},"title":{"const":"x"}},"additionalProperties":false}),
        );
    }
}
