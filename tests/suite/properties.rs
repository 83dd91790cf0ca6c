//! Any bytes at all, and answers in any order at all.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tool_runtime::journal::{Event, FileJournal};
use tool_runtime::{
    CallOptions, Dispatcher, DynamicTool, Registry, Repair, Repairs, Risk, ToolCall, TraceId,
};

use crate::support::{Clock, Effects, approval, block_on, shop, verdict};

const EVERY: Repairs = Repairs::NONE
    .with(Repair::EmptyArguments)
    .with(Repair::MarkdownFence)
    .with(Repair::DoubleEncoded)
    .with(Repair::IntegralFloat)
    .with(Repair::NullForAbsent)
    .with(Repair::NestedJson)
    .with(Repair::NumberInString)
    .with(Repair::BooleanInString)
    .with(Repair::TrailingComma);

/// A tool that takes any object and gives back what it got.
fn echo(repairs: Repairs) -> Dispatcher {
    let tool = DynamicTool::new(
        "echo",
        "Gives back what it got.",
        json!({"type": "object"}),
        |arguments, _| async { Ok(arguments) },
    );
    let mut registry = Registry::new();
    registry.add(tool.risk(Risk::Low)).unwrap();
    Dispatcher::builder()
        .registry(registry)
        .repairs(repairs)
        .build()
        .unwrap()
}

/// JSON values with the shapes that go wrong: deep, wide, odd names, numbers at the borders.
fn value() -> impl Strategy<Value = Value> {
    let number = prop_oneof![
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-1000_i32..1000).prop_map(|n| Value::from(f64::from(n))),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        number,
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 64, 6, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
            members(inner),
        ]
    })
}

fn members(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    let name = prop_oneof!["[a-z~/ ]{0,4}", ".{0,3}"];
    proptest::collection::btree_map(name, inner, 0..6)
        .prop_map(|members| Value::Object(members.into_iter().collect()))
}

fn object() -> impl Strategy<Value = Value> {
    members(value())
}

/// Text that is nearly JSON: a value written out, then cut, doubled or overwritten somewhere.
fn nearly_json() -> impl Strategy<Value = String> {
    (
        value(),
        any::<prop::sample::Index>(),
        0..5_u8,
        any::<char>(),
    )
        .prop_map(|(value, at, change, c)| {
            let text = value.to_string();
            let chars: Vec<char> = text.chars().collect();
            let at = at.index(chars.len());
            let (head, tail): (String, String) =
                (chars[..at].iter().collect(), chars[at..].iter().collect());
            match change {
                0 => head,
                1 => format!("{head}{c}{tail}"),
                2 => format!("{head}{}", tail.chars().skip(1).collect::<String>()),
                3 => format!("{head},{tail}"),
                _ => format!("{text}{tail}"),
            }
        })
}

/// Whether the tests' oracle takes a text that ours must take too, and whether anything in it is ours alone to refuse.
fn differs_by_design(text: &str) -> bool {
    // The oracle keeps the last of two members; it takes depth 127, we take 64.
    fn depth(value: &Value) -> usize {
        match value {
            Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
            Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
            _ => 0,
        }
    }
    serde_json::from_str::<Value>(text).is_ok_and(|value| depth(&value) >= 64)
        || serde_json::from_str::<NoTwice>(text).is_err()
}

/// A value in which no member is given twice.
struct NoTwice;

impl<'de> serde::Deserialize<'de> for NoTwice {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visit;
        impl<'de> serde::de::Visitor<'de> for Visit {
            type Value = NoTwice;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("any value")
            }
            fn visit_bool<E>(self, _: bool) -> Result<NoTwice, E> {
                Ok(NoTwice)
            }
            fn visit_i64<E>(self, _: i64) -> Result<NoTwice, E> {
                Ok(NoTwice)
            }
            fn visit_u64<E>(self, _: u64) -> Result<NoTwice, E> {
                Ok(NoTwice)
            }
            fn visit_f64<E>(self, _: f64) -> Result<NoTwice, E> {
                Ok(NoTwice)
            }
            fn visit_str<E>(self, _: &str) -> Result<NoTwice, E> {
                Ok(NoTwice)
            }
            fn visit_unit<E>(self) -> Result<NoTwice, E> {
                Ok(NoTwice)
            }
            fn visit_seq<A: serde::de::SeqAccess<'de>>(
                self,
                mut seq: A,
            ) -> Result<NoTwice, A::Error> {
                while seq.next_element::<NoTwice>()?.is_some() {}
                Ok(NoTwice)
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<NoTwice, A::Error> {
                let mut seen = std::collections::BTreeSet::new();
                while let Some(name) = map.next_key::<String>()? {
                    map.next_value::<NoTwice>()?;
                    if !seen.insert(name) {
                        return Err(serde::de::Error::custom("twice"));
                    }
                }
                Ok(NoTwice)
            }
        }
        deserializer.deserialize_any(Visit)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_the_tool_gets_is_what_was_sent(value in object()) {
        let dispatcher = echo(Repairs::NONE);
        let outcome = block_on(dispatcher.dispatch(ToolCall::new("echo", value.to_string())));
        prop_assert_eq!(crate::support::data(&outcome), value);
    }

    #[test]
    fn a_text_is_json_exactly_where_another_parser_says_so(text in nearly_json()) {
        let dispatcher = echo(Repairs::NONE);
        let outcome = block_on(dispatcher.dispatch(ToolCall::new("echo", text.clone())));
        let parsed = !matches!(
            outcome.failure().map(|f| &*f.code),
            Some("parse_error" | "bad_unicode" | "duplicate_key" | "too_deep" | "too_large")
        );
        // We pass over a byte order mark in front.
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let oracle = serde_json::from_str::<Value>(text);
        if parsed {
            prop_assert!(oracle.is_ok(), "{}", text);
        } else if oracle.is_ok() {
            prop_assert!(differs_by_design(text), "{}: {}", text, verdict(&outcome));
        }
    }

    #[test]
    fn no_bytes_at_all_make_a_dispatch_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200), tool in ".{0,20}") {
        let dispatcher = Dispatcher::builder()
            .registry(shop())
            .context(Effects::default())
            .repairs(EVERY)
            .build()
            .unwrap();
        let names: Vec<String> = shop().iter().map(|tool| tool.name().to_owned()).collect();
        for name in names.iter().chain([&tool]) {
            let outcome = block_on(dispatcher.dispatch(ToolCall::new(name.as_str(), bytes.clone())));
            let wire: Value = serde_json::from_str(&outcome.to_json()).unwrap();
            prop_assert_eq!(&wire["ok"], &Value::from(outcome.is_ok()));
        }
    }

    #[test]
    fn no_json_at_all_makes_a_dispatch_panic(text in nearly_json(), fields in object()) {
        let dispatcher = Dispatcher::builder()
            .registry(shop())
            .context(Effects::default())
            .repairs(EVERY)
            .build()
            .unwrap();
        let mut arguments = json!({"order": 1, "text": fields, "id": text, "query": text, "tags": fields, "v": fields});
        for (name, value) in fields.as_object().unwrap() {
            arguments[name] = value.clone();
        }
        for tool in shop().iter() {
            for arguments in [text.clone(), arguments.to_string(), Value::from(arguments.to_string()).to_string()] {
                block_on(dispatcher.dispatch(ToolCall::new(tool.name(), arguments)));
            }
        }
    }

    #[test]
    fn a29_two_calls_have_one_digest_exactly_where_they_are_one_value(a in object(), b in object()) {
        let tool = DynamicTool::new("any", "Takes anything.", json!({"type": "object"}), |_, _| async { Ok(Value::Null) });
        let mut registry = Registry::new();
        registry.add(tool).unwrap();
        let dispatcher = Dispatcher::builder().registry(registry).repairs(Repairs::NONE).build().unwrap();
        let digest = |text: String| {
            let id = approval(&block_on(dispatcher.dispatch(ToolCall::new("any", text))));
            let records = block_on(dispatcher.journal().read(TraceId::parse(&id).unwrap())).unwrap();
            match &records[0].event {
                Event::Asked(asked) => (asked.digest.clone(), asked.arguments.clone()),
                other => panic!("{other:?}"),
            }
        };
        let (one, text) = digest(a.to_string());
        // The same value, spelled with space and read back from its own canonical text.
        prop_assert_eq!(&one, &digest(serde_json::to_string_pretty(&a).unwrap()).0);
        prop_assert_eq!(&one, &digest(text).0);
        let other = digest(b.to_string()).0;
        let texts = [a.to_string(), b.to_string()];
        prop_assert_eq!(one == other, texts[0] == texts[1]);
    }
}

/// One step of a host's day.
#[derive(Debug, Clone)]
enum Step {
    Call { tool: usize, cancelled: bool },
    Approve(usize),
    Reject(usize),
    Forward(u64),
    Restart,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0..4_usize, any::<bool>()).prop_map(|(tool, cancelled)| Step::Call { tool, cancelled }),
        3 => (0..6_usize).prop_map(Step::Approve),
        2 => (0..6_usize).prop_map(Step::Reject),
        1 => (1..1200_u64).prop_map(Step::Forward),
        1 => Just(Step::Restart),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever the order of calls, answers, lapses and restarts: one result a call, at most one effect an approval, and none
    /// without one.
    #[test]
    fn every_call_has_one_result_and_every_approval_one_effect_at_most(steps in proptest::collection::vec(step(), 1..25)) {
        let folder = tempfile::tempdir().unwrap();
        let (effects, clock) = (Effects::default(), Clock::default());
        let open = || {
            Dispatcher::builder()
                .registry(shop())
                .context(effects.clone())
                .clock(clock.now())
                .journal(FileJournal::open(folder.path().join("journal")).unwrap())
                .build()
                .unwrap()
        };
        let mut dispatcher = open();
        let mut waiting: Vec<String> = Vec::new();
        // What was decided about each, as the test understands it.
        let mut settled: BTreeMap<String, &str> = BTreeMap::new();
        let traces = Arc::new(Mutex::new(std::collections::BTreeSet::new()));
        for step in steps {
            let before = effects.count();
            match step {
                Step::Call { tool, cancelled } => {
                    let (tool, arguments, ran) = [
                        ("get_order", r#"{"id":1}"#, 1),
                        ("get_order", r#"{"id":"x"}"#, 0),
                        ("refund", r#"{"order":1,"cents":5}"#, 0),
                        ("set_flag", r#"{"name":"a","on":true}"#, 1),
                    ][tool];
                    let token = CancellationToken::new();
                    if cancelled {
                        token.cancel();
                    }
                    let options = CallOptions::default().cancellation(token);
                    let outcome = block_on(dispatcher.dispatch_with(ToolCall::new(tool, arguments), options));
                    prop_assert!(traces.lock().unwrap().insert(outcome.trace_id));
                    let ran = if cancelled { 0 } else { ran };
                    prop_assert_eq!(effects.count() - before, ran);
                    prop_assert_eq!(outcome.is_ok(), ran == 1);
                    if tool == "refund" {
                        waiting.push(approval(&outcome));
                    }
                }
                Step::Approve(i) if !waiting.is_empty() => {
                    let id = &waiting[i % waiting.len()];
                    let result = block_on(dispatcher.approve(id, "ann"));
                    prop_assert_eq!(effects.count() - before, usize::from(result.is_ok()));
                    if result.is_ok() {
                        prop_assert_eq!(settled.insert(id.clone(), "ran"), None);
                    }
                }
                Step::Reject(i) if !waiting.is_empty() => {
                    let id = &waiting[i % waiting.len()];
                    let result = block_on(dispatcher.reject(id, "bob", None));
                    prop_assert_eq!(effects.count(), before);
                    if result.is_ok() {
                        let earlier = settled.insert(id.clone(), "rejected");
                        prop_assert!(matches!(earlier, None | Some("rejected")));
                    }
                }
                Step::Forward(seconds) => clock.forward(seconds),
                Step::Restart => {
                    drop(dispatcher);
                    dispatcher = open();
                }
                Step::Approve(_) | Step::Reject(_) => {}
            }
        }
        let listed = block_on(dispatcher.approvals()).unwrap();
        prop_assert_eq!(listed.len(), waiting.len());
    }
}
