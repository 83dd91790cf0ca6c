//! Keywords: kept, respelled, or moved into the description.

use serde_json::Value;

use super::super::report::Loss;
use super::super::rules::{NO_ANNOTATIONS, Rules, Treatment};
use super::super::schema::{Applied, Document, Kind, Node, spell};
use super::Log;

/// The order of notes behind a description. Fixed, as prompts are cached by their first bytes.
const ORDER: &[&str] = &[
    "enum",
    "minimum",
    "exclusiveMinimum",
    "maximum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "prefixItems",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "patternProperties",
    "additionalProperties",
    "not",
    "default",
];

/// What the dialect does with a keyword.
pub(crate) fn treatment(rules: &Rules, keyword: &str) -> Treatment {
    if rules.lenient {
        return Treatment::Keep;
    }
    match rules.keywords.iter().find(|(name, _)| *name == keyword) {
        Some((_, treatment)) => *treatment,
        None if NO_ANNOTATIONS.contains(&keyword) => Treatment::Drop,
        None => rules.other_keywords,
    }
}

/// Keeps the keywords a dialect has and moves the others behind the description: `How many (minimum: 1, maximum: 9)`.
/// Needed by every dialect that is not lenient. What a note says is still enforced when the call comes in.
pub(crate) fn keywords(document: &mut Document, log: &mut Log<'_>) {
    document.visit_mut(&mut |node| {
        for (key, value) in std::mem::take(&mut node.keywords) {
            keyword(node, &key, value, log);
        }
        negation(node, log);
        applied(node, log);
        render(node);
    });
}

fn keyword(node: &mut Node, key: &str, value: Value, log: &mut Log<'_>) {
    let known =
        log.rules.keywords.iter().any(|(name, _)| *name == key) || NO_ANNOTATIONS.contains(&key);
    let kept = match treatment(log.rules, key) {
        Treatment::Keep if key == "format" => match log.rules.formats {
            Some(known) => value.as_str().is_some_and(|format| known.contains(&format)),
            None => true,
        },
        Treatment::Keep => true,
        Treatment::KeepIf(test) => test(node, &value),
        Treatment::Drop => {
            if !known {
                log.warn(&node.at, format!("unknown keyword `{key}` removed"));
            }
            log.change(&node.at, Loss::None, format!("{key} removed"));
            return;
        }
        Treatment::Rewrite(spelling) => match spelling(&value) {
            Some(new) => {
                if new != value {
                    log.change(
                        &node.at,
                        Loss::None,
                        format!("{key} {value} written as {new}"),
                    );
                }
                node.keywords.push((key.to_owned(), new));
                return;
            }
            None => false,
        },
        Treatment::Neighbour => {
            if let Some((bound, neighbour)) = neighbour(node, key, &value) {
                tighten(node, bound, neighbour);
                log.change(
                    &node.at,
                    Loss::None,
                    format!("{key}: {value} written as {bound}: {neighbour}"),
                );
                return;
            }
            false
        }
        Treatment::Note => false,
    };
    if kept {
        node.keywords.push((key.to_owned(), value));
    } else if says_nothing(key, &value) {
        log.change(
            &node.at,
            Loss::None,
            format!("{key} removed, as it says nothing"),
        );
    } else {
        node.notes.push((key.to_owned(), format!("{key}: {value}")));
        log.change(
            &node.at,
            Loss::Moved,
            format!("{key} {value} told in the description"),
        );
    }
}

/// Values that a keyword has anyway.
fn says_nothing(key: &str, value: &Value) -> bool {
    match key {
        "minLength" | "minItems" | "minProperties" => value.as_u64() == Some(0),
        "uniqueItems" => value.as_bool() == Some(false),
        // Absent and null are one for every type that has null for its default.
        "default" => value.is_null(),
        _ => false,
    }
}

/// The bound that says the same for integers.
fn neighbour(node: &Node, key: &str, value: &Value) -> Option<(&'static str, i64)> {
    let integer = node.kinds.contains(&Kind::Integer) && !node.kinds.contains(&Kind::Number);
    let exact = value.as_i64().filter(|_| integer)?;
    match key {
        "exclusiveMinimum" => Some(("minimum", exact.checked_add(1)?)),
        "exclusiveMaximum" => Some(("maximum", exact.checked_sub(1)?)),
        _ => None,
    }
}

/// Sets a bound unless a tighter one stands there, in what is read already or still to be read.
fn tighten(node: &mut Node, bound: &str, value: i64) {
    let old = node.keyword(bound).and_then(Value::as_f64);
    #[allow(
        clippy::cast_precision_loss,
        reason = "only to compare; the exact value is what is written"
    )]
    let tighter = match (bound, old) {
        ("minimum", Some(old)) => old < value as f64,
        (_, Some(old)) => old > value as f64,
        (_, None) => true,
    };
    if tighter {
        node.set_keyword(bound, Value::from(value));
    }
}

fn negation(node: &mut Node, log: &mut Log<'_>) {
    if let Some(not) = node.not.take() {
        let words = match (&not.constant, &not.choices) {
            (Some(value), _) => value.to_string(),
            (None, Some(values)) => values
                .iter()
                .map(Value::to_string)
                .collect::<Vec<_>>()
                .join(", "),
            (None, None) => not.write(&spell).to_string(),
        };
        log.change(
            &node.at,
            Loss::Moved,
            format!("not {words} told in the description"),
        );
        node.notes.push(("not".into(), format!("not: {words}")));
    }
}

fn applied(node: &mut Node, log: &mut Log<'_>) {
    for (key, inner) in std::mem::take(&mut node.applied) {
        let whole = Node {
            applied: vec![(key.clone(), inner)],
            ..Node::default()
        };
        if let Some((_, Applied::One(rest))) = whole.applied.first()
            && key.starts_with("unevaluated")
            && rest.boolean == Some(true)
        {
            continue;
        }
        let written = whole.write(&spell);
        let words = written.get(&key).map(Value::to_string).unwrap_or_default();
        log.change(
            &node.at,
            Loss::Moved,
            format!("{key} {words} told in the description"),
        );
        node.notes.push((key.clone(), format!("{key}: {words}")));
    }
}

/// Puts the notes behind the description, in one parenthesis.
fn render(node: &mut Node) {
    let mut notes = std::mem::take(&mut node.notes);
    if notes.is_empty() {
        return;
    }
    let rank = |key: &str| {
        ORDER
            .iter()
            .position(|name| *name == key)
            .unwrap_or(ORDER.len())
    };
    notes.sort_by(|(a, x), (b, y)| rank(a).cmp(&rank(b)).then_with(|| (a, x).cmp(&(b, y))));
    let words: Vec<String> = notes.into_iter().map(|(_, text)| text).collect();
    let words = format!("({})", words.join(", "));
    node.description = Some(match node.description.take() {
        Some(text) if !text.is_empty() => format!("{text} {words}"),
        _ => words,
    });
}
