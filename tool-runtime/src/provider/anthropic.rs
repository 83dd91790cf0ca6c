//! Anthropic Messages, with and without strict.

use serde_json::{Value, json};

use super::reply::{answers, part_text, parts, plain};
use super::report::{Export, ExportError};
use super::rules::{
    ANTHROPIC_PROPERTY, BesideRef, Empty, Items, LENIENT, Limits, Maps, Optional, Recursion, Rules,
    Treatment, Tuples, UNLIMITED, Untyped, WORD_128, zero_or_one,
};
use super::turn::{Found, Habits, ReadError, Stop, Turn, provider_error, text_of};
use super::{Provider, export, stream};
use crate::content::Content;
use crate::definition::ToolDefinition;
use crate::outcome::ToolOutcome;

/// Without strict all of 2020-12 is taken below the root.
pub(crate) const RULES: Rules = Rules {
    id: "anthropic",
    checked: "2026-11-30",
    tool_name: WORD_128,
    property_name: ANTHROPIC_PROPERTY,
    tools_warn: usize::MAX,
    empty: Empty::Plain,
    ..LENIENT
};

/// Strict: closed objects, optional properties stay optional, few constraints. Its documentation takes simple patterns
/// and its SDK moves them out; they are moved.
pub(crate) const STRICT: Rules = Rules {
    id: "anthropic_strict",
    empty: Empty::Properties,
    lenient: false,
    closed: true,
    optional: Optional::WithoutNull,
    beside_ref: BesideRef::Merged,
    recursion: Recursion::Refused,
    maps: Maps::Refused,
    pattern_properties: false,
    tuples: Tuples::Refused,
    items: Items::Demanded,
    untyped: Untyped::Refused,
    keywords: &[
        ("minItems", Treatment::KeepIf(zero_or_one)),
        ("maxItems", Treatment::Note),
        ("uniqueItems", Treatment::Note),
        ("minimum", Treatment::Note),
        ("maximum", Treatment::Note),
        ("exclusiveMinimum", Treatment::Note),
        ("exclusiveMaximum", Treatment::Note),
        ("multipleOf", Treatment::Note),
        ("minLength", Treatment::Note),
        ("maxLength", Treatment::Note),
        ("pattern", Treatment::Note),
        ("format", Treatment::Keep),
        ("default", Treatment::Keep),
        ("minProperties", Treatment::Note),
        ("maxProperties", Treatment::Note),
        ("dependentRequired", Treatment::Note),
    ],
    other_keywords: Treatment::Drop,
    formats: Some(&[
        "date-time",
        "time",
        "date",
        "duration",
        "email",
        "hostname",
        "ipv4",
        "ipv6",
        "uuid",
        "uri",
    ]),
    limits: Limits {
        request_tools: 20,
        request_optional: 24,
        request_unions: 16,
        ..UNLIMITED
    },
    ..RULES
};

const HABITS: Habits = Habits {
    plain_names: true,
    id_prefix: "toolu_",
    id_length: 22,
};

/// Messages.
#[derive(Debug)]
pub struct Anthropic {
    rules: &'static Rules,
}

/// Messages without strict.
pub static ANTHROPIC: Anthropic = Anthropic { rules: &RULES };
/// Messages with strict on every tool.
pub static ANTHROPIC_STRICT: Anthropic = Anthropic { rules: &STRICT };

impl Provider for Anthropic {
    fn id(&self) -> &'static str {
        self.rules.id
    }

    fn checked(&self) -> &'static str {
        self.rules.checked
    }

    fn export(&self, tools: &[ToolDefinition]) -> Result<Export, ExportError> {
        let define = |tool: &ToolDefinition, exported: export::Exported| {
            let mut out = json!({"name": tool.name});
            if let Value::Object(map) = &mut out {
                if !exported.description.is_empty() {
                    map.insert("description".into(), Value::from(exported.description));
                }
                map.insert(
                    "input_schema".into(),
                    exported.schema.unwrap_or_else(|| json!({"type": "object"})),
                );
                if self.rules.closed {
                    map.insert("strict".into(), Value::Bool(true));
                }
            }
            out
        };
        export::export(self.rules, tools, &define, &super::list)
    }

    fn calls(&self, response: &Value) -> Result<Turn, ReadError> {
        let Some(content) = response
            .get("content")
            .filter(|content| content.is_array() || content.is_string())
        else {
            let shape = ReadError::OtherShape {
                dialect: self.id(),
                expected: "content",
            };
            return Err(provider_error(response).unwrap_or(shape));
        };
        let blocks = content.as_array().map(Vec::as_slice).unwrap_or_default();
        let is =
            |block: &Value, kind: &str| block.get("type").and_then(Value::as_str) == Some(kind);
        let found: Vec<Found> = blocks
            .iter()
            .enumerate()
            .filter(|(_, block)| is(block, "tool_use"))
            .map(|(index, block)| Found {
                id: block.get("id").cloned(),
                name: block
                    .get("name")
                    .and_then(Value::as_str)
                    .unwrap_or_default()
                    .to_owned(),
                arguments: block.get("input").cloned(),
                at: format!("/content/{index}/input"),
                truncated: false,
            })
            .collect();
        let text = match content {
            Value::String(text) => text.clone(),
            _ => text_of(Some(
                &blocks
                    .iter()
                    .filter(|block| is(block, "text"))
                    .cloned()
                    .collect(),
            )),
        };
        let stop = match response.get("stop_reason").and_then(Value::as_str) {
            Some("max_tokens" | "model_context_window_exceeded") => Stop::Length,
            Some("refusal") => Stop::Filter,
            Some("tool_use" | "end_turn" | "stop_sequence" | "pause_turn" | "") | None => {
                if found.is_empty() {
                    Stop::End
                } else {
                    Stop::Calls
                }
            }
            Some(other) => Stop::Other(other.to_owned()),
        };
        let mut turn = Turn::new(response, found, text, stop, HABITS);
        turn.replay = vec![json!({"role": "assistant", "content": replay(content, &turn)})];
        Ok(turn)
    }

    fn results(&self, turn: &Turn, outcomes: &[ToolOutcome]) -> Vec<Value> {
        let blocks: Vec<Value> = answers(turn, outcomes)
            .map(|answer| {
                let content = match (answer.failure(), parts(answer.output())) {
                    (None, Some(parts))
                        if !parts.iter().all(|part| matches!(part, Content::Text(_))) =>
                    {
                        let blocks: Vec<Value> = parts.iter().filter_map(block).collect();
                        if blocks.is_empty() {
                            Value::from(answer.text())
                        } else {
                            Value::Array(blocks)
                        }
                    }
                    _ => Value::from(answer.text()),
                };
                let id = turn.id(answer.index);
                let mut out = json!({"type": "tool_result", "tool_use_id": id, "content": content});
                if let (Value::Object(map), true) = (&mut out, answer.is_error()) {
                    map.insert("is_error".into(), Value::Bool(true));
                }
                out
            })
            .collect();
        // All results in one message: split over several, the API finds calls without a result.
        if blocks.is_empty() {
            Vec::new()
        } else {
            vec![json!({"role": "user", "content": blocks})]
        }
    }

    fn assemble(&self, chunks: &[Value]) -> Value {
        stream::anthropic(chunks)
    }

    fn strict(&self) -> Option<&'static dyn Provider> {
        Some(&ANTHROPIC_STRICT)
    }
}

/// A part of a result. Empty text is refused and left out.
fn block(part: &Content) -> Option<Value> {
    match part {
        Content::Image { data, mime_type } => Some(
            json!({"type": "image", "source": {"type": "base64", "media_type": mime_type, "data": data}}),
        ),
        Content::Json(value) => Some(json!({"type": "text", "text": plain(&value.to_string())})),
        other => Some(part_text(other))
            .filter(|text| !text.trim().is_empty())
            .map(|text| json!({"type": "text", "text": text})),
    }
}

/// The blocks as they came: thinking keeps its signature. An input that was put together from a stream becomes an object
/// again, and a missing id is filled in.
fn replay(content: &Value, turn: &Turn) -> Value {
    let mut content = content.clone();
    let mut index = 0;
    for block in content.as_array_mut().into_iter().flatten() {
        let Value::Object(block) = block else {
            continue;
        };
        if block.get("type").and_then(Value::as_str) != Some("tool_use") {
            continue;
        }
        if turn.given_id(index).is_none() {
            block.insert("id".into(), Value::from(turn.id(index)));
        }
        if !block.get("input").is_some_and(Value::is_object) {
            let text = block
                .get("input")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let input = serde_json::from_str(text)
                .ok()
                .filter(Value::is_object)
                .unwrap_or_else(|| json!({}));
            block.insert("input".into(), input);
        }
        index += 1;
    }
    content
}
