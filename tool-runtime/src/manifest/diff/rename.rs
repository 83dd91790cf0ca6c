//! Which of the things that are gone is which of the things that are new.
//!
//! A rename is a guess, and it is only ever a help for the reader: what is gone stays gone for the caller.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::position::without_words;
use crate::manifest::read::ListedTool;

/// The likeliest new name of each property that is gone, by old name.
pub(super) fn properties(
    removed: &[(&String, &Value)],
    added: &[(&String, &Value)],
) -> BTreeMap<String, String> {
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

/// What two lists of tools talk about: every word, and in how many tools it stands.
///
/// A word that all tools share, such as the server's own name, says nothing about which of them is which.
#[derive(Debug, Default)]
struct Vocabulary {
    tools: usize,
    counts: BTreeMap<String, usize>,
}

impl Vocabulary {
    fn of<'a>(bags: impl Iterator<Item = &'a BTreeMap<String, f64>>) -> Self {
        let mut vocabulary = Self::default();
        for bag in bags {
            vocabulary.tools += 1;
            for word in bag.keys() {
                *vocabulary.counts.entry(word.clone()).or_default() += 1;
            }
        }
        vocabulary
    }

    fn rarity(&self, word: &str) -> f64 {
        let count = self.counts.get(word).copied().unwrap_or(0).max(1);
        ((self.tools as f64 + 1.0) / count as f64).ln()
    }
}

/// The words of a tool: its name's count twice.
fn bag(tool: &ListedTool) -> BTreeMap<String, f64> {
    let mut bag: BTreeMap<String, f64> = name_words(&tool.name)
        .iter()
        .map(|word| (stem(word), 2.0))
        .collect();
    let mut add = |word: String| {
        bag.entry(word).or_insert(1.0);
    };
    text_words(tool.text("description").unwrap_or_default())
        .into_iter()
        .for_each(&mut add);
    for argument in arguments(tool) {
        name_words(&argument)
            .iter()
            .map(|word| stem(word))
            .for_each(&mut add);
    }
    bag
}

/// The likeliest new name of each tool that is gone. Several old tools may have become one.
///
/// `known` are all tools of both lists, against which the weight of words is measured.
pub(super) fn tools<'a>(
    removed: &[&ListedTool],
    added: &[&ListedTool],
    known: impl Iterator<Item = &'a ListedTool>,
) -> BTreeMap<String, String> {
    if removed.is_empty() || added.is_empty() {
        return BTreeMap::new();
    }
    let bags: Vec<BTreeMap<String, f64>> = known.map(bag).collect();
    let vocabulary = Vocabulary::of(bags.iter());
    let fresh: Vec<(&ListedTool, BTreeMap<String, f64>)> =
        added.iter().map(|tool| (*tool, bag(tool))).collect();
    let mut found = BTreeMap::new();
    let mut unsure = Vec::new();
    for old in removed {
        let words = bag(old);
        let scored = fresh
            .iter()
            .map(|(new, bag)| (likeness(&vocabulary, (old, &words), (new, bag)), *new));
        // The first of equals is taken, so that the answer never depends on chance.
        let best = scored.reduce(|best, next| if next.0 > best.0 { next } else { best });
        match best {
            Some((score, new)) if score >= 0.4 => {
                found.insert(old.name.clone(), new.name.clone());
            }
            Some((score, new)) if score >= 0.15 => unsure.push((*old, new)),
            _ => {}
        }
    }
    // Where a family of tools became one, its last members follow the others on weaker evidence.
    let family = |name: &str| {
        let mut words = name_words(name);
        words.pop();
        words
    };
    for (old, new) in unsure {
        let siblings = found
            .iter()
            .filter(|(sibling, heir)| **heir == new.name && family(sibling) == family(&old.name))
            .count();
        if siblings >= 2 && family(&old.name).len() >= 2 {
            found.insert(old.name.clone(), new.name.clone());
        }
    }
    found
}

/// How alike two tools are, from 0 to 1: the words they share, and the arguments.
fn likeness(
    vocabulary: &Vocabulary,
    (old, old_bag): (&ListedTool, &BTreeMap<String, f64>),
    (new, new_bag): (&ListedTool, &BTreeMap<String, f64>),
) -> f64 {
    let (old_name, new_name) = (name_words(&old.name), name_words(&new.name));
    if old_name == new_name {
        return 1.0;
    }
    let weight = |bag: &BTreeMap<String, f64>| -> f64 {
        bag.iter()
            .map(|(word, weight)| weight * vocabulary.rarity(word))
            .sum()
    };
    let mut shared: f64 = old_bag
        .iter()
        .filter_map(|(word, weight)| {
            Some(weight.min(*new_bag.get(word)?) * vocabulary.rarity(word))
        })
        .sum();
    // `zip` and `gzip`: a letter more at one end.
    for word in old_name
        .iter()
        .map(|word| stem(word))
        .filter(|word| !new_bag.contains_key(word))
    {
        if new_name.iter().any(|other| nearly(&word, &stem(other))) {
            shared += 2.0 * vocabulary.rarity(&word);
        }
    }
    let (kept, filled) = (
        shared / weight(old_bag).max(0.01),
        shared / weight(new_bag).max(0.01),
    );
    let shapes = {
        let (old, new) = (arguments(old), arguments(new));
        match (old.is_empty(), new.is_empty()) {
            // Two tools without arguments share nothing that would tell them from any other.
            (true, true) => 0.5,
            (true, false) | (false, true) => 0.0,
            (false, false) => {
                old.intersection(&new).count() as f64 / old.union(&new).count() as f64
            }
        }
    };
    // A tool that took over another's work says all that the other said, and more.
    (0.6 * kept.max(0.8 * filled) + 0.25 * kept.min(filled) + 0.15 * shapes).min(0.99)
}

fn nearly(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() {
        (one, other)
    } else {
        (other, one)
    };
    short.chars().count() >= 3
        && long.chars().count() == short.chars().count() + 1
        && (long.starts_with(short) || long.ends_with(short))
}

fn arguments(tool: &ListedTool) -> BTreeSet<String> {
    let schema = tool.members.get("inputSchema");
    let properties = schema
        .and_then(|schema| schema.get("properties"))
        .and_then(Value::as_object);
    properties
        .map(|properties| properties.keys().cloned().collect())
        .unwrap_or_default()
}

/// How alike two names are: by their words, then by their letters.
pub(super) fn name_likeness(old: &str, new: &str) -> f64 {
    let (old, new) = (name_words(old), name_words(new));
    if old == new {
        return 1.0;
    }
    let (was, is): (BTreeSet<&String>, BTreeSet<&String>) =
        (old.iter().collect(), new.iter().collect());
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
    const COMMON: &[&str] = &[
        "a", "all", "an", "and", "any", "are", "as", "at", "be", "by", "can", "for", "from", "if",
        "in", "into", "is", "it", "its", "not", "of", "on", "or", "than", "that", "the", "this",
        "to", "which", "with", "you", "your",
    ];
    let lower = text.to_lowercase();
    let words = lower
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words
        .filter(|word| !COMMON.contains(word))
        .map(stem)
        .collect()
}

/// A word without the endings that a rewording changes most.
fn stem(word: &str) -> String {
    for ending in ["ing", "es", "s", "ed"] {
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
#[allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
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
        let (old, new) = (
            json!({"type": "string", "description": "The order."}),
            json!({"type": "string", "description": "The order."}),
        );
        let found = properties(&[(&id, &old)], &[(&order_id, &new)]);
        assert_eq!(found.get("id"), Some(&order_id));
        let other = json!({"type": "boolean"});
        assert!(properties(&[(&id, &old)], &[(&order_id, &other)]).is_empty());
    }
}
