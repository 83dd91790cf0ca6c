//! JSON as bytes that do not depend on who built the program.
//!
//! `serde_json`'s own writer follows the features that any crate of a build may turn on: `preserve_order` decides the
//! order of members, `arbitrary_precision` how a number is spelled. A contract is compared by its bytes, so the order
//! and the spelling are fixed here: members sorted by their names' bytes, numbers in their shortest form.

use serde_json::{Number, Value};
use sha2::{Digest, Sha256};

/// The value on one line, members sorted: the form that fingerprints are taken of.
#[must_use]
pub fn to_line(value: &Value) -> String {
    let mut out = String::new();
    write(value, None, &mut out);
    out
}

/// The value with two-space indents, members sorted, and no line break at the end.
#[must_use]
pub fn to_pretty(value: &Value) -> String {
    let mut out = String::new();
    write(value, Some(0), &mut out);
    out
}

/// Writes `value` as [`to_pretty`] does, as a member that stands `depth` levels deep in a larger document.
pub(crate) fn write_pretty(value: &Value, depth: usize, out: &mut String) {
    write(value, Some(depth), out);
}

/// `text` as a JSON string.
pub(crate) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// A line break and the indent of `depth` levels.
pub(crate) fn break_line(depth: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

/// SHA-256 over the canonical bytes, as `sha256:` and 64 hexadecimal digits.
#[must_use]
pub fn fingerprint(value: &Value) -> String {
    use std::fmt::Write as _;
    let digest = Sha256::digest(to_line(value).as_bytes());
    let mut out = String::with_capacity(7 + 64);
    out.push_str("sha256:");
    for byte in digest {
        // Writing into a string cannot fail.
        let _ = write!(out, "{byte:02x}");
    }
    out
}

fn write(value: &Value, depth: Option<usize>, out: &mut String) {
    match value {
        Value::Null | Value::Bool(_) | Value::String(_) => out.push_str(&value.to_string()),
        Value::Number(number) => write_number(number, out),
        Value::Array(items) => {
            write_list(items.iter(), ('[', ']'), depth, out, |item, depth, out| {
                write(item, depth, out)
            });
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_unstable_by_key(|(name, _)| name.as_str());
            write_list(
                members.into_iter(),
                ('{', '}'),
                depth,
                out,
                |(name, member), depth, out| {
                    out.push_str(&quoted(name));
                    out.push_str(if depth.is_some() { ": " } else { ":" });
                    write(member, depth, out);
                },
            );
        }
    }
}

fn write_list<T>(
    items: impl ExactSizeIterator<Item = T>,
    (open, close): (char, char),
    depth: Option<usize>,
    out: &mut String,
    mut item: impl FnMut(T, Option<usize>, &mut String),
) {
    out.push(open);
    if items.len() > 0 {
        let inner = depth.map(|depth| depth + 1);
        for (index, next) in items.enumerate() {
            if index > 0 {
                out.push(',');
            }
            if let Some(inner) = inner {
                break_line(inner, out);
            }
            item(next, inner, out);
        }
        if let Some(depth) = depth {
            break_line(depth, out);
        }
    }
    out.push(close);
}

/// Whole numbers without a fraction or an exponent, so that `1.0` and `1`, which JSON Schema holds equal, are one
/// spelling.
fn write_number(number: &Number, out: &mut String) {
    if let Some(whole) = number.as_i64() {
        out.push_str(&whole.to_string());
    } else if let Some(whole) = number.as_u64() {
        out.push_str(&whole.to_string());
    } else {
        match number.as_f64() {
            // Rust prints the shortest digits that read back as the same number; zero has one sign.
            Some(0.0) => out.push('0'),
            Some(float) if (1e-7..1e21).contains(&float.abs()) => out.push_str(&format!("{float}")),
            Some(float) if float.is_finite() => out.push_str(&format!("{float:e}")),
            // Only `arbitrary_precision` keeps a number beyond every float, as its digits.
            _ => out.push_str(&number.to_string()),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_have_one_spelling() {
        let check = |text: &str, expected: &str| {
            let value: Value = serde_json::from_str(text).unwrap();
            assert_eq!(to_line(&value), expected, "{text}");
        };
        check("1", "1");
        check("1.0", "1");
        check("-0.0", "0");
        check("1e2", "100");
        check("0.1", "0.1");
        check("18446744073709551615", "18446744073709551615");
        check("100000000000000000000", "100000000000000000000");
        check("1e300", "1e300");
    }

    #[test]
    fn members_are_sorted_at_every_depth() {
        let value = json!({"b": [{"z": 1, "a": {}}], "a": "\u{e9}\n", "c": []});
        assert_eq!(
            to_line(&value),
            "{\"a\":\"\u{e9}\\n\",\"b\":[{\"a\":{},\"z\":1}],\"c\":[]}"
        );
        assert_eq!(
            to_pretty(&json!({"b": [1], "a": {}})),
            "{\n  \"a\": {},\n  \"b\": [\n    1\n  ]\n}"
        );
    }
}
