//! The cases of `dialect-cases.json`: what an export has to be, or where it has to refuse.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use tool_runtime::{ToolDefinition, provider};

use super::shared_json;

#[test]
fn every_case() {
    let Some(corpus) = shared_json("corpus/dialect-cases.json") else {
        return;
    };
    let mut passed = 0;
    let mut missed: Vec<String> = Vec::new();
    for case in corpus["cases"].as_array().unwrap() {
        let dialect = case["dialect"].as_str().unwrap();
        // The two OpenAI endpoints share their schemas' rules.
        let more = match dialect {
            "openai_chat" => Some("openai_responses"),
            "openai_chat_strict" => Some("openai_responses_strict"),
            _ => None,
        };
        for dialect in [Some(dialect), more].into_iter().flatten() {
            match check(case, dialect) {
                Ok(()) => passed += 1,
                Err(why) => missed.push(format!(
                    "{} ({dialect}): {why}",
                    case["id"].as_str().unwrap()
                )),
            }
        }
    }
    println!("{passed} passed, {} missed", missed.len());
    assert!(missed.is_empty(), "{}", missed.join("\n\n"));
}

/// The comparison above is not blind: each expectation, changed a little, is missed.
#[test]
fn changed_expectations_are_missed() {
    let Some(corpus) = shared_json("corpus/dialect-cases.json") else {
        return;
    };
    let mut seen = 0;
    for case in corpus["cases"].as_array().unwrap() {
        let mut case = case.clone();
        let expect = case["expect"].as_object_mut().unwrap();
        expect.remove("also");
        if let Some(Value::Object(schema)) = expect.get_mut("schema") {
            schema.insert(
                "properties".into(),
                serde_json::json!({"nobody_wrote_this": {"type": "string"}}),
            );
        } else if expect.get("error").is_some() {
            expect.insert("at".into(), Value::from("/properties/nobody_wrote_this"));
        } else {
            continue;
        }
        assert!(
            check(&case, case["dialect"].as_str().unwrap()).is_err(),
            "{}",
            case["id"]
        );
        seen += 1;
    }
    assert!(seen > 140);
}

fn check(case: &Value, dialect: &str) -> Result<(), String> {
    let provider = provider::by_name(dialect).ok_or("no such dialect")?;
    let name = case["tool_name"].as_str().unwrap_or("demo_tool");
    let output = case["position"] == "output";
    let mut tool = ToolDefinition::new(name, "A tool.", case["source_schema"].clone());
    if output {
        tool.input_schema = serde_json::json!({"type": "object", "properties": {}});
        tool.output_schema = Some(case["source_schema"].clone());
    }
    let outcome = provider.export(std::slice::from_ref(&tool));
    let lossy = case["lossy"] == true;
    let expected = [&case["expect"]];
    let also = case["expect"]["also"].as_array().into_iter().flatten();
    let mut reasons = Vec::new();
    for expect in expected.into_iter().chain(also) {
        match fits(expect, &outcome, name, dialect, lossy, output) {
            Ok(()) => return Ok(()),
            Err(why) => reasons.push(why),
        }
    }
    Err(reasons.join("\n  or "))
}

fn fits(
    expect: &Value,
    outcome: &Result<provider::Export, provider::ExportError>,
    name: &str,
    dialect: &str,
    lossy: bool,
    output: bool,
) -> Result<(), String> {
    if expect.get("error").is_some() {
        let Err(error) = outcome else {
            return Err(format!("expected {}, but it was exported", expect["error"]));
        };
        let at = expect["at"].as_str();
        let names_it = error
            .findings
            .iter()
            .any(|finding| finding.tool == name && at.is_none_or(|at| finding.path == at));
        let said = error.to_string();
        if !names_it || !said.contains(name) || !said.contains(at.unwrap_or_default()) {
            return Err(format!("the refusal does not name {at:?}: {said}"));
        }
        return Ok(());
    }
    let export = outcome
        .as_ref()
        .map_err(|error| format!("refused: {error}"))?;
    let schema = schema_of(&export.definitions[0], output);
    match (schema, &expect["schema"]) {
        (None, Value::Null) => return Ok(()),
        (Some(schema), Value::Null) => {
            return Err(format!("parameters should be left out, got {schema}"));
        }
        (None, _) => return Err("there is no schema".into()),
        (Some(schema), expected) => {
            let empty = Vec::new();
            let notes = expect["notes"].as_array().unwrap_or(&empty);
            let mut comparison = Comparison {
                dialect,
                lossy,
                notes: notes
                    .iter()
                    .map(|note| note["at"].as_str().unwrap())
                    .collect(),
            };
            comparison.same(expected, schema, "")?;
            for note in notes {
                let at = note["at"].as_str().unwrap();
                let text = schema
                    .pointer(at)
                    .and_then(|node| node["description"].as_str())
                    .unwrap_or_default();
                let start = expected
                    .pointer(at)
                    .and_then(|node| node["description"].as_str())
                    .unwrap_or_default();
                if !text.starts_with(start) {
                    return Err(format!(
                        "the description at {at} should start with {start:?}: {text:?}"
                    ));
                }
                for mention in note["mentions"].as_array().unwrap() {
                    if !text.contains(mention.as_str().unwrap()) {
                        return Err(format!(
                            "the description at {at} should mention {mention}: {text:?}"
                        ));
                    }
                }
            }
        }
    }
    Ok(())
}

/// The schema inside a definition, whatever its envelope.
pub(crate) fn schema_of(definition: &Value, output: bool) -> Option<&Value> {
    if output {
        return definition.get("outputSchema");
    }
    [
        "/function/parameters",
        "/parameters",
        "/parametersJsonSchema",
        "/input_schema",
        "/inputSchema",
        "/toolSpec/inputSchema/json",
    ]
    .iter()
    .find_map(|at| {
        definition
            .pointer(at)
            .filter(|schema| !schema.get("json").is_some_and(Value::is_object))
    })
}

struct Comparison<'a> {
    dialect: &'a str,
    lossy: bool,
    notes: BTreeSet<&'a str>,
}

impl Comparison<'_> {
    /// Compares two schemas by the corpus' conventions.
    fn same(&mut self, expected: &Value, got: &Value, at: &str) -> Result<(), String> {
        let (Value::Object(expected), Value::Object(got)) = (expected, got) else {
            return equal(expected, got, at);
        };
        let (expected, got) = (self.normal(expected, at), self.normal(got, at));
        let keys: BTreeSet<&String> = expected.keys().chain(got.keys()).collect();
        for key in keys {
            let here = format!("{at}/{key}");
            let (Some(a), Some(b)) = (expected.get(key), got.get(key)) else {
                let side = if got.contains_key(key) {
                    "unexpected"
                } else {
                    "missing"
                };
                return Err(format!(
                    "{here} is {side}: expected {}, got {}",
                    Value::Object(expected.clone()),
                    Value::Object(got.clone())
                ));
            };
            match key.as_str() {
                "properties" | "$defs" | "patternProperties" => {
                    let (Value::Object(a), Value::Object(b)) = (a, b) else {
                        return equal(a, b, &here);
                    };
                    let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
                    for name in names {
                        let inner =
                            format!("{here}/{}", name.replace('~', "~0").replace('/', "~1"));
                        match (a.get(name), b.get(name)) {
                            (Some(a), Some(b)) => self.same(a, b, &inner)?,
                            (a, _) => {
                                return Err(format!(
                                    "{inner} is {}",
                                    if a.is_some() { "missing" } else { "unexpected" }
                                ));
                            }
                        }
                    }
                }
                "items" | "additionalProperties" | "not" => self.same(a, b, &here)?,
                "anyOf" | "oneOf" | "allOf" | "prefixItems" => {
                    let (Value::Array(a), Value::Array(b)) = (a, b) else {
                        return equal(a, b, &here);
                    };
                    if a.len() != b.len() {
                        return Err(format!("{here} has {} members, not {}", b.len(), a.len()));
                    }
                    for (index, (a, b)) in a.iter().zip(b).enumerate() {
                        self.same(a, b, &format!("{here}/{index}"))?;
                    }
                }
                "description" if self.lossy || self.notes.contains(at) => {
                    let (a, b) = (
                        a.as_str().unwrap_or_default(),
                        b.as_str().unwrap_or_default(),
                    );
                    if !b.starts_with(a) {
                        return Err(format!("{here} should start with {a:?}: {b:?}"));
                    }
                }
                "required" | "enum" => equal(&sorted(a), &sorted(b), &here)?,
                "type" => equal(&sorted(&listed(a)), &sorted(&listed(b)), &here)?,
                _ => equal(a, b, &here)?,
            }
        }
        Ok(())
    }

    fn normal(&self, schema: &Map<String, Value>, at: &str) -> Map<String, Value> {
        let mut out = schema.clone();
        let strict = self.dialect.ends_with("_strict");
        let has_properties = out
            .get("properties")
            .and_then(Value::as_object)
            .is_some_and(|p| !p.is_empty());
        if out
            .get("required")
            .and_then(Value::as_array)
            .is_some_and(Vec::is_empty)
            && !(strict && has_properties && self.dialect.starts_with("openai"))
        {
            out.remove("required");
        }
        if !strict && out.get("additionalProperties") == Some(&Value::Bool(true)) {
            out.remove("additionalProperties");
        }
        if self.dialect == "gemini_openapi" {
            out.remove("propertyOrdering");
            if let Some(Value::String(kind)) = out.get_mut("type") {
                *kind = kind.to_ascii_lowercase();
            }
        }
        if self.dialect.starts_with("mcp") {
            let current = "https://json-schema.org/draft/2020-12/schema";
            if out.get("$schema").and_then(Value::as_str) == Some(current) {
                out.remove("$schema");
            }
        }
        // A description that only exists because of a note, or that a lossy case may add.
        if !schema.contains_key("description") && (self.lossy || self.notes.contains(at)) {
            out.insert("description".into(), Value::from(""));
        }
        let both = !["gemini", "moonshot", "ollama"]
            .iter()
            .any(|name| self.dialect.starts_with(name));
        if both {
            if let Some(value) = out.remove("const") {
                out.insert("enum".into(), Value::Array(vec![value]));
            }
            if let (Some(Value::Array(values)), None) = (out.get("enum"), out.get("type"))
                && let ([Value::String(_)], true) =
                    (values.as_slice(), self.dialect != "deepseek_strict")
            {
                out.insert("type".into(), Value::from("string"));
            }
        }
        out
    }
}

fn listed(value: &Value) -> Value {
    match value {
        Value::Array(_) => value.clone(),
        other => Value::Array(vec![other.clone()]),
    }
}

fn sorted(value: &Value) -> Value {
    let mut out = value.as_array().cloned().unwrap_or_default();
    out.sort_by_key(Value::to_string);
    Value::Array(out)
}

fn equal(expected: &Value, got: &Value, at: &str) -> Result<(), String> {
    if expected == got {
        Ok(())
    } else {
        Err(format!("{at}: expected {expected}, got {got}"))
    }
}
