//! OpenAI Chat Completions, with and without strict.

use serde_json::Value;

use super::report::{Export, ExportError};
use super::rules::{
    BesideRef, Items, LENIENT, Limits, Maps, Optional, Rules, Treatment, Tuples, UNLIMITED,
    Untyped, without_lookaround,
};
use super::turn::{CALL_IDS, ReadError, Turn};
use super::{Provider, chat, export, stream};
use crate::definition::ToolDefinition;
use crate::outcome::ToolOutcome;

/// Without strict everything below the root is ordinary JSON Schema, but arrays need `items`.
pub(crate) const RULES: Rules = Rules {
    id: "openai_chat",
    checked: "2026-11-30",
    // Enforced until about May 2025 and by some gateways today.
    description_warn: 1024,
    items: Items::Added,
    ..LENIENT
};

/// Strict: every object closed, every property required. Sources disagree on string lengths; they are moved.
pub(crate) const STRICT: Rules = Rules {
    id: "openai_chat_strict",
    lenient: false,
    closed: true,
    optional: Optional::RequiredNullable,
    beside_ref: BesideRef::Wrapped,
    maps: Maps::Refused,
    pattern_properties: false,
    tuples: Tuples::Refused,
    items: Items::Demanded,
    untyped: Untyped::Refused,
    required_checked: true,
    keywords: &[
        ("minimum", Treatment::Keep),
        ("maximum", Treatment::Keep),
        ("exclusiveMinimum", Treatment::Keep),
        ("exclusiveMaximum", Treatment::Keep),
        ("multipleOf", Treatment::Keep),
        ("minItems", Treatment::Keep),
        ("maxItems", Treatment::Keep),
        ("uniqueItems", Treatment::Note),
        ("minLength", Treatment::Note),
        ("maxLength", Treatment::Note),
        ("pattern", Treatment::KeepIf(without_lookaround)),
        ("format", Treatment::Keep),
        ("default", Treatment::Note),
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
    ]),
    limits: Limits {
        depth: 10,
        properties: 5000,
        enum_values: 1000,
        long_enum: 250,
        long_enum_text: 15_000,
        text: 120_000,
        ..UNLIMITED
    },
    ..RULES
};

/// Chat Completions.
#[derive(Debug)]
pub struct OpenAiChat {
    rules: &'static Rules,
}

/// Chat Completions without strict.
pub static OPENAI_CHAT: OpenAiChat = OpenAiChat { rules: &RULES };
/// Chat Completions with strict on every tool.
pub static OPENAI_CHAT_STRICT: OpenAiChat = OpenAiChat { rules: &STRICT };

impl Provider for OpenAiChat {
    fn id(&self) -> &'static str {
        self.rules.id
    }

    fn checked(&self) -> &'static str {
        self.rules.checked
    }

    fn export(&self, tools: &[ToolDefinition]) -> Result<Export, ExportError> {
        // A missing `strict` is off here.
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
        Some(&OPENAI_CHAT_STRICT)
    }
}
