//! Two lists of tools: which tool is which, and what changed about each beyond its schemas.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::change::{Change, Class, kind_of};
use super::declared::{annotations, declared, execution, hints};
use super::position::join;
use super::schema::{self, Direction, Subject};
use super::{Policy, rename};
use crate::manifest::read::{ListedTool, Listing};

/// Members that are compared by their own rules, or say nothing about the contract.
const KNOWN: &[&str] = &[
    "name",
    "title",
    "version",
    "aliases",
    "description",
    "risk",
    "confirm",
    "confirmQuestion",
    "behaviour",
    "inputSchema",
    "outputSchema",
    "secrets",
    "source",
    "fingerprint",
    "annotations",
    "execution",
    "argumentAliases",
];

/// Every change between two lists.
pub(super) fn compare(old: &Listing, new: &Listing, policy: Policy) -> Vec<Change> {
    let now: BTreeMap<&str, &ListedTool> = new
        .tools
        .iter()
        .map(|tool| (tool.name.as_str(), tool))
        .collect();
    let before: BTreeSet<&str> = old.names().collect();
    let mut out = Vec::new();
    let mut gone: Vec<&ListedTool> = Vec::new();
    let mut answered: BTreeSet<&str> = BTreeSet::new();
    for tool in &old.tools {
        if let Some(same) = now.get(tool.name.as_str()) {
            out.extend(pair(tool, same, policy));
        } else if let Some(heir) = new
            .tools
            .iter()
            .find(|heir| heir.aliases().contains(&tool.name.as_str()))
        {
            let reason = format!(
                "renamed to `{}`, and still answers to `{}`",
                heir.name, tool.name
            );
            let change = Change::new(
                &tool.name,
                "/name",
                "tool_renamed",
                Class::Compatible,
                reason,
            );
            let (was, is) = (
                Value::from(tool.name.as_str()),
                Value::from(heir.name.as_str()),
            );
            out.push(
                change
                    .with_values(Some(&was), Some(&is))
                    .mark(format!("renamed-to:{}", heir.name)),
            );
            out.extend(pair(tool, heir, policy));
            answered.insert(&heir.name);
        } else {
            gone.push(tool);
        }
        out.extend(lost_aliases(tool, new));
    }
    let fresh: Vec<&ListedTool> = new
        .tools
        .iter()
        .filter(|tool| {
            !before.contains(tool.name.as_str()) && !answered.contains(tool.name.as_str())
        })
        .collect();
    let renamed = rename::tools(&gone, &fresh, old.tools.iter().chain(&new.tools));
    for tool in gone {
        let change =
            |reason: String| Change::new(&tool.name, "", "tool_removed", Class::Breaking, reason);
        out.push(match renamed.get(&tool.name) {
            Some(heir) => change(format!(
                "gone: a call gets an unknown-tool error; its work seems to be done by `{heir}` now"
            ))
            .mark(format!("renamed-to:{heir}")),
            None => change("gone: a call gets an unknown-tool error".to_owned()),
        });
    }
    for tool in fresh {
        let change = Change::new(
            &tool.name,
            "",
            "tool_added",
            Class::Compatible,
            "a new tool",
        );
        // A list of approved tools should hear of what can do harm.
        out.push(if reads_only(tool) {
            change
        } else {
            change.mark("risk")
        });
    }
    if old.ordered && new.ordered {
        out.extend(reordered(old, new));
    }
    out
}

fn lost_aliases(tool: &ListedTool, new: &Listing) -> Vec<Change> {
    let answers = |name: &str| {
        new.tools
            .iter()
            .any(|tool| tool.name == name || tool.aliases().contains(&name))
    };
    let lost = tool.aliases().into_iter().filter(|alias| !answers(alias));
    let told = |alias: &str| {
        let reason = format!(
            "no longer answers to `{alias}`: a call by that name gets an unknown-tool error"
        );
        let change = Change::new(
            &tool.name,
            "/aliases",
            "alias_removed",
            Class::Breaking,
            reason,
        );
        change.with_values(Some(&Value::from(alias)), None)
    };
    lost.map(told).collect()
}

fn reads_only(tool: &ListedTool) -> bool {
    hints(tool)
        .get("readOnlyHint")
        .is_some_and(|hint| hint == &Value::Bool(true))
}

fn reordered(old: &Listing, new: &Listing) -> Option<Change> {
    let (was, is): (BTreeSet<&str>, BTreeSet<&str>) =
        (old.names().collect(), new.names().collect());
    let kept_before: Vec<&str> = old.names().filter(|name| is.contains(name)).collect();
    let kept_now: Vec<&str> = new.names().filter(|name| was.contains(name)).collect();
    let reason = "the same tools in another order, which matters to prompt caching only";
    (kept_before != kept_now)
        .then(|| Change::new("*", "", "tools_reordered", Class::Compatible, reason))
}

/// Every change between two versions of one tool.
fn pair(old: &ListedTool, new: &ListedTool, policy: Policy) -> Vec<Change> {
    let mut out = Vec::new();
    let tool = old.name.as_str();
    if old.members == new.members && old.orders == new.orders {
        return out;
    }
    words(old, new, &mut out);
    if old.is_ours() && new.is_ours() {
        declared(old, new, &mut out);
    } else {
        annotations(tool, &hints(old), &hints(new), &mut out);
    }
    execution(
        tool,
        old.members.get("execution"),
        new.members.get("execution"),
        &mut out,
    );
    others(old, new, &mut out);
    let orders = [&old.orders, &new.orders];
    let none = Value::Bool(true);
    let (was, is) = (
        old.members.get("inputSchema").unwrap_or(&none),
        new.members.get("inputSchema").unwrap_or(&none),
    );
    let (was, renamed) = under_new_names(tool, was, new);
    out.extend(renamed);
    out.extend(schema::compare(
        Subject {
            tool,
            direction: Direction::Input,
            policy,
            orders,
        },
        &was,
        is,
    ));
    let (was, is) = (
        old.members.get("outputSchema"),
        new.members.get("outputSchema"),
    );
    match (was, is) {
        (Some(was), Some(is)) => {
            out.extend(schema::compare(
                Subject {
                    tool,
                    direction: Direction::Output,
                    policy,
                    orders,
                },
                was,
                is,
            ));
        }
        (None, Some(is)) => {
            let reason = "a shape of the result is promised where none was";
            let change = Change::new(
                tool,
                "/outputSchema",
                "outputSchema_added",
                Class::Compatible,
                reason,
            );
            out.push(change.with_values(None, Some(is)).mark("output"));
        }
        (Some(was), None) => {
            let reason =
                "the promised shape of the result is gone: an answer may now look like anything";
            let change = Change::new(
                tool,
                "/outputSchema",
                "outputSchema_removed",
                Class::Breaking,
                reason,
            );
            out.push(change.with_values(Some(was), None).mark("output"));
        }
        (None, None) => {}
    }
    out
}

/// The old arguments under the names that the new version lists aliases for, so that only a real loss is told.
fn under_new_names(tool: &str, old: &Value, new: &ListedTool) -> (Value, Vec<Change>) {
    let mut schema = old.clone();
    let mut told = Vec::new();
    let declares = |name: &str| {
        new.members
            .get("inputSchema")
            .and_then(|schema| schema.get("properties"))
            .is_some_and(|all| all.get(name).is_some())
    };
    let names: Vec<String> = match schema.get("properties") {
        Some(Value::Object(properties)) => properties
            .keys()
            .filter(|name| !declares(name))
            .cloned()
            .collect(),
        _ => Vec::new(),
    };
    for name in names {
        let Some(heir) = new.argument_of_alias(&name).map(str::to_owned) else {
            continue;
        };
        let Some(Value::Object(properties)) = schema.get_mut("properties") else {
            continue;
        };
        if properties.contains_key(&heir) {
            continue;
        }
        if let Some(property) = properties.remove(&name) {
            properties.insert(heir.clone(), property);
        }
        if let Some(Value::Array(required)) = schema.get_mut("required") {
            for entry in required
                .iter_mut()
                .filter(|entry| entry.as_str() == Some(&name))
            {
                *entry = Value::from(heir.as_str());
            }
        }
        let reason = format!("renamed to `{heir}`, and still accepted as `{name}`");
        let path = join("/inputSchema/properties", &[&name]);
        told.push(
            Change::new(tool, path, "property_renamed", Class::Compatible, reason)
                .with_values(
                    Some(&Value::from(name.as_str())),
                    Some(&Value::from(heir.as_str())),
                )
                .mark(format!("renamed-to:{heir}")),
        );
    }
    (schema, told)
}

fn words(old: &ListedTool, new: &ListedTool, out: &mut Vec<Change>) {
    let mut check = |member: &str, noun: &str, class: Class, reason: &str| {
        let (was, is) = (old.members.get(member), new.members.get(member));
        if was != is {
            let change = Change::new(
                &old.name,
                join("", &[member]),
                kind_of(noun, was, is),
                class,
                reason,
            );
            out.push(change.with_values(was, is));
        }
    };
    check(
        "title",
        "tool_title",
        Class::Compatible,
        "a name for people only",
    );
    check(
        "description",
        "tool_description",
        Class::Semantic,
        "the text that the model reads changed: the same calls are accepted, and the model may make others",
    );
    check(
        "confirmQuestion",
        "confirm_question",
        Class::Semantic,
        "the question that a person is asked changed",
    );
    if old.is_ours() && new.is_ours() {
        if old.version() < new.version() {
            check(
                "version",
                "version",
                Class::Compatible,
                "the author raised the contract's version",
            );
        } else if old.version() > new.version() {
            // A version that goes back would let the next break through by going forward again.
            let reason = format!(
                "the version went back from {} to {}",
                old.version(),
                new.version()
            );
            let (was, is) = (Value::from(old.version()), Value::from(new.version()));
            let change = Change::new(
                &old.name,
                "/version",
                "version_lowered",
                Class::Breaking,
                reason,
            );
            out.push(change.with_values(Some(&was), Some(&is)));
        }
    }
}

fn others(old: &ListedTool, new: &ListedTool, out: &mut Vec<Change>) {
    let names: BTreeSet<&String> = old.members.keys().chain(new.members.keys()).collect();
    for name in names
        .into_iter()
        .filter(|name| !KNOWN.contains(&name.as_str()))
    {
        let (was, is) = (old.members.get(name), new.members.get(name));
        if was != is {
            let kind = format!("{}_changed", name.trim_start_matches('_'));
            let reason = format!("`{name}` decides nothing about calls");
            let change = Change::new(
                &old.name,
                join("", &[name]),
                kind,
                Class::Compatible,
                reason,
            );
            out.push(change.with_values(was, is));
        }
    }
}
