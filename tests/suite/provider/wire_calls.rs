//! The fixtures of `wire-calls`: whole responses in, and the messages that have to go back.

use serde_json::{Value, json};
use tool_runtime::outcome::code;
use tool_runtime::provider::{self, Provider, Turn};
use tool_runtime::{Content, ErrorType, Failure, Output, ToolOutcome, TraceId};

use super::{shared, shared_json};

#[test]
fn every_fixture() {
    let Some(index) = shared_json("corpus/wire-calls/index.json") else {
        return;
    };
    let folder = shared("corpus/wire-calls").unwrap();
    let (mut fixtures, mut encodings) = (0, 0);
    let mut missed: Vec<String> = Vec::new();
    for fixture in index["fixtures"].as_array().unwrap() {
        let file = fixture["file"].as_str().unwrap();
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        let provider = provider::by_name(fixture["provider"].as_str().unwrap()).unwrap();
        match check(fixture, &text, provider) {
            Ok(count) => {
                fixtures += 1;
                encodings += count;
            }
            Err(why) => missed.push(format!("{file}: {why}")),
        }
    }
    println!("{fixtures} fixtures, {encodings} encodings");
    assert!(missed.is_empty(), "{}", missed.join("\n\n"));
}

fn check(fixture: &Value, text: &str, provider: &dyn Provider) -> Result<usize, String> {
    let turn = provider.read(text).map_err(|error| error.to_string())?;
    let response: Value = serde_json::from_str(text).unwrap();
    let from_value = provider
        .calls(&response)
        .map_err(|error| error.to_string())?;
    if from_value.replay != turn.replay || from_value.calls.len() != turn.calls.len() {
        return Err("read and calls differ".into());
    }
    calls(fixture, &turn)?;
    if let Some(text) = fixture["text"].as_str()
        && turn.text != text
    {
        return Err(format!("text {:?}", turn.text));
    }
    if let Some(stop) = fixture["stop"].as_str()
        && turn.stop.as_str() != stop
    {
        return Err(format!("stop {:?}", turn.stop));
    }
    let mut count = 0;
    for result in fixture["results"].as_array().into_iter().flatten() {
        encode(result, &turn, &response, provider)?;
        count += 1;
    }
    Ok(count)
}

fn calls(fixture: &Value, turn: &Turn) -> Result<(), String> {
    let expected = fixture["calls"].as_array().unwrap();
    let printed: Value = serde_json::from_str(&turn.to_json()).unwrap();
    let printed = printed.as_array().unwrap();
    if expected.len() != printed.len() {
        return Err(format!("{} calls, not {}", printed.len(), expected.len()));
    }
    let mut ids: Vec<&Value> = Vec::new();
    for (index, (expected, printed)) in expected.iter().zip(printed).enumerate() {
        let wrong = |what: &str| Err(format!("call {index}: {what}: {printed}"));
        let id = &printed["id"];
        match expected["id"].get("$generated") {
            Some(Value::String(pattern))
                if !regex::Regex::new(pattern)
                    .unwrap()
                    .is_match(id.as_str().unwrap_or_default()) =>
            {
                return wrong("generated id");
            }
            Some(_) if id.as_str().is_none_or(str::is_empty) || ids.contains(&id) => {
                return wrong("generated id");
            }
            None if *id != expected["id"] => return wrong("id"),
            _ => {}
        }
        ids.push(id);
        if printed["name"] != expected["name"] {
            return wrong("name");
        }
        if expected.get("args_error").is_some() {
            if !printed["arguments"].is_string() {
                return wrong("arguments should not be JSON");
            }
        } else {
            let mut arguments = printed["arguments"].clone();
            if let Some(tool) = fixture.get("strict_tool") {
                provider::absent_nulls(&tool["source_schema"], &mut arguments);
            }
            if arguments != expected["args"] {
                return wrong("arguments");
            }
        }
        if turn.calls[index].is_truncated() != (expected["truncated"] == true) {
            return wrong("truncated");
        }
    }
    Ok(())
}

fn encode(
    result: &Value,
    turn: &Turn,
    response: &Value,
    provider: &dyn Provider,
) -> Result<(), String> {
    let given = result["given"].as_array().unwrap();
    let outcomes: Vec<ToolOutcome> = given
        .iter()
        .enumerate()
        .map(|(index, given)| made(given, turn, index))
        .collect();
    let sent = provider.results(turn, &outcomes);
    let expected = match result.get("reply") {
        Some(reply) => json!([reply]),
        None => result["append"].clone(),
    };
    matches(&expected, &Value::Array(sent), "")?;
    let replayed: Vec<&str> = turn
        .replay
        .iter()
        .filter_map(|item| item["id"].as_str())
        .collect();
    if let Some(ids) = result["replay"].as_array()
        && ids.iter().filter_map(Value::as_str).collect::<Vec<_>>() != replayed
    {
        return Err(format!("replay {replayed:?}"));
    }
    if result["replay_verbatim"] == true {
        let message = [
            "/choices/0/message",
            "/candidates/0/content",
            "/output/message",
        ];
        let message = message.iter().find_map(|at| response.pointer(at)).cloned();
        let message =
            message.unwrap_or_else(|| json!({"role": "assistant", "content": response["content"]}));
        if turn.replay != [message] {
            return Err("the message does not go back as it came".into());
        }
    }
    Ok(())
}

fn made(given: &Value, turn: &Turn, index: usize) -> ToolOutcome {
    let call = &turn.calls[index];
    let result = if let Some(value) = given.get("ok") {
        Ok(Output::Json(value.to_string()))
    } else if let Some(image) = given.get("ok_image") {
        let part = |key: &str| image[key].as_str().unwrap();
        Ok(Output::Content(vec![Content::image(
            part("base64"),
            part("mime"),
        )]))
    } else if given.get("unknown_tool").is_some() {
        Err(Box::new(Failure::new(
            ErrorType::UnknownTool,
            code::NOT_FOUND,
            "no such tool",
        )))
    } else {
        Err(Box::new(Failure::new(
            ErrorType::ToolError,
            code::FAILED,
            given["error"].as_str().unwrap(),
        )))
    };
    let mut outcome = ToolOutcome::new(call.name().to_owned(), TraceId::new(), result);
    outcome.call_id = call.id().map(str::to_owned);
    outcome
}

/// Compares with the matchers of the corpus.
fn matches(expected: &Value, got: &Value, at: &str) -> Result<(), String> {
    let wrong = || Err(format!("{at}: expected {expected}, got {got}"));
    match (expected, got) {
        (Value::Object(a), _) if a.contains_key("$json") => {
            let parsed: Option<Value> = got
                .as_str()
                .and_then(|text| serde_json::from_str(text).ok());
            if parsed.as_ref() == a.get("$json") {
                Ok(())
            } else {
                wrong()
            }
        }
        (Value::Object(a), _) if a.contains_key("$contains") => {
            let wanted = a["$contains"].as_str().unwrap();
            if got.as_str().is_some_and(|text| text.contains(wanted)) {
                Ok(())
            } else {
                wrong()
            }
        }
        (Value::Object(a), _) if a.contains_key("$nonempty") => {
            if got.as_str().is_some_and(|text| !text.trim().is_empty()) {
                Ok(())
            } else {
                wrong()
            }
        }
        (Value::Object(a), _) if a.contains_key("$oneof") => {
            let any = a["$oneof"]
                .as_array()
                .unwrap()
                .iter()
                .any(|one| matches(one, got, at).is_ok());
            if any { Ok(()) } else { wrong() }
        }
        (Value::Object(a), Value::Object(b)) if a.contains_key("$wraps") => {
            if b.len() == 1 && b.values().next() == a.get("$wraps") {
                Ok(())
            } else {
                wrong()
            }
        }
        (Value::Object(a), Value::Object(b)) => {
            if a.keys()
                .chain(b.keys())
                .any(|key| !a.contains_key(key) || !b.contains_key(key))
            {
                return wrong();
            }
            a.iter()
                .try_for_each(|(key, value)| matches(value, &b[key], &format!("{at}/{key}")))
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => a
            .iter()
            .zip(b)
            .enumerate()
            .try_for_each(|(i, (a, b))| matches(a, b, &format!("{at}/{i}"))),
        (a, b) if a == b => Ok(()),
        _ => wrong(),
    }
}
