//! Ollama.

use serde_json::{Value, json};

use super::reply::answers;
use super::report::{Export, ExportError};
use super::rules::{ANY_NAME, LENIENT, Maps, Recursion, Refs, Rules, Treatment, Tuples, Untyped};
use super::turn::{Found, Habits, ReadError, Stop, Turn, provider_error, text_of};
use super::{Provider, chat, export, stream};
use crate::definition::ToolDefinition;
use crate::outcome::ToolOutcome;

/// The server checks nothing and forgets every keyword it does not know, so what is left out here would show as bad calls.
pub(crate) const RULES: Rules = Rules {
    id: "ollama",
    checked: "2026-11-30",
    tool_name: ANY_NAME,
    tools_warn: usize::MAX,
    lenient: false,
    refs: Refs::Inlined,
    recursion: Recursion::Refused,
    constant: false,
    fold_documented: true,
    maps: Maps::Noted,
    pattern_properties: false,
    drops_closed: true,
    tuples: Tuples::Noted,
    untyped: Untyped::Object,
    other_keywords: Treatment::Note,
    ..LENIENT
};

/// Names are what templates make of them, so nothing is unwrapped.
const HABITS: Habits = Habits {
    plain_names: false,
    id_prefix: "call_",
    id_length: 24,
};

/// Ollama's `/api/chat`.
#[derive(Debug)]
pub struct Ollama;

/// Ollama's `/api/chat`.
pub static OLLAMA: Ollama = Ollama;

impl Provider for Ollama {
    fn id(&self) -> &'static str {
        RULES.id
    }

    fn checked(&self) -> &'static str {
        RULES.checked
    }

    fn export(&self, tools: &[ToolDefinition]) -> Result<Export, ExportError> {
        export::export(
            &RULES,
            tools,
            &|tool, exported| chat::function(tool, exported, None, false),
            &super::list,
        )
    }

    fn calls(&self, response: &Value) -> Result<Turn, ReadError> {
        let Some(message) = response
            .get("message")
            .filter(|message| message.is_object())
        else {
            let shape = ReadError::OtherShape {
                dialect: RULES.id,
                expected: "message",
            };
            return Err(provider_error(response).unwrap_or(shape));
        };
        let calls = message.get("tool_calls").and_then(Value::as_array);
        let found: Vec<Found> = calls
            .into_iter()
            .flatten()
            .enumerate()
            .map(|(index, call)| {
                let function = call.get("function").unwrap_or(&Value::Null);
                Found {
                    id: call.get("id").or_else(|| function.get("id")).cloned(),
                    name: function
                        .get("name")
                        .and_then(Value::as_str)
                        .unwrap_or_default()
                        .to_owned(),
                    arguments: function.get("arguments").cloned(),
                    at: format!("/message/tool_calls/{index}/function/arguments"),
                    truncated: false,
                }
            })
            .collect();
        let stop = match response.get("done_reason").and_then(Value::as_str) {
            Some("length") => Stop::Length,
            Some("stop" | "load" | "unload" | "tool_calls" | "") | None => {
                if found.is_empty() {
                    Stop::End
                } else {
                    Stop::Calls
                }
            }
            Some(other) => Stop::Other(other.to_owned()),
        };
        let mut turn = Turn::new(
            response,
            found,
            text_of(message.get("content")),
            stop,
            HABITS,
        );
        turn.replay = vec![message.clone()];
        Ok(turn)
    }

    fn results(&self, turn: &Turn, outcomes: &[ToolOutcome]) -> Vec<Value> {
        let messages = answers(turn, outcomes).map(|answer| {
            let mut message =
                json!({"role": "tool", "tool_name": answer.name, "content": answer.text()});
            // An id is sent back only where one was given.
            if let (Value::Object(map), Some(id)) = (&mut message, turn.given_id(answer.index)) {
                map.insert("tool_call_id".into(), id.clone());
            }
            message
        });
        messages.collect()
    }

    fn assemble(&self, chunks: &[Value]) -> Value {
        stream::ollama(chunks)
    }
}
