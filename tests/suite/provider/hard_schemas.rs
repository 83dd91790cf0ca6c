//! Ten types that break other exporters, in every strict dialect: what is written for them, or why nothing is.

use serde_json::{Value, json};
use tool_runtime::ToolDefinition;
use tool_runtime::provider;

use super::dialect_cases::schema_of;

/// A field called `it`, with definitions.
fn field(schema: Value, definitions: Value) -> Value {
    json!({"type": "object", "properties": {"it": schema}, "required": ["it"], "$defs": definitions})
}

fn export(dialect: &str, source: &Value) -> Result<Value, String> {
    let tool = ToolDefinition::new("hard", "A hard one.", source.clone());
    match provider::by_name(dialect).unwrap().export(&[tool]) {
        Ok(export) => {
            Ok(schema_of(&export.definitions[0], false).unwrap()["properties"]["it"].clone())
        }
        Err(error) => Err(error.findings[0].to_string()),
    }
}

#[test]
fn recursive_type() {
    let node = json!({"type": "object", "properties": {"v": {"type": "string"},
        "kids": {"type": "array", "items": {"$ref": "#/$defs/Node"}}}, "required": ["v", "kids"]});
    let source = field(json!({"$ref": "#/$defs/Node"}), json!({"Node": node}));
    assert_eq!(
        export("openai_chat_strict", &source).unwrap(),
        json!({"$ref": "#/$defs/Node"})
    );
    for dialect in [
        "anthropic_strict",
        "bedrock_strict",
        "gemini_openapi",
        "gemini_json_schema",
        "ollama",
    ] {
        assert!(
            export(dialect, &source)
                .unwrap_err()
                .contains("/$defs/Node"),
            "{dialect}"
        );
    }
}

#[test]
fn tagged_enum_with_a_newtype_variant() {
    let source = field(
        json!({"oneOf": [
            {"type": "object", "properties": {"kind": {"type": "string", "const": "cash"}}, "required": ["kind"]},
            {"type": "object", "properties": {"kind": {"type": "string", "const": "bank"}}, "required": ["kind"], "$ref": "#/$defs/Bank"},
        ]}),
        json!({"Bank": {"type": "object", "properties": {"iban": {"type": "string"}}, "required": ["iban"]}}),
    );
    for dialect in [
        "openai_chat_strict",
        "anthropic_strict",
        "bedrock_strict",
        "deepseek_strict",
    ] {
        let bank = &export(dialect, &source).unwrap()["anyOf"][1];
        // Neither the tag nor the payload is lost.
        assert_eq!(bank["properties"]["kind"]["const"], "bank", "{dialect}");
        assert_eq!(bank["properties"]["iban"]["type"], "string", "{dialect}");
        assert_eq!(bank["additionalProperties"], false, "{dialect}");
    }
    assert_eq!(
        export("gemini", &source).unwrap()["anyOf"][1]["properties"]["kind"]["enum"],
        json!(["bank"])
    );
}

#[test]
fn flattened_map_tuple_and_free_json() {
    let sources = [
        field(
            json!({"type": "object", "properties": {"id": {"type": "string"}}, "additionalProperties": true}),
            json!({}),
        ),
        field(
            json!({"type": "array", "prefixItems": [{"type": "number"}, {"type": "string"}], "minItems": 2, "maxItems": 2}),
            json!({}),
        ),
        field(json!(true), json!({})),
    ];
    for source in &sources {
        for dialect in [
            "openai_chat_strict",
            "anthropic_strict",
            "bedrock_strict",
            "deepseek_strict",
        ] {
            let refused = export(dialect, source).unwrap_err();
            assert!(
                refused.contains("/properties/it")
                    && refused.contains("export this tool without strict"),
                "{refused}"
            );
        }
        for dialect in ["openai_chat", "anthropic", "bedrock", "mistral", "mcp"] {
            assert_eq!(
                export(dialect, source).unwrap(),
                source["properties"]["it"],
                "{dialect}"
            );
        }
    }
    let said = export("anthropic_strict", &sources[1]).unwrap_err();
    assert_eq!(
        said,
        "tool \"hard\", dialect anthropic_strict: /properties/it: a tuple cannot be expressed because an array has one type \
         for all its elements. Use a struct with named fields, or export this tool without strict."
    );
}

#[test]
fn nullable_enum_and_nested_optional() {
    let mut source = field(
        json!({"anyOf": [{"$ref": "#/$defs/Plain"}, {"type": "null"}]}),
        json!({"Plain": {"type": "string", "enum": ["a", "b"]}}),
    );
    source.as_object_mut().unwrap().remove("required");
    assert_eq!(
        export("openai_chat_strict", &source).unwrap(),
        source["properties"]["it"]
    );
    assert_eq!(
        export("anthropic_strict", &source).unwrap(),
        json!({"$ref": "#/$defs/Plain"})
    );
    assert_eq!(
        export("gemini_openapi", &source).unwrap(),
        json!({"type": "string", "enum": ["a", "b"], "nullable": true})
    );

    let nested =
        json!({"type": ["object", "null"], "properties": {"deep": {"type": ["integer", "null"]}}});
    let source = json!({"type": "object", "properties": {"it": nested}});
    let strict = export("openai_chat_strict", &source).unwrap();
    assert_eq!(
        (&strict["additionalProperties"], &strict["required"]),
        (&json!(false), &json!(["deep"]))
    );
    assert_eq!(
        export("anthropic_strict", &source).unwrap()["properties"]["deep"],
        json!({"type": "integer"})
    );
    let split = export("deepseek_strict", &source).unwrap();
    assert_eq!(
        (&split["anyOf"][0]["type"], &split["anyOf"][1]),
        (&json!("object"), &json!({"type": "null"}))
    );
}

#[test]
fn numbers_and_constrained_text() {
    let source = field(
        json!({"type": "integer", "format": "uint64", "minimum": 0}),
        json!({}),
    );
    assert_eq!(
        export("openai_chat_strict", &source).unwrap(),
        json!({"type": "integer", "minimum": 0})
    );
    assert_eq!(
        export("anthropic_strict", &source).unwrap(),
        json!({"type": "integer", "description": "(minimum: 0)"})
    );

    let text = json!({"type": "string", "description": "A code.", "minLength": 3, "maxLength": 12, "pattern": "^(?!X)[A-Z]+$", "format": "uri"});
    let source = field(text, json!({}));
    let noted = r#"A code. (minLength: 3, maxLength: 12, pattern: "^(?!X)[A-Z]+$", format: "uri")"#;
    assert_eq!(
        export("openai_chat_strict", &source).unwrap(),
        json!({"type": "string", "description": noted})
    );
    let noted = r#"A code. (minLength: 3, maxLength: 12, pattern: "^(?!X)[A-Z]+$")"#;
    assert_eq!(
        export("anthropic_strict", &source).unwrap(),
        json!({"type": "string", "description": noted, "format": "uri"})
    );
}

#[test]
fn one_of_structs() {
    let branch = |name: &str| json!({"type": "object", "properties": {name: {"type": "string"}}, "required": [name]});
    let source = field(json!({"oneOf": [branch("a"), branch("b")]}), json!({}));
    let strict = export("openai_chat_strict", &source).unwrap();
    assert!(
        strict["anyOf"]
            .as_array()
            .unwrap()
            .iter()
            .all(|branch| branch["additionalProperties"] == false)
    );
    // Open structs may both fit, which is said.
    let tool = ToolDefinition::new("hard", "A hard one.", source);
    let export = provider::by_name("openai_chat_strict")
        .unwrap()
        .export(&[tool])
        .unwrap();
    assert!(
        export
            .warnings
            .iter()
            .any(|warning| warning.path == "/properties/it")
    );
}
