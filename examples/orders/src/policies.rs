//! The shop's rules, as its customers can read them.

use schemars::JsonSchema;
use serde::Serialize;

/// A section of the shop's rules.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Section {
    /// What it is about.
    pub(crate) title: &'static str,
    /// What it says.
    pub(crate) text: &'static str,
}

const SECTIONS: &[Section] = &[
    Section {
        title: "Cancelling an order",
        text: "An order can be cancelled free of charge until it is sent. The price is paid back at once. After that it can only be \
               returned.",
    },
    Section {
        title: "Returns",
        text: "Goods can be returned within 30 days of delivery, unused and in their packaging. The customer pays for sending them \
               back, and shipping is not refunded.",
    },
    Section {
        title: "Damaged or wrong items",
        text: "When an item arrives damaged, or is the wrong one, the whole price and shipping are refunded. A photograph is \
               enough; nothing has to be sent back below 50 EUR.",
    },
    Section {
        title: "Late delivery",
        text: "When a parcel arrives more than three working days later than promised, shipping is refunded.",
    },
    Section {
        title: "How refunds are paid",
        text: "A refund goes back the way the payment came, and takes up to five working days to show on an account.",
    },
    Section {
        title: "Shipping",
        text: "Orders are sent within two working days. Shipping costs 4.90 EUR, and nothing for orders above 80 EUR.",
    },
    Section {
        title: "Warranty",
        text: "Every item has a warranty of two years from delivery. It covers faults, not wear.",
    },
    Section {
        title: "Privacy",
        text: "Addresses are given to the carrier and to nobody else. A customer can ask for a copy of all data about them.",
    },
];

/// The sections that share the most words with the query, best first.
pub(crate) fn search(query: &str, limit: usize) -> Vec<&'static Section> {
    let wanted = words(query);
    let mut found: Vec<(usize, &Section)> = SECTIONS
        .iter()
        .map(|section| {
            let share = |text: &str| {
                words(text)
                    .iter()
                    .filter(|word| wanted.contains(word))
                    .count()
            };
            // A word of the title says more than one of the text.
            (3 * share(section.title) + share(section.text), section)
        })
        .filter(|(score, _)| *score > 0)
        .collect();
    // Stable: equals stay in the order they are written in.
    found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    found
        .into_iter()
        .take(limit)
        .map(|(_, section)| section)
        .collect()
}

/// The words that carry meaning, without their endings.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.len() > 3)
        .map(|word| {
            let word = word.to_lowercase();
            let stem = ["ing", "ed", "es", "s"]
                .iter()
                .find_map(|end| word.strip_suffix(end))
                .unwrap_or(&word);
            stem.to_owned()
        })
        .collect();
    words.sort();
    words.dedup();
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_section_comes_first() {
        for (query, title) in [
            ("how do refunds get paid", "How refunds are paid"),
            ("late delivery", "Late delivery"),
            ("returning an item", "Returns"),
            ("cancel my order", "Cancelling an order"),
        ] {
            let found = search(query, 3);
            assert_eq!(
                found.first().map(|section| section.title),
                Some(title),
                "{query}"
            );
        }
        assert!(search("zebra", 3).is_empty());
    }
}
