//! Sizes beyond which a provider refuses a definition.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::schema::{Document, Node, Target};
use super::Log;

/// What counts against a request: taken over all of its tools.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Counts {
    pub(crate) optional: usize,
    pub(crate) unions: usize,
}

/// Checks the sizes of one tool. Needed by OpenAI strict, Moonshot and Anthropic strict.
pub(crate) fn check(document: &Document, log: &mut Log<'_>) {
    let limits = log.rules.limits;
    let way = "split the tool into smaller ones";
    let mut properties = 0;
    let mut values = 0;
    let mut text = 0;
    document.visit(&mut |node| {
        for (name, _) in node.properties.iter().flatten() {
            properties += 1;
            text += name.chars().count();
        }
        let listed: Vec<&Value> = node
            .choices
            .iter()
            .flatten()
            .chain(&node.constant)
            .collect();
        let length: usize = listed
            .iter()
            .map(|value| value.as_str().map_or(0, |text| text.chars().count()))
            .sum();
        text += length;
        values += node.choices.as_ref().map_or(0, Vec::len);
        if node
            .choices
            .as_ref()
            .is_some_and(|values| values.len() > limits.long_enum)
            && length > limits.long_enum_text
        {
            let reason = format!(
                "a list of more than {} may have {} characters",
                limits.long_enum, limits.long_enum_text
            );
            log.refuse(
                &node.at,
                "an enum of this length",
                &reason,
                "take the value as text and check it in the tool",
            );
        }
        let branches = node.any_of.as_ref().map_or(0, Vec::len);
        if branches > limits.branches {
            let reason = format!(
                "anyOf has {branches} branches, and {} is the most",
                limits.branches
            );
            log.refuse(
                &node.at,
                "a union of this size",
                &reason,
                "group the variants",
            );
        }
    });
    text += document
        .definitions
        .iter()
        .map(|(name, _)| name.chars().count())
        .sum::<usize>();
    for (found, most, what) in [
        (properties, limits.properties, "properties"),
        (values, limits.enum_values, "enum values"),
        (text, limits.text, "characters of names and values"),
    ] {
        if found > most {
            let reason = format!("it has {found} {what}, and {most} is the most");
            log.refuse("", "a schema of this size", &reason, way);
        }
    }
    for node in
        std::iter::once(&document.root).chain(document.definitions.iter().map(|(_, node)| node))
    {
        depth(node, 0, log);
    }
    let counts = counts(document);
    for (found, most, what) in [
        (
            counts.optional,
            limits.request_optional,
            "optional parameters",
        ),
        (
            counts.unions,
            limits.request_unions,
            "parameters with a union",
        ),
    ] {
        if found > most {
            let reason = format!("it has {found} {what}, and a request takes {most}");
            log.refuse(
                "",
                "a schema of this size",
                &reason,
                "make some of them required, or group them",
            );
        }
    }
}

/// Each definition counts on its own: a reference is not followed.
fn depth(node: &Node, level: usize, log: &mut Log<'_>) {
    let most = log.rules.limits.depth;
    if level > most {
        log.refuse(
            &node.at,
            "nesting of this depth",
            &format!("{most} levels are the most"),
            "flatten the type",
        );
        return;
    }
    let mut rest = node.children();
    let named = node.properties.as_ref().map_or(0, Vec::len);
    for (index, child) in rest.drain(..).enumerate() {
        depth(child, if index < named { level + 1 } else { level }, log);
    }
}

/// What a tool adds to its request. Whether providers follow references is disputed, so the larger count is taken.
pub(crate) fn counts(document: &Document) -> Counts {
    let mut plain = Counts::default();
    document.visit(&mut |node| {
        let own = own(node);
        plain.optional += own.optional;
        plain.unions += own.unions;
    });
    let mut known = BTreeMap::new();
    let followed = through(&document.root, document, &mut known, 0);
    Counts {
        optional: plain.optional.max(followed.optional),
        unions: plain.unions.max(followed.unions),
    }
}

fn own(node: &Node) -> Counts {
    let optional = node
        .properties
        .iter()
        .flatten()
        .filter(|(name, _)| !node.is_required(name))
        .count();
    let unions = usize::from(node.any_of.is_some() || node.kinds.len() > 1);
    Counts { optional, unions }
}

fn through(
    node: &Node,
    document: &Document,
    known: &mut BTreeMap<String, Counts>,
    depth: usize,
) -> Counts {
    let mut sum = own(node);
    if depth > 200 {
        return sum;
    }
    let mut add = |more: Counts| {
        sum.optional = sum.optional.saturating_add(more.optional);
        sum.unions = sum.unions.saturating_add(more.unions);
    };
    if let Some(Target::Definition(name)) = &node.reference {
        if let Some(counts) = known.get(name) {
            add(*counts);
        } else if let Some(target) = document.definition(name) {
            // A type that holds itself counts once.
            known.insert(name.clone(), Counts::default());
            let counts = through(target, document, known, depth + 1);
            known.insert(name.clone(), counts);
            add(counts);
        }
    }
    for child in node.children() {
        add(through(child, document, known, depth + 1));
    }
    sum
}

/// Warns of a set of tools that is too large for one request, and says which tools to send without strict.
pub(crate) fn request(tools: &[(String, Counts)], log: &mut Log<'_>) {
    let limits = log.rules.limits;
    if tools.len() > log.rules.tools_warn {
        let most = log.rules.tools_warn;
        log.warn(
            "",
            format!("{} tools, and a request takes {most}", tools.len()),
        );
    }
    let mut sum = Counts::default();
    let mut over: Vec<&str> = Vec::new();
    for (index, (name, counts)) in tools.iter().enumerate() {
        let next = Counts {
            optional: sum.optional + counts.optional,
            unions: sum.unions + counts.unions,
        };
        let fits = index < limits.request_tools
            && next.optional <= limits.request_optional
            && next.unions <= limits.request_unions;
        if fits {
            sum = next;
        } else {
            over.push(name);
        }
    }
    if !over.is_empty() {
        let names = over.join(", ");
        log.warn(
            "",
            format!(
                "one request cannot hold all of these as strict tools; send without strict: {names}"
            ),
        );
    }
}
