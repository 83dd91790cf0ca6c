//! The manifest's bytes.

use std::path::Path;

use serde_json::{Value, json};
use tool_runtime::manifest::{DiffFormat, Listing, LockMode, Manifest, ManifestTool, SourcePlace};
use tool_runtime::manifest::{diff_command, lint_command, lock_command, manifest_command};

fn tools() -> Vec<ManifestTool> {
    let mut full = ManifestTool::new(
        "cancel_order",
        "Cancel an order. Do not use for refunds.",
        json!({"type": "object", "properties": {"z": {"minimum": 1.5, "type": "number"}, "a": {"x-unit": "\u{e9}"}},
            "if": {"required": ["z"]}, "then": {"required": ["a"]}, "dependentRequired": {"a": ["z"]}, "$anchor": "root"}),
    );
    full.title = Some("Cancel".into());
    full.aliases = vec!["stop_order".into(), "abort".into()];
    full.confirm = true;
    full.confirm_question = Some("Sure?".into());
    full.secrets = vec!["z".into()];
    full.argument_aliases
        .insert("a".into(), vec!["old_a".into()]);
    full.output_schema = Some(json!({"type": "string"}));
    full.source = Some(SourcePlace::new(
        "/home/me/shop/src/tools.rs",
        12,
        "shop::tools",
    ));
    vec![
        full,
        ManifestTool::new("archive", "Puts it away.", json!({"type": "object"})),
    ]
}

#[test]
fn the_bytes_are_fixed() {
    let text = Manifest::from_tools(tools()).to_json_string();
    let expected = r#"{
  "manifestVersion": 1,
  "tools": [
    {
      "name": "archive",
      "version": 1,
      "description": "Puts it away.",
      "risk": "medium",
      "confirm": false,
      "behaviour": {
        "destructive": true,
        "exclusive": false,
        "idempotent": false,
        "openWorld": false,
        "readOnly": false
      },
      "inputSchema": {
        "type": "object"
      },
      "fingerprint": "#;
    assert!(text.starts_with(expected), "{text}");
    assert!(!text.contains("/home"));
    assert!(text.ends_with("    }\n  ]\n}\n"));
    let mut turned = tools();
    turned.reverse();
    assert_eq!(Manifest::from_tools(turned).to_json_string(), text);
}

#[test]
fn no_tools_are_an_empty_list() {
    assert_eq!(
        Manifest::from_tools(Vec::new()).to_json_string(),
        "{\n  \"manifestVersion\": 1,\n  \"tools\": []\n}\n"
    );
}

#[test]
fn the_document_fits_its_published_schema() {
    let schema: Value = serde_json::from_str(tool_runtime::manifest::MANIFEST_SCHEMA).unwrap();
    let validator = jsonschema::options().build(&schema).unwrap();
    let check = |text: &str| {
        let document: Value = serde_json::from_str(text).unwrap();
        let errors: Vec<String> = validator
            .iter_errors(&document)
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{errors:?}");
    };
    check(&Manifest::from_tools(tools()).to_json_string());
    check(&Manifest::from_tools(Vec::new()).to_json_string());
}

#[test]
fn a_tool_survives_the_way_out_and_back() {
    for tool in tools() {
        let text = Manifest::from_tools(vec![tool.clone()]).to_json_string();
        let document: Value = serde_json::from_str(&text).unwrap();
        let mut read: ManifestTool = serde_json::from_value(document["tools"][0].clone()).unwrap();
        // Whether the risk was declared is between the author and the lint.
        read.risk_declared = tool.risk_declared;
        read.aliases.sort();
        let mut tool = tool;
        tool.aliases.sort();
        assert_eq!(read, tool);
        assert_eq!(
            read.fingerprint(),
            document["tools"][0]["fingerprint"].as_str().unwrap()
        );
    }
}

#[test]
fn the_commands_speak_and_exit() {
    let folder = std::env::temp_dir().join(format!("tool-runtime-commands-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let manifest = Manifest::from_tools(tools());
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let old = file("old.json", &manifest_command(&manifest).out);
    let mut changed = tools();
    changed[0].input_schema["properties"]["z"]["minimum"] = json!(5);
    let changed = Manifest::from_tools(changed);
    let new = file("new.json", &changed.to_json_string());
    let check = |old: &Path, new: &Path, code, text: &str| {
        let said = diff_command(old, new, DiffFormat::Text);
        assert_eq!(said.code, code, "{said:?}");
        assert!(
            said.out.contains(text) || said.err.contains(text),
            "{said:?}"
        );
    };
    check(&old, &old, 0, "verdict: identical");
    check(&old, &new, 5, "argument `z`: `minimum` was 1.5 and is 5");
    check(&new, &old, 0, "verdict: compatible");
    check(&old, &folder.join("missing.json"), 2, "cannot read");
    check(&old, &file("junk.json", "7"), 2, "expected a list of tools");
    let said = diff_command(&old, &new, DiffFormat::Json);
    let value: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(value["verdict"], "breaking");
    assert_eq!(
        value["changes"][0]["path"],
        "/inputSchema/properties/z/minimum"
    );

    let lock = folder.join("tools.lock.json");
    let mode = |accept| LockMode { accept, ci: false };
    assert!(
        lock_command(&manifest, &lock, mode(false))
            .err
            .contains("no lock")
    );
    assert_eq!(lock_command(&manifest, &lock, mode(true)).code, 0);
    assert!(
        lock_command(&manifest, &lock, mode(false))
            .out
            .contains("is what the tools promise")
    );
    let broken = lock_command(&changed, &lock, mode(false));
    assert!(
        broken.code == 1
            && broken.err.starts_with(
                "error: the published contract of `cancel_order` is broken\n  argument `z`"
            )
    );
    check(&lock, &old, 0, "verdict: identical");
    assert!(
        lint_command(&manifest, &Default::default())
            .out
            .contains("undescribed_parameter")
    );
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_argument_may_keep_its_old_name() {
    let old = ManifestTool::new(
        "t",
        "Does it.",
        json!({"type": "object", "properties": {"id": {"type": "string"}},
        "required": ["id"], "additionalProperties": false}),
    );
    let mut new = ManifestTool::new(
        "t",
        "Does it.",
        json!({"type": "object", "properties": {"order_id": {"type": "string"}},
        "required": ["order_id"], "additionalProperties": false}),
    );
    let verdict = |new: &ManifestTool| {
        let of = |tool: &ManifestTool| Listing::from(&Manifest::from_tools(vec![tool.clone()]));
        tool_runtime::manifest::diff(
            &of(&old),
            &of(new),
            tool_runtime::manifest::Policy::ENFORCED,
        )
        .verdict_str()
    };
    assert_eq!(verdict(&new), "breaking");
    new.argument_aliases
        .insert("order_id".into(), vec!["id".into()]);
    assert_eq!(verdict(&new), "compatible");
}
