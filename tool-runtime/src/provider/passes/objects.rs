//! Objects: closed ones, maps, and what they require.

use super::super::report::Loss;
use super::super::rules::{Maps, Rules};
use super::super::schema::{Document, Node, escape, spell};
use super::Log;

/// Closes objects, and finds a spelling for members without a name. Needed by OpenAI, Anthropic, Bedrock and DeepSeek
/// strict (every object closed), by Gemini `parameters` and Ollama (no `additionalProperties`), and by Moonshot, Gemini's
/// JSON form and llama.cpp (no `patternProperties`).
///
/// A map is never closed: that would leave an object that is always empty.
pub(crate) fn close(document: &mut Document, log: &mut Log<'_>) {
    document.visit_mut(&mut |node| {
        if node.is_object() {
            if log.rules.closed {
                strictly(node, log);
            } else {
                members(node, log);
            }
            filled(node, log);
        }
    });
}

fn strictly(node: &mut Node, log: &mut Log<'_>) {
    let way = "use a Vec of {key, value}";
    if !node.patterns.is_empty() {
        log.refuse(
            &node.at,
            "a map with patterned keys (patternProperties)",
            "strict objects are closed",
            way,
        );
        return;
    }
    let filled = node
        .properties
        .as_ref()
        .is_some_and(|properties| !properties.is_empty());
    let open = node
        .additional
        .as_ref()
        .is_some_and(|rest| rest.boolean != Some(false));
    if open && filled {
        log.refuse(
            &node.at,
            "an open object (additionalProperties)",
            "strict objects are closed",
            way,
        );
    } else if open {
        log.refuse(
            &node.at,
            "a map (additionalProperties)",
            "strict objects are closed",
            way,
        );
    } else if node.additional.is_none() && node.properties.is_none() && !is_named(&node.at) {
        // A struct without fields is a definition, or says so; anything else that lists no member takes any.
        let way = "list its properties, or close it if it is always empty";
        log.refuse(
            &node.at,
            "an object that lists no properties",
            "closed, it could only ever be empty",
            way,
        );
    } else {
        node.properties.get_or_insert_default();
        if node.additional.is_none() {
            node.additional = Some(Box::new(Node {
                boolean: Some(false),
                ..Node::at(&node.at)
            }));
            log.change(
                &node.at,
                Loss::Narrower,
                "closed: the model sends listed members only",
            );
        }
        node.applied
            .retain(|(keyword, _)| keyword != "unevaluatedProperties");
    }
}

/// Whether a place is the root or a definition: a type with a name.
fn is_named(at: &str) -> bool {
    let mut tokens = at.split('/').skip(1);
    match tokens.next() {
        None => true,
        Some("$defs" | "definitions") => tokens.count() == 1,
        Some(_) => false,
    }
}

fn members(node: &mut Node, log: &mut Log<'_>) {
    let rules: &Rules = log.rules;
    if !rules.pattern_properties && !node.patterns.is_empty() {
        patterns(node, log);
    }
    let Some(rest) = &node.additional else { return };
    match (rest.boolean, rules.maps) {
        (Some(false), _) if rules.drops_closed => {
            node.additional = None;
            log.change(
                &node.at,
                Loss::Intake,
                "additionalProperties: false removed; unknown members are refused at intake",
            );
        }
        (Some(false), _) | (_, Maps::Kept) => {}
        (Some(true), _) => {
            node.additional = None;
            log.change(
                &node.at,
                Loss::None,
                "additionalProperties: true removed, as it is the default",
            );
        }
        (None, Maps::Noted) => {
            node.notes.push((
                "additionalProperties".into(),
                format!("additionalProperties: {}", rest.write(&spell)),
            ));
            node.additional = None;
            log.change(
                &node.at,
                Loss::Moved,
                "the type of a map's values told in the description",
            );
        }
        (None, Maps::Refused) => {
            let reason = "there are no members without a name";
            log.refuse(
                &node.at,
                "a map (additionalProperties)",
                reason,
                "use a Vec of {key, value}",
            );
            node.additional = None;
        }
    }
}

/// Keys by pattern where only keys of any kind exist: the values keep their type, the pattern becomes words.
fn patterns(node: &mut Node, log: &mut Log<'_>) {
    if log.rules.maps == Maps::Refused {
        let reason = "there are no members without a name";
        log.refuse(
            &node.at,
            "a map with patterned keys (patternProperties)",
            reason,
            "use a Vec of {key, value}",
        );
        node.patterns.clear();
        return;
    }
    let patterns = std::mem::take(&mut node.patterns);
    for (pattern, _) in &patterns {
        node.notes.push((
            "patternProperties".into(),
            format!("keys: {}", serde_json::Value::from(pattern.as_str())),
        ));
    }
    let mut values: Vec<Node> = Vec::new();
    let closed = node.is_closed();
    let others = node
        .additional
        .take()
        .filter(|rest| rest.boolean != Some(false))
        .map(|rest| *rest);
    for value in patterns.into_iter().map(|(_, value)| value).chain(others) {
        if !values
            .iter()
            .any(|known| known.write(&spell) == value.write(&spell))
        {
            values.push(value);
        }
    }
    // Without `additionalProperties` other keys take any value, and so would all of them now.
    if closed || values.len() > 1 {
        node.additional = match values.len() {
            1 => values.pop().map(Box::new),
            _ => Some(Box::new(Node {
                any_of: Some(values),
                ..Node::at(&node.at)
            })),
        };
    }
    log.change(
        &node.at,
        Loss::Moved,
        "the pattern of a map's keys told in the description",
    );
}

/// Refuses nested objects that list nothing. Needed by Gemini `parameters` and DeepSeek strict.
fn filled(node: &Node, log: &mut Log<'_>) {
    let empty = node.properties.as_ref().is_none_or(Vec::is_empty);
    if log.rules.nested_objects_filled
        && empty
        && !node.at.is_empty()
        && node
            .additional
            .as_ref()
            .is_none_or(|rest| rest.boolean.is_some())
    {
        let way = "leave the field out, or give it a property";
        log.refuse(
            &node.at,
            "an object without properties",
            "every object below the root needs one",
            way,
        );
    }
}

/// Looks at names that are required and not listed. Needed by Gemini `parameters`, Moonshot and the strict forms of
/// OpenAI and DeepSeek, which refuse them; for the others it is a warning.
pub(crate) fn required(document: &Document, log: &mut Log<'_>) {
    document.visit(&mut |node| {
        for name in node.required.iter().flatten() {
            if node.properties.is_none() && !node.at.is_empty() || node.property(name).is_some() {
                continue;
            }
            let at = format!("{}/required", node.at);
            if log.rules.required_checked {
                let reason = format!("`{name}` is required and not among the properties");
                let way = format!(
                    "add the property {}/properties/{}, or take it out of required",
                    node.at,
                    escape(name)
                );
                log.refuse(&at, "a required member without a schema", &reason, &way);
            } else {
                log.warn(
                    &at,
                    format!("{name:?} is required and not among the properties"),
                );
            }
        }
    });
}
