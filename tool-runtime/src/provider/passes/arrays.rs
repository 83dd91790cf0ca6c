//! Arrays: tuples, and the type of elements.

use serde_json::Value;

use super::super::report::Loss;
use super::super::rules::{Items, Tuples};
use super::super::schema::{Document, Kind, Node, spell};
use super::Log;

/// Writes tuples in the dialect's terms. Needed by every strict form, Gemini `parameters` and Moonshot, which have no
/// `prefixItems`, and by Ollama, which loses it. A tuple whose elements are all alike is a list of that length; others are
/// widened (Gemini `parameters`), told in words (Ollama) or refused.
pub(crate) fn tuples(document: &mut Document, log: &mut Log<'_>) {
    if log.rules.tuples == Tuples::Kept {
        return;
    }
    document.visit_mut(&mut |node| {
        let Some(elements) = node.prefix.take() else {
            return;
        };
        let count = elements.len() as u64;
        let most = node.keyword("maxItems").and_then(Value::as_u64);
        let closed = node
            .items
            .as_ref()
            .is_some_and(|rest| rest.boolean == Some(false));
        let bounded = closed || most.is_some_and(|most| most <= count);
        let alike = |one: &Node, other: &Node| one.write(&spell) == other.write(&spell);
        let first = elements.first();
        let same = first.is_some_and(|first| elements.iter().all(|each| alike(each, first)));
        let rest_alike = node
            .items
            .as_deref()
            .zip(first)
            .is_some_and(|(rest, first)| alike(rest, first));
        if bounded && most.is_none_or(|most| most > count) {
            node.set_keyword("maxItems", Value::from(count));
        }
        if same && (bounded || rest_alike) {
            node.items = elements.into_iter().next().map(Box::new);
            log.change(
                &node.at,
                Loss::None,
                "a tuple of one type written as a list of that length",
            );
            return;
        }
        match log.rules.tuples {
            Tuples::Widened if bounded => {
                let mut branches: Vec<Node> = Vec::new();
                for element in &elements {
                    if !branches.iter().any(|known| alike(known, element)) {
                        branches.push(element.clone());
                    }
                }
                let order: Vec<&str> = elements.iter().map(name).collect();
                node.notes.push((
                    "prefixItems".into(),
                    format!("in this order: {}", order.join(", ")),
                ));
                node.items = Some(Box::new(Node {
                    any_of: Some(branches),
                    ..Node::at(&node.at)
                }));
                log.change(
                    &node.at,
                    Loss::Moved,
                    "a tuple widened to a list of any of its types",
                );
            }
            Tuples::Noted => {
                let words = Value::Array(elements.iter().map(|each| each.write(&spell)).collect());
                node.notes
                    .push(("prefixItems".into(), format!("prefixItems: {words}")));
                node.items = None;
                log.change(&node.at, Loss::Moved, "a tuple told in the description");
            }
            _ => {
                let reason = "an array has one type for all its elements";
                log.refuse(
                    &node.at,
                    "a tuple",
                    reason,
                    "use a struct with named fields",
                );
                node.items = elements.into_iter().next().map(Box::new);
            }
        }
    });
}

fn name(element: &Node) -> &'static str {
    match element.kinds.as_slice() {
        [kind] => kind.as_str(),
        _ => "any",
    }
}

/// Sees to the type of elements. Needed by OpenAI, strict or not, which refuses an array without `items`, and by every
/// other strict form, Gemini `parameters` and Moonshot.
pub(crate) fn items(document: &mut Document, log: &mut Log<'_>) {
    let policy = log.rules.items;
    if policy == Items::Optional {
        return;
    }
    document.visit_mut(&mut |node| {
        if !node.kinds.contains(&Kind::Array) || node.items.is_some() || node.prefix.is_some() {
            return;
        }
        if policy == Items::Added {
            node.items = Some(Box::new(Node::at(&node.at)));
            log.change(&node.at, Loss::None, "items: {} added");
        } else {
            let reason = "the elements of every array need a type";
            log.refuse(
                &node.at,
                "an array without a type for its elements",
                reason,
                "say what the elements are",
            );
        }
    });
}
