//! What each kind of edit does to a published contract.

use serde_json::{Value, json};
use tool_runtime::Risk;
use tool_runtime::manifest::{
    LockMode, LockReport, Manifest, ManifestTool, SourcePlace, check_lock, lock_text,
};

fn cancel_order() -> ManifestTool {
    ManifestTool {
        risk: Risk::High,
        confirm: true,
        confirm_question: Some("Cancel the order? The customer is told at once.".into()),
        source: Some(SourcePlace::new("src/tools.rs", 12, "orders::tools")),
        ..ManifestTool::new(
            "cancel_order",
            "Cancel an order that has not shipped yet.",
            json!({
                "type": "object",
                "properties": {
                    "order_id": {"type": "string", "pattern": "^A\\d{4}$", "description": "The order number, for example A1001."},
                    "reason": {"type": "string", "enum": ["late", "user_request", "wrong_address"]},
                    "notify": {"type": "boolean", "default": true}
                },
                "required": ["order_id", "reason"],
                "additionalProperties": false
            }),
        )
    }
}

fn edited(edit: impl FnOnce(&mut ManifestTool)) -> LockReport {
    let published = lock_text(&Manifest::from_tools(vec![cancel_order()]));
    let mut tool = cancel_order();
    edit(&mut tool);
    check_lock(
        &Manifest::from_tools(vec![tool]),
        Some(&published),
        "tools.lock.json",
        LockMode::default(),
    )
}

fn property<'a>(tool: &'a mut ManifestTool, name: &str) -> &'a mut Value {
    &mut tool.input_schema["properties"][name]
}

/// The build fails with one block that has these lines among others.
fn refused(report: &LockReport, lines: &[&str]) {
    println!("{}\n", report.errors.join("\n"));
    assert_eq!(report.errors.len(), 1, "{report:#?}");
    for line in lines {
        assert!(
            report.errors[0].lines().any(|one| one.trim() == *line),
            "no line `{line}` in\n{}",
            report.errors[0]
        );
    }
    assert!(report.write.is_none());
}

/// The build passes and says that the lock is behind.
fn passed(report: &LockReport, what: &str) {
    println!("{}\n", report.warnings.join("\n"));
    assert!(report.errors.is_empty(), "{report:#?}");
    assert!(
        report.warnings.iter().any(|warning| warning.contains(what)),
        "{report:#?}"
    );
}

#[test]
fn an_enum_value_dropped() {
    refused(
        &edited(|tool| property(tool, "reason")["enum"] = json!(["late", "user_request"])),
        &[
            "the published contract of `cancel_order` is broken",
            "argument `reason`: no longer accepts \"wrong_address\"",
            r#"a call that worked and would now be refused: {"order_id":"A0000","reason":"wrong_address"}"#,
            "help: keep accepting it, raise `version`, or accept the change: TOOLS_LOCK=accept cargo build",
        ],
    );
}

#[test]
fn an_argument_renamed() {
    let report = edited(|tool| {
        let schema = property(tool, "order_id").take();
        let properties = tool.input_schema["properties"].as_object_mut().unwrap();
        properties.remove("order_id");
        properties.insert("order".into(), schema);
        tool.input_schema["required"] = json!(["order", "reason"]);
    });
    refused(
        &report,
        &[
            "argument `order_id`: renamed to `order`: a call that still sends it is refused",
            r#"a call that worked and would now be refused: {"order_id":"A0000","reason":"late"}"#,
        ],
    );
}

#[test]
fn a_required_argument_added() {
    refused(
        &edited(|tool| {
            *property(tool, "shop") = json!({"type": "string"});
            tool.input_schema["required"] = json!(["order_id", "reason", "shop"]);
        }),
        &["argument `shop`: new and required: every old call is refused"],
    );
}

#[test]
fn the_risk_lowered() {
    refused(
        &edited(|tool| tool.risk = Risk::Medium),
        &[
            "the declared risk of `cancel_order` changed",
            "the risk was high and is medium",
        ],
    );
}

#[test]
fn the_confirmation_removed() {
    refused(
        &edited(|tool| {
            tool.confirm = false;
            tool.confirm_question = None;
        }),
        &["nobody is asked any more before a call runs"],
    );
}

#[test]
fn a_flag_that_admits_to_less() {
    refused(
        &edited(|tool| tool.behaviour.destructive = false),
        &["`destructive` was true and is false"],
    );
}

#[test]
fn a_secret_laid_open() {
    let mut published = cancel_order();
    published.secrets = vec!["order_id".into()];
    let lock = lock_text(&Manifest::from_tools(vec![published]));
    let report = check_lock(
        &Manifest::from_tools(vec![cancel_order()]),
        Some(&lock),
        "tools.lock.json",
        LockMode::default(),
    );
    refused(
        &report,
        &["argument `order_id` is no longer secret: journals and questions will show it"],
    );
}

#[test]
fn a_narrower_integer_without_a_bound_in_the_schema() {
    let mut published = cancel_order();
    *property(&mut published, "count") =
        json!({"type": "integer", "format": "uint64", "minimum": 0});
    let lock = lock_text(&Manifest::from_tools(vec![published.clone()]));
    *property(&mut published, "count") =
        json!({"type": "integer", "format": "uint32", "minimum": 0});
    let report = check_lock(
        &Manifest::from_tools(vec![published]),
        Some(&lock),
        "tools.lock.json",
        LockMode::default(),
    );
    refused(
        &report,
        &[
            r#"a call that worked and would now be refused: {"count":4294967296,"order_id":"A0000","reason":"late"}"#,
        ],
    );
}

#[test]
fn words_only() {
    passed(
        &edited(|tool| tool.description.push_str(" Ask first.")),
        "1 semantic",
    );
}

#[test]
fn what_callers_do_not_notice() {
    passed(
        &edited(|tool| *property(tool, "note") = json!({"type": "string"})),
        "1 compatible",
    );
    passed(
        &edited(|tool| {
            property(tool, "reason")["enum"] =
                json!(["late", "user_request", "wrong_address", "other"])
        }),
        "1 compatible",
    );
    passed(&edited(|tool| tool.version = 2), "1 compatible");
}

#[test]
fn more_risk_passes_and_is_said() {
    passed(&edited(|tool| tool.behaviour.open_world = true), "1 risk");
}

#[test]
fn a_tool_that_moved_changes_nothing() {
    let report =
        edited(|tool| tool.source = Some(SourcePlace::new("src/other.rs", 99, "orders::other")));
    assert_eq!(report, LockReport::default());
}

#[test]
fn a_tool_renamed() {
    let report = edited(|tool| tool.name = "cancel".into());
    refused(
        &report,
        &["gone: a call gets an unknown-tool error; its work seems to be done by `cancel` now"],
    );
    assert!(report.errors[0].contains("alias = \"cancel_order\""));
    passed(
        &edited(|tool| {
            tool.name = "cancel".into();
            tool.aliases = vec!["cancel_order".into()];
        }),
        "1 compatible",
    );
}

#[test]
fn a_version_that_goes_back() {
    let mut published = cancel_order();
    published.version = 3;
    let lock = lock_text(&Manifest::from_tools(vec![published]));
    let report = check_lock(
        &Manifest::from_tools(vec![cancel_order()]),
        Some(&lock),
        "tools.lock.json",
        LockMode::default(),
    );
    refused(&report, &["the version went back from 3 to 1"]);
}

#[test]
fn a_lock_that_cannot_be_read() {
    let manifest = Manifest::from_tools(vec![cancel_order()]);
    for accept in [false, true] {
        let mode = LockMode { accept, ci: false };
        let report = check_lock(&manifest, Some("<<<<<<< HEAD\n{}"), "tools.lock.json", mode);
        assert!(
            report.errors[0].starts_with("cannot read the lock tools.lock.json: not JSON"),
            "{report:#?}"
        );
        assert!(report.write.is_none());
    }
}
