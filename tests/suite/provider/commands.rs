//! `export` and `calls` over files that nobody here wrote.

use serde_json::{Value, json};
use tool_runtime::provider::{
    CommandError, by_name, calls_command, export_command, names, read_tools,
};

fn tool(name: &str) -> Value {
    json!({"name": name, "description": "d", "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}}})
}

#[test]
fn every_shape_of_file() {
    let schema = &tool("x")["inputSchema"];
    let shapes = [
        json!({"tools": [tool("x")]}),
        json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": [tool("x")]}}),
        json!([tool("x")]),
        tool("x"),
        json!({"tool": "x", "name": "x.y", "description": "d", "input_schema": schema}),
        json!([{"type": "function", "function": {"name": "x", "description": "d", "parameters": schema}}]),
        json!([{"functionDeclarations": [{"name": "x", "description": "d", "parametersJsonSchema": schema}]}]),
        json!([{"toolSpec": {"name": "x", "description": "d", "inputSchema": {"json": schema}}}]),
    ];
    for shape in shapes {
        let tools = read_tools(&shape).unwrap();
        assert_eq!(
            (tools.len(), tools[0].name.as_str(), &tools[0].input_schema),
            (1, "x", schema),
            "{shape}"
        );
        let printed = export_command("openai", false, Some(&shape.to_string()), &[]).unwrap();
        let out: Value = serde_json::from_str(&printed.stdout).unwrap();
        assert_eq!(out[0]["function"]["parameters"], *schema);
    }
    let lines = format!("{}\n{}\n", tool("x"), tool("y"));
    let printed = export_command("anthropic", false, Some(&lines), &[]).unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(&printed.stdout).unwrap()[1]["name"],
        "y"
    );
    for nothing in [
        "",
        "{}",
        "[1]",
        "null",
        "{\"a\":",
        "[{\"description\": \"d\"}]",
    ] {
        assert!(
            export_command("openai", false, Some(nothing), &[]).is_err(),
            "{nothing}"
        );
    }
}

#[test]
fn strict_and_refusals() {
    let file = json!({"tools": [tool("x")]}).to_string();
    let strict = export_command("openai", true, Some(&file), &[]).unwrap();
    assert_eq!(
        strict,
        export_command("openai_chat_strict", false, Some(&file), &[]).unwrap()
    );
    assert!(
        strict
            .stderr
            .contains("/properties/a: required and nullable"),
        "{}",
        strict.stderr
    );
    assert!(matches!(
        export_command("gemini", true, Some(&file), &[]),
        Err(CommandError::NoStrict(_))
    ));
    let unknown = export_command("antropic", false, Some(&file), &[])
        .unwrap_err()
        .to_string();
    assert!(unknown.contains("did you mean `anthropic`?"), "{unknown}");
    // Both of two bad tools are named.
    let bad = json!([{"name": "p q", "inputSchema": {"type": "object"}}, {"name": "r", "inputSchema": {"type": "string"}}]);
    let refused = export_command("openai", false, Some(&bad.to_string()), &[])
        .unwrap_err()
        .to_string();
    assert!(
        refused.contains("\"p q\"") && refused.contains("\"r\""),
        "{refused}"
    );
    let twice = json!([tool("x"), tool("x")]).to_string();
    assert!(export_command("mcp", false, Some(&twice), &[]).is_err());
}

#[test]
fn calls_are_printed() {
    let response = r#"{"role":"assistant","stop_reason":"tool_use","content":[
        {"type":"tool_use","id":"t","name":"x","input":{"n":12345678901234567890123}}]}"#;
    let printed = calls_command("claude", response).unwrap();
    assert_eq!(
        printed.stdout,
        "[\n  {\"id\":\"t\",\"name\":\"x\",\"arguments\":{\"n\":12345678901234567890123}}\n]\n"
    );
    assert_eq!(printed.stderr, "");
    assert_eq!(
        calls_command("anthropic", r#"{"content":[]}"#)
            .unwrap()
            .stdout,
        "[]\n"
    );
    assert!(calls_command("openai", "no").is_err());
    assert!(
        calls_command("openai", r#"{"error":{"message":"down"}}"#)
            .unwrap_err()
            .to_string()
            .contains("down")
    );
}

#[test]
fn every_name_is_known() {
    for name in names() {
        assert!(by_name(name).is_some(), "{name}");
    }
    for (short, id) in [
        ("openai", "openai_chat"),
        ("gemini", "gemini_json_schema"),
        ("mcp", "mcp_2026_07_28"),
        ("llama.cpp", "llamacpp"),
    ] {
        assert_eq!(by_name(short).unwrap().id(), id);
    }
}
