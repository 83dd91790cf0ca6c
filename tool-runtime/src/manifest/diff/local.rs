//! The differences of one node, each with the edit that makes it.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::change::{Change, Class, kind_of};
use super::listed::both_list;
use super::position::{CONSTRAINTS, STRUCTURAL, is_monotone, join, without_words};
use super::rename;
use super::schema::Direction;

/// One difference between two versions of a node.
#[derive(Debug, Clone)]
pub(super) struct Local {
    pub(super) edit: Edit,
    change: Change,
}

/// What turns the old node into the old node with this difference.
#[derive(Debug, Clone)]
pub(super) enum Edit {
    /// Keywords are taken from the new node.
    Keywords(Vec<Cow<'static, str>>),
    /// The enumeration becomes this list, however the old node writes it.
    Enumeration(Vec<Value>),
    PropertyAdded {
        name: String,
        required: bool,
    },
    PropertyRemoved {
        name: String,
    },
    Required {
        name: String,
        required: bool,
    },
}

impl Local {
    /// A difference that can only be judged with its neighbours.
    pub(super) fn structural(
        keyword: &str,
        old: Option<&Value>,
        new: Option<&Value>,
        path: String,
    ) -> Self {
        let noun = keyword.trim_start_matches('$');
        let reason = match (old, new) {
            (None, _) => format!("`{keyword}` was added to the schema"),
            (_, None) => format!("`{keyword}` was removed from the schema"),
            _ => format!("`{keyword}` says something else"),
        };
        Self {
            edit: Edit::Keywords(vec![Cow::Owned(keyword.to_owned())]),
            change: Change::new(
                "",
                path,
                format!("{noun}_changed"),
                Class::Compatible,
                reason,
            )
            .with_values(old, new),
        }
    }

    pub(super) fn is_structural(&self) -> bool {
        self.keyword()
            .is_some_and(|keyword| STRUCTURAL.contains(&keyword) || keyword == "$ref")
    }

    pub(super) fn keyword(&self) -> Option<&str> {
        match &self.edit {
            Edit::Keywords(keywords) => keywords.first().map(AsRef::as_ref),
            _ => None,
        }
    }

    /// The change, taken as harmless until somebody proves otherwise.
    pub(super) fn change(&self, tool: &str) -> Change {
        Change {
            tool: tool.to_owned(),
            ..self.change.clone()
        }
    }
}

impl Edit {
    /// The old node with the difference. Both nodes are in the terms of one document.
    pub(super) fn apply(&self, old: &Value, new: &Value) -> Value {
        let mut out = old.as_object().cloned().unwrap_or_default();
        match self {
            Self::Keywords(keywords) => {
                for keyword in keywords {
                    take(&mut out, new, keyword);
                }
            }
            Self::Enumeration(values) => {
                if !out.contains_key("enum") {
                    // The alternatives were the list.
                    out.remove("oneOf");
                    out.remove("anyOf");
                }
                out.insert("enum".to_owned(), Value::from(values.clone()));
            }
            Self::PropertyAdded { name, required } => {
                let schema = new
                    .get("properties")
                    .and_then(|all| all.get(name))
                    .cloned()
                    .unwrap_or(json!({}));
                if let Value::Object(all) = out.entry("properties").or_insert_with(|| json!({})) {
                    all.insert(name.clone(), schema);
                }
                if *required {
                    set_required(&mut out, name, true);
                }
            }
            Self::PropertyRemoved { name } => {
                if let Some(Value::Object(all)) = out.get_mut("properties") {
                    all.remove(name);
                }
                // A name may have to be there without being declared.
                let required = crate::manifest::read::strings(new.get("required"));
                set_required(&mut out, name, required.contains(&name.as_str()));
                // What becomes of the name is decided by what the new version does with names it does not declare.
                take(&mut out, new, "additionalProperties");
            }
            Self::Required { name, required } => set_required(&mut out, name, *required),
        }
        Value::Object(out)
    }
}

fn take(out: &mut Map<String, Value>, new: &Value, keyword: &str) {
    match new.get(keyword) {
        Some(value) => {
            out.insert(keyword.to_owned(), value.clone());
        }
        None => {
            out.remove(keyword);
        }
    }
}

fn set_required(out: &mut Map<String, Value>, name: &str, required: bool) {
    let Value::Array(names) = out.entry("required").or_insert_with(|| json!([])) else {
        return;
    };
    names.retain(|present| present != name);
    if required {
        names.push(Value::from(name));
    }
}

/// The differences of two nodes that decide something, in a fixed order.
pub(super) fn locals(
    old: &Map<String, Value>,
    new: &Map<String, Value>,
    path: &str,
    direction: Direction,
) -> Vec<Local> {
    let mut out = Vec::new();
    let listed = both_list(old, new);
    match &listed {
        // The values decide, and their types with them.
        Some([was, is]) => values(was.values(), is.values(), path, direction, &mut out),
        None => {
            types(old, new, path, direction, &mut out);
            enumeration(old, new, path, direction, &mut out);
        }
    }
    constraints(old, new, path, &mut out);
    properties(old, new, path, direction, &mut out);
    rest(old, new, path, &mut out);
    structure(old, new, path, listed.is_some(), &mut out);
    out
}

fn types(
    old: &Map<String, Value>,
    new: &Map<String, Value>,
    path: &str,
    direction: Direction,
    out: &mut Vec<Local>,
) {
    let (was, is) = (old.get("type"), new.get("type"));
    if kinds(was) == kinds(is) {
        return;
    }
    let reason = match direction {
        Direction::Input => format!(
            "used to take {}, now takes {}",
            say_kinds(was),
            say_kinds(is)
        ),
        Direction::Output => format!("used to be {}, is now {}", say_kinds(was), say_kinds(is)),
    };
    out.push(Local {
        edit: Edit::Keywords(vec!["type".into()]),
        change: Change::new("", path, "type_changed", Class::Compatible, reason)
            .with_values(was, is),
    });
}

fn kinds(value: Option<&Value>) -> BTreeSet<String> {
    match value {
        Some(Value::String(kind)) => BTreeSet::from([kind.clone()]),
        Some(Value::Array(kinds)) => kinds
            .iter()
            .map(Value::to_string)
            .map(|kind| kind.replace('"', ""))
            .collect(),
        _ => BTreeSet::new(),
    }
}

fn say_kinds(value: Option<&Value>) -> String {
    let kinds: Vec<String> = kinds(value)
        .into_iter()
        .map(|kind| format!("`{kind}`"))
        .collect();
    if kinds.is_empty() {
        "any type".to_owned()
    } else {
        kinds.join(" or ")
    }
}

fn enumeration(
    old: &Map<String, Value>,
    new: &Map<String, Value>,
    path: &str,
    direction: Direction,
    out: &mut Vec<Local>,
) {
    let (was, is) = (old.get("enum"), new.get("enum"));
    if let (Some(Value::Array(was)), Some(Value::Array(is))) = (was, is) {
        values(
            was.iter().collect(),
            is.iter().collect(),
            path,
            direction,
            out,
        );
        return;
    }
    if was == is {
        return;
    }
    let reason = if is.is_some() {
        "only listed values are left"
    } else {
        "any value, not only the listed ones"
    };
    let kind = kind_of("constraint", was, is);
    out.push(Local {
        edit: Edit::Keywords(vec!["enum".into()]),
        change: Change::new("", join(path, &["enum"]), kind, Class::Compatible, reason)
            .with_values(was, is),
    });
}

/// Two lists of values.
fn values(
    was: Vec<&Value>,
    is: Vec<&Value>,
    path: &str,
    direction: Direction,
    out: &mut Vec<Local>,
) {
    let only = |these: &[&Value], those: &[&Value]| -> Vec<Value> {
        let kept = these.iter().filter(|value| !those.contains(value));
        kept.map(|value| (*value).clone()).collect()
    };
    let (removed, added) = (only(&was, &is), only(&is, &was));
    if !removed.is_empty() {
        let left: Vec<Value> = only(&was, &removed.iter().collect::<Vec<_>>());
        // A list of nothing is no schema; then the new list stands for the rest.
        let edit = Edit::Enumeration(if left.is_empty() { added.clone() } else { left });
        let reason = match direction {
            Direction::Input => format!("no longer accepts {}", list(&removed)),
            Direction::Output => format!("is never {} any more", list(&removed)),
        };
        let change = Change::new("", path, "enum_values_removed", Class::Compatible, reason);
        out.push(Local {
            edit,
            change: change.with_values(Some(&Value::from(removed)), None),
        });
    }
    if !added.is_empty() {
        let all: Vec<Value> = was.into_iter().chain(&added).cloned().collect();
        let reason = match direction {
            Direction::Input => format!("also accepts {}", list(&added)),
            Direction::Output => format!("may now be {}", list(&added)),
        };
        let change = Change::new("", path, "enum_values_added", Class::Compatible, reason);
        out.push(Local {
            edit: Edit::Enumeration(all),
            change: change.with_values(None, Some(&Value::from(added))),
        });
    }
}

fn list(values: &[Value]) -> String {
    let mut shown: Vec<String> = values.iter().take(5).map(Value::to_string).collect();
    if values.len() > 5 {
        shown.push(format!("{} more", values.len() - 5));
    }
    shown.join(", ")
}

fn constraints(
    old: &Map<String, Value>,
    new: &Map<String, Value>,
    path: &str,
    out: &mut Vec<Local>,
) {
    for keyword in CONSTRAINTS {
        let (was, is) = (old.get(*keyword), new.get(*keyword));
        if was == is || same_number(was, is) {
            continue;
        }
        let reason = match (was, is) {
            (None, Some(is)) => format!("`{keyword}` {is} was added"),
            (Some(was), None) => format!("`{keyword}` {was} was removed"),
            (Some(was), Some(is)) => format!("`{keyword}` was {was} and is {is}"),
            (None, None) => String::new(),
        };
        let mut keywords: Vec<Cow<'static, str>> = vec![Cow::Borrowed(keyword)];
        if *keyword == "format" {
            // Integer formats stand for bounds.
            keywords.extend(["minimum".into(), "maximum".into()]);
        }
        let change = Change::new(
            "",
            join(path, &[keyword]),
            kind_of("constraint", was, is),
            Class::Compatible,
            reason,
        );
        out.push(Local {
            edit: Edit::Keywords(keywords),
            change: change.with_values(was, is),
        });
    }
}

/// `1` and `1.0` are one number.
fn same_number(was: Option<&Value>, is: Option<&Value>) -> bool {
    match (was, is) {
        (Some(was @ Value::Number(_)), Some(is @ Value::Number(_))) => {
            was.as_i64().is_none() != is.as_i64().is_none() && was.as_f64() == is.as_f64()
        }
        _ => false,
    }
}

fn properties(
    old: &Map<String, Value>,
    new: &Map<String, Value>,
    path: &str,
    direction: Direction,
    out: &mut Vec<Local>,
) {
    let empty = Map::new();
    let of = |schema: &'_ Map<String, Value>| {
        schema.get("properties").and_then(Value::as_object).cloned()
    };
    let (was, is) = (
        of(old).unwrap_or_else(|| empty.clone()),
        of(new).unwrap_or_else(|| empty.clone()),
    );
    let required = |schema: &Map<String, Value>| -> BTreeSet<String> {
        crate::manifest::read::strings(schema.get("required"))
            .into_iter()
            .map(str::to_owned)
            .collect()
    };
    let (had_to, has_to) = (required(old), required(new));
    let removed: Vec<(&String, &Value)> = was
        .iter()
        .filter(|(name, _)| !is.contains_key(*name))
        .collect();
    let added: Vec<(&String, &Value)> = is
        .iter()
        .filter(|(name, _)| !was.contains_key(*name))
        .collect();
    let renamed = rename::properties(&removed, &added);
    for (name, schema) in &removed {
        let described = json!({"required": had_to.contains(*name), "schema": schema});
        let mut reason = match direction {
            Direction::Input => "removed: a call that still sends it is refused".to_owned(),
            Direction::Output => "no longer part of the result".to_owned(),
        };
        let new_name = renamed.get(name.as_str());
        if let Some(new_name) = new_name {
            reason = format!(
                "renamed to `{new_name}`: {}",
                reason.trim_start_matches("removed: ")
            );
        }
        let mut change = Change::new(
            "",
            join(path, &["properties", name]),
            "property_removed",
            Class::Compatible,
            reason,
        );
        if let Some(new_name) = new_name {
            change = change.mark(format!("renamed-to:{new_name}"));
        }
        let edit = Edit::PropertyRemoved {
            name: (*name).clone(),
        };
        out.push(Local {
            edit,
            change: change.with_values(Some(&described), None),
        });
    }
    for (name, schema) in &added {
        let is_required = has_to.contains(*name);
        let default = schema.get("default");
        let described = json!({"required": is_required, "schema": schema});
        let reason = match (direction, is_required, default) {
            (Direction::Input, true, Some(default)) => format!(
                "new and required, although it has the default {default}: a call without it is refused by the \
                 published schema"
            ),
            (Direction::Input, true, None) => {
                "new and required: every old call is refused".to_owned()
            }
            (Direction::Input, false, _) => "new and optional".to_owned(),
            (Direction::Output, _, _) => "new in the result".to_owned(),
        };
        let mut change = Change::new(
            "",
            join(path, &["properties", name]),
            "property_added",
            Class::Compatible,
            reason,
        );
        if direction == Direction::Input && is_required && default.is_some() {
            change = change.mark("required-with-default");
        }
        if let Some((old_name, _)) = renamed.iter().find(|(_, new_name)| new_name == name) {
            change = change.mark(format!("renamed-from:{old_name}"));
        }
        let edit = Edit::PropertyAdded {
            name: (*name).clone(),
            required: is_required,
        };
        out.push(Local {
            edit,
            change: change.with_values(None, Some(&described)),
        });
    }
    for name in had_to.symmetric_difference(&has_to) {
        let known = |all: &Map<String, Value>| all.contains_key(name);
        if known(&was) != known(&is) {
            continue;
        }
        let now = has_to.contains(name);
        let default = is.get(name).and_then(|schema| schema.get("default"));
        let (kind, reason) = match (now, direction) {
            (true, Direction::Input) => (
                "optional_to_required",
                match default {
                    Some(default) => format!(
                        "is required now, although it has the default {default}: a call without it is refused by the \
                     published schema"
                    ),
                    None => "is required now: a call without it is refused".to_owned(),
                },
            ),
            (true, Direction::Output) => ("optional_to_required", "is always there now".to_owned()),
            (false, Direction::Input) => ("required_to_optional", "may be left out now".to_owned()),
            (false, Direction::Output) => ("required_to_optional", "may be missing now".to_owned()),
        };
        let mut change = Change::new(
            "",
            join(path, &["properties", name]),
            kind,
            Class::Compatible,
            reason,
        );
        if now && direction == Direction::Input && default.is_some() {
            change = change.mark("required-with-default");
        }
        out.push(Local {
            edit: Edit::Required {
                name: name.clone(),
                required: now,
            },
            change,
        });
    }
}

/// What becomes of members that are not declared.
fn rest(old: &Map<String, Value>, new: &Map<String, Value>, path: &str, out: &mut Vec<Local>) {
    let keyword = "additionalProperties";
    let (was, is) = (old.get(keyword), new.get(keyword));
    let openness = |value: Option<&Value>| match value {
        None | Some(Value::Bool(true)) => Some(true),
        Some(Value::Bool(false)) => Some(false),
        Some(_) => None,
    };
    // Two schemas are compared like any other pair; saying `true` is saying nothing.
    if was == is || (openness(was).is_none() && openness(is).is_none()) {
        return;
    }
    let reason = match (openness(was), openness(is)) {
        (Some(true), Some(false)) => "unknown members used to be let through and are refused now",
        (Some(false), Some(true)) => "unknown members used to be refused and are let through now",
        (Some(true), Some(true)) => "unknown members are let through, said or unsaid",
        (Some(true), None) => "unknown members used to be let through and must fit a schema now",
        (Some(false), None) => {
            "unknown members used to be refused and are let through now where they fit a schema"
        }
        (None, Some(false)) => {
            "unknown members used to be let through where they fit a schema and are refused now"
        }
        _ => "unknown members had to fit a schema and are let through now",
    };
    let change = Change::new(
        "",
        join(path, &[keyword]),
        "additionalProperties_changed",
        Class::Compatible,
        reason,
    );
    out.push(Local {
        edit: Edit::Keywords(vec![keyword.into()]),
        change: change.with_values(was, is),
    });
}

fn structure(
    old: &Map<String, Value>,
    new: &Map<String, Value>,
    path: &str,
    listed: bool,
    out: &mut Vec<Local>,
) {
    for keyword in STRUCTURAL {
        // Alternatives that list values have been compared by their values.
        if listed && matches!(*keyword, "oneOf" | "anyOf") {
            continue;
        }
        let (was, is) = (old.get(*keyword), new.get(*keyword));
        let plain =
            |value: Option<&Value>| value.map(|value| without_words(&json!({ *keyword: value })));
        if plain(was) == plain(is) {
            continue;
        }
        let walked = match (*keyword, was, is) {
            ("items", Some(was), Some(is)) => was.is_object() && is.is_object(),
            ("prefixItems", Some(Value::Array(was)), Some(Value::Array(is))) => {
                was.len() == is.len()
            }
            ("patternProperties", Some(Value::Object(was)), Some(Value::Object(is))) => {
                was.keys().eq(is.keys())
            }
            _ => false,
        };
        // What is walked is found below, and judged there.
        if !(walked && is_monotone(keyword)) {
            out.push(Local::structural(keyword, was, is, path.to_owned()));
        }
    }
    let (was, is) = (old.get("$ref"), new.get("$ref"));
    if was.is_some() != is.is_some() {
        out.push(Local::structural("$ref", was, is, path.to_owned()));
    }
}
