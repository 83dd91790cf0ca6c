//! Chunks put together: the same turn as if it had come whole.

use serde_json::{Value, json};
use tool_runtime::provider::{self, Stop, Turn};

fn arguments(turn: &Turn) -> Vec<String> {
    turn.calls
        .iter()
        .map(|call| String::from_utf8(call.arguments().as_bytes().to_vec()).unwrap())
        .collect()
}

fn names(turn: &Turn) -> Vec<&str> {
    turn.calls.iter().map(|call| call.name()).collect()
}

/// As server-sent events.
fn sse(chunks: &[Value]) -> String {
    let events = chunks.iter().map(|chunk| format!("data: {chunk}\r\n\r\n"));
    events.chain(["data: [DONE]\n\n".to_owned()]).collect()
}

fn delta(calls: Value) -> Value {
    json!({"id": "c1", "choices": [{"index": 0, "delta": {"tool_calls": calls}, "finish_reason": null}]})
}

fn finish(reason: &str) -> Value {
    json!({"id": "c1", "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
}

#[test]
fn chat_fragments_by_index() {
    let chunks = [
        delta(
            json!([{"index": 0, "id": "a", "type": "function", "function": {"name": "one", "arguments": ""}}]),
        ),
        delta(
            json!([{"index": 1, "id": "b", "type": "function", "function": {"name": "two", "arguments": "{\"y\""}}]),
        ),
        delta(
            json!([{"index": 0, "function": {"arguments": "{\"x\":"}}, {"index": 1, "function": {"arguments": ":2}"}}]),
        ),
        delta(json!([{"index": 0, "function": {"arguments": "1}"}}])),
        finish("tool_calls"),
    ];
    for dialect in ["openai_chat", "mistral", "deepseek", "moonshot", "llamacpp"] {
        let turn = provider::by_name(dialect)
            .unwrap()
            .read(&sse(&chunks))
            .unwrap();
        assert_eq!(names(&turn), ["one", "two"], "{dialect}");
        assert_eq!(arguments(&turn), ["{\"x\":1}", "{\"y\":2}"], "{dialect}");
        assert_eq!(turn.calls[0].id(), Some("a"));
        assert!(!turn.calls[0].is_truncated());
        assert_eq!(
            turn.replay[0]["tool_calls"][1]["function"]["arguments"],
            "{\"y\":2}"
        );
    }
}

#[test]
fn chat_index_starts_again_with_another_id() {
    let chunks = [
        delta(json!([{"index": 0, "id": "a", "function": {"name": "one", "arguments": "{}"}}])),
        delta(
            json!([{"index": 0, "id": "b", "function": {"name": "two", "arguments": "{\"z\":"}}]),
        ),
        delta(json!([{"index": 0, "function": {"arguments": "3}"}}])),
        finish("tool_calls"),
    ];
    let turn = provider::by_name("openai")
        .unwrap()
        .read(&sse(&chunks))
        .unwrap();
    assert_eq!(
        (names(&turn), arguments(&turn)),
        (
            vec!["one", "two"],
            vec!["{}".to_owned(), "{\"z\":3}".to_owned()]
        )
    );
}

#[test]
fn chat_without_index() {
    let chunks = [
        delta(json!([{"id": "a", "function": {"name": "one", "arguments": "{"}}])),
        delta(json!([{"function": {"arguments": "}"}}])),
        delta(json!([{"id": "b", "function": {"name": "one", "arguments": {"whole": true}}}])),
        finish("stop"),
    ];
    let turn = provider::by_name("openai")
        .unwrap()
        .read(&sse(&chunks))
        .unwrap();
    assert_eq!(arguments(&turn), ["{}", "{\"whole\":true}"]);
}

#[test]
fn streams_that_end_early_are_cut_off() {
    let chunks = [delta(
        json!([{"index": 0, "id": "a", "function": {"name": "one", "arguments": "{}"}}]),
    )];
    let turn = provider::by_name("openai")
        .unwrap()
        .read(&sse(&chunks))
        .unwrap();
    assert!(turn.stop.is_cut_off() && turn.calls[0].is_truncated());
    let length = [chunks[0].clone(), finish("length")];
    assert_eq!(
        provider::by_name("openai")
            .unwrap()
            .read(&sse(&length))
            .unwrap()
            .stop,
        Stop::Length
    );
}

#[test]
fn anthropic_events() {
    let events = [
        json!({"type": "message_start", "message": {"id": "m", "role": "assistant", "content": [], "stop_reason": null}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "Hm."}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "S"}}),
        json!({"type": "ping"}),
        json!({"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "t1", "name": "one", "input": {}}}),
        json!({"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": ""}}),
        json!({"type": "content_block_start", "index": 2, "content_block": {"type": "tool_use", "id": "t2", "name": "two", "input": {}}}),
        json!({"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": "{\"n\": 1e2"}}),
        json!({"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": "}"}}),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}}),
        json!({"type": "message_stop"}),
    ];
    let turn = provider::by_name("anthropic")
        .unwrap()
        .read(&sse(&events))
        .unwrap();
    assert_eq!(arguments(&turn), ["{}", "{\"n\": 1e2}"]);
    let content = &turn.replay[0]["content"];
    assert_eq!(
        content[0],
        json!({"type": "thinking", "thinking": "Hm.", "signature": "S"})
    );
    assert!(content[1]["input"].is_object() && content[2]["input"]["n"] == 100.0);
    // Cut off inside the input: the text is there to see, and the call does not run.
    let turn = provider::by_name("anthropic")
        .unwrap()
        .read(&sse(&events[..9]))
        .unwrap();
    assert_eq!(arguments(&turn)[1], "{\"n\": 1e2");
    assert!(turn.calls.iter().all(|call| call.is_truncated()));
}

#[test]
fn responses_events() {
    let item = json!({"type": "function_call", "id": "fc", "call_id": "c", "name": "one", "arguments": ""});
    let mut events = vec![
        json!({"type": "response.created", "response": {}}),
        json!({"type": "response.output_item.added", "output_index": 0, "item": item}),
        json!({"type": "response.function_call_arguments.delta", "output_index": 0, "delta": "{\"a\":"}),
        json!({"type": "response.function_call_arguments.delta", "output_index": 0, "delta": "1}"}),
    ];
    let responses = provider::by_name("openai_responses").unwrap();
    let turn = responses.read(&sse(&events)).unwrap();
    assert_eq!(arguments(&turn), ["{\"a\":1}"]);
    assert!(turn.calls[0].is_truncated());
    let mut done = item;
    done["arguments"] = json!("{\"a\":1}");
    events.push(json!({"type": "response.completed", "response": {"status": "completed", "output": [done]}}));
    let turn = responses.read(&sse(&events)).unwrap();
    assert_eq!((turn.calls.len(), turn.stop), (1, Stop::Calls));
}

#[test]
fn gemini_bedrock_and_ollama_chunks() {
    let call = |name: &str| json!({"functionCall": {"name": name, "args": {"a": 1}}});
    let gemini = [
        json!({"candidates": [{"content": {"role": "model", "parts": [{"text": "So."}]}}]}),
        json!({"candidates": [{"content": {"role": "model", "parts": [call("one")]}}]}),
        json!({"candidates": [{"content": {"role": "model", "parts": [call("two")]}, "finishReason": "STOP"}]}),
    ];
    let turn = provider::by_name("gemini")
        .unwrap()
        .read(&Value::from(gemini.to_vec()).to_string())
        .unwrap();
    assert_eq!(
        (names(&turn), turn.text.as_str(), turn.stop.clone()),
        (vec!["one", "two"], "So.", Stop::Calls)
    );

    let bedrock = [
        json!({"messageStart": {"role": "assistant"}}),
        json!({"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "So."}}}),
        json!({"contentBlockStart": {"contentBlockIndex": 1, "start": {"toolUse": {"toolUseId": "t", "name": "one"}}}}),
        json!({"contentBlockStop": {"contentBlockIndex": 1}}),
        json!({"messageStop": {"stopReason": "tool_use"}}),
    ];
    let provider = provider::by_name("bedrock").unwrap();
    let turn = provider.calls(&provider.assemble(&bedrock)).unwrap();
    assert_eq!(
        (names(&turn), turn.text.as_str(), arguments(&turn)),
        (vec!["one"], "So.", vec![String::new()])
    );
    assert_eq!(turn.replay[0]["content"][1]["toolUse"]["input"], json!({}));

    let lines = concat!(
        r#"{"message":{"role":"assistant","content":"S"},"done":false}"#,
        "\n",
        r#"{"message":{"role":"assistant","content":"o.","tool_calls":[{"function":{"name":"one","arguments":{}}}]},"done":false}"#,
        "\n",
        r#"{"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}"#,
        "\n",
    );
    let turn = provider::by_name("ollama").unwrap().read(lines).unwrap();
    assert_eq!(
        (names(&turn), turn.text.as_str(), turn.stop.clone()),
        (vec!["one"], "So.", Stop::Calls)
    );
}
