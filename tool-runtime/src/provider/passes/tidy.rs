//! What every dialect wants gone.

use std::collections::BTreeSet;

use super::super::report::Loss;
use super::super::rules::Root;
use super::super::schema::{Document, Kind, Node, Target};
use super::Log;
use super::unions::concerns;

/// Formats of numbers that no registry knows. They help nobody and make some validating clients fail.
const NUMBER_FORMATS: &[&str] = &[
    "uint", "uint8", "uint16", "uint32", "uint64", "uint128", "int", "int8", "int16", "int32",
    "int64", "int128", "float", "double",
];

/// Removes definitions that nothing refers to. Needed by everyone: after inlining and merging they only cost tokens.
pub(crate) fn unused(document: &mut Document) {
    let mut used: BTreeSet<String> = BTreeSet::new();
    let mut waiting: Vec<&Node> = vec![&document.root];
    while let Some(node) = waiting.pop() {
        node.visit(&mut |inner| {
            if let Some(Target::Definition(name)) = &inner.reference
                && used.insert(name.clone())
                && let Some(target) = document.definition(name)
            {
                waiting.push(target);
            }
        });
    }
    document.definitions.retain(|(name, _)| used.contains(name));
}

/// Removes `title` and `$schema`. Needed by everyone: Mistral's grammar compiler fails on `$schema`, Gemini was seen to
/// malform calls because of titles. MCP keeps titles below the root, and `$schema` where it names 2020-12.
pub(crate) fn titles(document: &mut Document, log: &mut Log<'_>) {
    let mcp = log.rules.root == Root::ObjectWithUnions;
    let current = "https://json-schema.org/draft/2020-12/schema";
    let keep = mcp
        && document
            .root
            .keyword("$schema")
            .and_then(serde_json::Value::as_str)
            == Some(current);
    let mut tidy = |node: &mut Node, root: bool| {
        if (root || !mcp) && node.take_keyword("title").is_some() {
            log.change(&node.at, Loss::None, "title removed");
        }
        if !(root && keep) && node.take_keyword("$schema").is_some() {
            log.change(&node.at, Loss::None, "$schema removed");
        }
        if !mcp && node.take_keyword("$id").is_some() {
            log.change(&node.at, Loss::None, "$id removed");
        }
    };
    tidy(&mut document.root, true);
    for child in document.root.children_mut() {
        child.visit_mut(&mut |node| tidy(node, false));
    }
    for (_, node) in &mut document.definitions {
        node.visit_mut(&mut |node| tidy(node, false));
    }
}

/// Removes the formats of numbers. Needed by everyone; bounds say what they said.
pub(crate) fn formats(document: &mut Document, log: &mut Log<'_>) {
    document.visit_mut(&mut |node| {
        let known = node.keyword("format").and_then(|value| value.as_str());
        if let Some(format) = known
            .filter(|format| NUMBER_FORMATS.contains(format))
            .map(str::to_owned)
        {
            let _ = node.take_keyword("format");
            log.change(&node.at, Loss::None, format!("format {format:?} removed"));
        }
    });
}

/// Removes members that speak about types a node does not have. Needed by every dialect that is not lenient: they would be
/// refused, or told in words, though they decide nothing.
pub(crate) fn irrelevant(document: &mut Document, log: &mut Log<'_>) {
    document.visit_mut(&mut |node| {
        if node.kinds.is_empty() {
            return;
        }
        let mut removed = false;
        if !node.kinds.contains(&Kind::Object) {
            removed |= node.properties.take().is_some() | node.required.take().is_some();
            removed |= node.additional.take().is_some() | !node.patterns.is_empty();
            node.patterns.clear();
        }
        if !node.kinds.contains(&Kind::Array) {
            removed |= node.items.take().is_some() | node.prefix.take().is_some();
        }
        let before = node.keywords.len();
        let kinds = &node.kinds;
        node.keywords.retain(|(key, _)| {
            concerns(key).is_none_or(|about| about.iter().any(|kind| kinds.contains(kind)))
        });
        if removed || node.keywords.len() < before {
            log.change(
                &node.at,
                Loss::None,
                "members that do not concern its type removed",
            );
        }
    });
}
