//! The chat shape that OpenAI began and Mistral, DeepSeek, Moonshot and llama.cpp share.

use serde_json::{Value, json};

use super::export::Exported;
use super::reply::{Answer, answers};
use super::turn::{Found, Habits, ReadError, Stop, Turn, provider_error, text_of};
use crate::definition::ToolDefinition;
use crate::outcome::ToolOutcome;

/// `{type: "function", function: {name, description, parameters, strict}}`.
pub(crate) fn function(
    tool: &ToolDefinition,
    exported: Exported,
    strict: Option<bool>,
    always_described: bool,
) -> Value {
    let mut function = json!({"name": tool.name});
    if let Value::Object(map) = &mut function {
        if always_described || !exported.description.is_empty() {
            map.insert("description".into(), Value::from(exported.description));
        }
        if let Some(schema) = exported.schema {
            map.insert("parameters".into(), schema);
        }
        if let Some(strict) = strict {
            map.insert("strict".into(), Value::Bool(strict));
        }
    }
    json!({"type": "function", "function": function})
}

/// Reads `choices[0].message.tool_calls`, or a bare message.
pub(crate) fn calls(
    dialect: &'static str,
    response: &Value,
    habits: Habits,
) -> Result<Turn, ReadError> {
    let choice = response.pointer("/choices/0");
    let (message, base) = match choice.and_then(|choice| choice.get("message")) {
        Some(message) => (message, "/choices/0/message"),
        None if response.get("tool_calls").is_some() || response.get("role").is_some() => {
            (response, "")
        }
        None if choice.is_some() => (&Value::Null, "/choices/0/message"),
        None => {
            let expected = "choices[0].message";
            return Err(
                provider_error(response).unwrap_or(ReadError::OtherShape { dialect, expected })
            );
        }
    };
    let mut found: Vec<Found> = Vec::new();
    for (index, call) in message
        .get("tool_calls")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .enumerate()
    {
        // Beside functions there are custom tools, whose input is free text.
        let (function, arguments, key) = match (call.get("function"), call.get("custom")) {
            (None, Some(custom)) => (custom, custom.get("input"), "custom/input"),
            (function, _) => {
                let function = function.unwrap_or(&Value::Null);
                (function, function.get("arguments"), "function/arguments")
            }
        };
        found.push(Found {
            id: call.get("id").cloned(),
            name: function
                .get("name")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned(),
            arguments: arguments.cloned(),
            at: format!("{base}/tool_calls/{index}/{key}"),
            truncated: false,
        });
    }
    if let (true, Some(function @ Value::Object(_))) =
        (found.is_empty(), message.get("function_call"))
    {
        found.push(Found {
            name: function
                .get("name")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned(),
            arguments: function.get("arguments").cloned(),
            at: format!("{base}/function_call/arguments"),
            ..Found::default()
        });
    }
    let stop = match choice
        .and_then(|choice| choice.get("finish_reason"))
        .and_then(Value::as_str)
    {
        Some("length" | "max_tokens" | "model_length") => Stop::Length,
        Some("content_filter") => Stop::Filter,
        Some(
            "stop" | "tool_calls" | "tool_call" | "function_call" | "eos" | "eos_token"
            | "end_turn" | "",
        )
        | None => {
            if found.is_empty() {
                Stop::End
            } else {
                Stop::Calls
            }
        }
        Some(other) => Stop::Other(other.to_owned()),
    };
    let mut text = text_of(message.get("content"));
    if let Some(refusal) = message.get("refusal").and_then(Value::as_str) {
        text.push_str(refusal);
    }
    let mut turn = Turn::new(response, found, text, stop, habits);
    turn.replay = vec![replay(message, &turn)];
    Ok(turn)
}

/// The assistant's message as it came, with minted ids where it had none: the results have to name them.
fn replay(message: &Value, turn: &Turn) -> Value {
    let mut message = message.clone();
    if let Some(Value::Array(calls)) = message.get_mut("tool_calls") {
        for (index, call) in calls.iter_mut().enumerate() {
            if let (Value::Object(call), None) = (call, turn.given_id(index)) {
                call.insert("id".into(), Value::from(turn.id(index)));
            }
        }
    }
    message
}

/// One `tool` message a call. `extra` adds what a dialect has beyond id and content.
pub(crate) fn results(
    turn: &Turn,
    outcomes: &[ToolOutcome],
    extra: &dyn Fn(&Answer<'_>) -> Option<(&'static str, Value)>,
) -> Vec<Value> {
    let messages = answers(turn, outcomes).map(|answer| {
        let id = turn
            .given_id(answer.index)
            .cloned()
            .unwrap_or_else(|| Value::from(turn.id(answer.index)));
        let mut message = json!({"role": "tool", "tool_call_id": id, "content": answer.text()});
        if let (Value::Object(map), Some((key, value))) = (&mut message, extra(&answer)) {
            map.insert(key.into(), value);
        }
        message
    });
    messages.collect()
}
