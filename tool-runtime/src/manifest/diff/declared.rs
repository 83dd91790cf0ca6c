//! What a tool declares beyond its schemas: risk, confirmation, behaviour, and MCP's hints for them.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::change::{Change, Class, kind_of};
use super::position::join;
use crate::manifest::read::{ListedTool, strings};

/// What this library's own tools declare: risk, confirmation, behaviour, secrets, aliases.
pub(super) fn declared(old: &ListedTool, new: &ListedTool, out: &mut Vec<Change>) {
    let tool = old.name.as_str();
    let (was, is) = (old.members.get("risk"), new.members.get("risk"));
    if was != is {
        let rank = |value: Option<&Value>| {
            ["low", "medium", "high"]
                .iter()
                .position(|word| value.and_then(Value::as_str) == Some(word))
                .unwrap_or(1)
        };
        let mark = direction_mark(rank(was), rank(is));
        let say = |value: Option<&Value>| {
            value
                .and_then(Value::as_str)
                .unwrap_or("undeclared")
                .to_owned()
        };
        let reason = format!("the risk was {} and is {}", say(was), say(is));
        out.push(
            Change::new(tool, "/risk", "risk_changed", Class::Risk, reason)
                .with_values(was, is)
                .mark(mark),
        );
    }
    let asks = |tool: &ListedTool| {
        tool.members
            .get("confirm")
            .and_then(Value::as_bool)
            .unwrap_or(false)
    };
    if asks(old) != asks(new) {
        let (kind, mark, reason) = if asks(new) {
            (
                "confirm_added",
                "declared-risk-higher",
                "a person is asked now before a call runs",
            )
        } else {
            (
                "confirm_removed",
                "declared-risk-lower",
                "nobody is asked any more before a call runs",
            )
        };
        let (was, is) = (old.members.get("confirm"), new.members.get("confirm"));
        out.push(
            Change::new(tool, "/confirm", kind, Class::Risk, reason)
                .with_values(was, is)
                .mark(mark),
        );
    }
    for (flag, riskier) in [
        ("readOnly", false),
        ("destructive", true),
        ("idempotent", false),
        ("openWorld", true),
        ("exclusive", false),
    ] {
        let get = |tool: &ListedTool| {
            tool.members
                .get("behaviour")
                .and_then(|all| all.get(flag))
                .cloned()
        };
        let (was, is) = (get(old), get(new));
        if was == is {
            continue;
        }
        let risky = |value: Option<&Value>| usize::from(value == Some(&Value::Bool(riskier)));
        let mark = direction_mark(risky(was.as_ref()), risky(is.as_ref()));
        let reason = format!(
            "`{flag}` was {} and is {}",
            say_flag(was.as_ref()),
            say_flag(is.as_ref())
        );
        let change = Change::new(
            tool,
            join("/behaviour", &[flag]),
            "behaviour_changed",
            Class::Risk,
            reason,
        );
        out.push(change.with_values(was.as_ref(), is.as_ref()).mark(mark));
    }
    let secrets = |tool: &ListedTool| -> BTreeSet<String> {
        strings(tool.members.get("secrets"))
            .into_iter()
            .map(str::to_owned)
            .collect()
    };
    let (was, is) = (secrets(old), secrets(new));
    // An argument that is gone has nothing left to show.
    let still_there = |name: &str| {
        new.members
            .get("inputSchema")
            .and_then(|schema| schema.get("properties"))
            .is_some_and(|all| all.get(name).is_some())
    };
    for name in was.difference(&is).filter(|name| still_there(name)) {
        let reason =
            format!("argument `{name}` is no longer secret: journals and questions will show it");
        let change = Change::new(tool, "/secrets", "secret_removed", Class::Risk, reason);
        out.push(
            change
                .with_values(Some(&json!(name)), None)
                .mark("declared-risk-lower"),
        );
    }
    for name in is.difference(&was) {
        let reason = format!("argument `{name}` is secret now");
        let change = Change::new(tool, "/secrets", "secret_added", Class::Compatible, reason);
        out.push(change.with_values(None, Some(&json!(name))));
    }
    let before = old.aliases();
    for alias in new
        .aliases()
        .into_iter()
        .filter(|alias| !before.contains(alias) && *alias != old.name)
    {
        let reason = format!("also answers to `{alias}` now");
        let change = Change::new(tool, "/aliases", "alias_added", Class::Compatible, reason);
        out.push(change.with_values(None, Some(&json!(alias))));
    }
}

fn say_flag(value: Option<&Value>) -> String {
    value.map_or_else(|| "undeclared".to_owned(), Value::to_string)
}

fn direction_mark(was: usize, is: usize) -> &'static str {
    match was.cmp(&is) {
        std::cmp::Ordering::Less => "declared-risk-higher",
        std::cmp::Ordering::Greater => "declared-risk-lower",
        std::cmp::Ordering::Equal => "declared-risk-unchanged",
    }
}

/// MCP's hints of a tool: as they were sent, or as ours are sent.
pub(super) fn hints(tool: &ListedTool) -> Map<String, Value> {
    if let Some(Value::Object(annotations)) = tool.members.get("annotations") {
        return annotations.clone();
    }
    let Some(behaviour) = tool.members.get("behaviour") else {
        return Map::new();
    };
    let pairs = [
        ("readOnlyHint", "readOnly"),
        ("destructiveHint", "destructive"),
        ("idempotentHint", "idempotent"),
        ("openWorldHint", "openWorld"),
    ];
    pairs
        .into_iter()
        .filter_map(|(hint, flag)| Some((hint.to_owned(), behaviour.get(flag)?.clone())))
        .collect()
}

/// MCP's four hints: what an absent one means, and which value is the riskier.
const HINTS: &[(&str, bool, bool)] = &[
    ("readOnlyHint", false, false),
    ("destructiveHint", true, true),
    ("idempotentHint", false, false),
    ("openWorldHint", true, true),
];

pub(super) fn annotations(
    tool: &str,
    old: &Map<String, Value>,
    new: &Map<String, Value>,
    out: &mut Vec<Change>,
) {
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for name in names {
        let (was, is) = (old.get(name), new.get(name));
        if was == is {
            continue;
        }
        let path = join("/annotations", &[name]);
        let kind = kind_of("annotation", was, is);
        let Some((_, default, riskier)) = HINTS.iter().find(|(hint, ..)| hint == name) else {
            let reason = "a note for display or grouping; no effect on calls";
            out.push(Change::new(tool, path, kind, Class::Compatible, reason).with_values(was, is));
            continue;
        };
        let effective = |value: Option<&Value>| value.and_then(Value::as_bool).unwrap_or(*default);
        let (before, now) = (effective(was), effective(is));
        let risky = |value: bool| usize::from(value == *riskier);
        let mark = direction_mark(risky(before), risky(now));
        let verb = match (was, is) {
            (None, _) => "first declared",
            (_, None) => "withdrawn",
            _ => "changed",
        };
        let reason = format!(
            "`{name}` {verb}: in effect {before} before and {now} now (an absent hint counts as {default}); {}",
            mark.replace('-', " ")
        );
        out.push(
            Change::new(tool, path, kind, Class::Risk, reason)
                .with_values(was, is)
                .mark(mark),
        );
    }
}

/// MCP's `execution`: whether a call may, or must, be run as a task.
pub(super) fn execution(
    tool: &str,
    was: Option<&Value>,
    is: Option<&Value>,
    out: &mut Vec<Change>,
) {
    if was == is {
        return;
    }
    let support = |value: Option<&Value>| {
        value
            .and_then(|value| value.get("taskSupport"))
            .and_then(Value::as_str)
            .unwrap_or("forbidden")
            .to_owned()
    };
    let (before, now) = (support(was), support(is));
    let (class, reason) = match (before.as_str(), now.as_str()) {
        (before, now) if before == now => (
            Class::Compatible,
            format!("running as a task is {now}, as before: an absent member means forbidden"),
        ),
        (_, "required") => (
            Class::Breaking,
            "a call must be run as a task now".to_owned(),
        ),
        ("required" | "optional", "forbidden") => (
            Class::Breaking,
            "a call can no longer be run as a task".to_owned(),
        ),
        _ => (
            Class::Compatible,
            format!("running as a task was {before} and is {now}"),
        ),
    };
    out.push(
        Change::new(tool, "/execution", "execution_changed", class, reason).with_values(was, is),
    );
}
