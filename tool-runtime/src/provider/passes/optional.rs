//! Properties that may be left out.

use serde_json::Value;

use super::super::report::Loss;
use super::super::rules::Optional;
use super::super::schema::{Document, Kind, Node};
use super::Log;

/// Demands every property and lets the ones that could be left out be null instead. Needed by OpenAI and DeepSeek
/// strict. Intake reads such a null as absent, see [`absent_nulls`](super::super::nulls::absent_nulls).
pub(crate) fn properties(document: &mut Document, log: &mut Log<'_>) {
    if log.rules.optional != Optional::RequiredNullable {
        return;
    }
    let source = document.clone();
    document.visit_mut(&mut |node| {
        let Some(properties) = &mut node.properties else {
            return;
        };
        let mut required = node.required.take().unwrap_or_default();
        let mut missing: Vec<String> = Vec::new();
        for (name, property) in properties {
            if required.contains(name) {
                continue;
            }
            missing.push(name.clone());
            let default = property
                .keyword("default")
                .is_some_and(|value| !value.is_null());
            if admits_null(property, &source, 0) {
                if default {
                    log.warn(
                        &property.at,
                        "null is a value of its own here and does not stand for the default",
                    );
                }
                log.change(
                    &property.at,
                    Loss::Narrower,
                    "required; null stands for absent",
                );
            } else {
                allow_null(property);
                log.change(
                    &property.at,
                    Loss::Intake,
                    "required and nullable; intake reads null as absent",
                );
            }
        }
        required.extend(missing);
        node.required = Some(required);
    });
}

/// Takes null away from properties that may be left out. Needed by Anthropic and Bedrock strict, where every union counts
/// against a small budget and an optional property may simply stay optional.
pub(crate) fn without_null(document: &mut Document, log: &mut Log<'_>) {
    if log.rules.optional != Optional::WithoutNull {
        return;
    }
    document.visit_mut(&mut |node| {
        let required = node.required.clone().unwrap_or_default();
        for (name, property) in node.properties.iter_mut().flatten() {
            if !required.contains(name) && forbid_null(property) {
                log.change(
                    &property.at,
                    Loss::Narrower,
                    "null removed, as leaving the property out says the same",
                );
            }
        }
    });
}

/// Whether null fits, as far as can be seen without a validator.
pub(crate) fn admits_null(node: &Node, document: &Document, depth: usize) -> bool {
    if depth > 16 {
        return false;
    }
    if node.boolean == Some(false) {
        return false;
    }
    if let Some(target) = &node.reference
        && !document
            .target(target)
            .is_some_and(|target| admits_null(target, document, depth + 1))
    {
        return false;
    }
    let listed = match (&node.constant, &node.choices) {
        (Some(value), _) => value.is_null(),
        (None, Some(values)) => values.contains(&Value::Null),
        (None, None) => true,
    };
    let some = |union: &Option<Vec<Node>>| {
        union.as_ref().is_none_or(|branches| {
            branches
                .iter()
                .any(|branch| admits_null(branch, document, depth + 1))
        })
    };
    let all = node
        .all_of
        .iter()
        .flatten()
        .all(|member| admits_null(member, document, depth + 1));
    let not = node
        .not
        .as_ref()
        .is_some_and(|not| admits_null(not, document, depth + 1));
    listed
        && (node.kinds.is_empty() || node.kinds.contains(&Kind::Null))
        && some(&node.any_of)
        && some(&node.one_of)
        && all
        && !not
}

fn allow_null(node: &mut Node) {
    if let Some(target) = node.reference.take() {
        let inner = Node {
            reference: Some(target),
            ..Node::at(&node.at)
        };
        node.any_of = Some(vec![inner, Node::null(&node.at)]);
    } else if let Some(branches) = &mut node.any_of {
        branches.push(Node::null(&node.at));
    } else {
        if let Some(value) = node.constant.take() {
            node.choices = Some(vec![value]);
        }
        if let Some(values) = &mut node.choices {
            values.push(Value::Null);
        }
        if !node.kinds.is_empty() {
            node.kinds.push(Kind::Null);
        }
    }
}

fn forbid_null(node: &mut Node) -> bool {
    let mut changed = false;
    if node.kinds.len() > 1 && node.kinds.contains(&Kind::Null) {
        node.kinds.retain(|kind| *kind != Kind::Null);
        changed = true;
    }
    if let Some(values) = &mut node.choices
        && values.len() > 1
        && values.contains(&Value::Null)
    {
        values.retain(|value| !value.is_null());
        changed = true;
    }
    if let Some(branches) = node.any_of.take() {
        let (nulls, mut rest): (Vec<Node>, Vec<Node>) = branches.into_iter().partition(|branch| {
            branch.kinds == [Kind::Null] || branch.constant == Some(Value::Null)
        });
        if nulls.is_empty() || rest.is_empty() {
            rest.extend(nulls);
            node.any_of = Some(rest);
            return changed;
        }
        changed = true;
        let mut outer = node.clone();
        outer.any_of = None;
        if let ([_], false) = (rest.as_slice(), outer.has_structure())
            && let Some(mut alone) = rest.pop()
        {
            alone.description = node.description.take().or(alone.description);
            for (key, value) in std::mem::take(&mut node.keywords) {
                alone.set_keyword(&key, value);
            }
            alone.at.clone_from(&node.at);
            *node = alone;
        } else {
            node.any_of = Some(rest);
        }
    }
    // A default that is null has just been said by leaving the property out.
    if changed && node.keyword("default").is_some_and(Value::is_null) {
        let _ = node.take_keyword("default");
    }
    changed
}
