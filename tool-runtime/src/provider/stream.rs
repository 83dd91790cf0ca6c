//! Streams: chunks put together into the response that would have come whole.
//!
//! Fragments belong together by index. A fragment with another id at a known index starts another call: some servers
//! begin at 0 again for each call. A stream that ends without a reason was cut off, and says so in the response.

use serde_json::{Map, Value, json};

/// The finish reason of a stream that ended before one came. Readers take it for a turn that was cut off.
pub(crate) const CUT_OFF: &str = "stream_ended_early";

/// The events of a recorded stream: server-sent events, one JSON text a line, or a list. None if it is neither.
pub(crate) fn events(text: &str) -> Option<Vec<Value>> {
    let mut out = Vec::new();
    let mut data = String::new();
    let mut is_stream = false;
    // An empty line ends an event; the end of the text ends the last one.
    for line in text.lines().chain([""]) {
        let line = line.trim_end_matches('\r');
        if let Some(rest) = line.strip_prefix("data:") {
            is_stream = true;
            data.push_str(rest.strip_prefix(' ').unwrap_or(rest));
            data.push('\n');
        } else if line.starts_with("event:")
            || line.starts_with("id:")
            || line.starts_with("retry:")
            || line.starts_with(':')
        {
            is_stream = true;
        } else if line.trim().is_empty() {
            if !data.trim().is_empty() && data.trim() != "[DONE]" {
                match serde_json::from_str(data.trim()) {
                    Ok(value) => out.push(value),
                    // Some servers write one event a line without an empty line between.
                    Err(_) => out.extend(
                        data.lines()
                            .filter_map(|line| serde_json::from_str(line).ok()),
                    ),
                }
            }
            data.clear();
        } else if !is_stream {
            out.push(serde_json::from_str(line).ok()?);
        }
    }
    (is_stream || !out.is_empty()).then_some(out)
}

/// A call while it is put together.
#[derive(Debug, Default)]
struct Piece {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
    /// Arguments that came as an object, all at once.
    whole: Option<Value>,
}

/// Chunks of the chat shape: `choices[0].delta`.
pub(crate) fn chat(chunks: &[Value]) -> Value {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut message = Map::new();
    message.insert("role".into(), json!("assistant"));
    let mut finish = None;
    let mut out = Map::new();
    for chunk in chunks {
        if chunk.get("error").is_some_and(|error| !error.is_null()) {
            return chunk.clone();
        }
        for key in ["id", "model", "created"] {
            if let Some(value) = chunk.get(key) {
                out.entry(key).or_insert_with(|| value.clone());
            }
        }
        let choices = chunk.get("choices").and_then(Value::as_array);
        let first = |choice: &&Value| choice.get("index").and_then(Value::as_u64).unwrap_or(0) == 0;
        let Some(choice) = choices.and_then(|choices| choices.iter().find(first)) else {
            continue;
        };
        if let Some(reason) = choice.get("finish_reason").and_then(Value::as_str) {
            finish = Some(reason.to_owned());
        }
        let Some(delta) = choice.get("delta").or_else(|| choice.get("message")) else {
            continue;
        };
        for key in ["content", "reasoning_content", "refusal", "reasoning"] {
            if let Some(text) = delta.get(key).and_then(Value::as_str) {
                append(&mut message, key, text);
            }
        }
        for call in delta
            .get("tool_calls")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            fragment(&mut pieces, call);
        }
    }
    message.entry("content").or_insert(Value::Null);
    if !pieces.is_empty() {
        let calls = pieces.into_iter().map(|piece| {
            let arguments = piece.whole.unwrap_or(Value::String(piece.arguments));
            json!({"id": piece.id, "type": "function", "function": {"name": piece.name, "arguments": arguments}})
        });
        message.insert("tool_calls".into(), calls.collect());
    }
    let finish = finish.unwrap_or_else(|| CUT_OFF.to_owned());
    out.insert(
        "choices".into(),
        json!([{"index": 0, "finish_reason": finish, "message": message}]),
    );
    Value::Object(out)
}

fn append(map: &mut Map<String, Value>, key: &str, text: &str) {
    match map.get_mut(key) {
        Some(Value::String(known)) => known.push_str(text),
        _ => drop(map.insert(key.to_owned(), Value::from(text))),
    }
}

fn fragment(pieces: &mut Vec<Piece>, call: &Value) {
    let index = call.get("index").and_then(Value::as_u64);
    let id = call.get("id").and_then(Value::as_str).unwrap_or_default();
    let function = call.get("function").unwrap_or(&Value::Null);
    let name = function
        .get("name")
        .and_then(Value::as_str)
        .unwrap_or_default();
    // The newest call at an index is the one that goes on.
    let known = match index {
        Some(_) => pieces.iter().rposition(|piece| piece.index == index),
        None if id.is_empty() && name.is_empty() => pieces.len().checked_sub(1),
        None if id.is_empty() => None,
        None => pieces.iter().rposition(|piece| piece.id == id),
    };
    let goes_on = known.filter(|at| {
        pieces
            .get(*at)
            .is_some_and(|piece| id.is_empty() || piece.id.is_empty() || piece.id == id)
    });
    let at = goes_on.unwrap_or_else(|| {
        pieces.push(Piece {
            index,
            ..Piece::default()
        });
        pieces.len() - 1
    });
    let Some(piece) = pieces.get_mut(at) else {
        return;
    };
    if piece.id.is_empty() {
        id.clone_into(&mut piece.id);
    }
    if piece.name.is_empty() {
        name.clone_into(&mut piece.name);
    }
    match function.get("arguments") {
        Some(Value::String(text)) => piece.arguments.push_str(text),
        Some(Value::Null) | None => {}
        Some(whole) => piece.whole = Some(whole.clone()),
    }
}

/// Events of Anthropic's shape. Inputs stay the text that was sent.
pub(crate) fn anthropic(events: &[Value]) -> Value {
    let mut message = json!({"role": "assistant", "content": []});
    let mut blocks: Vec<(Option<u64>, Value, String)> = Vec::new();
    let mut stop = None;
    for event in events {
        let index = event.get("index").and_then(Value::as_u64);
        match event.get("type").and_then(Value::as_str) {
            Some("message_start") => {
                if let Some(start @ Value::Object(_)) = event.get("message") {
                    message = start.clone();
                }
            }
            Some("content_block_start") => {
                let block = event.get("content_block").cloned().unwrap_or_default();
                blocks.push((index, block, String::new()));
            }
            Some("content_block_delta") => {
                let delta = event.get("delta").unwrap_or(&Value::Null);
                let Some((_, block, input)) =
                    blocks.iter_mut().rev().find(|(known, ..)| *known == index)
                else {
                    continue;
                };
                if let Some(text) = delta.get("partial_json").and_then(Value::as_str) {
                    input.push_str(text);
                }
                if let Value::Object(block) = block {
                    for key in ["text", "thinking", "signature", "data"] {
                        if let Some(text) = delta.get(key).and_then(Value::as_str) {
                            append(block, key, text);
                        }
                    }
                }
            }
            Some("message_delta") => {
                if let Some(reason) = event.pointer("/delta/stop_reason").and_then(Value::as_str) {
                    stop = Some(reason.to_owned());
                }
            }
            Some("error") => return event.clone(),
            _ => {}
        }
    }
    let content = blocks.into_iter().map(|(_, mut block, input)| {
        if let (Value::Object(map), false) = (&mut block, input.is_empty()) {
            map.insert("input".into(), Value::String(input));
        }
        block
    });
    if let Value::Object(map) = &mut message {
        map.insert("content".into(), content.collect());
        map.insert(
            "stop_reason".into(),
            Value::from(stop.unwrap_or_else(|| CUT_OFF.to_owned())),
        );
    }
    message
}

/// Events of OpenAI's Responses: the whole response where it came, otherwise its items.
pub(crate) fn responses(events: &[Value]) -> Value {
    let mut items: Vec<(Option<u64>, Value)> = Vec::new();
    let mut output_text = String::new();
    for event in events {
        let index = event.get("output_index").and_then(Value::as_u64);
        match event.get("type").and_then(Value::as_str) {
            Some("response.completed" | "response.incomplete" | "response.failed") => {
                if let Some(response) = event.get("response") {
                    return response.clone();
                }
            }
            Some("response.output_item.added") => {
                items.push((index, event.get("item").cloned().unwrap_or_default()));
            }
            Some("response.output_item.done") => {
                let item = event.get("item").cloned().unwrap_or_default();
                match items.iter_mut().rev().find(|(known, _)| *known == index) {
                    Some((_, known)) => *known = item,
                    None => items.push((index, item)),
                }
            }
            Some("response.function_call_arguments.delta") => {
                if let (Some((_, Value::Object(item))), Some(text)) = (
                    items.iter_mut().rev().find(|(known, _)| *known == index),
                    event.get("delta").and_then(Value::as_str),
                ) {
                    append(item, "arguments", text);
                }
            }
            Some("response.output_text.delta") => {
                output_text.push_str(
                    event
                        .get("delta")
                        .and_then(Value::as_str)
                        .unwrap_or_default(),
                );
            }
            Some("error") => return json!({"error": event}),
            _ => {}
        }
    }
    let output: Vec<Value> = items.into_iter().map(|(_, item)| item).collect();
    json!({"status": "incomplete", "incomplete_details": {"reason": CUT_OFF}, "output": output, "output_text": output_text})
}

/// Chunks of Gemini: whole parts, one after the other.
pub(crate) fn gemini(chunks: &[Value]) -> Value {
    let mut parts: Vec<Value> = Vec::new();
    let mut finish = None;
    let mut out = Map::new();
    for chunk in chunks {
        if chunk.get("error").is_some_and(|error| !error.is_null()) {
            return chunk.clone();
        }
        for key in ["responseId", "modelVersion", "promptFeedback"] {
            if let Some(value) = chunk.get(key) {
                out.insert(key.to_owned(), value.clone());
            }
        }
        let Some(candidate) = chunk.pointer("/candidates/0") else {
            continue;
        };
        if let Some(reason) = candidate.get("finishReason").and_then(Value::as_str) {
            finish = Some(reason.to_owned());
        }
        parts.extend(
            candidate
                .pointer("/content/parts")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .cloned(),
        );
    }
    let finish = finish.unwrap_or_else(|| CUT_OFF.to_owned());
    out.insert(
        "candidates".into(),
        json!([{"finishReason": finish, "content": {"role": "model", "parts": parts}}]),
    );
    Value::Object(out)
}

/// Events of Bedrock's ConverseStream. Inputs stay the text that was sent.
pub(crate) fn bedrock(events: &[Value]) -> Value {
    let mut blocks: Vec<(Option<u64>, Value, Option<String>)> = Vec::new();
    let mut stop = None;
    for event in events {
        let block_index = |event: &Value| event.get("contentBlockIndex").and_then(Value::as_u64);
        if let Some(start) = event.get("contentBlockStart") {
            let tool = start.pointer("/start/toolUse").cloned();
            let block = tool.map_or_else(|| json!({}), |tool| json!({"toolUse": tool}));
            blocks.push((block_index(start), block, Some(String::new())));
        } else if let Some(part) = event.get("contentBlockDelta") {
            let index = block_index(part);
            // Text blocks have no start event.
            if !blocks.iter().any(|(known, ..)| *known == index) {
                blocks.push((index, json!({}), None));
            }
            let Some((_, block, input)) =
                blocks.iter_mut().rev().find(|(known, ..)| *known == index)
            else {
                continue;
            };
            if let Some(text) = part.pointer("/delta/toolUse/input").and_then(Value::as_str) {
                input.get_or_insert_default().push_str(text);
            }
            if let (Some(text), Value::Object(map)) =
                (part.pointer("/delta/text").and_then(Value::as_str), block)
            {
                append(map, "text", text);
            }
        } else if let Some(reason) = event
            .pointer("/messageStop/stopReason")
            .and_then(Value::as_str)
        {
            stop = Some(reason.to_owned());
        }
    }
    let content: Vec<Value> = blocks
        .into_iter()
        .map(|(_, mut block, input)| {
            if let Some(Value::Object(tool)) = block.get_mut("toolUse") {
                tool.insert("input".into(), Value::String(input.unwrap_or_default()));
            }
            block
        })
        .collect();
    let stop = stop.unwrap_or_else(|| CUT_OFF.to_owned());
    json!({"output": {"message": {"role": "assistant", "content": content}}, "stopReason": stop})
}

/// Chunks of Ollama: whole calls, text in pieces.
pub(crate) fn ollama(chunks: &[Value]) -> Value {
    let mut message = Map::new();
    message.insert("role".into(), json!("assistant"));
    message.insert("content".into(), json!(""));
    let mut calls: Vec<Value> = Vec::new();
    let mut out = json!({"done": false, "done_reason": CUT_OFF});
    for chunk in chunks {
        if chunk.get("error").is_some_and(|error| !error.is_null()) {
            return chunk.clone();
        }
        for key in ["content", "thinking"] {
            if let Some(text) = chunk
                .pointer(&format!("/message/{key}"))
                .and_then(Value::as_str)
            {
                append(&mut message, key, text);
            }
        }
        calls.extend(
            chunk
                .pointer("/message/tool_calls")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .cloned(),
        );
        if chunk.get("done").and_then(Value::as_bool) == Some(true) {
            out = chunk.clone();
        }
    }
    if !calls.is_empty() {
        message.insert("tool_calls".into(), Value::Array(calls));
    }
    if let Value::Object(map) = &mut out {
        map.insert("message".into(), Value::Object(message));
    }
    out
}
