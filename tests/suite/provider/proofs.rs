//! That an export accepts what its report says: proved with canonical forms, both ways where nothing was moved.

use std::collections::BTreeMap;

use jsonschema::canonical::{Containment, options};
use serde_json::{Value, json};
use tool_runtime::ToolDefinition;
use tool_runtime::provider::{self, Loss, Provider};

use super::dialect_cases::schema_of;
use super::{shared, shared_json};

/// Whether `wide` accepts all that `narrow` does. Formats and patterns that a regular engine cannot read make it unknown.
fn covers(wide: &Value, narrow: &Value) -> Containment {
    let form = |schema: &Value| options().offline().canonicalize(schema);
    match (form(wide), form(narrow)) {
        (Ok(wide), Ok(narrow)) => wide.covers(&narrow).unwrap_or(Containment::Unknown),
        _ => Containment::Unknown,
    }
}

/// The schema with every member that may be left out also allowed to be null, by position.
fn with_nulls(schema: &Value) -> Value {
    let Value::Object(map) = schema else {
        return schema.clone();
    };
    let mut out = map.clone();
    for (key, value) in &mut out {
        match key.as_str() {
            "properties" => {
                for (name, property) in value.as_object_mut().into_iter().flatten() {
                    let inner = with_nulls(property);
                    let required = map.get("required").and_then(Value::as_array);
                    let required =
                        required.is_some_and(|names| names.iter().any(|known| known == name));
                    *property = if required {
                        inner
                    } else {
                        json!({"anyOf": [inner, {"type": "null"}]})
                    };
                }
            }
            "$defs" => value
                .as_object_mut()
                .into_iter()
                .flatten()
                .for_each(|(_, inner)| *inner = with_nulls(inner)),
            "anyOf" | "oneOf" | "allOf" | "prefixItems" => {
                value
                    .as_array_mut()
                    .into_iter()
                    .flatten()
                    .for_each(|inner| *inner = with_nulls(inner));
            }
            "items" | "additionalProperties" | "not" => *value = with_nulls(value),
            _ => {}
        }
    }
    Value::Object(out)
}

#[derive(Default)]
struct Count {
    proved: BTreeMap<&'static str, usize>,
    undecided: BTreeMap<&'static str, usize>,
}

impl Count {
    fn add(&mut self, what: &'static str, answer: Containment) {
        match answer {
            Containment::Yes => *self.proved.entry(what).or_default() += 1,
            _ => *self.undecided.entry(what).or_default() += 1,
        }
    }
}

/// What changed decides what has to hold.
fn prove(provider: &dyn Provider, source: &Value, count: &mut Count) -> Result<(), String> {
    let tool = ToolDefinition::new("proof", "A tool.", source.clone());
    let Ok(export) = provider.export(std::slice::from_ref(&tool)) else {
        return Ok(());
    };
    let Some(exported) = schema_of(&export.definitions[0], false) else {
        return Ok(());
    };
    // `nullable` is no JSON Schema.
    if provider.id() == "gemini_openapi" {
        return Ok(());
    }
    let has = |loss: Loss| export.changes.iter().any(|change| change.loss == loss);
    // Where null stands for absent, what comes in has its nulls taken away first.
    let nulls = [
        "openai_chat_strict",
        "openai_responses_strict",
        "deepseek_strict",
    ]
    .contains(&provider.id());
    let excluded = export
        .changes
        .iter()
        .any(|change| change.what.contains("fits two branches"));
    let intake = has(Loss::Intake) && (!nulls || excluded);
    let (narrower, wider) = (
        has(Loss::Narrower) || (nulls && has(Loss::Intake)),
        has(Loss::Moved) || intake,
    );
    let taken = if nulls {
        with_nulls(source)
    } else {
        source.clone()
    };
    let nothing_more = || covers(&taken, exported);
    let nothing_less = || covers(exported, source);
    let what = match (narrower, wider) {
        (false, false) => "exactly the same calls",
        (true, false) => "a part of the calls",
        (false, true) => "the calls and what was moved",
        (true, true) => return Ok(()),
    };
    let mut answers = Vec::new();
    if !wider {
        answers.push(nothing_more());
    }
    if !narrower {
        answers.push(nothing_less());
    }
    if answers.contains(&Containment::No) {
        return Err(format!(
            "{}: not {what}\nsource {source}\nexport {exported}",
            provider.id()
        ));
    }
    let decided = answers.iter().all(|answer| *answer == Containment::Yes);
    count.add(
        what,
        if decided {
            Containment::Yes
        } else {
            Containment::Unknown
        },
    );
    Ok(())
}

fn prove_all(sources: &[Value]) {
    let mut count = Count::default();
    let mut wrong: Vec<String> = Vec::new();
    for source in sources {
        for provider in provider::ALL {
            if let Err(why) = prove(*provider, source, &mut count) {
                wrong.push(why);
            }
        }
    }
    println!(
        "{} schemas: proved {:?}, undecided {:?}",
        sources.len(),
        count.proved,
        count.undecided
    );
    assert!(
        wrong.is_empty(),
        "{}\n{}",
        wrong.len(),
        wrong[..wrong.len().min(10)].join("\n\n")
    );
}

#[test]
fn sources_of_the_cases() {
    let Some(corpus) = shared_json("corpus/dialect-cases.json") else {
        return;
    };
    let mut sources: Vec<Value> = Vec::new();
    for case in corpus["cases"].as_array().unwrap() {
        let source = &case["source_schema"];
        // A thousand values prove no more than three, and take longer.
        if source.to_string().len() < 5_000 && !sources.contains(source) {
            sources.push(source.clone());
        }
    }
    prove_all(&sources);
}

/// Every schema that schemars was seen to write, as the field of an argument and where it is an object as the argument.
#[test]
fn sources_of_schemars() {
    prove_all(&schemars_documents());
}

pub(crate) fn schemars_documents() -> Vec<Value> {
    let Some(path) = shared("schemars-output.md") else {
        return Vec::new();
    };
    let text = std::fs::read_to_string(path).unwrap();
    let mut out: Vec<Value> = Vec::new();
    let fenced = text
        .lines()
        .filter(|line| line.starts_with('{') && line.ends_with('}'));
    let table = text
        .lines()
        .filter_map(|line| line.split("| `").nth(2)?.strip_suffix("` |"))
        .filter(|json| json.starts_with('{'));
    for json in fenced.chain(table) {
        let Ok(mut schema) = serde_json::from_str::<Value>(json) else {
            continue;
        };
        let old = schema["$schema"]
            .as_str()
            .is_some_and(|uri| uri.contains("openapis") || uri.contains("draft-07"));
        // Nullable flags and references into `components` are what other settings write.
        if old || json.contains("nullable") || json.contains("#/components") {
            continue;
        }
        if schema["type"] == "object" && !out.contains(&schema) {
            out.push(schema.clone());
        }
        if json.contains(r##""$ref":"#""##) {
            continue;
        }
        let definitions = schema.as_object_mut().unwrap().remove("$defs");
        schema.as_object_mut().unwrap().remove("$schema");
        let mut wrapped =
            json!({"type": "object", "properties": {"it": schema}, "required": ["it"]});
        if let Some(definitions) = definitions {
            wrapped["$defs"] = definitions;
        }
        if !out.contains(&wrapped) {
            out.push(wrapped);
        }
    }
    assert!(out.len() > 100, "{}", out.len());
    out
}

/// Random schemas that are well formed: every pass meets every other.
#[test]
fn random_sources() {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let sources: Vec<Value> = (0..120).map(|_| random.document()).collect();
    prove_all(&sources);
}

pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }

    /// An argument schema with three definitions that may use each other.
    pub(crate) fn document(&mut self) -> Value {
        let mut root = self.object(3);
        root["type"] = json!("object");
        for name in ["A", "B", "C"] {
            root["$defs"][name] = if self.below(2) == 0 {
                self.object(2)
            } else {
                self.node(2)
            };
        }
        root
    }

    fn object(&mut self, depth: u64) -> Value {
        let mut out = json!({"type": "object"});
        let mut required = Vec::new();
        for name in ["a", "b", "title", "anyOf"]
            .into_iter()
            .take(self.below(4) as usize + 1)
        {
            out["properties"][name] = self.node(depth.saturating_sub(1));
            if self.below(2) == 0 {
                required.push(json!(name));
            }
        }
        if !required.is_empty() {
            out["required"] = Value::Array(required);
        }
        match self.below(8) {
            0 => out["additionalProperties"] = json!(false),
            1 => out["minProperties"] = json!(1),
            _ => {}
        }
        out
    }

    fn node(&mut self, depth: u64) -> Value {
        let mut out = match self.below(if depth == 0 { 8 } else { 16 }) {
            0 => json!({"type": "string", "minLength": self.below(3), "maxLength": 5}),
            1 => {
                json!({"type": "integer", "minimum": self.below(4), "exclusiveMaximum": 9, "format": "uint8"})
            }
            2 => json!({"type": ["integer", "null"], "exclusiveMinimum": 0, "default": 3}),
            3 => json!({"type": ["string", "integer"], "minLength": 2, "maximum": 7}),
            4 => json!({"const": (["x", "y", "z"][self.below(3) as usize])}),
            5 => json!({"type": "string", "enum": ["x", "y", "z"]}),
            6 => json!({"$ref": format!("#/$defs/{}", ["A", "B", "C"][self.below(3) as usize])}),
            7 => json!({"type": "integer", "not": {"const": 0}}),
            8 => json!({"type": "array", "items": self.node(depth - 1), "minItems": self.below(3)}),
            9 => {
                json!({"type": "array", "prefixItems": [self.node(depth - 1)], "minItems": 1, "maxItems": 1})
            }
            10 => json!({"anyOf": [self.node(depth - 1), {"type": "null"}]}),
            11 => self.tagged(depth),
            12 => {
                let mut union = self.tagged(depth);
                union["properties"]["common"] = self.node(0);
                union["type"] = json!("object");
                union
            }
            13 => json!({"allOf": [self.object(depth - 1), {"type": "object", "required": ["a"]}]}),
            14 => {
                let mut beside = json!({"type": "object", "properties": {"tag": {"const": "t"}}, "required": ["tag"]});
                beside["$ref"] = json!("#/$defs/A");
                beside
            }
            _ => self.object(depth - 1),
        };
        if self.below(5) == 0 {
            out["description"] = json!("Words.");
        }
        out
    }

    fn tagged(&mut self, depth: u64) -> Value {
        let branches = ["one", "two"].map(|tag| {
            let mut branch = self.object(depth - 1);
            branch["properties"]["kind"] = json!({"type": "string", "const": tag});
            branch["required"] = json!(["kind"]);
            branch
        });
        json!({"oneOf": branches})
    }
}
