//! One schema from two that must both hold.

use serde_json::Value;

use super::super::schema::{Document, Kind, Node, is_annotation};

/// Why two schemas cannot be written as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Conflict {
    /// No value satisfies both.
    Impossible(String),
    /// There may be such values, but one schema for them is not found.
    Undecided(String),
}

impl Conflict {
    pub(crate) fn why(&self) -> &str {
        match self {
            Self::Impossible(why) | Self::Undecided(why) => why,
        }
    }
}

/// How many branches two unions may have together.
const MAX_PRODUCT: usize = 16;

/// The schema of values that satisfy both. Words of `first` win, and its properties come first.
///
/// References are followed one step where both sides have something to say.
pub(crate) fn both(
    first: &Node,
    second: &Node,
    document: &Document,
    depth: usize,
) -> Result<Node, Conflict> {
    if depth > 24 {
        return Err(Conflict::Undecided("the two are nested too deeply".into()));
    }
    for (one, other) in [(first, second), (second, first)] {
        match one.boolean {
            Some(false) => {
                return Err(Conflict::Impossible(
                    "one of the two accepts nothing".into(),
                ));
            }
            Some(true) if !one.has_structure() => {
                let mut out = other.clone();
                out.at.clone_from(&first.at);
                out.description = first
                    .description
                    .clone()
                    .or_else(|| second.description.clone());
                return Ok(out);
            }
            _ => {}
        }
    }
    let (first, second) = (
        &opened(first, document, depth)?,
        &opened(second, document, depth)?,
    );
    let mut out = Node::at(&first.at);
    out.description = first
        .description
        .clone()
        .or_else(|| second.description.clone());
    out.kinds = kinds(&first.kinds, &second.kinds)?;
    values(&mut out, first, second)?;
    keywords(&mut out, first, second)?;
    objects(&mut out, first, second, document, depth)?;
    arrays(&mut out, first, second, document, depth)?;
    out.any_of = union(
        first.any_of.as_ref(),
        second.any_of.as_ref(),
        document,
        depth,
    )?;
    out.one_of = match (&first.one_of, &second.one_of) {
        (Some(_), Some(_)) => return Err(Conflict::Undecided("both are a oneOf".into())),
        (one, other) => one.clone().or_else(|| other.clone()),
    };
    out.all_of = match (&first.all_of, &second.all_of) {
        (Some(one), Some(other)) => Some(one.iter().chain(other).cloned().collect()),
        (one, other) => one.clone().or_else(|| other.clone()),
    };
    out.not = match (&first.not, &second.not) {
        (Some(_), Some(_)) => return Err(Conflict::Undecided("both have a `not`".into())),
        (one, other) => one.clone().or_else(|| other.clone()),
    };
    for (keyword, applied) in first.applied.iter().chain(&second.applied) {
        if out.applied.iter().any(|(known, _)| known == keyword) {
            return Err(Conflict::Undecided(format!("both have `{keyword}`")));
        }
        out.applied.push((keyword.clone(), applied.clone()));
    }
    Ok(out)
}

/// A node without its reference: what it leads to and what stands beside it, as one.
pub(crate) fn opened(node: &Node, document: &Document, depth: usize) -> Result<Node, Conflict> {
    let Some(target) = &node.reference else {
        return Ok(node.clone());
    };
    if depth > 24 {
        return Err(Conflict::Undecided("the references go round".into()));
    }
    let Some(target) = document.target(target) else {
        return Err(Conflict::Undecided("the reference leads nowhere".into()));
    };
    let mut beside = node.clone();
    beside.reference = None;
    if !node.constrains_beside_reference() {
        let mut out = opened(target, document, depth + 1)?;
        out.description = beside.description.or(out.description);
        for (key, value) in beside.keywords {
            out.set_keyword(&key, value);
        }
        return Ok(out);
    }
    both(&beside, target, document, depth + 1)
}

fn kinds(first: &[Kind], second: &[Kind]) -> Result<Vec<Kind>, Conflict> {
    if first.is_empty() || second.is_empty() {
        return Ok([first, second].concat());
    }
    let mut out: Vec<Kind> = Vec::new();
    for one in first {
        for other in second {
            let narrower = if one.admits(*other) {
                *other
            } else if other.admits(*one) {
                *one
            } else {
                continue;
            };
            if !out.contains(&narrower) {
                out.push(narrower);
            }
        }
    }
    if out.is_empty() {
        let name = |kinds: &[Kind]| {
            kinds
                .iter()
                .map(|kind| kind.as_str())
                .collect::<Vec<_>>()
                .join(" or ")
        };
        return Err(Conflict::Impossible(format!(
            "one is {}, the other {}",
            name(first),
            name(second)
        )));
    }
    Ok(out)
}

fn values(out: &mut Node, first: &Node, second: &Node) -> Result<(), Conflict> {
    let listed = |node: &Node| match (&node.constant, &node.choices) {
        (Some(value), _) => Some(vec![value.clone()]),
        (None, choices) => choices.clone(),
    };
    let (one, other) = (listed(first), listed(second));
    let (Some(one), Some(other)) = (&one, &other) else {
        out.constant = first.constant.clone().or_else(|| second.constant.clone());
        out.choices = if out.constant.is_some() {
            None
        } else {
            one.or(other)
        };
        return Ok(());
    };
    let shared: Vec<Value> = one
        .iter()
        .filter(|value| other.contains(value))
        .cloned()
        .collect();
    match shared.as_slice() {
        [] => Err(Conflict::Impossible("the two list different values".into())),
        [value] if first.constant.is_some() || second.constant.is_some() => {
            out.constant = Some(value.clone());
            Ok(())
        }
        _ => {
            out.choices = Some(shared);
            Ok(())
        }
    }
}

fn keywords(out: &mut Node, first: &Node, second: &Node) -> Result<(), Conflict> {
    out.keywords.clone_from(&first.keywords);
    for (key, other) in &second.keywords {
        let Some(one) = out.keyword(key).cloned() else {
            out.keywords.push((key.clone(), other.clone()));
            continue;
        };
        if one == *other || is_annotation(key) {
            continue;
        }
        let (small, large) = match (one.as_f64(), other.as_f64()) {
            (Some(a), Some(b)) if a <= b => (one, other.clone()),
            (Some(_), Some(_)) => (other.clone(), one),
            _ => return Err(Conflict::Undecided(format!("the two differ in `{key}`"))),
        };
        let both = match key.as_str() {
            "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" => large,
            "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" => small,
            _ => return Err(Conflict::Undecided(format!("the two differ in `{key}`"))),
        };
        out.set_keyword(key, both);
    }
    Ok(())
}

fn objects(
    out: &mut Node,
    first: &Node,
    second: &Node,
    document: &Document,
    depth: usize,
) -> Result<(), Conflict> {
    if !first.patterns.is_empty() && !second.patterns.is_empty() {
        return Err(Conflict::Undecided("both have `patternProperties`".into()));
    }
    let beyond =
        |patterns: &Node, other: &Node| !patterns.patterns.is_empty() && other.properties.is_some();
    if beyond(first, second) || beyond(second, first) {
        return Err(Conflict::Undecided(
            "one has `patternProperties`, the other properties".into(),
        ));
    }
    out.patterns = if first.patterns.is_empty() {
        second.patterns.clone()
    } else {
        first.patterns.clone()
    };

    out.required = match (&first.required, &second.required) {
        (Some(one), Some(other)) => {
            let more = other.iter().filter(|name| !one.contains(name));
            Some(one.iter().chain(more).cloned().collect())
        }
        (one, other) => one.clone().or_else(|| other.clone()),
    };
    // A property that only one side lists has to satisfy what the other says about unlisted ones.
    let mut properties: Vec<(String, Node)> = Vec::new();
    let named = first.properties.iter().chain(&second.properties).flatten();
    for (name, node) in named {
        if properties.iter().any(|(known, _)| known == name) {
            continue;
        }
        let merged = match (first.property(name), second.property(name)) {
            (Some(one), Some(other)) => both(one, other, document, depth + 1),
            (Some(one), None) => unlisted(one, second, document, depth),
            (None, Some(other)) => unlisted(other, first, document, depth),
            (None, None) => Ok(node.clone()),
        };
        match merged {
            Ok(merged) => properties.push((name.clone(), merged)),
            // Nobody can write it, and nobody has to: where unlisted members are refused it need not be listed.
            Err(Conflict::Impossible(_))
                if !out.is_required(name) && (first.is_closed() || second.is_closed()) => {}
            Err(Conflict::Impossible(why)) if !out.is_required(name) => {
                return Err(Conflict::Undecided(format!("property `{name}`: {why}")));
            }
            Err(conflict) => return Err(within(name, conflict)),
        }
    }
    out.properties =
        (first.properties.is_some() || second.properties.is_some()).then_some(properties);
    out.additional = match (&first.additional, &second.additional) {
        (Some(one), Some(other)) if one.boolean == Some(false) || other.boolean == Some(false) => {
            Some(Box::new(Node {
                boolean: Some(false),
                ..Node::at(&one.at)
            }))
        }
        (Some(one), Some(other)) => Some(Box::new(both(one, other, document, depth + 1)?)),
        (one, other) => one.clone().or_else(|| other.clone()),
    };
    Ok(())
}

/// A property as far as a schema allows it that does not list it.
fn unlisted(
    property: &Node,
    other: &Node,
    document: &Document,
    depth: usize,
) -> Result<Node, Conflict> {
    match &other.additional {
        Some(additional) => both(property, additional, document, depth + 1),
        None => Ok(property.clone()),
    }
}

fn within(name: &str, conflict: Conflict) -> Conflict {
    match conflict {
        Conflict::Impossible(why) => Conflict::Impossible(format!("property `{name}`: {why}")),
        Conflict::Undecided(why) => Conflict::Undecided(format!("property `{name}`: {why}")),
    }
}

fn arrays(
    out: &mut Node,
    first: &Node,
    second: &Node,
    document: &Document,
    depth: usize,
) -> Result<(), Conflict> {
    out.prefix = match (&first.prefix, &second.prefix) {
        (Some(_), Some(_)) => return Err(Conflict::Undecided("both are tuples".into())),
        (Some(_), None) if second.items.is_some() => return Err(tuple_and_list()),
        (None, Some(_)) if first.items.is_some() => return Err(tuple_and_list()),
        (one, other) => one.clone().or_else(|| other.clone()),
    };
    out.items = match (&first.items, &second.items) {
        (Some(one), Some(other)) => Some(Box::new(both(one, other, document, depth + 1)?)),
        (one, other) => one.clone().or_else(|| other.clone()),
    };
    Ok(())
}

fn tuple_and_list() -> Conflict {
    Conflict::Undecided("one is a tuple, the other a list".into())
}

/// Every combination of a branch of one with a branch of the other, without those that no value can satisfy.
fn union(
    first: Option<&Vec<Node>>,
    second: Option<&Vec<Node>>,
    document: &Document,
    depth: usize,
) -> Result<Option<Vec<Node>>, Conflict> {
    let (Some(first), Some(second)) = (first, second) else {
        return Ok(first.or(second).cloned());
    };
    if first.len().saturating_mul(second.len()) > MAX_PRODUCT {
        let count = first.len().saturating_mul(second.len());
        return Err(Conflict::Undecided(format!(
            "the two unions have {count} combinations"
        )));
    }
    let mut out = Vec::new();
    for one in first {
        for other in second {
            match both(one, other, document, depth + 1) {
                Ok(node) => out.push(node),
                Err(Conflict::Impossible(_)) => {}
                Err(conflict) => return Err(conflict),
            }
        }
    }
    if out.is_empty() {
        return Err(Conflict::Impossible("no branches go together".into()));
    }
    Ok(Some(out))
}
