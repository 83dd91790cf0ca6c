//! What the comparison says of random edits to real schemas, held against values.

use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Value, json};
use tool_runtime::manifest::diff::sample;
use tool_runtime::manifest::{Change, Class, Listing, Policy, diff};

use super::mutate::{Dice, disturb, mutate};
use super::shared;

/// Every schema of the recorded servers, each once.
fn real_schemas() -> Option<Vec<Value>> {
    let folder = shared("corpus/manifests")?;
    let mut found: BTreeMap<String, Value> = BTreeMap::new();
    for server in fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
    {
        for file in fs::read_dir(server).unwrap() {
            let list: Value =
                serde_json::from_str(&fs::read_to_string(file.unwrap().path()).unwrap()).unwrap();
            for tool in list["tools"].as_array().unwrap() {
                for member in ["inputSchema", "outputSchema"] {
                    if let Some(schema) = tool.get(member) {
                        let mut schema = schema.clone();
                        // The samples are judged by one dialect.
                        schema.as_object_mut().unwrap().remove("$schema");
                        found.insert(schema.to_string(), schema);
                    }
                }
            }
        }
    }
    Some(found.into_values().collect())
}

fn listing(member: &str, schema: &Value) -> Listing {
    let mut tool = json!({"name": "t", "inputSchema": {"type": "object"}});
    tool[member] = schema.clone();
    Listing::read(&json!([tool]).to_string()).unwrap()
}

fn judge(schema: &Value, policy: Policy) -> Option<jsonschema::Validator> {
    jsonschema::options()
        .with_draft(jsonschema::Draft::Draft202012)
        .should_validate_formats(policy.formats_bind)
        .build(schema)
        .ok()
}

#[derive(Default)]
struct Counts {
    pairs: usize,
    harmless: usize,
    samples: usize,
    breaking: usize,
    witnesses: usize,
    unproved: usize,
    alarms: usize,
}

fn scale() -> u64 {
    std::env::var("CONTRACT_PAIRS")
        .ok()
        .and_then(|pairs| pairs.parse().ok())
        .unwrap_or(1500)
}

#[test]
fn what_is_called_compatible_breaks_no_sample() {
    let Some(schemas) = real_schemas() else {
        return;
    };
    let mut counts = Counts::default();
    let policy = Policy::PUBLISHED;
    let mut broken = Vec::new();
    for seed in 0..scale() {
        let mut dice = Dice::new(seed);
        let old = dice.pick(&schemas).clone();
        let mut new = old.clone();
        let edits: Vec<String> = (0..=dice.below(3))
            .map(|_| mutate(&mut new, &mut dice))
            .collect();
        let member = if seed % 3 == 0 {
            "outputSchema"
        } else {
            "inputSchema"
        };
        let diff = diff(&listing(member, &old), &listing(member, &new), policy);
        let (from, to) = if member == "inputSchema" {
            (&old, &new)
        } else {
            (&new, &old)
        };
        let (Some(accepts), Some(refuses)) = (judge(from, policy), judge(to, policy)) else {
            continue;
        };
        counts.pairs += 1;
        if diff.verdict() == Some(Class::Breaking) {
            counts.breaking += 1;
            for change in diff
                .changes()
                .iter()
                .filter(|change| change.class == Class::Breaking)
            {
                check_witness(change, &accepts, &refuses, &mut counts);
            }
            continue;
        }
        counts.harmless += 1;
        for sample_seed in 0..40 {
            let Some(mut value) = sample(from, sample_seed) else {
                continue;
            };
            if sample_seed % 2 == 1 {
                value = disturb(&value, &mut dice);
            }
            if !accepts.is_valid(&value) {
                continue;
            }
            counts.samples += 1;
            if !refuses.is_valid(&value) {
                broken.push(format!(
                    "seed {seed}, {edits:?}: {value} is refused\n  old {old}\n  new {new}\n  {}",
                    diff.to_value()
                ));
                break;
            }
        }
    }
    println!(
        "{} pairs; {} harmless, {} samples, {} broken; {} breaking, {} witnesses that hold, {} unproved, {} without a value",
        counts.pairs,
        counts.harmless,
        counts.samples,
        broken.len(),
        counts.breaking,
        counts.witnesses,
        counts.unproved,
        counts.alarms
    );
    assert!(
        broken.is_empty(),
        "{}",
        broken.into_iter().take(5).collect::<Vec<_>>().join("\n\n")
    );
    assert!(counts.samples > 1000);
}

fn check_witness(
    change: &Change,
    accepts: &jsonschema::Validator,
    refuses: &jsonschema::Validator,
    counts: &mut Counts,
) {
    if let Some(witness) = &change.witness {
        assert!(
            accepts.is_valid(witness) && !refuses.is_valid(witness),
            "{}",
            change.to_value()
        );
        counts.witnesses += 1;
    } else if change.is("unproved") {
        counts.unproved += 1;
    } else if !change.is("silently-ignored") {
        println!("no value: {}", change.to_value());
        counts.alarms += 1;
    }
}

#[test]
fn any_json_is_compared_without_harm() {
    let Some(schemas) = real_schemas() else {
        return;
    };
    let junk = [
        json!(null),
        json!(7),
        json!("x"),
        json!([]),
        json!({"type": "object", "properties": []}),
        json!({"type": {"a": 1}, "required": {"b": 2}, "enum": "c", "anyOf": 3, "items": [1, "x"]}),
        json!({"$ref": "#"}),
        json!({"$ref": "#/properties/$ref", "properties": {"$ref": {"$ref": "#/properties/title"}, "title": {"$ref": "#"}}}),
        json!({"$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}, "$ref": "#/$defs/A"}),
        json!({"properties": {"default": {"default": {"default": 1}}, "properties": {"properties": {"items": true}}}}),
        json!({"type": "object", "properties": {"x": false}, "required": ["x", 7, null], "minimum": "many"}),
        json!({"$schema": 7, "$id": [], "type": "object"}),
        json!({"$dynamicRef": "#x", "$anchor": "x"}),
        json!({"minLength": -1, "pattern": "(", "multipleOf": 0, "maxItems": 1e300}),
        json!(false),
        json!(true),
    ];
    let mut compared = 0;
    let everything: Vec<&Value> = junk.iter().chain(schemas.iter().step_by(40)).collect();
    for old in &everything {
        for new in &everything {
            for member in ["inputSchema", "outputSchema"] {
                let outcome = catch_unwind(AssertUnwindSafe(|| {
                    diff(
                        &listing(member, old),
                        &listing(member, new),
                        Policy::ENFORCED,
                    )
                }));
                let diff = outcome.unwrap_or_else(|_| panic!("panicked on {old} -> {new}"));
                assert!(
                    old != new || diff.changes().is_empty(),
                    "{old}: {:?}",
                    diff.changes()
                );
                compared += 1;
            }
        }
    }
    println!("{compared} pairs compared");
}
