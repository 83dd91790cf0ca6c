//! Gemini: `parametersJsonSchema`, and the older `parameters` for the Live API and proxies.

use serde_json::{Value, json};

use super::reply::{answers, part_text, parts};
use super::report::{Export, ExportError};
use super::rules::{
    BesideRef, Empty, GEMINI_NAME, GEMINI_PROPERTY, Items, LENIENT, Maps, Null, Recursion, Refs,
    Rules, Treatment, Tuples, Untyped,
};
use super::turn::{Found, Habits, ReadError, Stop, Turn, provider_error};
use super::{Provider, export, stream};
use crate::content::Content;
use crate::definition::ToolDefinition;
use crate::outcome::{Output, ToolOutcome};

/// `parametersJsonSchema`: a subset of JSON Schema. Google lists `format`, a peer moves it to text; it is kept.
pub(crate) const JSON_SCHEMA: Rules = Rules {
    id: "gemini_json_schema",
    checked: "2026-11-30",
    tool_name: GEMINI_NAME,
    lenient: false,
    beside_ref: BesideRef::Only(&["description", "default"]),
    recursion: Recursion::ThroughOptional,
    constant: false,
    typed_values: true,
    fold_documented: true,
    pattern_properties: false,
    keywords: &[
        ("minimum", Treatment::Keep),
        ("maximum", Treatment::Keep),
        ("exclusiveMinimum", Treatment::Neighbour),
        ("exclusiveMaximum", Treatment::Neighbour),
        ("multipleOf", Treatment::Note),
        ("minItems", Treatment::Keep),
        ("maxItems", Treatment::Keep),
        ("uniqueItems", Treatment::Note),
        ("minLength", Treatment::Note),
        ("maxLength", Treatment::Note),
        ("pattern", Treatment::Note),
        ("format", Treatment::Keep),
        (
            "default",
            Treatment::KeepIf(|node, _| node.reference.is_some()),
        ),
        ("minProperties", Treatment::Note),
        ("maxProperties", Treatment::Note),
        ("dependentRequired", Treatment::Note),
    ],
    other_keywords: Treatment::Drop,
    ..LENIENT
};

/// `parameters`: an OpenAPI 3.0 schema. Whether numbers may be listed is disputed; they become text and keep their type,
/// as a number that comes back as text would not be one.
pub(crate) const OPENAPI: Rules = Rules {
    id: "gemini_openapi",
    property_name: GEMINI_PROPERTY,
    empty: Empty::Omitted,
    refs: Refs::Inlined,
    recursion: Recursion::Refused,
    null: Null::Flag,
    text_enums_only: true,
    maps: Maps::Refused,
    drops_closed: true,
    tuples: Tuples::Widened,
    items: Items::Demanded,
    untyped: Untyped::Refused,
    nested_objects_filled: true,
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
        ("pattern", Treatment::Keep),
        ("format", Treatment::Keep),
        ("default", Treatment::Note),
        ("minProperties", Treatment::Note),
        ("maxProperties", Treatment::Note),
        ("dependentRequired", Treatment::Note),
    ],
    formats: Some(&["enum", "date-time"]),
    ..JSON_SCHEMA
};

const HABITS: Habits = Habits {
    plain_names: false,
    id_prefix: "call_",
    id_length: 24,
};

/// generateContent.
#[derive(Debug)]
pub struct Gemini {
    rules: &'static Rules,
    /// The member that holds the schema.
    member: &'static str,
}

/// generateContent with `parametersJsonSchema`.
pub static GEMINI_JSON_SCHEMA: Gemini = Gemini {
    rules: &JSON_SCHEMA,
    member: "parametersJsonSchema",
};
/// generateContent with `parameters`.
pub static GEMINI_OPENAPI: Gemini = Gemini {
    rules: &OPENAPI,
    member: "parameters",
};

impl Provider for Gemini {
    fn id(&self) -> &'static str {
        self.rules.id
    }

    fn checked(&self) -> &'static str {
        self.rules.checked
    }

    fn export(&self, tools: &[ToolDefinition]) -> Result<Export, ExportError> {
        let define = |tool: &ToolDefinition, exported: export::Exported| {
            let mut out = json!({"name": tool.name, "description": exported.description});
            if let (Value::Object(map), Some(schema)) = (&mut out, exported.schema) {
                map.insert(self.member.into(), schema);
            }
            out
        };
        let gather = |definitions: &[Value]| json!([{"functionDeclarations": definitions}]);
        export::export(self.rules, tools, &define, &gather)
    }

    fn calls(&self, response: &Value) -> Result<Turn, ReadError> {
        let Some(candidate) = response.pointer("/candidates/0") else {
            // A prompt that was blocked has no candidates.
            if let Some(reason) = response
                .pointer("/promptFeedback/blockReason")
                .and_then(Value::as_str)
            {
                return Ok(Turn::new(
                    response,
                    Vec::new(),
                    reason.to_owned(),
                    Stop::Filter,
                    HABITS,
                ));
            }
            let shape = ReadError::OtherShape {
                dialect: self.id(),
                expected: "candidates",
            };
            return Err(provider_error(response).unwrap_or(shape));
        };
        let content = candidate.get("content");
        let parts = content
            .and_then(|content| content.get("parts"))
            .and_then(Value::as_array);
        let mut found = Vec::new();
        let mut text = String::new();
        for (index, part) in parts.into_iter().flatten().enumerate() {
            if let Some(call @ Value::Object(_)) = part.get("functionCall") {
                found.push(Found {
                    id: call.get("id").cloned(),
                    name: call
                        .get("name")
                        .and_then(Value::as_str)
                        .unwrap_or_default()
                        .to_owned(),
                    arguments: call.get("args").cloned(),
                    at: format!("/candidates/0/content/parts/{index}/functionCall/args"),
                    truncated: false,
                });
            } else if part.get("thought").and_then(Value::as_bool) != Some(true) {
                text.push_str(part.get("text").and_then(Value::as_str).unwrap_or_default());
            }
        }
        let stop = match candidate.get("finishReason").and_then(Value::as_str) {
            Some("MAX_TOKENS") => Stop::Length,
            Some("MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL") => Stop::MalformedCall,
            Some(
                "SAFETY" | "RECITATION" | "LANGUAGE" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII"
                | "IMAGE_SAFETY",
            ) => Stop::Filter,
            Some("STOP" | "FINISH_REASON_UNSPECIFIED" | "") | None => {
                if found.is_empty() {
                    Stop::End
                } else {
                    Stop::Calls
                }
            }
            Some(other) => Stop::Other(other.to_owned()),
        };
        let mut turn = Turn::new(response, found, text, stop, HABITS);
        // As it came: a thoughtSignature belongs on its part.
        turn.replay = content.cloned().into_iter().collect();
        Ok(turn)
    }

    fn results(&self, turn: &Turn, outcomes: &[ToolOutcome]) -> Vec<Value> {
        let parts: Vec<Value> = answers(turn, outcomes)
            .map(|answer| {
                let response = match answer.failure() {
                    Some(envelope) => json!({"error": envelope}),
                    None => json!({"output": output(answer.output())}),
                };
                let mut out = json!({"name": answer.name, "response": response});
                // An id is sent back only where one was given.
                if let (Value::Object(map), Some(id)) = (&mut out, turn.given_id(answer.index)) {
                    map.insert("id".into(), id.clone());
                }
                json!({"functionResponse": out})
            })
            .collect();
        if parts.is_empty() {
            Vec::new()
        } else {
            vec![json!({"role": "user", "parts": parts})]
        }
    }

    fn assemble(&self, chunks: &[Value]) -> Value {
        stream::gemini(chunks)
    }
}

fn output(output: Option<&Output>) -> Value {
    match (output, parts(output)) {
        (_, Some([Content::Json(value)])) => safe(value.clone()),
        (_, Some(parts)) => Value::from(parts.iter().map(part_text).collect::<Vec<_>>().join("\n")),
        (Some(Output::Json(text)), None) => match serde_json::from_str(text) {
            Ok(value) => safe(value),
            Err(_) => Value::from(text.as_str()),
        },
        _ => Value::Null,
    }
}

/// A result with a key called `$ref` is refused as a whole, so it goes as text.
fn safe(value: Value) -> Value {
    fn has_ref(value: &Value) -> bool {
        match value {
            Value::Object(map) => map.contains_key("$ref") || map.values().any(has_ref),
            Value::Array(list) => list.iter().any(has_ref),
            _ => false,
        }
    }
    if has_ref(&value) {
        Value::from(value.to_string())
    } else {
        value
    }
}
