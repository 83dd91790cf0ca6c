//! OpenAI Responses, with and without strict. Its schemas follow the rules of Chat Completions.

use serde_json::{Value, json};

use super::reply::{answers, part_text, parts, plain};
use super::report::{Export, ExportError};
use super::rules::Rules;
use super::turn::{CALL_IDS, Found, ReadError, Stop, Turn, provider_error, text_of};
use super::{Provider, export, openai_chat, stream};
use crate::content::Content;
use crate::definition::ToolDefinition;
use crate::outcome::ToolOutcome;

/// The rules of Chat Completions.
pub(crate) const RULES: Rules = Rules {
    id: "openai_responses",
    ..openai_chat::RULES
};

/// The strict rules of Chat Completions.
pub(crate) const STRICT: Rules = Rules {
    id: "openai_responses_strict",
    ..openai_chat::STRICT
};

/// Responses.
#[derive(Debug)]
pub struct OpenAiResponses {
    rules: &'static Rules,
}

/// Responses without strict.
pub static OPENAI_RESPONSES: OpenAiResponses = OpenAiResponses { rules: &RULES };
/// Responses with strict on every tool.
pub static OPENAI_RESPONSES_STRICT: OpenAiResponses = OpenAiResponses { rules: &STRICT };

impl Provider for OpenAiResponses {
    fn id(&self) -> &'static str {
        self.rules.id
    }

    fn checked(&self) -> &'static str {
        self.rules.checked
    }

    fn export(&self, tools: &[ToolDefinition]) -> Result<Export, ExportError> {
        let define = |tool: &ToolDefinition, exported: export::Exported| {
            let mut out = json!({"type": "function", "name": tool.name});
            if let Value::Object(map) = &mut out {
                if !exported.description.is_empty() {
                    map.insert("description".into(), Value::from(exported.description));
                }
                map.insert("parameters".into(), exported.schema.unwrap_or_default());
                // Always said: where it is missing the server tries to rewrite the schema to strict.
                map.insert("strict".into(), Value::Bool(self.rules.closed));
            }
            out
        };
        export::export(self.rules, tools, &define, &super::list)
    }

    fn calls(&self, response: &Value) -> Result<Turn, ReadError> {
        if let (Some(error), true) = (
            provider_error(response),
            response.get("output").is_none_or(empty),
        ) {
            return Err(error);
        }
        let Some(items) = response.get("output").and_then(Value::as_array) else {
            return Err(ReadError::OtherShape {
                dialect: self.id(),
                expected: "output",
            });
        };
        let is = |item: &Value, kind: &str| item.get("type").and_then(Value::as_str) == Some(kind);
        let mut found = Vec::new();
        let mut texts: Vec<String> = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let (function, custom) = (is(item, "function_call"), is(item, "custom_tool_call"));
            if function || custom {
                let key = if function { "arguments" } else { "input" };
                found.push(Found {
                    id: item.get("call_id").cloned(),
                    name: item
                        .get("name")
                        .and_then(Value::as_str)
                        .unwrap_or_default()
                        .to_owned(),
                    arguments: item.get(key).cloned(),
                    at: format!("/output/{index}/{key}"),
                    truncated: item.get("status").and_then(Value::as_str) == Some("incomplete"),
                });
            } else if is(item, "message") {
                texts.push(text_of(item.get("content")));
            }
        }
        let reason = response
            .pointer("/incomplete_details/reason")
            .and_then(Value::as_str);
        let stop = match (response.get("status").and_then(Value::as_str), reason) {
            (Some("incomplete"), Some("content_filter")) => Stop::Filter,
            (Some("incomplete"), Some("max_output_tokens") | None) => Stop::Length,
            (Some("incomplete"), Some(other)) => Stop::Other(other.to_owned()),
            (Some("completed" | "in_progress" | "queued") | None, _) if !found.is_empty() => {
                Stop::Calls
            }
            (Some("completed" | "in_progress" | "queued") | None, _) => Stop::End,
            (Some(other), _) => Stop::Other(other.to_owned()),
        };
        let mut turn = Turn::new(response, found, texts.join("\n"), stop, CALL_IDS);
        turn.replay = replay(items, &turn);
        Ok(turn)
    }

    fn results(&self, turn: &Turn, outcomes: &[ToolOutcome]) -> Vec<Value> {
        let items = answers(turn, outcomes).map(|answer| {
            let output = match (answer.failure(), parts(answer.output())) {
                (None, Some(parts)) if !parts.iter().all(|part| matches!(part, Content::Text(_))) => {
                    parts.iter().map(block).collect()
                }
                _ => Value::from(answer.text()),
            };
            json!({"type": "function_call_output", "call_id": turn.id(answer.index), "output": output})
        });
        items.collect()
    }

    fn assemble(&self, chunks: &[Value]) -> Value {
        stream::responses(chunks)
    }

    fn strict(&self) -> Option<&'static dyn Provider> {
        Some(&OPENAI_RESPONSES_STRICT)
    }
}

fn empty(output: &Value) -> bool {
    output.as_array().is_none_or(Vec::is_empty)
}

fn block(part: &Content) -> Value {
    match part {
        Content::Image { data, mime_type } => {
            json!({"type": "input_image", "image_url": format!("data:{mime_type};base64,{data}")})
        }
        Content::Json(value) => json!({"type": "input_text", "text": plain(&value.to_string())}),
        other => json!({"type": "input_text", "text": part_text(other)}),
    }
}

/// Every item as it came, reasoning in front of the call it led to.
fn replay(items: &[Value], turn: &Turn) -> Vec<Value> {
    let mut index = 0;
    let mut out = items.to_vec();
    for item in &mut out {
        let kind = item.get("type").and_then(Value::as_str);
        if !matches!(kind, Some("function_call" | "custom_tool_call")) {
            continue;
        }
        if let (Value::Object(item), None) = (item, turn.given_id(index)) {
            item.insert("call_id".into(), Value::from(turn.id(index)));
        }
        index += 1;
    }
    out
}
