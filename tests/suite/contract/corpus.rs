//! Versions of published servers, held against changes that people judged.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value};
use tool_runtime::manifest::{Class, Diff, Listing, Policy, diff};

use super::shared;

struct Pair {
    name: String,
    recorded: Value,
    old: Value,
    new: Value,
    diff: Diff,
}

fn read(path: &Path) -> (Listing, Value) {
    let text = fs::read_to_string(path).unwrap();
    (
        Listing::read(&text).unwrap(),
        serde_json::from_str(&text).unwrap(),
    )
}

fn pairs(folder: &Path) -> Vec<Pair> {
    let recorded: Vec<Value> =
        serde_json::from_str(&fs::read_to_string(folder.join("changes.json")).unwrap()).unwrap();
    let pair = |recorded: Value| {
        let get = |name: &str| recorded[name].as_str().unwrap().to_owned();
        let file = |version: &str| folder.join(get("server")).join(format!("{version}.json"));
        let (old, old_value) = read(&file(&get("from")));
        let (new, new_value) = read(&file(&get("to")));
        Pair {
            name: format!("{} {} -> {}", get("server"), get("from"), get("to")),
            diff: diff(&old, &new, Policy::PUBLISHED),
            recorded,
            old: old_value,
            new: new_value,
        }
    };
    recorded.into_iter().map(pair).collect()
}

/// The corpus' word for a class.
fn word(class: Class) -> &'static str {
    if class == Class::Compatible {
        "non-breaking"
    } else {
        class.as_str()
    }
}

fn verdict(diff: &Diff) -> &'static str {
    diff.verdict().map_or("identical", word)
}

fn rank(word: &str) -> usize {
    ["identical", "non-breaking", "semantic", "risk", "breaking"]
        .iter()
        .position(|one| *one == word)
        .unwrap()
}

/// The gravest verdicts that the recorded changes accept: each change at its mildest, and at its gravest.
fn accepted_range(recorded: &Value) -> (usize, usize) {
    let changes = recorded["changes"].as_array().unwrap();
    let ranks = |change: &Value| -> Vec<usize> {
        change["accept"]
            .as_array()
            .unwrap()
            .iter()
            .map(|word| rank(word.as_str().unwrap()))
            .collect()
    };
    let low = changes
        .iter()
        .filter_map(|change| ranks(change).into_iter().min())
        .max()
        .unwrap_or(0);
    let high = changes
        .iter()
        .filter_map(|change| ranks(change).into_iter().max())
        .max()
        .unwrap_or(0);
    (low, high)
}

fn key(change: &Value) -> (String, String, String) {
    let get = |name: &str| change[name].as_str().unwrap().to_owned();
    (get("tool"), get("path"), get("kind"))
}

#[test]
fn every_recorded_change_is_found_and_classed_as_people_did() {
    let Some(folder) = shared("corpus/manifests") else {
        return;
    };
    let (mut equal, mut within, mut found, mut same_class, mut identical) = (0, 0, 0, 0, 0);
    let mut wrong: Vec<String> = Vec::new();
    let mut extra: BTreeMap<String, usize> = BTreeMap::new();
    let pairs = pairs(&folder);
    for Pair {
        name,
        recorded,
        diff,
        ..
    } in &pairs
    {
        let expected = recorded["verdict"].as_str().unwrap();
        let (low, high) = accepted_range(recorded);
        let got = verdict(diff);
        if got == expected {
            equal += 1;
        } else if (low..=high).contains(&rank(got)) {
            within += 1;
        } else {
            wrong.push(format!("{name}: verdict {got}, recorded {expected}"));
        }
        if expected == "identical" && diff.changes().is_empty() {
            identical += 1;
        }
        let mut left: Vec<Value> = diff
            .changes()
            .iter()
            .map(|change| {
                let mut value = change.to_value();
                value["class"] = Value::from(word(change.class));
                value
            })
            .collect();
        for change in recorded["changes"].as_array().unwrap() {
            let Some(index) = left.iter().position(|ours| key(ours) == key(change)) else {
                wrong.push(format!("{name}: not found: {change}"));
                continue;
            };
            let ours = left.remove(index);
            found += 1;
            if !change["accept"]
                .as_array()
                .unwrap()
                .contains(&ours["class"])
            {
                wrong.push(format!(
                    "{name}: classed {}: {ours}\n    recorded {change}",
                    ours["class"]
                ));
            }
            if change["class"] == ours["class"] {
                same_class += 1;
            }
            for mark in [
                "silently-ignored",
                "declared-risk-lower",
                "declared-risk-higher",
                "declared-risk-unchanged",
            ] {
                let has = |value: &Value| {
                    value["also"]
                        .as_array()
                        .is_some_and(|all| all.contains(&Value::from(mark)))
                };
                if has(change) != has(&ours) {
                    wrong.push(format!("{name}: mark {mark} differs: {ours}"));
                }
            }
        }
        for ours in left {
            println!("not recorded: {name}: {ours}");
            *extra
                .entry(format!("{} {}", ours["kind"], ours["class"]))
                .or_default() += 1;
        }
    }
    let recorded: usize = pairs
        .iter()
        .map(|pair| pair.recorded["changes"].as_array().unwrap().len())
        .sum();
    println!(
        "{} pairs: {equal} verdicts equal, {within} within what is accepted; {found} of {recorded} changes found, \
         {same_class} in the very class; {identical} identical pairs without a change; beyond the record: {extra:?}",
        pairs.len()
    );
    assert!(
        wrong.is_empty(),
        "{} deviations:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert_eq!(pairs.len(), equal + within);
    assert_eq!(
        identical,
        pairs
            .iter()
            .filter(|pair| pair.recorded["verdict"] == "identical")
            .count()
    );
}

#[test]
fn renames_are_named_as_people_named_them() {
    let Some(folder) = shared("corpus/manifests") else {
        return;
    };
    let (mut right, mut wrong) = (0, Vec::new());
    for Pair {
        name,
        recorded,
        diff,
        ..
    } in &pairs(&folder)
    {
        for change in recorded["changes"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|change| change["kind"] == "tool_removed")
        {
            let renamed = |marks: Vec<String>| {
                marks
                    .into_iter()
                    .find(|mark| mark.starts_with("renamed-to:"))
            };
            let marks = |value: &Value| -> Vec<String> {
                let marks = value["also"].as_array().cloned().unwrap_or_default();
                marks
                    .iter()
                    .filter_map(Value::as_str)
                    .map(str::to_owned)
                    .collect()
            };
            let expected = renamed(marks(change));
            let ours = diff
                .changes()
                .iter()
                .find(|ours| ours.kind == "tool_removed" && change["tool"] == ours.tool.as_str());
            let got = renamed(ours.map(|ours| ours.also.clone()).unwrap_or_default());
            if got == expected {
                right += 1;
            } else {
                wrong.push(format!(
                    "{name}: {}: {got:?}, recorded {expected:?}",
                    change["tool"]
                ));
            }
        }
    }
    println!(
        "{right} tools that are gone named right, {} not:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(wrong.is_empty());
}

fn schema<'a>(list: &'a Value, tool: &str, member: &str) -> Option<&'a Value> {
    list["tools"]
        .as_array()?
        .iter()
        .find(|one| one["name"] == tool)?
        .get(member)
}

fn accepts(schema: &Value, value: &Value) -> bool {
    jsonschema::options().build(schema).unwrap().is_valid(value)
}

#[test]
fn a_witness_is_accepted_by_one_version_and_refused_by_the_other() {
    let Some(folder) = shared("corpus/manifests") else {
        return;
    };
    let (mut inputs, mut outputs, mut without) = (0, 0, BTreeMap::<String, usize>::new());
    for Pair {
        name,
        old,
        new,
        diff,
        ..
    } in &pairs(&folder)
    {
        for change in diff
            .changes()
            .iter()
            .filter(|change| change.class == Class::Breaking)
        {
            let Some(witness) = &change.witness else {
                let why = if change.is("silently-ignored") {
                    " silently-ignored"
                } else {
                    ""
                };
                *without.entry(format!("{}{why}", change.kind)).or_default() += 1;
                if change.path.starts_with("/inputSchema") && !change.is("silently-ignored") {
                    panic!("{name}: no witness for {}", change.to_value());
                }
                continue;
            };
            let member = if change.path.starts_with("/inputSchema") {
                "inputSchema"
            } else {
                "outputSchema"
            };
            let (old, new) = (
                schema(old, &change.tool, member).unwrap(),
                schema(new, &change.tool, member).unwrap(),
            );
            let (from, to) = if member == "inputSchema" {
                (old, new)
            } else {
                (new, old)
            };
            assert!(
                accepts(from, witness),
                "{name}: refused by its own side: {}",
                change.to_value()
            );
            assert!(
                !accepts(to, witness),
                "{name}: accepted by both: {}",
                change.to_value()
            );
            if member == "inputSchema" {
                inputs += 1
            } else {
                outputs += 1
            }
        }
    }
    println!(
        "{inputs} inputs and {outputs} outputs with a witness that holds; without one: {without:?}"
    );
    assert!(inputs > 0);
}

#[test]
fn a_drifted_dependency_is_noticed() {
    let Some(folder) = shared("corpus/manifests/drift") else {
        return;
    };
    let mut seen = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let pinned = entry.unwrap().path();
        let Some(stem) = pinned
            .to_str()
            .unwrap()
            .strip_suffix(".pinned.json")
            .map(str::to_owned)
        else {
            continue;
        };
        let (old, _) = read(&pinned);
        let (new, _) = read(Path::new(&format!("{stem}.newest-deps.json")));
        let diff = diff(&old, &new, Policy::PUBLISHED);
        let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
        for change in diff.changes() {
            *kinds
                .entry(format!("{} {}", change.class, change.kind))
                .or_default() += 1;
        }
        println!(
            "{}: {}, {kinds:?}",
            pinned.file_name().unwrap().display(),
            diff.verdict_str()
        );
        assert!(
            diff.verdict().is_some(),
            "{} drifted and nothing was said",
            pinned.display()
        );
        seen += 1;
    }
    assert_eq!(seen, 5);
}

#[test]
fn a_list_compared_with_itself_is_identical_in_every_form() {
    let Some(folder) = shared("corpus/manifests") else {
        return;
    };
    let mut documents = 0;
    for server in fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
    {
        for file in fs::read_dir(server).unwrap() {
            let (listing, value) = read(&file.unwrap().path());
            let tools = value["tools"].clone();
            let wrapped = Value::Object(Map::from_iter([("tools".to_owned(), tools.clone())]));
            let answer = serde_json::json!({"jsonrpc": "2.0", "id": 1, "result": wrapped});
            for form in [tools, wrapped, answer] {
                let other = Listing::read(&form.to_string()).unwrap();
                let diff = diff(&listing, &other, Policy::PUBLISHED);
                // Written again, members may be sorted; nothing else may differ.
                assert!(
                    diff.changes()
                        .iter()
                        .all(|change| change.kind == "properties_reordered"),
                    "{:?}",
                    diff.changes()
                );
                documents += 1;
            }
        }
    }
    println!("{documents} documents");
}
