//! Names: of tools and of properties.

use super::super::rules::{PropertyRule, Rules};
use super::super::schema::{Document, Node, escape};
use super::Log;

/// Checks a tool's name. Needed by everyone. A name is never changed: the model would call one that the dispatcher does not
/// know.
pub(crate) fn tool_name(log: &mut Log<'_>) {
    let name = log.tool;
    let rule = log.rules.tool_name;
    let length = name.chars().count();
    let way = "give the tool a name of letters, digits and underscores, at most 64";
    let mut wrong: Option<String> = None;
    if name.is_empty() {
        wrong = Some("it is empty".into());
    } else if length > rule.max {
        wrong = Some(format!(
            "it has {length} characters, and {} is the most",
            rule.max
        ));
    } else if let Some(c) = name.chars().next().filter(|c| !(rule.first)(*c)) {
        wrong = Some(format!(
            "it starts with {c:?}, and names are {}",
            rule.alphabet
        ));
    } else if let Some(c) = name.chars().find(|c| !(rule.rest)(*c) && !(rule.first)(*c)) {
        wrong = Some(format!("it has {c:?}, and names are {}", rule.alphabet));
    }
    match wrong {
        Some(reason) if rule.advisory && !name.is_empty() => {
            log.warn("", format!("the tool's name: {reason}"))
        }
        Some(reason) => log.refuse("", "the tool's name", &reason, way),
        None if length > rule.warn => {
            log.warn(
                "",
                format!(
                    "the tool's name has {length} characters; {} pass everywhere",
                    rule.warn
                ),
            );
        }
        None => {}
    }
}

/// Warns of a description that a gateway may refuse.
pub(crate) fn description(text: &str, log: &mut Log<'_>) {
    let length = text.chars().count();
    if length > log.rules.description_warn {
        let most = log.rules.description_warn;
        log.warn(
            "",
            format!("the description has {length} characters; some gateways take {most} at most"),
        );
    }
}

/// Checks the names of properties. Needed by Anthropic and Bedrock (top level), Gemini `parameters` (everywhere) and
/// Moonshot (five reserved words).
pub(crate) fn properties(document: &Document, log: &mut Log<'_>) {
    let rules: &Rules = log.rules;
    match rules.property_name {
        PropertyRule::Free => {}
        PropertyRule::Top {
            rest,
            alphabet,
            max,
        } => {
            check(&document.root, rest, rest, alphabet, max, log);
        }
        PropertyRule::All {
            first,
            rest,
            alphabet,
            max,
        } => {
            document.visit(&mut |node| check(node, first, rest, alphabet, max, log));
        }
        PropertyRule::Reserved(words) => document.visit(&mut |node| {
            for (name, property) in node.properties.iter().flatten() {
                if words.contains(&name.as_str()) {
                    let reason = format!("`{name}` is reserved here");
                    log.refuse(
                        &property.at,
                        "a property's name",
                        &reason,
                        "rename the field",
                    );
                }
            }
        }),
    }
}

fn check(
    node: &Node,
    first: fn(char) -> bool,
    rest: fn(char) -> bool,
    alphabet: &str,
    max: usize,
    log: &mut Log<'_>,
) {
    for (name, _) in node.properties.iter().flatten() {
        let at = format!("{}/properties/{}", node.at, escape(name));
        let length = name.chars().count();
        let reason = if name.is_empty() {
            "it is empty".to_owned()
        } else if length > max {
            format!("it has {length} characters, and {max} is the most")
        } else if let Some(c) = name
            .chars()
            .next()
            .filter(|c| !first(*c))
            .or_else(|| name.chars().find(|c| !rest(*c)))
        {
            format!("it has {c:?}, and names are {alphabet}")
        } else {
            continue;
        };
        log.refuse(&at, "a property's name", &reason, "rename the field");
    }
}
