//! Bedrock Converse: any model, with strict, and Amazon's Nova.

use serde_json::{Value, json};

use super::reply::{Answer, answers, part_text, parts, plain};
use super::report::{Export, ExportError};
use super::rules::{
    ANTHROPIC_PROPERTY, LENIENT, Recursion, Refs, Root, Rules, Treatment, UNLIMITED, regular,
    zero_or_one,
};
use super::turn::{Found, Habits, ReadError, Stop, Turn, provider_error};
use super::{Provider, anthropic, export, stream};
use crate::content::Content;
use crate::definition::ToolDefinition;
use crate::outcome::{Output, ToolOutcome};

/// Converse. Claude models behind it bring their rule for property names.
pub(crate) const RULES: Rules = Rules {
    id: "bedrock",
    checked: "2026-11-30",
    property_name: ANTHROPIC_PROPERTY,
    tools_warn: usize::MAX,
    ..LENIENT
};

/// Strict: Anthropic's rules with Bedrock's own names. String lengths were accepted live although a page says no.
pub(crate) const STRICT: Rules = Rules {
    id: "bedrock_strict",
    tool_name: RULES.tool_name,
    keywords: &[
        ("minItems", Treatment::KeepIf(zero_or_one)),
        ("maxItems", Treatment::Note),
        ("uniqueItems", Treatment::Note),
        ("minimum", Treatment::Note),
        ("maximum", Treatment::Note),
        ("exclusiveMinimum", Treatment::Note),
        ("exclusiveMaximum", Treatment::Note),
        ("multipleOf", Treatment::Note),
        ("minLength", Treatment::Keep),
        ("maxLength", Treatment::Keep),
        ("pattern", Treatment::KeepIf(regular)),
        ("format", Treatment::Keep),
        ("default", Treatment::Keep),
        ("minProperties", Treatment::Note),
        ("maxProperties", Treatment::Note),
        ("dependentRequired", Treatment::Note),
    ],
    limits: UNLIMITED,
    ..anthropic::STRICT
};

/// Nova: nothing but `type`, `properties` and `required` at the root, so no definitions either.
pub(crate) const NOVA: Rules = Rules {
    id: "bedrock_nova",
    lenient: false,
    root: Root::Bare,
    refs: Refs::Inlined,
    recursion: Recursion::Refused,
    ..RULES
};

const HABITS: Habits = Habits {
    plain_names: true,
    id_prefix: "tooluse_",
    id_length: 22,
};

/// Converse.
#[derive(Debug)]
pub struct Bedrock {
    rules: &'static Rules,
    /// Whether results carry `status`. Some models, Writer's among them, refuse it.
    status: bool,
}

/// Converse without strict.
pub static BEDROCK: Bedrock = Bedrock {
    rules: &RULES,
    status: true,
};
/// Converse with strict on every tool.
pub static BEDROCK_STRICT: Bedrock = Bedrock {
    rules: &STRICT,
    status: true,
};
/// Converse with Amazon Nova.
pub static BEDROCK_NOVA: Bedrock = Bedrock {
    rules: &NOVA,
    status: true,
};

impl Bedrock {
    /// The same for models that refuse `status` in results.
    #[must_use]
    pub const fn without_status(&self) -> Self {
        Self {
            rules: self.rules,
            status: false,
        }
    }
}

impl Provider for Bedrock {
    fn id(&self) -> &'static str {
        self.rules.id
    }

    fn checked(&self) -> &'static str {
        self.rules.checked
    }

    fn export(&self, tools: &[ToolDefinition]) -> Result<Export, ExportError> {
        let define = |tool: &ToolDefinition, exported: export::Exported| {
            let schema = exported
                .schema
                .unwrap_or_else(|| json!({"type": "object", "properties": {}}));
            let mut out = json!({"name": tool.name, "inputSchema": {"json": schema}});
            if let Value::Object(map) = &mut out {
                if !exported.description.is_empty() {
                    map.insert("description".into(), Value::from(exported.description));
                }
                if self.rules.closed {
                    map.insert("strict".into(), Value::Bool(true));
                }
            }
            json!({"toolSpec": out})
        };
        let mut export = export::export(self.rules, tools, &define, &super::list)?;
        if self.rules.root == Root::Bare {
            for tool in tools.iter().filter(|tool| tool.name.contains('-')) {
                let what = "Nova was seen to misread names with a hyphen".to_owned();
                let (tool, path) = (tool.name.clone(), String::new());
                export.warnings.push(super::Change {
                    tool,
                    path,
                    what,
                    loss: super::Loss::None,
                });
            }
        }
        Ok(export)
    }

    fn calls(&self, response: &Value) -> Result<Turn, ReadError> {
        let Some(message) = response.pointer("/output/message") else {
            let shape = ReadError::OtherShape {
                dialect: self.id(),
                expected: "output.message",
            };
            return Err(provider_error(response).unwrap_or(shape));
        };
        let blocks = message.get("content").and_then(Value::as_array);
        let mut found = Vec::new();
        let mut texts: Vec<&str> = Vec::new();
        for (index, block) in blocks.into_iter().flatten().enumerate() {
            if let Some(call @ Value::Object(_)) = block.get("toolUse") {
                found.push(Found {
                    id: call.get("toolUseId").cloned(),
                    name: call
                        .get("name")
                        .and_then(Value::as_str)
                        .unwrap_or_default()
                        .to_owned(),
                    arguments: call.get("input").cloned(),
                    at: format!("/output/message/content/{index}/toolUse/input"),
                    truncated: false,
                });
            } else if let Some(text) = block.get("text").and_then(Value::as_str) {
                texts.push(text);
            }
        }
        let stop = match response.get("stopReason").and_then(Value::as_str) {
            Some("max_tokens" | "model_context_window_exceeded") => Stop::Length,
            Some("guardrail_intervened" | "content_filtered") => Stop::Filter,
            Some("malformed_tool_use" | "malformed_model_output") => Stop::MalformedCall,
            Some("tool_use" | "end_turn" | "stop_sequence" | "") | None => {
                if found.is_empty() {
                    Stop::End
                } else {
                    Stop::Calls
                }
            }
            Some(other) => Stop::Other(other.to_owned()),
        };
        let text = texts.join("\n");
        let mut turn = Turn::new(response, found, text, stop, HABITS);
        turn.replay = vec![replay(message, &turn)];
        Ok(turn)
    }

    fn results(&self, turn: &Turn, outcomes: &[ToolOutcome]) -> Vec<Value> {
        let blocks: Vec<Value> = answers(turn, outcomes)
            .map(|answer| {
                let mut result =
                    json!({"toolUseId": turn.id(answer.index), "content": content(&answer)});
                if let (Value::Object(map), true) = (&mut result, self.status) {
                    map.insert(
                        "status".into(),
                        Value::from(if answer.is_error() {
                            "error"
                        } else {
                            "success"
                        }),
                    );
                }
                json!({"toolResult": result})
            })
            .collect();
        if blocks.is_empty() {
            Vec::new()
        } else {
            vec![json!({"role": "user", "content": blocks})]
        }
    }

    fn assemble(&self, chunks: &[Value]) -> Value {
        stream::bedrock(chunks)
    }

    fn strict(&self) -> Option<&'static dyn Provider> {
        (self.rules.root != Root::Bare).then_some(&BEDROCK_STRICT as &dyn Provider)
    }
}

/// A `json` block takes an object only; a list or a number goes as text.
fn content(answer: &Answer<'_>) -> Value {
    let text = |text: String| json!([{"text": text}]);
    if answer.failure().is_some() {
        return text(answer.text());
    }
    match (answer.output(), parts(answer.output())) {
        (_, Some(parts)) if !parts.iter().all(|part| matches!(part, Content::Text(_))) => {
            parts.iter().map(block).collect()
        }
        (Some(Output::Json(json)), _) => match serde_json::from_str(json) {
            Ok(value @ Value::Object(_)) => json!([{"json": value}]),
            _ => text(answer.text()),
        },
        _ => text(answer.text()),
    }
}

fn block(part: &Content) -> Value {
    match part {
        Content::Json(value @ Value::Object(_)) => json!({"json": value}),
        Content::Json(value) => json!({"text": plain(&value.to_string())}),
        Content::Image { data, mime_type } => match mime_type.strip_prefix("image/") {
            Some(format @ ("png" | "jpeg" | "gif" | "webp")) => {
                json!({"image": {"format": format, "source": {"bytes": data}}})
            }
            _ => json!({"text": part_text(part)}),
        },
        other => json!({"text": part_text(other)}),
    }
}

/// The message as it came. Ids that were missing are filled in, and an input that is text becomes the document it was.
fn replay(message: &Value, turn: &Turn) -> Value {
    let mut message = message.clone();
    let mut index = 0;
    for block in message
        .get_mut("content")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        let Some(Value::Object(call)) = block.get_mut("toolUse") else {
            continue;
        };
        if turn.given_id(index).is_none() {
            call.insert("toolUseId".into(), Value::from(turn.id(index)));
        }
        if !call.get("input").is_some_and(Value::is_object) {
            let text = call
                .get("input")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let input = serde_json::from_str(text)
                .ok()
                .filter(Value::is_object)
                .unwrap_or_else(|| json!({}));
            call.insert("input".into(), input);
        }
        index += 1;
    }
    message
}
