//! Names: exact, near, invented, hidden.

use serde_json::{Value, json};
use tool_runtime::__private::{Of, OfValue as _, Run, StaticTool};
use tool_runtime::{
    Dispatcher, DynamicTool, ErrorType, Registry, RegistryError, Risk, ToolCall, ToolOutcome,
};

use crate::support::{Effects, TOOL, approval, block_on, code, message, shop};

fn dispatcher() -> (Dispatcher, Effects) {
    let effects = Effects::default();
    let dispatcher = Dispatcher::builder()
        .registry(shop())
        .context(effects.clone())
        .build()
        .unwrap();
    (dispatcher, effects)
}

fn call(dispatcher: &Dispatcher, name: &str) -> ToolOutcome {
    let arguments = r#"{"order":1,"cents":500}"#;
    block_on(dispatcher.dispatch(ToolCall::new(name, arguments)))
}

fn dynamic(name: &str) -> DynamicTool {
    DynamicTool::new(name, "A tool.", json!({"type": "object"}), |_, _| async {
        Ok(Value::Null)
    })
    .risk(Risk::Low)
}

#[test]
fn d01_one_prefix_comes_off_at_the_entry_and_the_gate_still_applies() {
    let (dispatcher, effects) = dispatcher();
    let outcome = call(&dispatcher, "functions.refund");
    assert_eq!(code(&outcome), "pending");
    assert_eq!(outcome.tool_name, "refund");
    let waiting = block_on(dispatcher.approvals()).unwrap();
    assert_eq!(waiting[0].tool_name, "refund");
    assert!(!outcome.to_json().contains("functions"));
    // Also where the call is refused before anything is read of it.
    let cut = ToolCall::new("functions.refund", "{").with_truncated(true);
    assert_eq!(block_on(dispatcher.dispatch(cut)).tool_name, "refund");
    assert_eq!(effects.count(), 0);
}

#[test]
fn d02_d03_d04_no_name_is_guessed() {
    let (dispatcher, effects) = dispatcher();
    for (name, suggested) in [
        ("default_api.refund", true),
        ("functions.functions.refund", true),
        ("refundrefund", false),
        ("other_server__refund", true),
        ("Refund", true),
        ("REFUND", true),
        ("refund ", true),
        (" refund", true),
        ("re fund", true),
        ("refund\n", false),
        ("", false),
        ("re\u{444}und", true),
        ("\u{ff52}\u{ff45}\u{ff46}\u{ff55}\u{ff4e}\u{ff44}", false),
        ("ref\u{200d}und", true),
        ("rēfund", true),
        ("re\u{304}fund", true),
        ("refund\0", false),
        ("../refund", true),
    ] {
        let outcome = call(&dispatcher, name);
        let failure = outcome.failure().expect("no such tool");
        assert_eq!(failure.error_type, ErrorType::UnknownTool, "{name:?}");
        assert_eq!(failure.code, "not_found", "{name:?}");
        let near = failure.suggestions.iter().any(|near| near == "refund");
        assert_eq!(near, suggested, "{name:?}: {:?}", failure.suggestions);
        assert!(failure.suggestions.len() <= 3, "{name:?}");
        if !name.is_ascii() {
            assert!(failure.message.contains("not ASCII"), "{}", failure.message);
        }
    }
    assert_eq!(effects.count(), 0);
    assert!(block_on(dispatcher.approvals()).unwrap().is_empty());
}

#[test]
fn d03_what_is_echoed_is_escaped_and_cut() {
    let (dispatcher, _) = dispatcher();
    let outcome = call(&dispatcher, &"x".repeat(10_000));
    assert!(
        outcome.to_json().len() < 1000,
        "{}",
        outcome.to_json().len()
    );
    let outcome = call(&dispatcher, "a\u{1b}[31m\u{202e}b\u{200b}\n\"c");
    let json = outcome.to_json();
    for hidden in ['\u{1b}', '\u{202e}', '\u{200b}', '\n'] {
        assert!(!json.contains(hidden), "{json}");
        assert!(!outcome.tool_name.contains(hidden), "{}", outcome.tool_name);
    }
    let parsed: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(parsed["errorType"], "unknown_tool");
}

#[test]
fn d06_case_25_case_27_a_name_is_taken_once() {
    static OTHER: StaticTool = StaticTool {
        name: "ping",
        place: tool_runtime::__private::Place::new("elsewhere", "elsewhere.rs", 7),
        ..TOOL
    };
    let problems = |registry: Registry| {
        let error = Dispatcher::builder()
            .registry(registry)
            .context(Effects::default())
            .build()
            .unwrap_err();
        error.to_string()
    };
    let both = Registry::of(&[&OTHER, &crate::support::PING]);
    let told = problems(both);
    assert!(told.contains("elsewhere.rs:7"), "{told}");
    assert!(told.contains("support.rs"), "{told}");
    // Merging two sets is no way around it.
    let told = problems(shop().merge(Registry::of(&[&OTHER])));
    assert!(told.contains("two tools are called `ping`"), "{told}");
    // Nor is adding at run time, and the first stays as it was.
    let mut registry = shop();
    let error = registry.add(dynamic("ping")).unwrap_err();
    assert!(matches!(error, RegistryError::Duplicate { .. }), "{error}");
    assert!(registry.get("ping").unwrap().place().is_some());
    // To replace is said in so many words.
    registry.replace(dynamic("ping")).unwrap();
    assert!(registry.get("ping").unwrap().place().is_none());
}

#[test]
fn names_that_clients_cannot_tell_apart_are_refused() {
    for (first, second) in [("get_order", "Get_Order"), ("get_order", "get-order")] {
        let mut registry = Registry::new();
        registry.add(dynamic(first)).unwrap();
        let error = registry.add(dynamic(second)).unwrap_err();
        assert!(matches!(error, RegistryError::Alike { .. }), "{error}");
    }
}

#[test]
fn a04_d04_names_are_what_every_provider_takes() {
    for name in [
        "",
        "a b",
        "a\nb",
        "größe",
        "re\u{444}und",
        "a.b",
        "a/b",
        &"x".repeat(65),
    ] {
        let error = Registry::new().add(dynamic(name)).unwrap_err();
        assert!(
            matches!(error, RegistryError::Name { .. }),
            "{name:?}: {error}"
        );
    }
    for name in ["a", "A-1_b", "9x", &"x".repeat(64)] {
        Registry::new().add(dynamic(name)).unwrap();
    }
}

#[test]
fn d07_case_29_a_hidden_tool_does_not_exist() {
    let effects = Effects::default();
    let view = |registry: Registry| {
        Dispatcher::builder()
            .registry(registry)
            .context(effects.clone())
            .build()
            .unwrap()
    };
    let hidden = view(shop().without(&["refund"]));
    let never = view(shop().filter(|tool| tool.name() != "refund"));
    for name in ["refund", "functions.refund", "refnd"] {
        let outcome = call(&hidden, name);
        assert_eq!(code(&outcome), "not_found");
        assert_eq!(message(&outcome), message(&call(&never, name)));
        assert!(outcome.failure().unwrap().suggestions.is_empty());
    }
    assert!(hidden.registry().get("refund").is_none());
    assert!(!format!("{:?}", hidden.registry().definitions()).contains("refund"));
    assert_eq!(view(shop().only(&["ping"])).registry().len(), 1);
    assert_eq!(effects.count(), 0);
}

#[test]
fn an_old_name_still_calls_the_tool() {
    static RENAMED: StaticTool = StaticTool {
        name: "pay_back",
        aliases: &["give_back"],
        run: Run::Inline(|call| {
            call.context::<Effects>(0).happened("paid back");
            Of(()).answer()
        }),
        ..TOOL
    };
    let effects = Effects::default();
    let registry = Registry::of(&[&RENAMED]);
    let dispatcher = Dispatcher::builder()
        .registry(registry.clone())
        .context(effects.clone())
        .build()
        .unwrap();
    let outcome = block_on(dispatcher.dispatch(ToolCall::new("give_back", "{}")));
    assert_eq!(outcome.tool_name, "pay_back");
    assert_eq!(effects.count(), 1);
    // An old name is taken like any other.
    let mut registry = registry;
    assert!(registry.add(dynamic("give_back")).is_err());
    // And goes with its tool.
    assert!(registry.without(&["pay_back"]).get("give_back").is_none());
}

#[test]
fn d08_d09_case_88_ids_are_labels() {
    let (dispatcher, effects) = dispatcher();
    let round = |text: &str| {
        let arguments = format!(r#"{{"order":1,"text":"{text}"}}"#);
        block_on(dispatcher.dispatch(ToolCall::new("add_note", arguments).with_id("call_0")))
    };
    let outcomes = [round("a"), round("b"), round("a")];
    assert_eq!(effects.count(), 3, "one id, three calls");
    for outcome in &outcomes {
        assert_eq!(outcome.call_id.as_deref(), Some("call_0"));
    }
    assert_ne!(outcomes[0].trace_id, outcomes[2].trace_id);
    let outcome = block_on(dispatcher.dispatch(ToolCall::new("ping", "{}")));
    assert_eq!(outcome.call_id, None);
}

#[test]
fn d11_a_call_id_that_is_an_approval_id_approves_nothing() {
    let (dispatcher, effects) = dispatcher();
    let waiting = approval(&call(&dispatcher, "refund"));
    let forged = ToolCall::new("refund", r#"{"order":1,"cents":500}"#).with_id(&*waiting);
    let outcome = block_on(dispatcher.dispatch(forged));
    assert_eq!(code(&outcome), "pending");
    assert_ne!(approval(&outcome), waiting);
    assert_eq!(effects.count(), 0);
}
