//! Where a schema holds other schemas: by the keyword, never by a name that only looks like one.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::manifest::read::{escape, unescape};

/// What a keyword's value is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// One schema.
    One,
    /// Schemas by name.
    Named,
    /// A list of schemas.
    List,
}

pub(super) fn holds(keyword: &str, value: &Value) -> Option<Holds> {
    Some(match keyword {
        "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" => {
            Holds::Named
        }
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => Holds::List,
        // Before draft 2020-12 a list of `items` was what `prefixItems` is now.
        "items" if value.is_array() => Holds::List,
        "items"
        | "additionalItems"
        | "additionalProperties"
        | "unevaluatedProperties"
        | "unevaluatedItems"
        | "contains"
        | "propertyNames"
        | "not"
        | "if"
        | "then"
        | "else"
        | "contentSchema" => Holds::One,
        _ => return None,
    })
}

/// The schema object with each schema directly below it replaced.
pub(super) fn map_children(
    schema: &Map<String, Value>,
    f: &mut dyn FnMut(&str, &Value) -> Value,
) -> Map<String, Value> {
    schema
        .iter()
        .map(|(keyword, value)| {
            let mapped = match (holds(keyword, value), value) {
                (Some(Holds::One), _) => f(keyword, value),
                (Some(Holds::Named), Value::Object(named)) => Value::Object(
                    named
                        .iter()
                        .map(|(name, inner)| (name.clone(), f(keyword, inner)))
                        .collect(),
                ),
                (Some(Holds::List), Value::Array(list)) => {
                    Value::Array(list.iter().map(|inner| f(keyword, inner)).collect())
                }
                _ => value.clone(),
            };
            (keyword.clone(), mapped)
        })
        .collect()
}

/// Calls `f` with each schema directly below.
pub(super) fn each_child<'a>(schema: &'a Map<String, Value>, f: &mut dyn FnMut(&str, &'a Value)) {
    for (keyword, value) in schema {
        match (holds(keyword, value), value) {
            (Some(Holds::One), _) => f(keyword, value),
            (Some(Holds::Named), Value::Object(named)) => {
                named.values().for_each(|inner| f(keyword, inner))
            }
            (Some(Holds::List), Value::Array(list)) => {
                list.iter().for_each(|inner| f(keyword, inner))
            }
            _ => {}
        }
    }
}

/// Keywords that say something to people and models and decide nothing.
pub(super) const ANNOTATIONS: &[&str] = &[
    "title",
    "description",
    "default",
    "examples",
    "example",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$comment",
    "$schema",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
];

/// Keywords that decide what is accepted, beyond those that hold schemas.
pub(super) const CONSTRAINTS: &[&str] = &[
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minContains",
    "maxContains",
    "minProperties",
    "maxProperties",
    "const",
];

/// Keywords whose change cannot be judged apart from its neighbours.
pub(super) const STRUCTURAL: &[&str] = &[
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "dependentRequired",
    "dependencies",
    "propertyNames",
    "contains",
    "prefixItems",
    "items",
    "patternProperties",
    "unevaluatedProperties",
    "unevaluatedItems",
    "$dynamicRef",
    "$recursiveRef",
];

/// Of those that hold schemas, the ones that accept more whenever a schema below accepts more.
pub(super) fn is_monotone(keyword: &str) -> bool {
    matches!(
        keyword,
        "allOf"
            | "anyOf"
            | "prefixItems"
            | "items"
            | "patternProperties"
            | "propertyNames"
            | "dependentSchemas"
            | "then"
            | "else"
            | "additionalProperties"
    )
}

/// The schema without what decides nothing, at every depth. Names that the specification does not know decide nothing.
pub(super) fn without_words(schema: &Value) -> Value {
    let Value::Object(members) = schema else {
        return schema.clone();
    };
    let decides = |keyword: &str, value: &Value| {
        let known = holds(keyword, value).is_some()
            || CONSTRAINTS.contains(&keyword)
            || STRUCTURAL.contains(&keyword)
            || matches!(keyword, "type" | "enum" | "required")
            || keyword.starts_with('$');
        known && !ANNOTATIONS.contains(&keyword)
    };
    let kept = members
        .iter()
        .filter(|(keyword, value)| decides(keyword, value));
    let kept: Map<String, Value> = kept
        .map(|(keyword, value)| (keyword.clone(), value.clone()))
        .collect();
    let mut kept = map_children(&kept, &mut |_, inner| without_words(inner));
    if let Some(Value::Array(required)) = kept.get_mut("required") {
        required.sort_by_key(|name| name.as_str().map(str::to_owned));
        if required.is_empty() {
            kept.remove("required");
        }
    }
    Value::Object(kept)
}

/// Whether a reference stands anywhere below.
pub(super) fn has_reference(schema: &Value) -> bool {
    let Value::Object(members) = schema else {
        return false;
    };
    if members
        .keys()
        .any(|keyword| matches!(keyword.as_str(), "$ref" | "$dynamicRef" | "$recursiveRef"))
    {
        return true;
    }
    let mut found = false;
    each_child(members, &mut |_, inner| {
        found = found || has_reference(inner)
    });
    found
}

/// The pointer of a reference into its own document.
pub(super) fn local_pointer(reference: &str) -> Option<String> {
    let fragment = reference.strip_prefix('#')?;
    if !fragment.is_empty() && !fragment.starts_with('/') {
        return None;
    }
    percent_decode(fragment)
}

fn percent_decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let high = char::from(rest.next()?).to_digit(16)?;
            let low = char::from(rest.next()?).to_digit(16)?;
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

/// The schema that a reference of `document` names, and its pointer. Chains of bare references are followed to their
/// end; a chain that bites its tail names nothing.
pub(super) fn resolve<'a>(document: &'a Value, reference: &str) -> Option<(String, &'a Value)> {
    let mut seen = BTreeSet::new();
    let mut reference = reference.to_owned();
    loop {
        let pointer = local_pointer(&reference)?;
        if !seen.insert(pointer.clone()) {
            return None;
        }
        let target = document.pointer(&pointer)?;
        match bare_reference(target) {
            Some(next) => reference = next.to_owned(),
            None => return Some((pointer, target)),
        }
    }
}

/// The reference of a schema that is nothing but a reference and words.
pub(super) fn bare_reference(schema: &Value) -> Option<&str> {
    let members = schema.as_object()?;
    let reference = members.get("$ref")?.as_str()?;
    members
        .keys()
        .all(|keyword| keyword == "$ref" || ANNOTATIONS.contains(&keyword.as_str()))
        .then_some(reference)
}

/// How deep a value is nested, without recursion.
pub(super) fn depth(value: &Value) -> usize {
    let mut deepest = 0;
    let mut open = vec![(value, 1)];
    while let Some((value, depth)) = open.pop() {
        deepest = deepest.max(depth);
        match value {
            Value::Array(items) => open.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(members) => {
                open.extend(members.values().map(|member| (member, depth + 1)))
            }
            _ => {}
        }
    }
    deepest
}

/// A pointer as a person reads it: `fields[].target`.
pub(crate) fn readable(pointer: &str) -> String {
    let mut out = String::new();
    let mut tokens = pointer.split('/').skip(1);
    while let Some(token) = tokens.next() {
        match token {
            "properties" | "$defs" | "definitions" => {
                if let Some(name) = tokens.next() {
                    if !out.is_empty() {
                        out.push('.');
                    }
                    out.push_str(&unescape(name));
                }
            }
            "items" | "prefixItems" => out.push_str("[]"),
            "additionalProperties" | "patternProperties" => out.push_str("{}"),
            _ => {}
        }
    }
    out
}

/// The pointer one step down.
pub(super) fn join(pointer: &str, tokens: &[&str]) -> String {
    let mut out = pointer.to_owned();
    for token in tokens {
        out.push('/');
        out.push_str(&escape(token));
    }
    out
}
