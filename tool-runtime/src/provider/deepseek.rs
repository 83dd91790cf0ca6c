//! DeepSeek, with and without strict.

use serde_json::Value;

use super::report::{Export, ExportError};
use super::rules::{BesideRef, LENIENT, Null, Recursion, Refs, Rules, Treatment, UNLIMITED};
use super::turn::{CALL_IDS, ReadError, Turn};
use super::{Provider, chat, export, openai_chat, stream};
use crate::definition::ToolDefinition;
use crate::outcome::ToolOutcome;

/// The chat shape.
pub(crate) const RULES: Rules = Rules {
    id: "deepseek",
    checked: "2026-11-30",
    ..LENIENT
};

/// Strict, on the beta address and then for every function. Documentation and live tests disagree on lengths and counts;
/// the documentation is followed.
pub(crate) const STRICT: Rules = Rules {
    id: "deepseek_strict",
    description_warn: usize::MAX,
    refs: Refs::InlinedInUnions,
    beside_ref: BesideRef::Only(&["description"]),
    recursion: Recursion::NotThroughUnions,
    null: Null::ScalarList,
    typed_values: true,
    nested_objects_filled: true,
    keywords: &[
        ("minimum", Treatment::Keep),
        ("maximum", Treatment::Keep),
        ("exclusiveMinimum", Treatment::Keep),
        ("exclusiveMaximum", Treatment::Keep),
        ("multipleOf", Treatment::Keep),
        ("minItems", Treatment::Note),
        ("maxItems", Treatment::Note),
        ("uniqueItems", Treatment::Note),
        ("minLength", Treatment::Note),
        ("maxLength", Treatment::Note),
        ("pattern", Treatment::Keep),
        ("format", Treatment::Keep),
        ("default", Treatment::Note),
        ("minProperties", Treatment::Note),
        ("maxProperties", Treatment::Note),
        ("dependentRequired", Treatment::Note),
    ],
    formats: Some(&["email", "hostname", "ipv4", "ipv6", "uuid"]),
    limits: UNLIMITED,
    ..openai_chat::STRICT
};

/// DeepSeek's chat completion.
#[derive(Debug)]
pub struct DeepSeek {
    rules: &'static Rules,
}

/// DeepSeek's chat completion without strict.
pub static DEEPSEEK: DeepSeek = DeepSeek { rules: &RULES };
/// DeepSeek's chat completion with strict on every function, for the beta address.
pub static DEEPSEEK_STRICT: DeepSeek = DeepSeek { rules: &STRICT };

impl Provider for DeepSeek {
    fn id(&self) -> &'static str {
        self.rules.id
    }

    fn checked(&self) -> &'static str {
        self.rules.checked
    }

    fn export(&self, tools: &[ToolDefinition]) -> Result<Export, ExportError> {
        let strict = (self.rules.closed).then_some(true);
        export::export(
            self.rules,
            tools,
            &|tool, exported| chat::function(tool, exported, strict, false),
            &super::list,
        )
    }

    fn calls(&self, response: &Value) -> Result<Turn, ReadError> {
        chat::calls(self.id(), response, CALL_IDS)
    }

    fn results(&self, turn: &Turn, outcomes: &[ToolOutcome]) -> Vec<Value> {
        chat::results(turn, outcomes, &|_| None)
    }

    fn assemble(&self, chunks: &[Value]) -> Value {
        stream::chat(chunks)
    }

    fn strict(&self) -> Option<&'static dyn Provider> {
        Some(&DEEPSEEK_STRICT)
    }
}
