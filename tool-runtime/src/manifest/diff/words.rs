//! What a schema says to people and models without deciding anything.

use serde_json::{Map, Value};

use super::change::{Change, Class, kind_of};
use super::position::{ANNOTATIONS, join};
use super::schema::is_unknown;

/// Compares the words of two nodes.
pub(super) fn compare(
    tool: &str,
    old: &Map<String, Value>,
    new: &Map<String, Value>,
    path: &str,
    out: &mut Vec<Change>,
) {
    let mut keywords: Vec<&String> = old.keys().chain(new.keys()).collect();
    keywords.sort_unstable();
    keywords.dedup();
    for keyword in keywords {
        let (was, is) = (old.get(keyword), new.get(keyword));
        let Some(value) = was.or(is) else { continue };
        if was == is || !(ANNOTATIONS.contains(&keyword.as_str()) || is_unknown(keyword, value)) {
            continue;
        }
        let (class, reason) = match keyword.as_str() {
            "description" => (
                Class::Semantic,
                "the text that the model reads changed: the same calls are accepted, and the model may make others"
                    .to_owned(),
            ),
            "default" => (Class::Semantic, default_reason(was, is)),
            "examples" | "example" => (Class::Semantic, "the examples that the model reads changed".to_owned()),
            "deprecated" => (Class::Semantic, "the advice whether to use it changed".to_owned()),
            "title" => (Class::Compatible, "a name for people only".to_owned()),
            "$schema" => (Class::Compatible, "the label of the dialect only".to_owned()),
            _ => (Class::Compatible, format!("`{keyword}` decides nothing about calls")),
        };
        let noun = keyword.trim_start_matches('$');
        let change = Change::new(
            tool,
            join(path, &[keyword]),
            kind_of(noun, was, is),
            class,
            reason,
        );
        out.push(change.with_values(was, is));
    }
}

fn default_reason(was: Option<&Value>, is: Option<&Value>) -> String {
    match (was, is) {
        (Some(was), Some(is)) => format!("leaving it out used to mean {was} and now means {is}"),
        (Some(was), None) => {
            format!("leaving it out used to mean {was}, and nothing says what it means now")
        }
        (_, Some(is)) => format!("leaving it out is now said to mean {is}"),
        (None, None) => String::new(),
    }
}

/// The change where the same names stand in another order.
pub(super) fn reordered(
    tool: &str,
    pointer: &str,
    was: &[String],
    is: &[String],
) -> Option<Change> {
    // Where names came or went, the order is a part of that.
    if was == is || was.len() != is.len() || !was.iter().all(|name| is.contains(name)) {
        return None;
    }
    let change = Change::new(
        tool,
        pointer,
        "properties_reordered",
        Class::Compatible,
        "the same properties in another order",
    );
    Some(change.with_values(
        Some(&Value::from(was.to_vec())),
        Some(&Value::from(is.to_vec())),
    ))
}
