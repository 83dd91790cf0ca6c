//! The question before a risky call: bound to the exact arguments, used once, lapsing.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use serde_json::{Value, json};
use tool_runtime::__private::{Of, OfValue as _, Parameter, Run, StaticTool};
use tool_runtime::journal::{ApprovalState, Event, FileJournal, Journal as _};
use tool_runtime::{
    Answer, ApprovalError, Confirm, Confirmation, Dispatcher, DynamicTool, PolicyRequest, Registry,
    Risk, ToolCall, ToolOutcome, Verdict,
};

use crate::support::{
    Clock, Effects, TOOL, approval, arg, block_on, code, data, message, shop, verdict,
};

const REFUND: &str = r#"{"order":1,"cents":500}"#;

fn dispatcher() -> (Dispatcher, Effects, Clock) {
    let (effects, clock) = (Effects::default(), Clock::default());
    let dispatcher = Dispatcher::builder()
        .registry(shop())
        .context(effects.clone())
        .clock(clock.now())
        .build()
        .unwrap();
    (dispatcher, effects, clock)
}

fn call(dispatcher: &Dispatcher, tool: &str, arguments: &str) -> ToolOutcome {
    block_on(dispatcher.dispatch(ToolCall::new(tool, arguments)))
}

fn approve(dispatcher: &Dispatcher, id: &str) -> Result<ToolOutcome, ApprovalError> {
    block_on(dispatcher.approve(id, "ann"))
}

fn reject(dispatcher: &Dispatcher, id: &str) -> Result<ToolOutcome, ApprovalError> {
    block_on(dispatcher.reject(id, "bob", Some("too much")))
}

fn states(dispatcher: &Dispatcher) -> Vec<ApprovalState> {
    let approvals = block_on(dispatcher.approvals()).unwrap();
    approvals
        .into_iter()
        .map(|approval| approval.state)
        .collect()
}

#[test]
fn a16_nothing_of_the_tool_runs_before_the_approval() {
    let (dispatcher, effects, _) = dispatcher();
    let outcome = call(&dispatcher, "refund", REFUND);
    assert_eq!(verdict(&outcome), "pending");
    let failure = outcome.failure().unwrap();
    assert_eq!(failure.error_type.as_str(), "confirmation_required");
    assert_eq!(failure.executed.as_str(), "no");
    assert!(!failure.is_error() && !failure.retryable);
    let confirmation = failure.confirmation.as_ref().unwrap();
    assert_eq!(confirmation.question, "Pay the money back?");
    assert_eq!(confirmation.risk, Risk::High);
    assert_eq!(confirmation.arguments, json!({"order": 1, "cents": 500}));
    assert_eq!(confirmation.expires_at, "2023-11-14T22:28:20Z");
    assert_eq!(states(&dispatcher), [ApprovalState::Pending]);
    assert_eq!((effects.count(), effects.take()), (0, vec![]));
}

#[test]
fn a_tool_that_states_no_question_is_asked_about_by_name() {
    let (dispatcher, _, _) = dispatcher();
    let outcome = call(&dispatcher, "wire", r#"{"to":"x","cents":1}"#);
    let confirmation = outcome.failure().unwrap().confirmation.clone().unwrap();
    assert_eq!(confirmation.question, "Run `wire`? Its risk is high.");
}

#[test]
fn a_first_approval_runs_the_call_and_a_second_changes_nothing_and_says_so() {
    let (dispatcher, effects, _) = dispatcher();
    let asked = ToolCall::new("refund", REFUND).with_id("call_9");
    let waiting = approval(&block_on(dispatcher.dispatch(asked)));
    let outcome = approve(&dispatcher, &waiting).unwrap();
    assert_eq!(data(&outcome)["cents"], 500);
    assert_eq!(outcome.call_id.as_deref(), Some("call_9"));
    assert_eq!(outcome.trace_id.to_string(), waiting);
    for _ in 0..2 {
        let error = approve(&dispatcher, &waiting).unwrap_err();
        let ApprovalError::Used { outcome, code, .. } = &error else {
            panic!("{error}")
        };
        // The result as it was recorded comes with it.
        assert_eq!(code, "ok");
        assert_eq!(outcome.as_ref().unwrap()["data"]["cents"], 500);
        assert!(error.to_string().contains("nothing was run again"));
        assert_eq!(error.to_outcome().failure().unwrap().code, "duplicate_call");
    }
    assert_eq!(effects.count(), 1);
}

#[test]
fn a01_a_call_made_again_asks_again() {
    let (dispatcher, effects, _) = dispatcher();
    let first = approval(&call(&dispatcher, "refund", REFUND));
    approve(&dispatcher, &first).unwrap();
    let again = call(&dispatcher, "refund", REFUND);
    assert_eq!(verdict(&again), "pending");
    assert_ne!(approval(&again), first);
    assert_eq!(effects.count(), 1);
}

#[test]
fn a02_an_approval_does_not_cover_other_arguments_or_another_tool() {
    let (dispatcher, effects, _) = dispatcher();
    let small = approval(&call(&dispatcher, "refund", REFUND));
    let large = approval(&call(&dispatcher, "refund", r#"{"order":1,"cents":50000}"#));
    let wire = approval(&call(&dispatcher, "wire", r#"{"to":"x","cents":500}"#));
    approve(&dispatcher, &small).unwrap();
    assert_eq!(
        effects.take(),
        [r#"refund{"cents":500,"order":1,"reason":null}"#]
    );
    assert_eq!(effects.count(), 1);
    // The others wait as before, each for its own answer.
    let waiting = block_on(dispatcher.approvals()).unwrap();
    let open: Vec<String> = waiting
        .iter()
        .filter(|approval| approval.state == ApprovalState::Pending)
        .map(|approval| approval.approval_id.to_string())
        .collect();
    assert_eq!(open, [large, wire]);
}

#[test]
fn a09_what_was_asked_is_what_runs() {
    let (dispatcher, effects, _) = dispatcher();
    let mut arguments = json!({"order": 1, "cents": 500});
    let outcome = block_on(dispatcher.dispatch(ToolCall::new("refund", &arguments)));
    arguments["cents"] = json!(99_999);
    approve(&dispatcher, &approval(&outcome)).unwrap();
    assert_eq!(
        effects.take(),
        [r#"refund{"cents":500,"order":1,"reason":null}"#]
    );
}

#[test]
fn a15_a_tool_that_arrives_at_run_time_is_asked_about_too() {
    let effects = Effects::default();
    let seen = effects.clone();
    let tool = DynamicTool::new(
        "imported",
        "From another server; nobody has stated its risk.",
        json!({"type": "object"}),
        move |_, _| {
            seen.happened("imported");
            async { Ok(Value::Null) }
        },
    );
    let mut registry = Registry::new();
    registry.add(tool).unwrap();
    let dispatcher = Dispatcher::builder().registry(registry).build().unwrap();
    let waiting = approval(&call(&dispatcher, "imported", "{}"));
    reject(&dispatcher, &waiting).unwrap();
    assert!(approve(&dispatcher, &waiting).is_err());
    assert_eq!(effects.count(), 0);
}

#[test]
fn a17_each_of_several_questions_is_answered_alone_in_any_order() {
    let folder = tempfile::tempdir().unwrap();
    let effects = Effects::default();
    let open = || {
        Dispatcher::builder()
            .registry(shop())
            .context(effects.clone())
            .journal(FileJournal::open(folder.path().join("journal")).unwrap())
            .build()
            .unwrap()
    };
    let dispatcher = open();
    let ids: Vec<String> = (1..=3)
        .map(|order| {
            let arguments = format!(r#"{{"order":{order},"cents":5}}"#);
            approval(&call(&dispatcher, "refund", &arguments))
        })
        .collect();
    // A safe sibling is not held up.
    assert!(call(&dispatcher, "get_order", r#"{"id":1}"#).is_ok());
    effects.take();
    approve(&dispatcher, &ids[2]).unwrap();
    drop(dispatcher);
    let dispatcher = open();
    approve(&dispatcher, &ids[0]).unwrap();
    reject(&dispatcher, &ids[1]).unwrap();
    let ran = effects.take();
    assert!(ran[0].contains(r#""order":3"#) && ran[1].contains(r#""order":1"#));
    assert_eq!(ran.len(), 2);
}

#[test]
fn a20_a24_a_restart_between_question_and_answer_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let effects = Effects::default();
    let open = || {
        Dispatcher::builder()
            .registry(shop())
            .context(effects.clone())
            .journal(FileJournal::open(&path).unwrap())
            .build()
            .unwrap()
    };
    let (first, second) = {
        let dispatcher = open();
        let first = call(&dispatcher, "refund", r#"{"order":1.0,"cents":500}"#);
        let second = call(&dispatcher, "refund", REFUND);
        (approval(&first), approval(&second))
    };
    assert_eq!(effects.count(), 0);
    let dispatcher = open();
    assert_eq!(
        states(&dispatcher),
        [ApprovalState::Pending, ApprovalState::Pending]
    );
    let outcome = approve(&dispatcher, &first).unwrap();
    assert_eq!(data(&outcome)["order"], 1);
    reject(&dispatcher, &second).unwrap();
    // And what was decided is still decided in the next process.
    let dispatcher = open();
    assert!(matches!(
        approve(&dispatcher, &first),
        Err(ApprovalError::Used { .. })
    ));
    assert!(matches!(
        approve(&dispatcher, &second),
        Err(ApprovalError::Conflict {
            decided: "rejected",
            ..
        })
    ));
    assert_eq!(effects.count(), 1);
}

#[test]
fn a22_an_approval_that_never_came_to_its_run_is_still_good_for_one() {
    let folder = tempfile::tempdir().unwrap();
    let journal = FileJournal::open(folder.path().join("journal")).unwrap();
    let effects = Effects::default();
    let open = || {
        Dispatcher::builder()
            .registry(shop())
            .context(effects.clone())
            .journal(journal.clone())
            .build()
            .unwrap()
    };
    let waiting = approval(&call(&open(), "refund", REFUND));
    // The process died between the decision and the intent: the journal holds the decision and nothing behind it.
    let mut record = block_on(journal.read(waiting.parse_id()))
        .unwrap()
        .remove(0);
    record.event = Event::Approved {
        by: "ann".to_owned(),
    };
    block_on(journal.append(waiting.parse_id(), 1, record)).unwrap();
    let dispatcher = open();
    assert_eq!(
        states(&dispatcher),
        [ApprovalState::Approved {
            by: "ann".to_owned()
        }]
    );
    assert!(approve(&dispatcher, &waiting).unwrap().is_ok());
    assert!(approve(&dispatcher, &waiting).is_err());
    assert_eq!(effects.count(), 1);
}

#[test]
fn a_run_that_was_cut_off_is_unknown_and_never_run_again() {
    let folder = tempfile::tempdir().unwrap();
    let journal = FileJournal::open(folder.path().join("journal")).unwrap();
    let effects = Effects::default();
    let dispatcher = Dispatcher::builder()
        .registry(shop())
        .context(effects.clone())
        .journal(journal.clone())
        .build()
        .unwrap();
    let waiting = approval(&call(&dispatcher, "refund", REFUND));
    // The process died behind the intent.
    let mut record = block_on(journal.read(waiting.parse_id()))
        .unwrap()
        .remove(0);
    for (position, event) in [
        Event::Approved {
            by: "ann".to_owned(),
        },
        Event::Started {
            tool: "refund".into(),
            digest: None,
        },
    ]
    .into_iter()
    .enumerate()
    {
        record.event = event;
        let at = position as u64 + 1;
        block_on(journal.append(waiting.parse_id(), at, record.clone())).unwrap();
    }
    assert_eq!(states(&dispatcher), [ApprovalState::Started]);
    let error = approve(&dispatcher, &waiting).unwrap_err();
    assert!(matches!(error, ApprovalError::Unfinished { .. }), "{error}");
    assert_eq!(code(&error.to_outcome()), "outcome_unknown");
    assert_eq!(effects.count(), 0);
}

#[test]
fn a25_a26_a_late_yes_is_refused_and_a_lapse_is_no_persons_no() {
    let (dispatcher, effects, clock) = dispatcher();
    let lapsed = approval(&call(&dispatcher, "refund", REFUND));
    let refused = approval(&call(&dispatcher, "refund", REFUND));
    let rejected = reject(&dispatcher, &refused).unwrap();
    clock.forward(15 * 60 - 1);
    assert_eq!(states(&dispatcher)[0], ApprovalState::Pending);
    clock.forward(1);
    assert_eq!(states(&dispatcher)[0], ApprovalState::Expired);
    let error = approve(&dispatcher, &lapsed).unwrap_err();
    assert!(matches!(error, ApprovalError::Expired { .. }), "{error}");
    let expired = error.to_outcome();
    assert_eq!(code(&expired), "approval_expired");
    assert_eq!(code(&rejected), "denied");
    assert_ne!(message(&expired), message(&rejected));
    // Neither can it be refused any more, and a rejection does not lapse.
    assert!(reject(&dispatcher, &lapsed).is_err());
    assert!(reject(&dispatcher, &refused).is_ok());
    assert_eq!(effects.count(), 0);
}

#[test]
fn a32_the_first_decision_stands() {
    let (dispatcher, effects, _) = dispatcher();
    let no = approval(&call(&dispatcher, "refund", REFUND));
    let yes = approval(&call(&dispatcher, "refund", REFUND));
    let outcome = reject(&dispatcher, &no).unwrap();
    assert_eq!(code(&outcome), "denied");
    assert!(
        message(&outcome).contains("too much"),
        "{}",
        message(&outcome)
    );
    let error = approve(&dispatcher, &no).unwrap_err();
    assert!(
        matches!(&error, ApprovalError::Conflict { decided: "rejected", by, .. } if by == "bob"),
        "{error}"
    );
    // The same decision again is no contradiction, and the first reason stands.
    let again = block_on(dispatcher.reject(&no, "eve", Some("another reason"))).unwrap();
    assert!(message(&again).contains("too much"));
    approve(&dispatcher, &yes).unwrap();
    assert!(matches!(
        reject(&dispatcher, &yes),
        Err(ApprovalError::Used { .. })
    ));
    assert_eq!(effects.count(), 1);
}

#[test]
fn who_decided_and_why_is_text_and_no_more() {
    let (dispatcher, _, _) = dispatcher();
    let waiting = approval(&call(&dispatcher, "refund", REFUND));
    let why = format!("no\u{1b}[31m\u{202e} {}", "x".repeat(10_000));
    let outcome = block_on(dispatcher.reject(&waiting, "bob", Some(&why))).unwrap();
    let told = message(&outcome);
    assert!(!told.contains(['\u{1b}', '\u{202e}']), "{told}");
    assert!(told.len() < 2500 && told.contains("(shortened)"));
    // Who it was is the operator's to know.
    assert!(!outcome.to_json().contains("bob"));
}

#[test]
fn an_id_that_is_none_approves_nothing() {
    let (dispatcher, effects, _) = dispatcher();
    approval(&call(&dispatcher, "refund", REFUND));
    let ran = call(&dispatcher, "get_order", r#"{"id":1}"#);
    let trace = ran.trace_id.to_string();
    for id in [
        "",
        "x",
        "00000000000000000000000000000000",
        &trace,
        &"f".repeat(10_000),
        "\u{202e}",
    ] {
        let error = approve(&dispatcher, id).unwrap_err();
        assert!(matches!(error, ApprovalError::NotFound { .. }), "{error}");
        assert!(error.to_string().len() < 300);
        assert!(reject(&dispatcher, id).is_err());
    }
    assert_eq!(effects.count(), 1);
}

#[test]
fn a35_a_tool_that_has_changed_is_asked_about_anew() {
    static TIGHTER: StaticTool = StaticTool {
        name: "refund",
        parameters: &[
            arg::<u64>("order"),
            Parameter {
                constraints: r#""maximum":100000"#,
                ..arg::<u64>("cents")
            },
            arg::<Option<String>>("reason"),
        ],
        ..crate::support::REFUND
    };
    static NEXT: StaticTool = StaticTool {
        version: 2,
        ..crate::support::REFUND
    };
    let folder = tempfile::tempdir().unwrap();
    let effects = Effects::default();
    let over = |registry: Registry| {
        Dispatcher::builder()
            .registry(registry)
            .context(effects.clone())
            .journal(FileJournal::open(folder.path().join("journal")).unwrap())
            .build()
            .unwrap()
    };
    let waiting = approval(&call(&over(shop()), "refund", REFUND));
    for changed in [
        Registry::of(&[&TIGHTER]),
        Registry::of(&[&NEXT]),
        shop().without(&["refund"]),
    ] {
        let error = approve(&over(changed), &waiting).unwrap_err();
        assert!(matches!(error, ApprovalError::Changed { .. }), "{error}");
        assert_eq!(effects.count(), 0);
    }
    // It was not used up by that.
    assert!(approve(&over(shop()), &waiting).unwrap().is_ok());
    assert_eq!(effects.count(), 1);
}

#[test]
fn a31_what_is_shown_is_all_of_it_and_secrets_are_masked() {
    static SIGN: StaticTool = StaticTool {
        name: "sign",
        risk: Risk::High,
        parameters: &[
            arg::<String>("text"),
            Parameter {
                secret: true,
                ..arg::<String>("key")
            },
        ],
        run: Run::Inline(|call| {
            let (text, key): (String, String) = (call.arg(0)?, call.arg(1)?);
            call.context::<Effects>(0).happened("signed");
            Of((text.len(), key)).answer()
        }),
        ..TOOL
    };
    let effects = Effects::default();
    let dispatcher = Dispatcher::builder()
        .registry(Registry::of(&[&SIGN]))
        .context(effects.clone())
        .build()
        .unwrap();
    let text = "x".repeat(5000);
    let arguments = json!({"text": text, "key": "hunter2hunter2"});
    let outcome = block_on(dispatcher.dispatch(ToolCall::new("sign", arguments)));
    let shown = outcome.failure().unwrap().confirmation.clone().unwrap();
    assert_eq!(shown.arguments["text"], text);
    assert_eq!(shown.arguments["key"], "[secret]");
    assert!(!outcome.to_json().contains("hunter2"));
    let listed = format!("{:?}", block_on(dispatcher.approvals()).unwrap());
    assert!(!listed.contains("hunter2"));
    // The tool gets it as it was.
    let outcome = approve(&dispatcher, &approval(&outcome)).unwrap();
    assert_eq!(data(&outcome), json!([5000, "hunter2hunter2"]));
}

#[test]
fn a29_arguments_that_differ_have_digests_that_differ() {
    let tool = DynamicTool::new(
        "any",
        "Takes anything.",
        json!({"type": "object"}),
        |_, _| async { Ok(Value::Null) },
    );
    let mut registry = Registry::new();
    registry.add(tool).unwrap();
    let dispatcher = Dispatcher::builder().registry(registry).build().unwrap();
    let digest = |arguments: &str| {
        let id = approval(&call(&dispatcher, "any", arguments));
        let records = block_on(dispatcher.journal().read(id.parse_id())).unwrap();
        match &records[0].event {
            Event::Asked(asked) => asked.digest.clone(),
            other => panic!("{other:?}"),
        }
    };
    let digests: Vec<String> = [
        r#"{"v":1}"#,
        r#"{"v":true}"#,
        r#"{"v":1.0}"#,
        r#"{"v":"1"}"#,
        r#"{"v":[1]}"#,
        r#"{"v":null}"#,
        r#"{"v":18446744073709551615}"#,
        r#"{"v":18446744073709551616}"#,
        r#"{"v":18446744073709551617}"#,
        r#"{"v\n":1}"#,
        r#"{"v":1,"w":1}"#,
        "{}",
    ]
    .map(digest)
    .into();
    let distinct: std::collections::BTreeSet<&String> = digests.iter().collect();
    assert_eq!(distinct.len(), digests.len());
    // Order, space and spelling of escapes do not make another call.
    assert_eq!(
        digest(r#"{"v":1,"w":"\u0061"}"#),
        digest("{ \"w\" : \"a\",\n \"v\" : 1 }")
    );
}

/// Reads an approval's id as the journal names its stream.
trait ParseId {
    fn parse_id(&self) -> tool_runtime::TraceId;
}

impl ParseId for String {
    fn parse_id(&self) -> tool_runtime::TraceId {
        tool_runtime::TraceId::parse(self).unwrap()
    }
}

/// Somebody at the terminal, who answers after `before` has happened.
struct Person<F> {
    before: F,
    answer: Answer,
}

impl<F: Fn(&Confirmation) + Send + Sync> Confirm for Person<F> {
    fn ask<'a>(
        &'a self,
        confirmation: &'a Confirmation,
    ) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>> {
        Box::pin(async move {
            (self.before)(confirmation);
            self.answer.clone()
        })
    }
}

fn yes() -> Answer {
    Answer::Yes {
        by: "ann".to_owned(),
    }
}

fn asking(
    effects: &Effects,
    clock: &Clock,
    before: impl Fn(&Confirmation) + Send + Sync + 'static,
    answer: Answer,
) -> Dispatcher {
    Dispatcher::builder()
        .registry(shop())
        .context(effects.clone())
        .clock(clock.now())
        .confirm(Person { before, answer })
        .build()
        .unwrap()
}

#[test]
fn a_person_on_the_spot_runs_refuses_or_leaves_the_call() {
    let no = Answer::No {
        by: "bob".to_owned(),
        why: Some("not now".to_owned()),
    };
    for (answer, expected, count) in [
        (yes(), "ok", 1),
        (no, "denied", 0),
        (Answer::Later, "pending", 0),
    ] {
        let (effects, clock) = (Effects::default(), Clock::default());
        let dispatcher = asking(&effects, &clock, |_| {}, answer.clone());
        let outcome = call(&dispatcher, "refund", REFUND);
        assert_eq!(verdict(&outcome), expected, "{answer:?}");
        assert_eq!(effects.count(), count);
        let state = states(&dispatcher).remove(0);
        match answer {
            Answer::Yes { .. } => assert!(matches!(state, ApprovalState::Finished { .. })),
            Answer::No { .. } => assert!(matches!(state, ApprovalState::Rejected { .. })),
            _ => assert_eq!(state, ApprovalState::Pending),
        }
    }
}

#[test]
fn a_yes_on_the_spot_that_comes_too_late_runs_nothing() {
    let (effects, clock) = (Effects::default(), Clock::default());
    let later = clock.clone();
    let dispatcher = asking(&effects, &clock, move |_| later.forward(15 * 60), yes());
    let outcome = call(&dispatcher, "refund", REFUND);
    assert_eq!(code(&outcome), "approval_expired");
    assert_eq!(effects.count(), 0);
}

#[test]
fn rules_that_change_while_a_person_thinks_still_count() {
    let effects = Effects::default();
    let closed = Arc::new(Mutex::new(false));
    let (close, rule) = (Arc::clone(&closed), closed);
    let dispatcher = Dispatcher::builder()
        .registry(shop())
        .context(effects.clone())
        .policy(move |_: &PolicyRequest<'_>| match *rule.lock().unwrap() {
            true => Verdict::deny("the till is closed"),
            false => Verdict::Abstain,
        })
        .confirm(Person {
            before: move |_: &Confirmation| *close.lock().unwrap() = true,
            answer: yes(),
        })
        .build()
        .unwrap();
    let outcome = call(&dispatcher, "refund", REFUND);
    assert_eq!(code(&outcome), "denied");
    assert!(message(&outcome).contains("the till is closed"));
    assert_eq!(effects.count(), 0);
}

/// Two ways to answer, at once: the terminal and an operator elsewhere.
fn answered_elsewhere(
    elsewhere: impl Fn(&Dispatcher, &str) + Send + Sync + 'static,
    answer: Answer,
) -> (ToolOutcome, Effects) {
    let folder = tempfile::tempdir().unwrap();
    let effects = Effects::default();
    let journal = FileJournal::open(folder.path().join("journal")).unwrap();
    let build = || {
        Dispatcher::builder()
            .registry(shop())
            .context(effects.clone())
            .journal(journal.clone())
    };
    let other: OnceLock<Dispatcher> = OnceLock::new();
    other.set(build().build().unwrap()).unwrap();
    let dispatcher = build()
        .confirm(Person {
            before: move |confirmation: &Confirmation| {
                elsewhere(other.get().unwrap(), &confirmation.approval_id);
            },
            answer,
        })
        .build()
        .unwrap();
    (call(&dispatcher, "refund", REFUND), effects)
}

#[test]
fn of_two_that_answer_at_once_the_first_counts() {
    // Approved and run elsewhere: it is not run again, and the model is not told to try again.
    let (outcome, effects) = answered_elsewhere(
        |other, id| {
            approve(other, id).unwrap();
        },
        yes(),
    );
    assert_eq!(code(&outcome), "duplicate_call");
    assert!(!outcome.failure().unwrap().retryable);
    assert_eq!(effects.count(), 1);
    // Rejected elsewhere: a later yes does not lift it.
    let (outcome, effects) = answered_elsewhere(
        |other, id| {
            reject(other, id).unwrap();
        },
        yes(),
    );
    assert_eq!(code(&outcome), "denied");
    assert!(!outcome.failure().unwrap().retryable);
    assert_eq!(effects.count(), 0);
    // Approved elsewhere, refused here: it has run.
    let (outcome, effects) = answered_elsewhere(
        |other, id| {
            approve(other, id).unwrap();
        },
        Answer::No {
            by: "bob".to_owned(),
            why: None,
        },
    );
    assert_eq!(code(&outcome), "duplicate_call");
    assert_eq!(effects.count(), 1);
}

#[test]
fn a_question_that_panics_leaves_the_call_waiting() {
    let (effects, clock) = (Effects::default(), Clock::default());
    let dispatcher = asking(&effects, &clock, |_| panic!("planted"), yes());
    let outcome = call(&dispatcher, "refund", REFUND);
    assert_eq!(code(&outcome), "pending");
    assert_eq!(states(&dispatcher), [ApprovalState::Pending]);
    assert_eq!(effects.count(), 0);
    // An operator can still decide.
    approve(&dispatcher, &approval(&outcome)).unwrap();
    assert_eq!(effects.count(), 1);
}

#[test]
fn a34_an_answer_runs_its_own_call_and_nothing_else() {
    let (dispatcher, effects, _) = dispatcher();
    let calls = effects.clone();
    call(&dispatcher, "add_note", r#"{"order":1,"text":"x"}"#);
    let waiting = approval(&call(&dispatcher, "refund", REFUND));
    calls.take();
    approve(&dispatcher, &waiting).unwrap();
    assert_eq!(
        calls.take(),
        [r#"refund{"cents":500,"order":1,"reason":null}"#]
    );
}

#[test]
fn a05_a_list_of_answers_runs_each_call_once() {
    let (dispatcher, effects, _) = dispatcher();
    let x = approval(&call(&dispatcher, "refund", REFUND));
    let results: Vec<bool> = [&x, &x].map(|id| approve(&dispatcher, id).is_ok()).into();
    assert_eq!(results, [true, false]);
    assert_eq!(effects.count(), 1);
}

#[test]
fn a06_of_two_replicas_that_race_one_runs_the_call_200_times() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let effects = Effects::default();
    let open = || {
        Dispatcher::builder()
            .registry(shop())
            .context(effects.clone())
            .journal(FileJournal::open(&path).unwrap())
            .build()
            .unwrap()
    };
    let replicas = [open(), open()];
    for round in 1..=200 {
        let waiting = approval(&call(&replicas[0], "refund", REFUND));
        let barrier = std::sync::Barrier::new(2);
        let results: Vec<Result<ToolOutcome, ApprovalError>> = std::thread::scope(|scope| {
            let racers: Vec<_> = replicas
                .iter()
                .map(|replica| {
                    scope.spawn(|| {
                        barrier.wait();
                        approve(replica, &waiting)
                    })
                })
                .collect();
            racers.into_iter().map(|r| r.join().unwrap()).collect()
        });
        assert_eq!(effects.count(), round, "one effect a round");
        assert_eq!(results.iter().filter(|r| r.is_ok()).count(), 1);
        for result in results {
            match result {
                Ok(outcome) => assert!(outcome.is_ok()),
                Err(error) => assert!(
                    matches!(
                        error,
                        ApprovalError::Used { .. }
                            | ApprovalError::Unfinished { .. }
                            | ApprovalError::Conflict { .. }
                    ),
                    "{error}"
                ),
            }
        }
    }
}

#[test]
fn f11_the_idempotency_key_is_the_same_across_the_wait() {
    let effects = Effects::default();
    let seen = effects.clone();
    let tool = DynamicTool::new("pay", "Pays.", json!({"type": "object"}), move |_, call| {
        seen.happened(call.idempotency_key());
        async { Ok(Value::Null) }
    });
    let mut registry = Registry::new();
    registry.add(tool).unwrap();
    let dispatcher = Dispatcher::builder().registry(registry).build().unwrap();
    let waiting = approval(&call(&dispatcher, "pay", "{}"));
    approve(&dispatcher, &waiting).unwrap();
    assert_eq!(effects.take(), [waiting]);
}

#[test]
fn the_time_to_answer_is_the_hosts_to_choose() {
    let clock = Clock::default();
    let dispatcher = Dispatcher::builder()
        .registry(shop())
        .context(Effects::default())
        .clock(clock.now())
        .approval_ttl(Duration::from_secs(2))
        .build()
        .unwrap();
    let waiting = approval(&call(&dispatcher, "refund", REFUND));
    clock.forward(2);
    assert!(matches!(
        approve(&dispatcher, &waiting),
        Err(ApprovalError::Expired { .. })
    ));
}
