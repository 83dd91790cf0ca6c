//! What a model's turn holds once it is read: calls, the text beside them, and why it stopped.

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::call::{Arguments, ToolCall};

/// One turn of a model, read.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Turn {
    /// The calls, in the model's order. All of them are marked as truncated where the turn was cut off.
    pub calls: Vec<ToolCall>,
    /// What the model said beside the calls.
    pub text: String,
    /// Why the turn ended.
    pub stop: Stop,
    /// What goes back to the provider in front of the results: the model's own message, with ids where they were
    /// missing and every signature and reasoning item as it came.
    pub replay: Vec<Value>,
    /// Of each call: what the provider itself gave.
    pub(crate) given: Vec<Given>,
}

/// What a provider gave with a call.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Given {
    /// The id as it came, if there was one worth the name.
    pub(crate) id: Option<Value>,
    /// Where in the response the arguments stand, if they are an object.
    pub(crate) arguments_at: Option<String>,
}

/// Why a turn ended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// It was finished.
    End,
    /// It waits for results.
    Calls,
    /// It was too long: the last call is incomplete even if it parses, and none of the turn's calls may run.
    Length,
    /// A filter cut it off.
    Filter,
    /// The provider could not read the call that the model wrote. There is nothing to run; ask again.
    MalformedCall,
    /// Something else; no call of such a turn may run.
    Other(String),
}

impl Stop {
    /// The word for it, such as `malformed_call`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::End => "end",
            Self::Calls => "calls",
            Self::Length => "length",
            Self::Filter => "filter",
            Self::MalformedCall => "malformed_call",
            Self::Other(word) => word,
        }
    }

    /// Whether calls of such a turn are refused.
    #[must_use]
    pub fn is_cut_off(&self) -> bool {
        !matches!(self, Self::End | Self::Calls)
    }
}

/// Why a response cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// It is not JSON, nor a stream of it.
    #[error("the response is not JSON: {0}")]
    NotJson(String),
    /// The provider answered with an error.
    #[error("the provider answered with an error: {0}")]
    Provider(String),
    /// It is JSON of another shape.
    #[error("this is not a response of {dialect}: {expected}")]
    OtherShape {
        /// The dialect that was asked for.
        dialect: &'static str,
        /// What was looked for.
        expected: &'static str,
    },
}

/// One call as it stands in a response.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) id: Option<Value>,
    pub(crate) name: String,
    pub(crate) arguments: Option<Value>,
    /// Where the arguments stand: a JSON Pointer into the response.
    pub(crate) at: String,
    pub(crate) truncated: bool,
}

/// How a dialect's calls are read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Habits {
    /// Names cannot hold a dot, so `functions.x` is `x`.
    pub(crate) plain_names: bool,
    /// Letters of a minted id.
    pub(crate) id_prefix: &'static str,
    pub(crate) id_length: usize,
}

/// Ids like those of OpenAI.
pub(crate) const CALL_IDS: Habits = Habits {
    plain_names: true,
    id_prefix: "call_",
    id_length: 24,
};

impl Turn {
    /// Builds the turn: mints what ids are missing, marks what was cut off.
    pub(crate) fn new(
        response: &Value,
        found: Vec<Found>,
        text: String,
        stop: Stop,
        habits: Habits,
    ) -> Self {
        let mut turn = Self {
            calls: Vec::new(),
            text,
            stop,
            replay: Vec::new(),
            given: Vec::new(),
        };
        // Only a response without ids has to be hashed.
        let mut hash: Option<String> = None;
        for (index, found) in found.into_iter().enumerate() {
            let id = found.id.filter(worth_the_name);
            let label = match &id {
                Some(Value::String(text)) => text.clone(),
                Some(other) => other.to_string(),
                None => {
                    let seed = hash.get_or_insert_with(|| response.to_string());
                    mint(seed, index, habits)
                }
            };
            let (arguments, arguments_at) = match found.arguments {
                None | Some(Value::Null) => (Arguments::absent(), None),
                Some(Value::String(text)) => (Arguments::from(text), None),
                Some(value) => (Arguments::from(&value), Some(found.at)),
            };
            let name = if habits.plain_names {
                unwrapped(&found.name)
            } else {
                &found.name
            };
            let truncated = found.truncated || turn.stop.is_cut_off();
            turn.calls.push(
                ToolCall::new(name, arguments)
                    .with_id(label)
                    .with_truncated(truncated),
            );
            turn.given.push(Given { id, arguments_at });
        }
        turn
    }

    /// The calls as JSON text, `[{"id", "name", "arguments"}]`, for people and scripts. Arguments keep their exact text, and
    /// stay a string where they are not JSON; a call that was cut off has `"truncated": true`.
    #[must_use]
    pub fn to_json(&self) -> String {
        let lines = self.calls.iter().enumerate().map(|(index, call)| {
            let text = String::from_utf8_lossy(call.arguments().as_bytes());
            let arguments = match text.trim() {
                "" => "{}".to_owned(),
                json if serde_json::from_str::<serde::de::IgnoredAny>(json).is_ok() => {
                    json.to_owned()
                }
                other => Value::from(other).to_string(),
            };
            let id = self
                .given_id(index)
                .cloned()
                .unwrap_or_else(|| Value::from(self.id(index)));
            let name = Value::from(call.name());
            let truncated = if call.is_truncated() {
                r#","truncated":true"#
            } else {
                ""
            };
            format!(r#"  {{"id":{id},"name":{name},"arguments":{arguments}{truncated}}}"#)
        });
        match lines.collect::<Vec<_>>().join(",\n") {
            lines if lines.is_empty() => "[]".to_owned(),
            lines => format!("[\n{lines}\n]"),
        }
    }

    /// The label of a call.
    pub(crate) fn id(&self, index: usize) -> &str {
        self.calls
            .get(index)
            .and_then(ToolCall::id)
            .unwrap_or_default()
    }

    /// The id that the provider gave with a call.
    pub(crate) fn given_id(&self, index: usize) -> Option<&Value> {
        self.given.get(index)?.id.as_ref()
    }
}

/// Some servers send `""` or the word `null` where there is no id.
fn worth_the_name(id: &Value) -> bool {
    match id {
        Value::String(text) => !text.trim().is_empty() && text != "null",
        Value::Number(_) => true,
        _ => false,
    }
}

/// `functions.x` is how some models repeat the name of a tool from their own prompt; `functions.x:0` is Kimi's.
fn unwrapped(name: &str) -> &str {
    match name.strip_prefix("functions.") {
        Some(inner) => match inner.rsplit_once(':') {
            Some((plain, index))
                if !index.is_empty() && index.bytes().all(|b| b.is_ascii_digit()) =>
            {
                plain
            }
            _ => inner,
        },
        None => name,
    }
}

/// An id made from the response: the same response has the same ids, another one has others.
fn mint(seed: &str, index: usize, habits: Habits) -> String {
    const LETTERS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut hash = Sha256::new();
    hash.update(seed.as_bytes());
    hash.update(index.to_le_bytes());
    let letters = hash
        .finalize()
        .into_iter()
        .take(habits.id_length)
        .map(|byte| {
            LETTERS
                .get(usize::from(byte) % LETTERS.len())
                .map_or('0', |letter| char::from(*letter))
        });
    habits.id_prefix.chars().chain(letters).collect()
}

/// The error a provider sent instead of a response.
pub(crate) fn provider_error(response: &Value) -> Option<ReadError> {
    let error = response.get("error").filter(|error| !error.is_null())?;
    let message = error
        .get("message")
        .and_then(Value::as_str)
        .or_else(|| error.as_str());
    Some(ReadError::Provider(
        message.map_or_else(|| error.to_string(), str::to_owned),
    ))
}

/// Text that is a string or a list of parts with text.
pub(crate) fn text_of(content: Option<&Value>) -> String {
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => {
            let texts = parts
                .iter()
                .filter_map(|part| part.get("text").and_then(Value::as_str));
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}
