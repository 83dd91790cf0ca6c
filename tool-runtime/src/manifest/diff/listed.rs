//! Values that a schema lists: by `enum`, or as alternatives of one value each, which is how values are described one by one.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::position::ANNOTATIONS;

/// The values that a node lists, in its order.
#[derive(Debug)]
pub(super) struct Listed<'a> {
    /// The keyword of the alternatives; none where `enum` lists them.
    pub(super) keyword: Option<&'static str>,
    values: Vec<OneValue<'a>>,
}

/// One value, and the alternative that holds it with its words.
#[derive(Debug)]
struct OneValue<'a> {
    value: &'a Value,
    holder: Option<(usize, &'a Map<String, Value>)>,
}

impl<'a> Listed<'a> {
    pub(super) fn values(&self) -> Vec<&'a Value> {
        self.values.iter().map(|one| one.value).collect()
    }

    /// The alternative that holds this value, with its place.
    pub(super) fn holder(&self, value: &Value) -> Option<(usize, &'a Map<String, Value>)> {
        self.values.iter().find(|one| one.value == value)?.holder
    }

    fn of(schema: &'a Map<String, Value>) -> Option<Self> {
        let of = |keyword: &'static str| {
            let alternatives = schema.get(keyword)?.as_array()?;
            Some((keyword, alternatives))
        };
        let (keyword, values) = match (schema.get("enum"), of("oneOf"), of("anyOf")) {
            (Some(Value::Array(values)), None, None) => {
                let values = values.iter().map(|value| OneValue {
                    value,
                    holder: None,
                });
                (None, values.collect())
            }
            (None, Some((keyword, alternatives)), None)
            | (None, None, Some((keyword, alternatives))) => {
                let mut values = Vec::new();
                for (index, alternative) in alternatives.iter().enumerate() {
                    let holder = alternative.as_object()?;
                    let held = held(holder)?.into_iter();
                    values.extend(held.map(|value| OneValue {
                        value,
                        holder: Some((index, holder)),
                    }));
                }
                (Some(keyword), values)
            }
            _ => return None,
        };
        let listed = Self { keyword, values };
        let all = listed.values();
        // Two alternatives of one value refuse it, where only one may fit.
        let distinct = all
            .iter()
            .enumerate()
            .all(|(index, value)| keyword.is_none() || !all[..index].contains(value));
        (distinct && !all.is_empty() && are_of(&all, schema.get("type"))).then_some(listed)
    }
}

/// Both nodes as lists of values, where that is what both are and one of them is more than an `enum`.
pub(super) fn both_list<'a>(
    old: &'a Map<String, Value>,
    new: &'a Map<String, Value>,
) -> Option<[Listed<'a>; 2]> {
    let both = [Listed::of(old)?, Listed::of(new)?];
    both.iter()
        .any(|listed| listed.keyword.is_some())
        .then_some(both)
}

/// The values of an alternative that says nothing else.
fn held(schema: &Map<String, Value>) -> Option<Vec<&Value>> {
    let known = |keyword: &String| {
        matches!(keyword.as_str(), "const" | "enum" | "type")
            || ANNOTATIONS.contains(&keyword.as_str())
    };
    if !schema.keys().all(known) {
        return None;
    }
    let values: Vec<&Value> = match (schema.get("const"), schema.get("enum")) {
        (Some(value), None) => vec![value],
        (None, Some(Value::Array(values))) => values.iter().collect(),
        _ => return None,
    };
    are_of(&values, schema.get("type")).then_some(values)
}

/// Whether a type beside the values lets all of them through.
fn are_of(values: &[&Value], kind: Option<&Value>) -> bool {
    let kinds: Cow<'_, [Value]> = match kind {
        None => return true,
        Some(Value::Array(kinds)) => Cow::Borrowed(kinds),
        Some(kind) => Cow::Owned(vec![kind.clone()]),
    };
    let fits = |value: &Value, kind: &str| match value {
        Value::Null => kind == "null",
        Value::Bool(_) => kind == "boolean",
        Value::String(_) => kind == "string",
        Value::Number(number) => kind == "number" || (kind == "integer" && !number.is_f64()),
        Value::Array(_) => kind == "array",
        Value::Object(_) => kind == "object",
    };
    values.iter().all(|value| {
        let mut kinds = kinds.iter().filter_map(Value::as_str);
        kinds.any(|kind| fits(value, kind))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::manifest::{Listing, Manifest, ManifestTool, Policy, diff};

    /// What a change of an argument's type comes to: class, path, reason and witness of each.
    fn changes(old: Value, new: Value) -> Vec<String> {
        let of = |kind: Value| {
            let tool = ManifestTool::new(
                "t",
                "Does it.",
                json!({
                    "type": "object",
                    "properties": {"reason": {"$ref": "#/$defs/Reason"}},
                    "required": ["reason"],
                    "additionalProperties": false,
                    "$defs": {"Reason": kind},
                }),
            );
            Listing::from(&Manifest::from_tools(vec![tool]))
        };
        let diff = diff(&of(old), &of(new), Policy::ENFORCED);
        let told = diff.changes().iter().map(|change| {
            let path = change.path.trim_start_matches("/inputSchema/$defs/Reason");
            let witness = change.witness.as_ref().map(|value| format!(" {value}"));
            format!(
                "{} {path} {}{}",
                change.class,
                change.reason,
                witness.unwrap_or_default()
            )
        });
        told.collect()
    }

    fn each(values: &[&str]) -> Value {
        let each = values.iter().map(|value| {
            json!({"const": value, "type": "string", "description": format!("It was {value}.")})
        });
        json!({"oneOf": each.collect::<Vec<_>>()})
    }

    #[test]
    fn described_values_come_and_go_like_plain_ones() {
        assert_eq!(
            changes(
                each(&["late", "lost", "wrong"]),
                each(&["wrong", "late", "new"])
            ),
            [
                r#"breaking  no longer accepts "lost" {"reason":"lost"}"#,
                r#"compatible  also accepts "new""#,
            ]
        );
        // From a plain list to a described one.
        let words = "the text that the model reads changed: the same calls are accepted, and the model may make others";
        let plain = json!({"type": "string", "enum": ["late", "lost"]});
        assert_eq!(
            changes(plain.clone(), each(&["late"])),
            [
                r#"breaking  no longer accepts "lost" {"reason":"lost"}"#.to_owned(),
                format!("semantic /oneOf/0/description {words}"),
            ]
        );
        assert_eq!(
            changes(each(&["late", "lost"]), plain),
            [
                format!("semantic /oneOf/0/description {words}"),
                format!("semantic /oneOf/1/description {words}"),
            ]
        );
        // Some values described, and the others in one alternative.
        let mixed = json!({"oneOf": [
            {"type": "string", "enum": ["lost", "new"]},
            {"type": "string", "const": "late", "description": "It was late."},
        ]});
        assert_eq!(
            changes(mixed, each(&["late"])),
            [r#"breaking  no longer accepts "lost", "new" {"reason":"lost"}"#]
        );
    }

    #[test]
    fn alternatives_that_do_more_are_no_list() {
        let both = json!({"oneOf": [{"const": "late"}, {"enum": ["late", "lost"]}]});
        let told = changes(both, each(&["lost"]));
        assert_eq!(told, ["compatible  `oneOf` says something else"]);
        let told = changes(
            json!({"oneOf": [{"const": 5}, {"type": "string"}]}),
            json!({"oneOf": [{"const": 5}]}),
        );
        assert!(
            told[0].starts_with("breaking  `oneOf` says something else"),
            "{told:?}"
        );
    }
}
