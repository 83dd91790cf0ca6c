//! Every real tool document of the corpus, in every dialect: exported or refused with a reason, and checked.

use std::collections::BTreeMap;

use serde_json::Value;
use tool_runtime::ToolDefinition;
use tool_runtime::provider::{self, Loss};

use super::dialect_cases::schema_of;
use super::rules_checker::broken;
use super::shared;

fn manifests() -> Option<Vec<ToolDefinition>> {
    let mut out = Vec::new();
    let mut folders: Vec<_> = std::fs::read_dir(shared("corpus/manifests")?)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    folders.sort();
    for folder in folders
        .into_iter()
        .filter(|folder| folder.is_dir() && !folder.ends_with("drift"))
    {
        let mut files: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort();
        for file in files {
            let document: Value =
                serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
            out.extend(provider::read_tools(&document).unwrap());
        }
    }
    Some(out)
}

fn bfcl() -> Option<Vec<ToolDefinition>> {
    let text = std::fs::read_to_string(shared("corpus/bfcl/schemas.jsonl")?).unwrap();
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    Some(provider::read_tools(&Value::Array(lines)).unwrap())
}

#[derive(Default)]
struct Tally {
    lossless: usize,
    moved: usize,
    refused: usize,
    reasons: BTreeMap<String, usize>,
}

fn export_all(tools: &[ToolDefinition], what: &str) {
    let mut wrong: Vec<String> = Vec::new();
    println!("{what}: {} tools", tools.len());
    for provider in provider::ALL {
        let mut tally = Tally::default();
        for tool in tools {
            let one = std::slice::from_ref(tool);
            match provider.export(one) {
                Ok(export) => {
                    // The same input gives the same bytes.
                    assert_eq!(
                        export.tools.to_string(),
                        provider.export(one).unwrap().tools.to_string()
                    );
                    if export
                        .changes
                        .iter()
                        .any(|change| change.loss == Loss::Moved)
                    {
                        tally.moved += 1;
                    } else {
                        tally.lossless += 1;
                    }
                    if let Some(schema) = schema_of(&export.definitions[0], false) {
                        for rule in broken(provider.id(), schema) {
                            wrong.push(format!("{} {}: {rule}", provider.id(), tool.name));
                        }
                    }
                }
                Err(error) => {
                    tally.refused += 1;
                    for finding in &error.findings {
                        assert!(!finding.reason.is_empty() && !finding.way_out.is_empty());
                    }
                    let first = &error.findings[0];
                    *tally.reasons.entry(first.construct.clone()).or_default() += 1;
                }
            }
        }
        println!(
            "{:<24} lossless {:>5}  moved {:>5}  refused {:>5}  {:?}",
            provider.id(),
            tally.lossless,
            tally.moved,
            tally.refused,
            tally.reasons
        );
    }
    wrong.dedup();
    assert!(
        wrong.is_empty(),
        "{} broken rules\n{}",
        wrong.len(),
        wrong[..wrong.len().min(30)].join("\n")
    );
}

#[test]
fn manifest_tools() {
    if let Some(tools) = manifests() {
        assert_eq!(tools.len(), 877);
        export_all(&tools, "manifests");
    }
}

#[test]
fn bfcl_tools() {
    if let Some(tools) = bfcl() {
        assert_eq!(tools.len(), 1495);
        export_all(&tools, "bfcl");
    }
}

/// Manifests that an updated dependency emptied of every schema are refused and not shown as tools without parameters.
#[test]
fn drifted_manifests() {
    let Some(folder) = shared("corpus/manifests/drift") else {
        return;
    };
    for entry in std::fs::read_dir(folder).unwrap() {
        let document: Value =
            serde_json::from_str(&std::fs::read_to_string(entry.unwrap().path()).unwrap()).unwrap();
        for tool in provider::read_tools(&document).unwrap() {
            let lost = tool.input_schema.get("type").is_none();
            for provider in provider::ALL {
                let export = provider.export(std::slice::from_ref(&tool));
                assert!(!lost || export.is_err(), "{}: {}", provider.id(), tool.name);
            }
        }
    }
}
