//! The command line, as a person, a script or another process uses it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

/// A folder for the state of one test, which goes with it.
struct Data(PathBuf);

impl Data {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("orders-cli-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        Self(folder)
    }

    fn path(&self) -> &Path {
        &self.0
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_orders"));
        command
            .args(arguments)
            .arg("--data")
            .arg(self.path())
            .stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// The one outcome on stdout, and the exit code.
    #[track_caller]
    fn outcome(&self, arguments: &[&str]) -> (Value, i32) {
        let output = self.run(arguments);
        let text = String::from_utf8(output.stdout).unwrap();
        let outcome = serde_json::from_str(&text).unwrap_or_else(|error| {
            panic!(
                "{error} in {text:?}, with {}",
                String::from_utf8_lossy(&output.stderr)
            )
        });
        (outcome, output.status.code().unwrap())
    }

    #[track_caller]
    fn status(&self, order_id: &str) -> String {
        let arguments = json!({"order_id": order_id}).to_string();
        let (outcome, _) = self.outcome(&["call", "get_order_status", &arguments]);
        outcome["data"]["status"].as_str().unwrap().to_owned()
    }
}

impl Drop for Data {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The paths of the errors, in order.
fn paths(outcome: &Value) -> Vec<&str> {
    let errors = outcome["errors"].as_array().unwrap();
    errors
        .iter()
        .map(|error| error["path"].as_str().unwrap())
        .collect()
}

#[test]
fn a_good_call() {
    let data = Data::new("good");
    let (outcome, code) = data.outcome(&["call", "get_order_status", r#"{"order_id":"A1001"}"#]);
    assert_eq!(code, 0);
    assert_eq!(outcome["ok"], true);
    assert_eq!(outcome["toolName"], "get_order_status");
    assert_eq!(outcome["data"]["status"], "delivered");
    assert_eq!(outcome["traceId"].as_str().unwrap().len(), 32);
}

#[test]
fn a_number_where_a_string_is_due() {
    let data = Data::new("number");
    let (outcome, code) = data.outcome(&["call", "get_order_status", r#"{"order_id":1001}"#]);
    assert_eq!(code, 1);
    assert_eq!(outcome["errorType"], "invalid_arguments");
    assert_eq!(outcome["executed"], "no");
    assert_eq!(paths(&outcome), ["/order_id"]);
    let message = outcome["errors"][0]["message"].as_str().unwrap();
    assert!(
        message.contains("string") && message.contains("number"),
        "{message}"
    );
}

#[test]
fn every_problem_at_once() {
    let data = Data::new("problems");
    let (outcome, code) = data.outcome(&[
        "call",
        "calculate_refund_estimate",
        r#"{"reason":"whatever","order":"A1001"}"#,
    ]);
    assert_eq!(code, 1);
    assert_eq!(outcome["errorType"], "invalid_arguments");
    assert_eq!(paths(&outcome), ["/order", "/order_id", "/reason"]);
    let text = |i: usize| outcome["errors"][i]["message"].as_str().unwrap();
    assert!(text(0).contains("did you mean `order_id`?"), "{}", text(0));
    assert!(text(1).contains("missing"), "{}", text(1));
    for value in ["damaged", "wrong_item", "late_delivery", "changed_mind"] {
        assert!(text(2).contains(value), "{}", text(2));
    }
}

#[test]
fn an_invented_tool() {
    let data = Data::new("invented");
    let (outcome, code) = data.outcome(&["call", "search_file", "{}"]);
    assert_eq!(code, 1);
    assert_eq!(outcome["errorType"], "unknown_tool");
    assert_eq!(outcome["suggestions"], json!(["search_policy_docs"]));
}

const CANCEL: [&str; 3] = [
    "call",
    "cancel_order",
    r#"{"order_id":"A1002","reason":"user_request"}"#,
];

#[test]
fn an_approval_runs_once() {
    let data = Data::new("approval");
    let (asked, code) = data.outcome(&CANCEL);
    assert_eq!(code, 1);
    assert_eq!(asked["errorType"], "confirmation_required");
    assert_eq!(asked["executed"], "no");
    // What is asked for is what will run: the default is in it.
    assert_eq!(
        asked["confirmation"]["arguments"],
        json!({"order_id": "A1002", "reason": "user_request", "notify": true})
    );
    assert_eq!(data.status("A1002"), "open");

    let id = asked["confirmation"]["approvalId"].as_str().unwrap();
    let listed = String::from_utf8(data.run(&["approvals"]).stdout).unwrap();
    assert!(
        listed.contains(id) && listed.contains("pending"),
        "{listed}"
    );

    let (approved, code) = data.outcome(&["approve", id, "--by", "ada"]);
    assert_eq!((&approved["ok"], code), (&json!(true), 0));
    assert_eq!(data.status("A1002"), "cancelled");

    let (again, code) = data.outcome(&["approve", id]);
    assert_eq!(code, 1);
    assert_eq!(again["code"], "duplicate_call");
    assert_eq!(again["executed"], "no");
    assert_eq!(data.status("A1002"), "cancelled");

    let (late, code) = data.outcome(&["reject", id, "--reason", "too late"]);
    assert_eq!((&late["code"], code), (&json!("duplicate_call"), 1));
    let journal = std::fs::read_to_string(data.path().join("journal.jsonl")).unwrap();
    assert_eq!(
        journal.matches(r#""event":"approved","by":"ada""#).count(),
        1
    );
}

#[test]
fn of_two_approvals_at_once_one_runs() {
    let data = Data::new("race");
    let (asked, _) = data.outcome(&CANCEL);
    let id = asked["confirmation"]["approvalId"].as_str().unwrap();
    let racers: Vec<_> = (0..2)
        .map(|_| {
            data.command(&["approve", id])
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    let wins = racers
        .into_iter()
        .map(|racer| racer.wait_with_output().unwrap())
        .filter(|output| output.status.success())
        .count();
    assert_eq!(wins, 1);
    assert_eq!(data.status("A1002"), "cancelled");
}

#[test]
fn a_rejection_ends_it() {
    let data = Data::new("reject");
    let (asked, _) = data.outcome(&CANCEL);
    let id = asked["confirmation"]["approvalId"].as_str().unwrap();
    let (rejected, code) = data.outcome(&["reject", id, "--reason", "the customer called again"]);
    assert_eq!((&rejected["code"], code), (&json!("denied"), 0));
    let message = rejected["message"].as_str().unwrap();
    assert!(message.contains("the customer called again"), "{message}");
    let (outcome, code) = data.outcome(&["approve", id]);
    assert_eq!((&outcome["code"], code), (&json!("denied"), 1));
    assert_eq!(data.status("A1002"), "open");
}

#[test]
fn without_a_terminal_nobody_says_yes() {
    let data = Data::new("yes");
    let (outcome, code) = data.outcome(&[&CANCEL[..], &["--yes"]].concat());
    assert_eq!((&outcome["code"], code), (&json!("pending"), 1));
    assert_eq!(data.status("A1002"), "open");
}

#[test]
fn arguments_come_from_stdin_too() {
    let data = Data::new("stdin");
    let input = data.path().with_extension("json");
    std::fs::write(&input, r#"{"query":"refund","limit":1}"#).unwrap();
    let output = data
        .command(&["call", "search_policy_docs", "-"])
        .stdin(std::fs::File::open(&input).unwrap())
        .output()
        .unwrap();
    std::fs::remove_file(input).unwrap();
    let outcome: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(outcome["data"][0]["title"], "How refunds are paid");
}

#[test]
fn an_effect_is_there_in_a_later_run() {
    let data = Data::new("effect");
    let ticket = json!({
        "subject": "The lamp flickers",
        "contact": {"name": "Ada", "email": "ada@example.org"},
        "facts": ["It flickers.", "A new bulb did not help."],
        "order_id": "A1001",
    });
    for number in 1..=2 {
        let (outcome, code) =
            data.outcome(&["call", "create_support_ticket_draft", &ticket.to_string()]);
        assert_eq!(code, 0, "{outcome}");
        assert_eq!(outcome["data"]["ticket"], number);
        assert_eq!(outcome["data"]["priority"], "normal");
    }
}

#[test]
fn a_refund_is_paid_once_and_not_too_much() {
    let data = Data::new("refund");
    let call = |amount: u64| {
        let arguments = json!({"order_id": "A1001", "amount_cents": amount, "reason": "damaged"});
        let (asked, _) = data.outcome(&["call", "issue_refund", &arguments.to_string()]);
        let id = asked["confirmation"]["approvalId"].as_str().unwrap();
        data.outcome(&["approve", id]).0
    };
    assert_eq!(call(5000)["data"]["refunded_cents"], 5000);
    let refused = call(5000);
    assert_eq!(refused["code"], "too_much");
    assert_eq!(refused["executed"], "no");
}

#[test]
fn a_wrong_command_line_is_told_and_exits_with_2() {
    let data = Data::new("usage");
    for arguments in [
        &["call", "get_order_status"][..],
        &["frobnicate"],
        &["approve"],
        &["manifest", "--provider", "nobody"],
    ] {
        let output = data.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(
            output.stdout.is_empty() && !output.stderr.is_empty(),
            "{arguments:?}"
        );
    }
    assert!(
        !data.path().exists(),
        "nothing was asked, so nothing is kept"
    );
}

#[test]
fn looking_leaves_no_trace() {
    let data = Data::new("looking");
    let list = String::from_utf8(data.run(&["list"]).stdout).unwrap();
    let names: Vec<_> = list
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(
        names,
        [
            "calculate_refund_estimate",
            "cancel_order",
            "create_support_ticket_draft",
            "get_order_status",
            "issue_refund",
            "search_policy_docs"
        ]
    );
    assert!(list.lines().all(|line| line.chars().count() <= 80));
    let show = String::from_utf8(data.run(&["show", "cancel_order"]).stdout).unwrap();
    assert!(
        show.contains("asks before every run") && show.contains("# Do not use for"),
        "{show}"
    );
    assert_eq!(data.run(&["show", "cancel_ordr"]).status.code(), Some(1));
    assert!(!data.path().exists());
}

/// What the build script wrote down is what the program says of itself.
#[test]
fn the_manifest_of_the_build_is_the_programs_own() {
    let data = Data::new("manifest");
    let printed = String::from_utf8(data.run(&["manifest"]).stdout).unwrap();
    assert_eq!(printed, tool_runtime::manifest!());
    let manifest: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(manifest["tools"].as_array().unwrap().len(), 6);
}

#[test]
fn the_manifest_has_the_shape_of_each_provider() {
    let data = Data::new("shapes");
    let printed = |provider| -> Vec<Value> {
        let output = data.run(&["manifest", "--provider", provider]);
        serde_json::from_slice(&output.stdout).unwrap()
    };
    for definition in printed("openai") {
        assert_eq!(definition["type"], "function");
        assert_eq!(definition["function"]["parameters"]["type"], "object");
    }
    for definition in printed("anthropic") {
        assert_eq!(definition["input_schema"]["type"], "object");
        assert!(definition["name"].is_string() && definition["description"].is_string());
    }
}

#[test]
fn the_story_is_told_in_80_columns() {
    let output = Command::new(env!("CARGO_BIN_EXE_orders"))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success());
    let story = String::from_utf8(output.stdout).unwrap();
    for line in story.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    for part in [
        "1. The tools.",
        "invalid_arguments",
        "unknown_tool",
        "confirmation_required",
        "duplicate_call",
        "approved by ada",
        "finished ok, executed: yes",
    ] {
        assert!(story.contains(part), "{part} is missing in:\n{story}");
    }
}
