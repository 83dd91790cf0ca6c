//! Text that crosses a border: made visible for people, cleaned for the model, and compared for near misses.

use std::sync::LazyLock;

use regex::{Captures, Regex};

/// The most bytes of a message that came from a tool.
pub(crate) const MESSAGE_BYTES: usize = 2048;

/// Text from outside, safe to show: control, bidirectional and zero-width characters as escapes, cut at `max` characters.
pub(crate) fn shown(text: &str, max: usize) -> String {
    let mut out = String::with_capacity(text.len().min(max));
    for (i, c) in text.chars().enumerate() {
        if i == max {
            out.push('…');
            break;
        }
        if c.is_control() || is_invisible(c) {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out
}

/// Characters that change how text looks without being seen.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
    )
}

/// A message of a tool for the model: without control and invisible characters (line breaks and tabs stay) and without
/// what looks like a credential, at most [`MESSAGE_BYTES`] long.
pub(crate) fn clean(message: &str) -> String {
    // A long text is cut before it is searched, and again after, since a replacement can be longer than what it replaces.
    let head = cut(message, 2 * MESSAGE_BYTES);
    let visible: String = head
        .chars()
        .filter(|&c| c == '\n' || c == '\t' || !(c.is_control() || is_invisible(c)))
        .collect();
    let bare = without_credentials(&visible);
    if bare.len() > MESSAGE_BYTES || head.len() < message.len() {
        format!("{}… (shortened)", cut(&bare, MESSAGE_BYTES))
    } else {
        bare
    }
}

fn cut(text: &str, max: usize) -> &str {
    let mut end = text.len().min(max);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// What credentials look like in messages: the part that is kept, then the secret.
static CREDENTIALS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [
        // scheme://user:password@host
        r"(?i)(\b[a-z][a-z0-9+.-]*://)[^\s/@]+@",
        // key=value, "key": "value", and the same inside a query string
        r#"(?i)(\b(?:[a-z0-9]+[_-])*(?:api[_-]?key|key|token|secret|password|passwd|pwd|signature|sig|credential|auth)s?["']?\s*[=:]\s*["']?)[^\s"'&,;)}\]]+"#,
        // Authorization values
        r"(?i)(\b(?:bearer|basic)\s+)[a-z0-9+/_.=~-]{8,}",
        // Tokens that say by their prefix what they are
        r"()\b(?:sk|pk|rk|ghp|gho|ghs|xox[abprs]|AKIA|ASIA|AIza|eyJ)[-_A-Za-z0-9.]{12,}",
    ]
    .iter()
    .filter_map(|pattern| Regex::new(pattern).ok())
    .collect()
});

fn without_credentials(text: &str) -> String {
    let mut text = text.to_owned();
    for pattern in CREDENTIALS.iter() {
        let replaced = pattern.replace_all(&text, |found: &Captures<'_>| {
            let kept = found.get(1).map_or("", |kept| kept.as_str());
            let tail = if found
                .get(0)
                .is_some_and(|whole| whole.as_str().ends_with('@'))
            {
                "@"
            } else {
                ""
            };
            format!("{kept}[removed]{tail}")
        });
        if let std::borrow::Cow::Owned(replaced) = replaced {
            text = replaced;
        }
    }
    text
}

/// The names that are near `wrong`, nearest first, at most three. Nothing for what is no name at all.
pub(crate) fn nearest<'n>(wrong: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    const LONGEST: usize = 64;
    if wrong.is_empty() || wrong.chars().count() > LONGEST || wrong.chars().any(char::is_control) {
        return Vec::new();
    }
    let folded = fold(wrong);
    let mut near: Vec<(f64, &str)> = names
        .into_iter()
        .filter_map(|name| {
            let score = likeness(&folded, &fold(name));
            (score > 0.0).then_some((score, name))
        })
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    near.truncate(3);
    near.into_iter().map(|(_, name)| name).collect()
}

/// The name in lower case, words parted by `_`, so that `orderId`, `order-id` and `order_id` are one.
fn fold(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    let mut lower = false;
    for c in name.chars() {
        if c.is_alphanumeric() {
            if c.is_uppercase() && lower {
                out.push('_');
            }
            lower = c.is_lowercase() || c.is_numeric();
            out.extend(c.to_lowercase());
        } else {
            out.push('_');
            lower = false;
        }
    }
    out.trim_matches('_').to_owned()
}

/// How alike two folded names are, from 0 (not at all) to 1: by spelling, or by a word they share.
fn likeness(a: &str, b: &str) -> f64 {
    let spelling = strsim::normalized_damerau_levenshtein(a, b);
    if spelling >= 0.6 {
        return spelling;
    }
    let shared = a
        .split('_')
        .filter(|word| word.len() > 2 && b.split('_').any(|other| other == *word))
        .count();
    if shared == 0 {
        return 0.0;
    }
    let words = |text: &str| text.split('_').count();
    #[allow(clippy::cast_precision_loss, reason = "a handful of words")]
    let share = shared as f64 / words(a).max(words(b)) as f64;
    // Below any likeness by spelling.
    0.59 * share
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names() {
        let tools = ["cancel_order", "get_order_status", "search_policy_docs"];
        for (wrong, expected) in [
            ("cancel_ordr", vec!["cancel_order"]),
            ("Cancel-Order", vec!["cancel_order", "get_order_status"]),
            ("search_file", vec!["search_policy_docs"]),
            ("getOrderStatus", vec!["get_order_status", "cancel_order"]),
            ("fly", vec![]),
            ("", vec![]),
            ("cancel_order\n", vec![]),
        ] {
            assert_eq!(nearest(wrong, tools), expected, "{wrong:?}");
        }
        assert_eq!(nearest("order", ["order_id", "reason"]), ["order_id"]);
        assert_eq!(nearest("limt", ["query", "limit"]), ["limit"]);
    }

    #[test]
    fn credentials_do_not_pass() {
        for (dirty, clean_text) in [
            (
                "GET https://api.example.com/v1?key=abc123&x=1 failed",
                "GET https://api.example.com/v1?key=[removed]&x=1 failed",
            ),
            (
                "postgres://app:hunter2@db/orders refused",
                "postgres://[removed]@db/orders refused",
            ),
            (
                "Authorization: Bearer abcdef0123456789",
                "Authorization: Bearer [removed]",
            ),
            (
                "config {\"api_key\": \"s3cr3t\", \"n\": 1}",
                "config {\"api_key\": \"[removed]\", \"n\": 1}",
            ),
            (
                "token sk-proj-abcdef0123456789 is revoked",
                "token [removed] is revoked",
            ),
            ("the keyboard: a monkey=1", "the keyboard: a monkey=1"),
        ] {
            assert_eq!(clean(dirty), clean_text);
        }
    }

    #[test]
    fn messages_are_plain_and_short() {
        assert_eq!(clean("a\u{1b}[31mb\u{202e}c\nd"), "a[31mbc\nd");
        let long = clean(&"é".repeat(5000));
        assert!(long.len() <= MESSAGE_BYTES + 20 && long.ends_with("(shortened)"));
        assert_eq!(shown("a\u{200b}b\u{7}", 10), "a\\u{200b}b\\u{7}");
        assert_eq!(shown("abcdef", 3), "abc…");
    }
}
