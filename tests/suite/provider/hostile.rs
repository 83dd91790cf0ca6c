//! Input that nobody promised to be sane: no panic, and always an answer.

use proptest_free::Shapes;
use serde_json::{Value, json};
use tool_runtime::ToolDefinition;
use tool_runtime::provider::{self, Stop};

use super::dialect_cases::schema_of;
use super::proofs::Random;
use super::rules_checker::broken;
use super::{shared, shared_json};

/// Random JSON without a library: a small generator is enough to reach every branch of a reader.
mod proptest_free {
    use serde_json::{Map, Value, json};

    pub(super) struct Shapes(pub(super) u64);

    impl Shapes {
        pub(super) fn next(&mut self, below: u64) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0 % below.max(1)
        }

        fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
            from[self.next(from.len() as u64) as usize]
        }

        /// A value built from the words of schemas or of responses.
        pub(super) fn value(&mut self, words: &[&str], depth: usize) -> Value {
            match self.next(if depth == 0 { 6 } else { 10 }) {
                0 => Value::Null,
                1 => json!(self.next(3) == 0),
                2 => json!(self.next(12)),
                3 => json!(-1.5),
                4 | 5 => json!(self.pick(words)),
                6 => (0..self.next(4))
                    .map(|_| self.value(words, depth - 1))
                    .collect(),
                _ => {
                    let count = self.next(5);
                    let members = (0..count)
                        .map(|_| (self.pick(words).to_owned(), self.value(words, depth - 1)));
                    Value::Object(members.collect::<Map<_, _>>())
                }
            }
        }

        /// The value with one random place replaced.
        pub(super) fn damage(&mut self, value: &Value, words: &[&str]) -> Value {
            let mut out = value.clone();
            let mut place = &mut out;
            loop {
                let down = self.next(4) != 0;
                let count = match &*place {
                    Value::Object(map) => map.len(),
                    Value::Array(list) => list.len(),
                    _ => 0,
                };
                if !down || count == 0 {
                    *place = self.value(words, 2);
                    return out;
                }
                let index = self.next(count as u64) as usize;
                place = match place {
                    Value::Object(map) => map.values_mut().nth(index).unwrap(),
                    Value::Array(list) => &mut list[index],
                    _ => unreachable!(),
                };
            }
        }
    }
}

const SCHEMA_WORDS: &[&str] = &[
    "type",
    "object",
    "string",
    "integer",
    "null",
    "array",
    "properties",
    "required",
    "items",
    "prefixItems",
    "anyOf",
    "oneOf",
    "allOf",
    "not",
    "$ref",
    "#",
    "#/$defs/A",
    "#/$defs/B",
    "#/properties/a",
    "$defs",
    "A",
    "B",
    "a",
    "b",
    "const",
    "enum",
    "default",
    "title",
    "description",
    "additionalProperties",
    "patternProperties",
    "minimum",
    "exclusiveMinimum",
    "pattern",
    "^a$",
    "\\",
    "format",
    "uuid",
    "if",
    "then",
    "dependentSchemas",
    "unevaluatedProperties",
    "$anchor",
    "$id",
    "x-y",
    "",
];

fn random_schema(shapes: &mut Shapes) -> Value {
    let mut schema = json!({"type": "object"});
    for key in ["properties", "$defs"] {
        let members = (0..shapes.next(4)).map(|i| {
            let node = match shapes.value(SCHEMA_WORDS, 4) {
                Value::Object(map) => Value::Object(map),
                _ => json!({"$ref": "#/$defs/A"}),
            };
            (["a", "b", "$ref", "anyOf"][i as usize].to_owned(), node)
        });
        schema[key] = Value::Object(members.collect());
    }
    schema["$defs"]["A"] = shapes.value(SCHEMA_WORDS, 3);
    schema
}

#[test]
fn any_schema_is_exported_or_refused() {
    let mut shapes = Shapes(0x9E37_79B9_7F4A_7C15);
    let mut sources: Vec<Value> = Vec::new();
    if let Some(corpus) = shared_json("corpus/dialect-cases.json") {
        for case in corpus["cases"].as_array().unwrap() {
            let source = &case["source_schema"];
            if source.to_string().len() < 3_000 {
                sources.extend((0..6).map(|_| shapes.damage(source, SCHEMA_WORDS)));
            }
        }
    }
    sources.extend((0..500).map(|_| random_schema(&mut shapes)));
    let mut well_formed = Random(0x1234_5678_9ABC_DEF1);
    sources.extend((0..400).map(|_| well_formed.document()));
    let (mut exported, mut refused) = (0, 0);
    for source in sources {
        let tool = ToolDefinition::new("some_tool", "A tool.", source.clone());
        for provider in provider::ALL {
            match provider.export(std::slice::from_ref(&tool)) {
                Ok(export) => {
                    exported += 1;
                    if let Some(schema) = schema_of(&export.definitions[0], false) {
                        let rules = broken(provider.id(), schema);
                        assert!(
                            rules.is_empty(),
                            "{}: {rules:?}\n{source}\n{schema}",
                            provider.id()
                        );
                    }
                }
                Err(error) => {
                    refused += 1;
                    assert!(!error.findings.is_empty() && error.to_string().contains("some_tool"));
                }
            }
        }
    }
    println!("{exported} exported, {refused} refused");
}

#[test]
fn schemas_that_grow_without_end_are_refused() {
    // Each definition uses the one before twice: written out, it doubles each time.
    let mut definitions =
        json!({"d0": {"type": "object", "properties": {"x": {"type": "string"}}}});
    for n in 1..40 {
        let inner = format!("#/$defs/d{}", n - 1);
        definitions[format!("d{n}")] = json!({"type": "object", "properties": {"a": {"$ref": inner}, "b": {"$ref": inner, "description": "b"}}});
    }
    let wide = json!({"type": "object", "properties": {"it": {"$ref": "#/$defs/d39"}}, "$defs": definitions});
    let mut deep = json!({"type": "string"});
    for _ in 0..300 {
        deep = json!({"type": "object", "properties": {"n": deep}});
    }
    let around = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}},
        "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"allOf": [{"$ref": "#/$defs/A"}, {"type": "object"}]}}});
    let own = json!({"$ref": "#"});
    for source in [wide, deep, around, own] {
        let tool = ToolDefinition::new("some_tool", "A tool.", source);
        for provider in provider::ALL {
            let _ = provider.export(std::slice::from_ref(&tool));
        }
        let inlined = provider::by_name("gemini_openapi").unwrap();
        assert!(inlined.export(std::slice::from_ref(&tool)).is_err());
    }
}

const RESPONSE_WORDS: &[&str] = &[
    "choices",
    "message",
    "tool_calls",
    "function",
    "name",
    "arguments",
    "id",
    "content",
    "finish_reason",
    "length",
    "text",
    "type",
    "tool_use",
    "input",
    "stop_reason",
    "output",
    "function_call",
    "call_id",
    "status",
    "incomplete",
    "candidates",
    "parts",
    "functionCall",
    "args",
    "toolUse",
    "toolUseId",
    "error",
    "{\"a\":1}",
    "",
    "null",
    "method",
    "tools/call",
    "params",
    "delta",
    "index",
    "done",
    "functions.x:0",
];

#[test]
fn any_response_is_read_or_refused() {
    let mut shapes = Shapes(0xD1B5_4A32_D192_ED03);
    let mut responses: Vec<Value> = (0..3_000)
        .map(|_| shapes.value(RESPONSE_WORDS, 6))
        .collect();
    if let (Some(index), Some(folder)) = (
        shared_json("corpus/wire-calls/index.json"),
        shared("corpus/wire-calls"),
    ) {
        for fixture in index["fixtures"].as_array().unwrap() {
            let text =
                std::fs::read_to_string(folder.join(fixture["file"].as_str().unwrap())).unwrap();
            let response: Value = serde_json::from_str(&text).unwrap();
            responses.extend((0..60).map(|_| shapes.damage(&response, RESPONSE_WORDS)));
            // Cut off in the middle of the wire.
            for end in (0..text.len())
                .step_by(17)
                .filter(|end| text.is_char_boundary(*end))
            {
                for provider in provider::ALL {
                    let _ = provider.read(&text[..end]);
                }
            }
        }
    }
    let mut calls = 0;
    for response in &responses {
        for provider in provider::ALL {
            let Ok(turn) = provider.calls(response) else {
                continue;
            };
            calls += turn.calls.len();
            assert_eq!(
                provider
                    .read(&response.to_string())
                    .map(|turn| turn.calls.len())
                    .unwrap_or_default(),
                turn.calls.len()
            );
            assert!(serde_json::from_str::<Value>(&turn.to_json()).is_ok());
            // Nobody recorded an outcome: every call is answered all the same.
            let results = provider.results(&turn, &[]);
            let answers = match results.as_slice() {
                [one] => one["content"]
                    .as_array()
                    .or(one["parts"].as_array())
                    .map_or(1, Vec::len),
                many => many.len(),
            };
            assert_eq!(answers, turn.calls.len(), "{} {response}", provider.id());
            let _ = provider.assemble(std::slice::from_ref(response));
            let _ = provider.calls(&provider.assemble(&[response.clone(), response.clone()]));
        }
        let _ = provider::read_tools(response);
    }
    println!("{} responses, {calls} calls", responses.len());
    assert!(calls > 1_000);
}

#[test]
fn exact_arguments_and_repeated_keys() {
    let anthropic = provider::by_name("anthropic").unwrap();
    let text = r#"{"role":"assistant","stop_reason":"tool_use","content":[{"type":"tool_use","id":"t1","name":"pay",
        "input":{"cents": 123456789012345678901234567890, "to":"a", "to":"b"}}]}"#;
    let turn = anthropic.read(text).unwrap();
    let raw = std::str::from_utf8(turn.calls[0].arguments().as_bytes()).unwrap();
    assert_eq!(
        raw,
        r#"{"cents": 123456789012345678901234567890, "to":"a", "to":"b"}"#
    );
    assert!(turn.to_json().contains("123456789012345678901234567890"));
}

#[test]
fn ids_and_wrapped_names() {
    let openai = provider::by_name("openai").unwrap();
    let call = |id: Value, name: &str| json!({"id": id, "type": "function", "function": {"name": name, "arguments": "{}"}});
    let response = json!({"choices": [{"finish_reason": "tool_calls", "message": {"role": "assistant", "tool_calls": [
        call(json!("same"), "functions.get_order"), call(json!("same"), "functions.get_order:1"), call(Value::Null, "get_order"),
        call(json!(""), "get_order")]}}]});
    let turn = openai.calls(&response).unwrap();
    assert_eq!(turn.stop, Stop::Calls);
    assert!(turn.calls.iter().all(|call| call.name() == "get_order"));
    let ids: Vec<&str> = turn.calls.iter().map(|call| call.id().unwrap()).collect();
    assert_eq!(&ids[..2], ["same", "same"]);
    assert!(ids[2].starts_with("call_") && ids[2] != ids[3]);
    // Both sides name the minted ids: the message that goes back, and the results.
    let results = openai.results(&turn, &[]);
    for (index, result) in results.iter().enumerate() {
        assert_eq!(result["tool_call_id"], ids[index]);
        assert_eq!(turn.replay[0]["tool_calls"][index]["id"], ids[index]);
    }
    // The same response has the same ids.
    assert_eq!(openai.calls(&response).unwrap(), turn);
}
