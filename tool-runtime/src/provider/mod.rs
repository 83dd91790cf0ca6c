//! Model providers: definitions out, calls in, results back.
//!
//! One annotated function works with every provider. What a provider's dialect of JSON Schema cannot say is moved into
//! the description and reported, or refused with the place and a way out; nothing is lost silently. What a model sends
//! is read into [`ToolCall`]s, and what became of them goes back in the messages that provider demands.
//!
//! ```
//! use serde_json::json;
//! use tool_runtime::{ToolDefinition, provider};
//!
//! let schema = json!({"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]});
//! let tool = ToolDefinition::new("get_order", "Look an order up.", schema);
//! let openai = provider::by_name("openai_chat_strict").unwrap();
//! let export = openai.export(&[tool]).unwrap();
//! assert_eq!(export.definitions[0]["function"]["parameters"]["additionalProperties"], json!(false));
//!
//! let response = json!({"choices": [{"finish_reason": "tool_calls", "message": {"role": "assistant", "tool_calls": [
//!     {"id": "call_1", "type": "function", "function": {"name": "get_order", "arguments": "{\"id\":\"A1\"}"}}
//! ]}}]});
//! let turn = openai.calls(&response).unwrap();
//! assert_eq!(turn.calls[0].name(), "get_order");
//! ```
//!
//! # Nulls that mean absent
//!
//! The strict forms of OpenAI and DeepSeek demand every property, so one that may be left out is exported as "or null".
//! A null that the tool's own schema does not take means that the model left the property out. Intake takes it away
//! before arguments are validated; [`absent_nulls`] is that step as a function, for hosts with an intake of their own.

mod anthropic;
mod bedrock;
mod chat;
mod command;
mod deepseek;
mod export;
mod gemini;
mod llamacpp;
mod mcp;
mod mistral;
mod moonshot;
mod nulls;
mod ollama;
mod openai_chat;
mod openai_responses;
mod parse;
mod passes;
mod raw;
mod reply;
mod report;
mod rules;
mod schema;
mod stream;
mod tools;
mod turn;

use std::fmt::Debug;

use serde_json::Value;

pub use anthropic::{ANTHROPIC, ANTHROPIC_STRICT, Anthropic};
pub use bedrock::{BEDROCK, BEDROCK_NOVA, BEDROCK_STRICT, Bedrock};
pub use command::{CommandError, Printed, calls_command, export_command};
pub use deepseek::{DEEPSEEK, DEEPSEEK_STRICT, DeepSeek};
pub use gemini::{GEMINI_JSON_SCHEMA, GEMINI_OPENAPI, Gemini};
pub use llamacpp::{LLAMACPP, LlamaCpp};
pub use mcp::{MCP_2025_11_25, MCP_2026_07_28, Mcp};
pub use mistral::{MISTRAL, Mistral};
pub use moonshot::{MOONSHOT, Moonshot};
pub use nulls::absent_nulls;
pub use ollama::{OLLAMA, Ollama};
pub use openai_chat::{OPENAI_CHAT, OPENAI_CHAT_STRICT, OpenAiChat};
pub use openai_responses::{OPENAI_RESPONSES, OPENAI_RESPONSES_STRICT, OpenAiResponses};
pub use report::{Change, Export, ExportError, Finding, Loss};
pub use tools::{ToolsError, read_tools};
pub use turn::{ReadError, Stop, Turn};

use crate::call::{Arguments, ToolCall};
use crate::definition::ToolDefinition;
use crate::outcome::ToolOutcome;

/// One dialect of one provider: definitions out, calls in, results back.
pub trait Provider: Debug + Sync {
    /// The dialect's id, such as `openai_chat_strict`.
    fn id(&self) -> &'static str;

    /// When the rules behind this dialect were last held against their sources: a date.
    fn checked(&self) -> &'static str;

    /// Writes tools in this dialect, with a list of all that was changed.
    ///
    /// # Errors
    ///
    /// Something has no spelling in this dialect. The error lists all of it, for every tool.
    fn export(&self, tools: &[ToolDefinition]) -> Result<Export, ExportError>;

    /// Reads the calls of a whole response. Ids that the provider did not give are made up.
    ///
    /// # Errors
    ///
    /// The response is an error of the provider, or has another shape.
    fn calls(&self, response: &Value) -> Result<Turn, ReadError>;

    /// Writes what goes to the provider behind [`Turn::replay`]: one result a call, in the model's order.
    ///
    /// Outcomes belong to calls by position. A call without an outcome is answered with an error, as every provider
    /// demands an answer to every call.
    fn results(&self, turn: &Turn, outcomes: &[ToolOutcome]) -> Vec<Value>;

    /// Puts the chunks of a stream together into the response that [`calls`](Self::calls) reads.
    ///
    /// A stream that ended before it was finished becomes a turn that was cut off.
    fn assemble(&self, chunks: &[Value]) -> Value;

    /// The form of this dialect in which the provider binds the model to the schema, if it has one.
    fn strict(&self) -> Option<&'static dyn Provider> {
        None
    }

    /// Reads the calls of a response as it came over the wire: JSON, server-sent events, or one JSON text a line.
    ///
    /// Unlike [`calls`](Self::calls), this keeps the exact text of arguments that came as an object: big numbers keep
    /// their digits, and a repeated key is still there to be refused.
    ///
    /// # Errors
    ///
    /// As [`calls`](Self::calls), or the text is neither of the three.
    fn read(&self, text: &str) -> Result<Turn, ReadError> {
        let text = text.trim_start_matches('\u{feff}').trim();
        match serde_json::from_str::<Value>(text) {
            Ok(value) => match chunks(&value) {
                Some(chunks) => self.calls(&self.assemble(chunks)),
                None => self.calls(&value).map(|turn| exact(turn, text)),
            },
            Err(error) => match stream::events(text) {
                Some(events) => self.calls(&self.assemble(&events)),
                None => Err(ReadError::NotJson(error.to_string())),
            },
        }
    }
}

/// The chunks of a recorded stream that is one JSON text.
fn chunks(value: &Value) -> Option<&[Value]> {
    match value {
        Value::Array(list) if !list.iter().any(|item| item.get("jsonrpc").is_some()) => Some(list),
        Value::Object(_) if value.pointer("/choices/0/delta").is_some() => {
            Some(std::slice::from_ref(value))
        }
        _ => None,
    }
}

/// Gives arguments that came as an object the text they came as.
fn exact(mut turn: Turn, text: &str) -> Turn {
    for (call, given) in turn.calls.iter_mut().zip(&turn.given) {
        if let Some(exact) = given
            .arguments_at
            .as_deref()
            .and_then(|at| raw::slice(text, at))
        {
            let id = call.id().unwrap_or_default().to_owned();
            *call = ToolCall::new(call.name(), Arguments::from(exact))
                .with_id(id)
                .with_truncated(call.is_truncated());
        }
    }
    turn
}

/// The definitions as they are: most requests take a list of them.
fn list(definitions: &[Value]) -> Value {
    Value::Array(definitions.to_vec())
}

/// Every dialect, by its id.
pub const ALL: &[&dyn Provider] = &[
    &OPENAI_CHAT,
    &OPENAI_CHAT_STRICT,
    &OPENAI_RESPONSES,
    &OPENAI_RESPONSES_STRICT,
    &ANTHROPIC,
    &ANTHROPIC_STRICT,
    &GEMINI_OPENAPI,
    &GEMINI_JSON_SCHEMA,
    &BEDROCK,
    &BEDROCK_STRICT,
    &BEDROCK_NOVA,
    &MISTRAL,
    &DEEPSEEK,
    &DEEPSEEK_STRICT,
    &MOONSHOT,
    &OLLAMA,
    &LLAMACPP,
    &MCP_2025_11_25,
    &MCP_2026_07_28,
];

/// Short names: today's default of each provider. They may come to mean another dialect; ids do not.
const SHORT: &[(&str, &str)] = &[
    ("openai", "openai_chat"),
    ("openai_strict", "openai_chat_strict"),
    ("responses", "openai_responses"),
    ("claude", "anthropic"),
    ("gemini", "gemini_json_schema"),
    ("nova", "bedrock_nova"),
    ("kimi", "moonshot"),
    ("llama_cpp", "llamacpp"),
    ("mcp", "mcp_2026_07_28"),
];

/// Finds a dialect by its id or by a short name such as `openai`.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static dyn Provider> {
    let name = name.trim().to_ascii_lowercase().replace(['-', '.'], "_");
    let id = SHORT
        .iter()
        .find(|(short, _)| *short == name)
        .map_or(name.as_str(), |(_, id)| id);
    ALL.iter().find(|provider| provider.id() == id).copied()
}

/// Every name that [`by_name`] knows, for messages.
#[must_use]
pub fn names() -> Vec<&'static str> {
    ALL.iter()
        .map(|provider| provider.id())
        .chain(SHORT.iter().map(|(short, _)| *short))
        .collect()
}
