//! Alternatives: `oneOf`, `anyOf`, `allOf` and lists of types.

use serde_json::Value;

use super::super::report::Loss;
use super::super::rules::Null;
use super::super::schema::{Document, Kind, MAX_DEPTH, Node, is_annotation};
use super::Log;
use super::merge::{Conflict, both, opened};

/// Turns `oneOf` into `anyOf`. Needed by OpenAI and DeepSeek strict, Gemini `parameters` and Moonshot, which refuse it,
/// by Anthropic and Bedrock strict, and by Ollama, which loses it. Lossless where no value fits two branches, as with
/// serde's tagged enums; otherwise reported.
pub(crate) fn one_of_to_any_of(document: &mut Document, log: &mut Log<'_>) {
    let source = document.clone();
    document.visit_mut(&mut |node| {
        let Some(branches) = node.one_of.take() else {
            return;
        };
        if node.any_of.is_some() {
            // Both must hold: two members of an `allOf` that the next pass combines.
            let union = Node {
                any_of: Some(branches),
                ..Node::at(&node.at)
            };
            node.all_of.get_or_insert_default().push(union);
            return;
        }
        let apart = branches.iter().enumerate().all(|(index, one)| {
            branches
                .iter()
                .skip(index + 1)
                .all(|other| disjoint(one, other, &source, 0))
        });
        if apart {
            log.change(
                &node.at,
                Loss::None,
                "oneOf written as anyOf, as its branches exclude each other",
            );
        } else {
            log.change(
                &node.at,
                Loss::Intake,
                "oneOf written as anyOf; a value that fits two branches is refused at intake",
            );
            log.warn(&node.at, "a value may fit two branches of this oneOf");
        }
        node.any_of = Some(branches);
    });
}

/// Whether no value fits both. Only says yes when that is plain.
pub(crate) fn disjoint(one: &Node, other: &Node, document: &Document, depth: usize) -> bool {
    if depth > 8 {
        return false;
    }
    let (one, other) = (document.resolved(one), document.resolved(other));
    if one.boolean == Some(false) || other.boolean == Some(false) {
        return true;
    }
    for (union, single) in [(one, other), (other, one)] {
        if let Some(branches) = union.any_of.as_ref().or(union.one_of.as_ref())
            && branches
                .iter()
                .all(|branch| disjoint(branch, single, document, depth + 1))
        {
            return true;
        }
    }
    if let (Some(a), Some(b)) = (values(one), values(other))
        && a.iter().all(|value| !b.contains(value))
    {
        return true;
    }
    let (a, b) = (kinds(one), kinds(other));
    if !a.is_empty()
        && !b.is_empty()
        && !a
            .iter()
            .any(|x| b.iter().any(|y| x.admits(*y) || y.admits(*x)))
    {
        return true;
    }
    if a != [Kind::Object] || b != [Kind::Object] {
        return false;
    }
    // A tag: one member that both demand, with values that never meet.
    let tagged = one.properties.iter().flatten().any(|(name, mine)| {
        one.is_required(name)
            && other.is_required(name)
            && other
                .property(name)
                .is_some_and(|theirs| disjoint(mine, theirs, document, depth + 1))
    });
    // A wrapper: one demands a member that the other forbids.
    let forbids = |closed: &Node, open: &Node| {
        closed.is_closed()
            && closed.patterns.is_empty()
            && open
                .required
                .iter()
                .flatten()
                .any(|name| closed.property(name).is_none())
    };
    tagged || forbids(one, other) || forbids(other, one)
}

fn values(node: &Node) -> Option<Vec<&Value>> {
    match (&node.constant, &node.choices) {
        (Some(value), _) => Some(vec![value]),
        (None, Some(values)) => Some(values.iter().collect()),
        (None, None) => None,
    }
}

fn kinds(node: &Node) -> Vec<Kind> {
    match values(node) {
        Some(values) if node.kinds.is_empty() => values.into_iter().map(Kind::of).collect(),
        _ => node.kinds.clone(),
    }
}

/// Merges the members of `allOf` into one schema. Needed by everyone who is not lenient: OpenAI strict, Gemini and
/// Moonshot refuse it, Ollama loses it, Anthropic strict takes it without references only.
pub(crate) fn merge_all_of(document: &mut Document, log: &mut Log<'_>) {
    let source = document.clone();
    document.visit_mut(&mut |node| {
        let Some(members) = node.all_of.take() else {
            return;
        };
        // One reference with words beside it is settled with the other references.
        let mut outer = node.clone();
        if let [member] = members.as_slice()
            && member.reference.is_some()
            && !member.constrains_beside_reference()
            && !outer.has_structure()
        {
            node.all_of = Some(members);
            return;
        }
        let at = node.at.clone();
        for member in &members {
            match both(&outer, member, &source, 0) {
                Ok(merged) => outer = merged,
                Err(conflict) => {
                    let way = "write the combined type as one struct";
                    log.refuse(
                        &at,
                        "an allOf",
                        &format!("its members cannot be one schema: {}", conflict.why()),
                        way,
                    );
                    return;
                }
            }
        }
        // A member that was itself an `allOf` has been merged, as inner nodes come first; through a reference it has not.
        if outer.all_of.is_some() {
            log.refuse(
                &at,
                "an allOf",
                "its members are combinations themselves",
                "write the combined type as one struct",
            );
            outer.all_of = None;
        }
        if outer.one_of.is_some() {
            let branches = outer.one_of.take();
            if outer.any_of.is_none() {
                outer.any_of = branches;
            }
        }
        if !log.afford(&outer) {
            return;
        }
        log.change(&at, Loss::None, "allOf merged");
        outer.at = at;
        *node = outer;
    });
}

/// Copies what stands beside an `anyOf` into each branch. Needed by closed dialects, where an outer closed object would
/// forbid the members of the branches, by Moonshot and Gemini, which take nothing beside `anyOf`, and by llama.cpp and
/// Ollama, which ignore what stands there.
pub(crate) fn distribute(document: &mut Document, log: &mut Log<'_>) {
    let source = document.clone();
    walk(&mut document.root, &source, log, 0);
    for (_, node) in &mut document.definitions {
        walk(node, &source, log, 0);
    }

    fn walk(node: &mut Node, source: &Document, log: &mut Log<'_>, depth: usize) {
        if depth > 2 * MAX_DEPTH {
            let reason = "it would have to be written out without end";
            log.refuse(
                &node.at,
                "a recursive type",
                reason,
                "give the inner use a type of its own",
            );
            return;
        }
        // The root may not have a union anyway, and is refused for it.
        if node.any_of.is_some() && !node.at.is_empty() {
            one(node, source, log);
        }
        for child in node.children_mut() {
            walk(child, source, log, depth + 1);
        }
    }

    fn one(node: &mut Node, source: &Document, log: &mut Log<'_>) {
        let mut common = Node {
            any_of: None,
            description: None,
            ..node.clone()
        };
        common.keywords.retain(|(key, _)| !is_annotation(key));
        if !common.has_structure() && common.keywords.is_empty() {
            return;
        }
        let Some(branches) = node.any_of.take() else {
            return;
        };
        let mut out = Vec::new();
        for branch in &branches {
            let merged = opened(branch, source, 0)
                .and_then(|open| both(&open, &fitting(&common, &open), source, 0));
            match merged {
                Ok(mut merged) => {
                    if !log.afford(&merged) {
                        return;
                    }
                    merged.at.clone_from(&branch.at);
                    out.push(merged);
                }
                // No value ever took this branch.
                Err(Conflict::Impossible(_)) => {}
                Err(Conflict::Undecided(why)) => {
                    let reason =
                        format!("what stands beside it does not go into its branches: {why}");
                    log.refuse(
                        &node.at,
                        "a union with constraints beside it",
                        &reason,
                        "repeat the members in each variant",
                    );
                    return;
                }
            }
        }
        if out.is_empty() {
            log.refuse(
                &node.at,
                "a union without a possible branch",
                "no value would fit",
                "remove it",
            );
            return;
        }
        let mut words = Node {
            any_of: Some(out),
            description: node.description.take(),
            ..Node::at(&node.at)
        };
        words.keywords = std::mem::take(&mut node.keywords)
            .into_iter()
            .filter(|(key, _)| is_annotation(key))
            .collect();
        *node = words;
        log.change(
            &node.at,
            Loss::None,
            "what stands beside the union copied into each branch",
        );
    }

    /// What of the common part can matter to a branch: bounds of numbers do not concern text.
    fn fitting(common: &Node, branch: &Node) -> Node {
        let mut out = common.clone();
        if !branch.kinds.is_empty() {
            out.keywords.retain(|(key, _)| {
                concerns(key)
                    .is_none_or(|kinds| branch.kinds.iter().any(|kind| kinds.contains(kind)))
            });
        }
        out
    }
}

/// The types a keyword speaks about, if only some.
pub(crate) fn concerns(keyword: &str) -> Option<&'static [Kind]> {
    Some(match keyword {
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
            &[Kind::Integer, Kind::Number]
        }
        "minLength" | "maxLength" | "pattern" | "format" => &[Kind::String],
        "minItems" | "maxItems" | "uniqueItems" | "minContains" | "maxContains" => &[Kind::Array],
        "minProperties" | "maxProperties" | "dependentRequired" => &[Kind::Object],
        _ => return None,
    })
}

/// Folds a union of constants, the form of a documented unit enum, into one `enum` with the words in the description.
/// Needed by Gemini, where a union of one-value enums was seen not to bind the model, by Ollama and by Moonshot.
pub(crate) fn fold_documented(document: &mut Document, log: &mut Log<'_>) {
    if !log.rules.fold_documented {
        return;
    }
    document.visit_mut(&mut |node| {
        let Some(branches) = &node.any_of else { return };
        let plain = |branch: &&Node| {
            let mut rest = (*branch).clone();
            let listed = rest.constant.take().is_some() | rest.choices.take().is_some();
            let text = branch.kinds.is_empty() || branch.kinds == [Kind::String];
            let values = values(branch).unwrap_or_default();
            rest.kinds.clear();
            listed
                && text
                && values.iter().all(|value| value.is_string())
                && rest.is_unconstrained()
        };
        let is_null = |branch: &&Node| branch.kinds == [Kind::Null];
        let (folded, others): (Vec<&Node>, Vec<&Node>) = branches.iter().partition(plain);
        if folded.len() < 2 || !others.iter().all(is_null) {
            return;
        }
        let mut choices: Vec<Value> = Vec::new();
        let mut words: Vec<String> = Vec::new();
        for branch in &folded {
            for value in values(branch).unwrap_or_default() {
                if !choices.contains(value) {
                    choices.push(value.clone());
                }
                if let (Some(words_of), Some(name)) = (&branch.description, value.as_str()) {
                    words.push(format!("{name}: {words_of}"));
                }
            }
        }
        node.kinds = vec![Kind::String];
        if !others.is_empty() {
            node.kinds.push(Kind::Null);
            choices.push(Value::Null);
        }
        node.any_of = None;
        node.choices = Some(choices);
        if !words.is_empty() {
            let words = words.join("; ");
            node.description = Some(match node.description.take() {
                Some(text) => format!("{text} ({words})"),
                None => words,
            });
        }
        log.change(
            &node.at,
            Loss::None,
            "documented variants folded into one enum, their words into the description",
        );
    });
}

/// Writes "or null" and several types the way the dialect does. Needed by Gemini `parameters` (`nullable`, `anyOf`) and
/// DeepSeek strict (`anyOf` where one of the types is an array or an object).
pub(crate) fn split_types(document: &mut Document, log: &mut Log<'_>) {
    let null = log.rules.null;
    if null == Null::TypeList {
        return;
    }
    document.visit_mut(&mut |node| {
        if null == Null::Flag {
            flag(node, log);
        }
        let containers = node
            .kinds
            .iter()
            .any(|kind| matches!(kind, Kind::Array | Kind::Object));
        if node.kinds.len() < 2 || (null == Null::ScalarList && !containers) {
            return;
        }
        let mut common = std::mem::take(node);
        let mut out = Node::at(&common.at);
        out.description = common.description.take();
        out.nullable = std::mem::take(&mut common.nullable);
        out.notes = std::mem::take(&mut common.notes);
        let (words, rules) = std::mem::take(&mut common.keywords)
            .into_iter()
            .partition(|(key, _)| is_annotation(key));
        out.keywords = words;
        common.keywords = rules;
        out.any_of = Some(
            common
                .kinds
                .iter()
                .map(|kind| only(&common, *kind))
                .collect(),
        );
        log.change(&out.at, Loss::None, "one anyOf branch for each type");
        *node = out;
    });
    if null == Null::Flag {
        document.visit(&mut |node| {
            if node.kinds == [Kind::Null] {
                log.refuse(
                    &node.at,
                    "a value that is always null",
                    "there is no null type",
                    "leave the field out",
                );
            }
        });
    }
}

/// The part of a node that speaks about one of its types.
fn only(node: &Node, kind: Kind) -> Node {
    let mut out = node.clone();
    out.kinds = vec![kind];
    out.keywords
        .retain(|(key, _)| concerns(key).is_none_or(|kinds| kinds.contains(&kind)));
    if kind != Kind::Object {
        out.properties = None;
        out.required = None;
        out.additional = None;
        out.patterns.clear();
    }
    if kind != Kind::Array {
        out.items = None;
        out.prefix = None;
    }
    if let Some(values) = &mut out.choices {
        values.retain(|value| kind.admits(Kind::of(value)));
    }
    out
}

/// `null` as a flag instead of a type or a branch.
fn flag(node: &mut Node, log: &mut Log<'_>) {
    let before = node.nullable;
    if node.kinds.len() > 1 && node.kinds.contains(&Kind::Null) {
        node.kinds.retain(|kind| *kind != Kind::Null);
        node.nullable = true;
    }
    if let Some(values) = &mut node.choices
        && values.len() > 1
        && values.contains(&Value::Null)
    {
        values.retain(|value| !value.is_null());
        node.nullable = true;
    }
    if let Some(branches) = node.any_of.take() {
        let (nulls, mut rest): (Vec<Node>, Vec<Node>) = branches.into_iter().partition(|branch| {
            branch.kinds == [Kind::Null] || branch.constant == Some(Value::Null)
        });
        if nulls.is_empty() || rest.is_empty() {
            rest.extend(nulls);
            node.any_of = Some(rest);
        } else {
            node.nullable = true;
            if let [_] = rest.as_slice()
                && let Some(mut alone) = rest.pop()
            {
                alone.description = node.description.take().or(alone.description);
                for (key, value) in std::mem::take(&mut node.keywords) {
                    alone.set_keyword(&key, value);
                }
                alone.notes.append(&mut node.notes);
                alone.nullable = true;
                *node = alone;
            } else {
                node.any_of = Some(rest);
            }
        }
    }
    if node.nullable && !before {
        log.change(&node.at, Loss::None, "null written as nullable");
    }
}
