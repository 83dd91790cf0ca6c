//! The order of the steps, and exactly one result a call.

use std::future::Future;
use std::pin::Pin;

use serde_json::Value;
use tool_runtime::journal::{Event, Journal, JournalError, MemoryJournal, Pending, Record};
use tool_runtime::{
    Answer, Confirm, Confirmation, Dispatcher, PolicyRequest, ToolCall, TraceId, Verdict,
};

use crate::support::{Effects, block_on, code, data, shop, verdict};

/// A journal that notes what is recorded, and can fail.
#[derive(Debug, Default)]
struct Noting {
    effects: Effects,
    inner: MemoryJournal,
    fails: bool,
}

impl Journal for Noting {
    fn append<'a>(&'a self, stream: TraceId, expected: u64, record: Record) -> Pending<'a, ()> {
        let name = match &record.event {
            Event::Asked(_) => "asked".to_owned(),
            Event::Approved { .. } => "approved".to_owned(),
            Event::Rejected { .. } => "rejected".to_owned(),
            Event::Started { .. } => "started".to_owned(),
            Event::Finished { code, .. } => format!("finished {code}"),
            _ => "other".to_owned(),
        };
        self.effects.note(format!("journal: {name}"));
        if self.fails {
            return Box::pin(async {
                Err(JournalError::Store {
                    place: "nowhere".to_owned(),
                    source: std::io::ErrorKind::StorageFull.into(),
                })
            });
        }
        self.inner.append(stream, expected, record)
    }

    fn read<'a>(&'a self, stream: TraceId) -> Pending<'a, Vec<Record>> {
        self.inner.read(stream)
    }

    fn approvals<'a>(&'a self) -> Pending<'a, Vec<TraceId>> {
        self.inner.approvals()
    }
}

/// A person at the terminal who always agrees.
struct Agrees(Effects);

impl Confirm for Agrees {
    fn ask<'a>(
        &'a self,
        confirmation: &'a Confirmation,
    ) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>> {
        self.0.note(format!("person: {}", confirmation.arguments));
        Box::pin(async {
            Answer::Yes {
                by: "ann".to_owned(),
            }
        })
    }
}

fn watched(fails: bool) -> (Dispatcher, Effects) {
    let effects = Effects::default();
    let seen = effects.clone();
    let dispatcher = Dispatcher::builder()
        .registry(shop())
        .context(effects.clone())
        .policy(move |request: &PolicyRequest<'_>| {
            seen.note(format!("policy: {}", request.arguments()));
            Verdict::Abstain
        })
        .confirm(Agrees(effects.clone()))
        .journal(Noting {
            effects: effects.clone(),
            fails,
            ..Noting::default()
        })
        .build()
        .unwrap();
    (dispatcher, effects)
}

#[test]
fn a_risky_call_is_judged_then_asked_then_recorded_then_run_then_recorded() {
    let (dispatcher, effects) = watched(false);
    let call = ToolCall::new("refund", r#"{"order":1.0,"cents":500}"#);
    let outcome = block_on(dispatcher.dispatch(call));
    assert_eq!(verdict(&outcome), "ok integral_float:/order");
    let arguments = r#"{"cents":500,"order":1}"#;
    let asked = format!("policy: {arguments}");
    let person = format!("person: {arguments}");
    assert_eq!(
        effects.take(),
        [
            asked.as_str(),
            "journal: asked",
            &person,
            // The recheck: while a person thinks, the rules may change.
            &asked,
            "journal: approved",
            "journal: started",
            r#"refund{"cents":500,"order":1,"reason":null}"#,
            "journal: finished ok",
        ]
    );
}

#[test]
fn a_call_that_only_reads_leaves_its_outcome_alone() {
    let (dispatcher, effects) = watched(false);
    block_on(dispatcher.dispatch(ToolCall::new("get_order", r#"{"id":1}"#)));
    assert_eq!(
        effects.take(),
        [
            r#"policy: {"id":1}"#,
            r#"get_order{"id":1}"#,
            "journal: finished ok",
        ]
    );
}

#[test]
fn a_call_that_changes_something_is_recorded_before_it_runs() {
    let (dispatcher, effects) = watched(false);
    block_on(dispatcher.dispatch(ToolCall::new("add_note", r#"{"order":1,"text":"x"}"#)));
    assert_eq!(
        effects.take(),
        [
            r#"policy: {"order":1,"text":"x"}"#,
            "journal: started",
            r#"add_note{"order":1,"pinned":null,"text":"x"}"#,
            "journal: finished ok",
        ]
    );
}

#[test]
fn nothing_follows_a_step_that_says_no() {
    let (dispatcher, effects) = watched(false);
    for (tool, arguments) in [
        ("nothing", "{}"),
        ("refund", "{"),
        ("refund", r#"{"order":1}"#),
        ("refund", r#"{"order":1,"cents":1,"cents":1}"#),
    ] {
        let outcome = block_on(dispatcher.dispatch(ToolCall::new(tool, arguments)));
        assert!(!outcome.is_ok());
        assert_eq!(effects.take(), Vec::<String>::new(), "{tool}: {arguments}");
    }
}

#[test]
fn what_cannot_be_recorded_is_not_run_unless_it_only_reads() {
    let (dispatcher, effects) = watched(true);
    for (tool, arguments) in [
        ("add_note", r#"{"order":1,"text":"x"}"#),
        ("refund", r#"{"order":1,"cents":1}"#),
    ] {
        let outcome = block_on(dispatcher.dispatch(ToolCall::new(tool, arguments)));
        assert_eq!(code(&outcome), "unavailable", "{tool}");
        assert!(!outcome.to_json().contains("nowhere"));
        assert_eq!(effects.count(), 0, "{tool}");
    }
    let outcome = block_on(dispatcher.dispatch(ToolCall::new("get_order", r#"{"id":1}"#)));
    assert!(outcome.is_ok());
    assert_eq!(effects.count(), 1);
}

#[test]
fn every_outcome_has_a_trace_and_one_wire_form() {
    let (dispatcher, _) = watched(false);
    let calls = [
        ("get_order", r#"{"id":1}"#),
        ("get_order", "{}"),
        ("get_order", "{"),
        ("nothing", "{}"),
        ("", ""),
        ("refund", r#"{"order":1,"cents":1}"#),
    ];
    let mut traces = std::collections::BTreeSet::new();
    for (tool, arguments) in calls {
        let outcome = block_on(dispatcher.dispatch(ToolCall::new(tool, arguments)));
        let wire: Value = serde_json::from_str(&outcome.to_json()).unwrap();
        let trace = wire["traceId"].as_str().unwrap();
        assert_eq!(trace, outcome.trace_id.to_string());
        assert_eq!(trace.len(), 32);
        assert!(traces.insert(trace.to_owned()), "every call has its own");
        assert_eq!(wire["ok"], outcome.is_ok());
        let members: Vec<&str> = if outcome.is_ok() {
            vec!["ok", "toolName", "data", "traceId"]
        } else {
            vec![
                "ok",
                "toolName",
                "errorType",
                "code",
                "message",
                "executed",
                "retryable",
                "source",
                "traceId",
            ]
        };
        for member in members {
            assert!(wire.get(member).is_some(), "{member} in {wire}");
        }
    }
}

#[test]
fn case_72_several_calls_give_as_many_results_in_their_order() {
    let (dispatcher, effects) = watched(false);
    let calls = [
        ("a", "get_order", r#"{"id":1}"#),
        ("b", "get_order", r#"{"id":"x"}"#),
        ("b", "nothing", "{}"),
        ("d", "add_note", r#"{"order":1,"text":"x"}"#),
    ];
    let outcomes: Vec<_> = calls
        .iter()
        .map(|(id, tool, arguments)| {
            block_on(dispatcher.dispatch(ToolCall::new(*tool, *arguments).with_id(*id)))
        })
        .collect();
    let ids: Vec<_> = outcomes
        .iter()
        .filter_map(|o| o.call_id.as_deref())
        .collect();
    assert_eq!(ids, ["a", "b", "b", "d"]);
    let ok: Vec<bool> = outcomes.iter().map(|o| o.is_ok()).collect();
    assert_eq!(ok, [true, false, false, true]);
    assert_eq!(effects.count(), 2);
}

#[test]
fn any_executor_will_do() {
    // `set_flag` runs off the executor; without a runtime that is a thread of its own.
    let (dispatcher, effects) = watched(false);
    let outcome =
        block_on(dispatcher.dispatch(ToolCall::new("set_flag", r#"{"name":"a","on":true}"#)));
    assert_eq!(data(&outcome)["on"], true);
    assert_eq!(effects.count(), 1);
}
