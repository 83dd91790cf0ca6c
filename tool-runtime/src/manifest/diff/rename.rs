//! Which of the things that are gone is which of the things that are new.
//!
//! A rename is a guess, and it is only ever a help for the reader: what is gone stays gone for the caller.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::position::without_words;
use crate::manifest::read::ListedTool;

/// The likeliest new name of each property that is gone, by old name.
pub(super) fn properties(removed: &[(&String, &Value)], added: &[(&String, &Value)]) -> BTreeMap<String, String> {
    let mut scores = Vec::new();
    for (old_index, (old_name, old)) in removed.iter().enumerate() {
        for (new_index, (new_name, new)) in added.iter().enumerate() {
            let score = property_likeness((old_name, old), (new_name, new));
            if score >= 0.55 {
                scores.push((score, old_index, new_index));
            }
        }
    }
    pair_up(scores)
        .into_iter()
        .filter_map(|(old, new)| Some((removed.get(old)?.0.clone(), added.get(new)?.0.clone())))
        .collect()
}

fn property_likeness((old_name, old): (&str, &Value), (new_name, new): (&str, &Value)) -> f64 {
    let names = name_likeness(old_name, new_name);
    if names >= 1.0 {
        return 1.0;
    }
    let schemas = if without_words(old) == without_words(new) {
        1.0
    } else if old.get("type").is_some() && old.get("type") == new.get("type") {
        0.6
    } else {
        return 0.0;
    };
    let words = match (described(old), described(new)) {
        (Some(old), Some(new)) => text_likeness(old, new),
        // Nothing to go by: the names have to carry it.
        _ => names,
    };
    0.2 * schemas + 0.3 * names + 0.5 * words
}

fn described(schema: &Value) -> Option<&str> {
    schema.get("description").and_then(Value::as_str)
}

/// The likeliest new name of each tool that is gone. Several old tools may have become one.
pub(super) fn tools(removed: &[&ListedTool], added: &[&ListedTool]) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for old in removed {
        let scored = added.iter().map(|new| (tool_likeness(old, new), new));
        let best = scored.max_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((score, new)) = best
            && score >= 0.5
        {
            found.insert(old.name.clone(), new.name.clone());
        }
    }
    found
}

/// How alike two tools are, from 0 to 1.
pub(super) fn tool_likeness(old: &ListedTool, new: &ListedTool) -> f64 {
    let names = name_likeness(&old.name, &new.name);
    if names >= 1.0 {
        return 1.0;
    }
    let words = text_likeness(old.text("description").unwrap_or_default(), new.text("description").unwrap_or_default());
    let shapes = shape_likeness(old, new);
    0.35 * names + 0.4 * words + 0.25 * shapes
}

/// Whether the arguments are alike: by the names they share.
fn shape_likeness(old: &ListedTool, new: &ListedTool) -> f64 {
    let arguments = |tool: &ListedTool| -> BTreeSet<String> {
        let schema = tool.members.get("inputSchema");
        let properties = schema.and_then(|schema| schema.get("properties")).and_then(Value::as_object);
        properties.map(|properties| properties.keys().cloned().collect()).unwrap_or_default()
    };
    let (old, new) = (arguments(old), arguments(new));
    match (old.is_empty(), new.is_empty()) {
        // Two tools without arguments share nothing that would tell them from any other.
        (true, true) => 0.5,
        (true, false) | (false, true) => 0.0,
        (false, false) => old.intersection(&new).count() as f64 / old.union(&new).count() as f64,
    }
}

/// How alike two names are: by their words, then by their letters.
pub(super) fn name_likeness(old: &str, new: &str) -> f64 {
    let (old, new) = (name_words(old), name_words(new));
    if old == new {
        return 1.0;
    }
    let (was, is): (BTreeSet<&String>, BTreeSet<&String>) = (old.iter().collect(), new.iter().collect());
    let shared = was.intersection(&is).count() as f64;
    // Half of the smaller name's words weigh like all of both: a name is often only made longer.
    let overlap = shared / was.len().min(is.len()).max(1) as f64;
    let dice = 2.0 * shared / (was.len() + is.len()).max(1) as f64;
    let letters = strsim::jaro_winkler(&old.concat(), &new.concat());
    (0.4 * overlap + 0.4 * dice + 0.2 * letters).min(0.99)
}

/// The words of a name in lower case, however it joins them.
pub(crate) fn name_words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut fresh = true;
    let mut lower_before = false;
    for letter in name.chars() {
        if !letter.is_alphanumeric() {
            fresh = true;
            continue;
        }
        if fresh || (letter.is_uppercase() && lower_before) {
            words.push(String::new());
        }
        fresh = false;
        lower_before = letter.is_lowercase() || letter.is_numeric();
        if let Some(word) = words.last_mut() {
            word.extend(letter.to_lowercase());
        }
    }
    words
}

/// How alike two texts are, by their words without the ones that every text has.
pub(crate) fn text_likeness(old: &str, new: &str) -> f64 {
    if old.is_empty() || new.is_empty() {
        return 0.0;
    }
    if old == new {
        return 1.0;
    }
    let (was, is) = (text_words(old), text_words(new));
    let shared = was.intersection(&is).count() as f64;
    let dice = 2.0 * shared / (was.len() + is.len()).max(1) as f64;
    let letters = strsim::sorensen_dice(&old.to_lowercase(), &new.to_lowercase());
    0.6 * dice + 0.4 * letters
}

fn text_words(text: &str) -> BTreeSet<String> {
    const COMMON: &[&str] = &["a", "an", "the", "of", "to", "and", "or", "in", "for", "is", "it", "on", "with", "this"];
    let lower = text.to_lowercase();
    let words = lower.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.filter(|word| !COMMON.contains(word)).map(stem).collect()
}

/// A word without the endings that a rewording changes most.
fn stem(word: &str) -> String {
    for ending in ["ing", "es", "s"] {
        if let Some(rest) = word.strip_suffix(ending)
            && rest.chars().count() >= 3
        {
            return rest.to_owned();
        }
    }
    word.to_owned()
}

/// The best pairs first, each thing once.
fn pair_up(mut scores: Vec<(f64, usize, usize)>) -> Vec<(usize, usize)> {
    scores.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    let (mut old_taken, mut new_taken) = (BTreeSet::new(), BTreeSet::new());
    let mut pairs = Vec::new();
    for (_, old, new) in scores {
        if !old_taken.contains(&old) && !new_taken.contains(&new) {
            old_taken.insert(old);
            new_taken.insert(new);
            pairs.push((old, new));
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_have_words() {
        assert_eq!(name_words("getTinyImage"), ["get", "tiny", "image"]);
        assert_eq!(name_words("append-insight"), ["append", "insight"]);
        assert_eq!(name_words("HTTPServer2_go"), ["httpserver2", "go"]);
        assert_eq!(name_likeness("append-insight", "append_insight"), 1.0);
    }

    #[test]
    fn a_property_is_found_under_its_new_name() {
        let (id, order_id) = ("id".to_owned(), "order_id".to_owned());
        let (old, new) = (json!({"type": "string", "description": "The order."}), json!({"type": "string", "description": "The order."}));
        let found = properties(&[(&id, &old)], &[(&order_id, &new)]);
        assert_eq!(found.get("id"), Some(&order_id));
        let other = json!({"type": "boolean"});
        assert!(properties(&[(&id, &old)], &[(&order_id, &other)]).is_empty());
    }
}
