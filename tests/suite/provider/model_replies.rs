//! The replies of a real small model: each is read, none panics, each call gets the recorded verdict.

use std::collections::BTreeMap;

use serde_json::Value;
use tool_runtime::provider;

use super::{shared, shared_json};

#[test]
fn every_reply() {
    let Some(index) = shared_json("corpus/model-replies/index.json") else {
        return;
    };
    let folder = shared("corpus/model-replies").unwrap();
    let mut verdicts: BTreeMap<String, usize> = BTreeMap::new();
    let mut read = 0;
    for entry in index.as_array().unwrap() {
        let file = entry["file"].as_str().unwrap();
        let reply: Value =
            serde_json::from_str(&std::fs::read_to_string(folder.join(file)).unwrap()).unwrap();
        let path = reply["path"].as_str().unwrap();
        let dialect = if path.contains("/messages") {
            "anthropic"
        } else {
            "llamacpp"
        };
        let provider = provider::by_name(dialect).unwrap();
        let text = match reply["sse"].as_str() {
            Some(stream) => stream.to_owned(),
            None => reply["response"].to_string(),
        };
        read += 1;
        let turn = match provider.read(&text) {
            Ok(turn) => turn,
            Err(error) => {
                assert_ne!(reply["status"], 200, "{file}: {error}");
                assert_eq!(entry["outcome"], "http_error", "{file}: {error}");
                *verdicts.entry("http_error".into()).or_default() += 1;
                continue;
            }
        };
        let expected: Vec<&Value> = reply["expect"]["calls"]
            .as_array()
            .into_iter()
            .flatten()
            .collect();
        assert_eq!(turn.calls.len(), expected.len(), "{file}");
        let finish = entry["finish"].as_str().unwrap_or_default();
        assert_eq!(
            turn.stop.is_cut_off(),
            ["length", "max_tokens"].contains(&finish),
            "{file}: {finish}"
        );
        if expected.is_empty() {
            assert!(
                !turn.text.is_empty() || entry["outcome"] == "empty",
                "{file}"
            );
            *verdicts.entry("text".into()).or_default() += 1;
        }
        for (call, expected) in turn.calls.iter().zip(expected) {
            assert_eq!(call.is_truncated(), turn.stop.is_cut_off(), "{file}");
            let verdict = verdict(
                call.name(),
                call.arguments().as_bytes(),
                &reply["request"]["tools"],
            );
            assert_eq!(verdict, expected["verdict"].as_str().unwrap(), "{file}");
            *verdicts.entry(verdict.to_owned()).or_default() += 1;
        }
    }
    println!("{read} replies: {verdicts:?}");
}

fn verdict(name: &str, arguments: &[u8], tools: &Value) -> &'static str {
    let Ok(arguments) = serde_json::from_slice::<Value>(arguments) else {
        return "arguments_not_json";
    };
    let named = |tool: &&Value| tool["name"] == name || tool["function"]["name"] == name;
    let Some(tool) = tools.as_array().into_iter().flatten().find(named) else {
        return "unknown_tool";
    };
    let schema = tool
        .get("input_schema")
        .unwrap_or(&tool["function"]["parameters"]);
    if jsonschema::is_valid(schema, &arguments) {
        "valid"
    } else {
        "invalid"
    }
}
