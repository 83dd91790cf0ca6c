//! Mistral.

use serde_json::Value;

use super::report::{Export, ExportError};
use super::rules::{LENIENT, Rules};
use super::turn::{Habits, ReadError, Turn};
use super::{Provider, chat, export, stream};
use crate::definition::ToolDefinition;
use crate::outcome::ToolOutcome;

/// The chat shape; `parameters` has to be there, `$schema` and `$id` break the grammar compiler.
pub(crate) const RULES: Rules = Rules {
    id: "mistral",
    checked: "2026-11-30",
    ..LENIENT
};

/// Ids are exactly nine letters or digits; some models check that.
const HABITS: Habits = Habits {
    plain_names: true,
    id_prefix: "",
    id_length: 9,
};

/// Mistral's chat completion.
#[derive(Debug)]
pub struct Mistral;

/// Mistral's chat completion.
pub static MISTRAL: Mistral = Mistral;

impl Provider for Mistral {
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
        chat::calls(RULES.id, response, HABITS)
    }

    fn results(&self, turn: &Turn, outcomes: &[ToolOutcome]) -> Vec<Value> {
        chat::results(turn, outcomes, &|answer| {
            Some(("name", Value::from(answer.name)))
        })
    }

    fn assemble(&self, chunks: &[Value]) -> Value {
        stream::chat(chunks)
    }
}
