//! Listed values, and nodes that say nothing about their value.

use serde_json::Value;

use super::super::report::Loss;
use super::super::rules::Untyped;
use super::super::schema::{Applied, Document, Kind, Node};
use super::Log;

/// Spells `const` and `enum` the dialect's way. Needed by Gemini, Moonshot and Ollama (no `const`), by Gemini
/// `parameters` (text only), and by DeepSeek strict and Moonshot (a `type` beside the values).
pub(crate) fn constants(document: &mut Document, log: &mut Log<'_>) {
    let rules = log.rules;
    document.visit_mut(&mut |node| {
        if !rules.constant
            && let Some(value) = node.constant.take()
        {
            if node.kinds.is_empty() {
                node.kinds.push(Kind::of(&value));
            }
            if value.is_null() {
                node.kinds = vec![Kind::Null];
            } else {
                node.choices = Some(vec![value]);
            }
            log.change(
                &node.at,
                Loss::None,
                "const written as an enum of one value",
            );
        }
        if rules.typed_values && node.kinds.is_empty() {
            let mut kinds: Vec<Kind> = Vec::new();
            for value in node.choices.iter().flatten().chain(&node.constant) {
                let kind = Kind::of(value);
                if !kinds.contains(&kind) {
                    kinds.push(kind);
                }
            }
            if !kinds.is_empty() {
                node.kinds = kinds;
                log.change(&node.at, Loss::None, "type added beside the listed values");
            }
        }
        if rules.text_enums_only {
            text_only(node, log);
        }
    });
}

/// Tells values that are not text in words. The type stays: a number asked for as text would not be a number.
fn text_only(node: &mut Node, log: &mut Log<'_>) {
    let fits = |value: &Value| value.is_string() || value.is_null();
    if node
        .choices
        .as_ref()
        .is_none_or(|values| values.iter().all(fits))
    {
        return;
    }
    let values = node.choices.take().unwrap_or_default();
    let listed: Vec<String> = values.iter().map(Value::to_string).collect();
    node.notes
        .push(("enum".into(), format!("one of: {}", listed.join(", "))));
    log.change(
        &node.at,
        Loss::Moved,
        "listed values that are not text told in the description",
    );
}

/// Says the type where it is plain from the other members. Needed by everyone who is not lenient: a node without a type
/// is refused or misread.
pub(crate) fn types(document: &mut Document, log: &mut Log<'_>) {
    document.visit_mut(&mut |node| {
        if !node.kinds.is_empty()
            || node.reference.is_some()
            || node.any_of.is_some()
            || node.boolean.is_some()
        {
            return;
        }
        let kind =
            if node.properties.is_some() || !node.patterns.is_empty() || node.required.is_some() {
                Kind::Object
            } else if node.items.is_some() || node.prefix.is_some() {
                Kind::Array
            } else {
                return;
            };
        node.kinds.push(kind);
        log.change(
            &node.at,
            Loss::Narrower,
            format!("type: {} added, as its other members say", kind.as_str()),
        );
    });
}

/// Looks for nodes that take any value, or none. Needed by every strict form, Gemini `parameters` and Moonshot, which want
/// each node typed; by MCP clients before 2026-07-28, llama.cpp and Ollama, which do not take `true` for a schema.
pub(crate) fn untyped(document: &mut Document, log: &mut Log<'_>) {
    let policy = log.rules.untyped;
    let lenient = log.rules.lenient;
    if policy == Untyped::Kept && lenient {
        return;
    }
    walk(&mut document.root, policy, lenient, log);
    for (_, node) in &mut document.definitions {
        walk(node, policy, lenient, log);
    }
}

fn walk(node: &mut Node, policy: Untyped, lenient: bool, log: &mut Log<'_>) {
    if !lenient && takes_nothing(node) {
        log.refuse(
            &node.at,
            "a type without values",
            "no value would fit",
            "remove the field",
        );
        return;
    }
    let silent = node.kinds.is_empty()
        && node.reference.is_none()
        && node.any_of.is_none()
        && node.one_of.is_none()
        && node.all_of.is_none()
        && node.choices.is_none()
        && node.constant.is_none();
    if silent {
        match policy {
            Untyped::Refused => {
                let way = "give the field a type of its own, or take the value as JSON text";
                log.refuse(
                    &node.at,
                    "an untyped schema",
                    "every node needs a type",
                    way,
                );
            }
            Untyped::Object => {
                let before = node.boolean.take();
                if before == Some(false) {
                    node.not = Some(Box::new(Node::at(&node.at)));
                }
                if before.is_some() {
                    log.change(
                        &node.at,
                        Loss::None,
                        "a boolean schema written as an object",
                    );
                }
                if !lenient {
                    log.warn(
                        &node.at,
                        "any value is taken here, which not every build understands",
                    );
                }
            }
            Untyped::Kept => {}
        }
    }
    // `additionalProperties` may be a boolean everywhere, and what a `not` holds is told in words or kept whole.
    let mut children: Vec<&mut Node> = Vec::new();
    children.extend(node.properties.iter_mut().flatten().map(|(_, child)| child));
    children.extend(
        node.additional
            .as_deref_mut()
            .filter(|child| child.boolean.is_none()),
    );
    children.extend(node.patterns.iter_mut().map(|(_, child)| child));
    children.extend(node.prefix.iter_mut().flatten());
    children.extend(node.items.as_deref_mut());
    for union in [&mut node.any_of, &mut node.one_of, &mut node.all_of] {
        children.extend(union.iter_mut().flatten());
    }
    for (_, applied) in &mut node.applied {
        if let (Applied::Named(nodes), true) = (applied, lenient) {
            children.extend(nodes.iter_mut().map(|(_, child)| child));
        }
    }
    for child in children {
        walk(child, policy, lenient, log);
    }
}

fn takes_nothing(node: &Node) -> bool {
    node.boolean == Some(false)
        || node.choices.as_ref().is_some_and(Vec::is_empty)
        || node.any_of.as_ref().is_some_and(Vec::is_empty)
        || node.not.as_ref().is_some_and(|not| {
            not.boolean == Some(true) || (not.boolean.is_none() && not.is_unconstrained())
        })
}
