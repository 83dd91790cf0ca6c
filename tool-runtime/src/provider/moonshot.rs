//! Moonshot (Kimi).

use serde_json::Value;

use super::report::{Export, ExportError};
use super::rules::{
    BesideRef, Items, LENIENT, Limits, NO_DIGIT_64, PropertyRule, Rules, Treatment, Tuples,
    UNLIMITED, Untyped, primitive,
};
use super::turn::{CALL_IDS, ReadError, Turn};
use super::{Provider, chat, export, stream};
use crate::definition::ToolDefinition;
use crate::outcome::ToolOutcome;

/// What the vendor's own checker takes. Endpoints differ by date on `type` beside `anyOf`; it is never written.
pub(crate) const RULES: Rules = Rules {
    id: "moonshot",
    checked: "2026-11-30",
    tool_name: NO_DIGIT_64,
    property_name: PropertyRule::Reserved(&[
        "$defs",
        "$ref",
        "anyOf",
        "required",
        "additionalProperties",
    ]),
    lenient: false,
    beside_ref: BesideRef::DescriptionOnce,
    plain_ref_names: true,
    constant: false,
    typed_values: true,
    fold_documented: true,
    pattern_properties: false,
    tuples: Tuples::Refused,
    items: Items::Demanded,
    untyped: Untyped::Refused,
    required_checked: true,
    keywords: &[
        ("minimum", Treatment::Keep),
        ("maximum", Treatment::Keep),
        ("exclusiveMinimum", Treatment::Neighbour),
        ("exclusiveMaximum", Treatment::Neighbour),
        ("multipleOf", Treatment::Note),
        ("minItems", Treatment::Keep),
        ("maxItems", Treatment::Keep),
        ("uniqueItems", Treatment::Note),
        ("minLength", Treatment::Keep),
        ("maxLength", Treatment::Keep),
        ("pattern", Treatment::Note),
        ("format", Treatment::Note),
        ("default", Treatment::KeepIf(primitive)),
        ("minProperties", Treatment::Note),
        ("maxProperties", Treatment::Note),
        ("dependentRequired", Treatment::Note),
    ],
    other_keywords: Treatment::Drop,
    limits: Limits {
        depth: 5,
        properties: 100,
        enum_values: 500,
        branches: 10,
        ..UNLIMITED
    },
    ..LENIENT
};

/// Moonshot's chat completion.
#[derive(Debug)]
pub struct Moonshot;

/// Moonshot's chat completion.
pub static MOONSHOT: Moonshot = Moonshot;

impl Provider for Moonshot {
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
        chat::calls(RULES.id, response, CALL_IDS)
    }

    fn results(&self, turn: &Turn, outcomes: &[ToolOutcome]) -> Vec<Value> {
        chat::results(turn, outcomes, &|_| None)
    }

    fn assemble(&self, chunks: &[Value]) -> Value {
        stream::chat(chunks)
    }
}
