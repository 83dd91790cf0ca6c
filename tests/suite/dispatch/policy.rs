//! What the host decides: the strictest verdict, whatever the order, and no way past it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tool_runtime::{Dispatcher, PolicyRequest, Repair, ToolCall, ToolOutcome, Verdict};

use crate::support::{Effects, approval, block_on, code, message, shop, verdict};

type Rule = fn(&PolicyRequest<'_>) -> Verdict;

const ABSTAIN: Rule = |_| Verdict::Abstain;
const ALLOW: Rule = |_| Verdict::Allow;
const ASK: Rule = |_| Verdict::ask("it is late");
const DENY: Rule = |_| Verdict::deny("not today");

fn dispatcher(rules: &[Rule]) -> (Dispatcher, Effects) {
    let effects = Effects::default();
    let mut builder = Dispatcher::builder()
        .registry(shop())
        .context(effects.clone());
    for rule in rules {
        builder = builder.policy(*rule);
    }
    (builder.build().unwrap(), effects)
}

fn note(dispatcher: &Dispatcher) -> ToolOutcome {
    block_on(dispatcher.dispatch(ToolCall::new("add_note", r#"{"order":1,"text":"x"}"#)))
}

fn refund(dispatcher: &Dispatcher) -> ToolOutcome {
    block_on(dispatcher.dispatch(ToolCall::new("refund", r#"{"order":1,"cents":5}"#)))
}

/// Every order of the items.
fn permutations<T: Copy>(items: &[T]) -> Vec<Vec<T>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    (0..items.len())
        .flat_map(|i| {
            let mut rest = items.to_vec();
            let first = rest.remove(i);
            permutations(&rest).into_iter().map(move |mut tail| {
                tail.insert(0, first);
                tail
            })
        })
        .collect()
}

#[test]
fn b12_the_strictest_verdict_counts_in_every_order() {
    let all = [ABSTAIN, ALLOW, ASK, DENY];
    // Every non-empty set of rules, in every order.
    for set in 1_u32..16 {
        let rules: Vec<usize> = (0..4).filter(|i| set & (1 << i) != 0).collect();
        let expected = match set {
            8.. => "denied",
            4.. => "pending",
            _ => "ok",
        };
        for order in permutations(&rules) {
            let chain: Vec<Rule> = order.iter().map(|i| all[*i]).collect();
            let (dispatcher, effects) = dispatcher(&chain);
            assert_eq!(verdict(&note(&dispatcher)), expected, "{order:?}");
            assert_eq!(effects.count(), usize::from(expected == "ok"));
        }
    }
}

#[test]
fn an_allow_does_not_lift_what_the_tool_itself_asks() {
    let (dispatcher, effects) = dispatcher(&[ALLOW]);
    assert_eq!(code(&refund(&dispatcher)), "pending");
    assert_eq!(effects.count(), 0);
}

#[test]
fn case_75_a_denied_call_never_runs_and_is_told_why() {
    const RULE: Rule = |_| Verdict::Deny {
        reason: "refunds are closed".to_owned(),
        internal: Some("rule 7: ledger under audit".to_owned()),
    };
    let (dispatcher, effects) = dispatcher(&[RULE]);
    for outcome in [note(&dispatcher), refund(&dispatcher)] {
        assert_eq!(code(&outcome), "denied");
        assert!(message(&outcome).contains("refunds are closed"));
        // The operator's reason is not the model's.
        assert!(!outcome.to_json().contains("ledger"));
        let failure = outcome.failure().unwrap();
        assert_eq!(failure.executed.as_str(), "no");
        assert!(!failure.is_error() && !failure.retryable);
    }
    assert!(block_on(dispatcher.approvals()).unwrap().is_empty());
    assert_eq!(effects.count(), 0);
}

#[test]
fn b17_case_76_a_rule_that_panics_denies_this_call_and_no_other() {
    let calls = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&calls);
    let effects = Effects::default();
    let dispatcher = Dispatcher::builder()
        .registry(shop())
        .context(effects.clone())
        .policy(move |_: &PolicyRequest<'_>| {
            assert!(counted.fetch_add(1, Ordering::SeqCst) > 0, "planted");
            Verdict::Allow
        })
        .build()
        .unwrap();
    let outcome = note(&dispatcher);
    assert_eq!(code(&outcome), "policy_unavailable");
    let failure = outcome.failure().unwrap();
    assert!(failure.retryable && failure.is_error());
    assert!(!outcome.to_json().contains("planted"));
    assert_eq!(effects.count(), 0);
    assert!(note(&dispatcher).is_ok());
    assert_eq!(effects.count(), 1);
}

#[test]
fn a_deny_counts_beside_a_rule_that_panics() {
    const PANICS: Rule = |_| panic!("planted");
    for rules in [[PANICS, DENY], [DENY, PANICS], [PANICS, ALLOW]] {
        let (dispatcher, effects) = dispatcher(&rules);
        assert!(matches!(
            code(&note(&dispatcher)),
            "denied" | "policy_unavailable"
        ));
        assert_eq!(effects.count(), 0);
    }
}

#[test]
fn b14_rules_see_the_arguments_that_run() {
    let effects = Effects::default();
    let seen = effects.clone();
    let dispatcher = Dispatcher::builder()
        .registry(shop())
        .context(effects.clone())
        .policy(move |request: &PolicyRequest<'_>| {
            seen.note(format!("asked {}", request.arguments()));
            Verdict::Abstain
        })
        .build()
        .unwrap();
    let fenced = "```json\n{\"query\":\"x\",\"tags\":null}\n```";
    let outcome = block_on(dispatcher.dispatch(ToolCall::new("search", fenced)));
    assert_eq!(
        verdict(&outcome),
        "ok markdown_fence: null_for_absent:/tags"
    );
    assert_eq!(
        effects.take(),
        [
            r#"asked {"limit":10,"query":"x","tags":[]}"#,
            r#"search{"limit":10,"query":"x","tags":[]}"#,
        ]
    );
    assert_eq!(outcome.repairs[0].repair, Repair::MarkdownFence);
}

#[test]
fn rules_are_told_the_tool_and_the_call() {
    let (seen, effects) = (Effects::default(), Effects::default());
    let noted = seen.clone();
    let dispatcher = Dispatcher::builder()
        .registry(shop())
        .context(effects)
        .policy(move |request: &PolicyRequest<'_>| {
            noted.note(format!(
                "{} {} {} {:?}",
                request.tool().name(),
                request.tool().risk(),
                request.tool().behaviour().read_only,
                request.call_id(),
            ));
            noted.note(request.trace_id().to_string());
            Verdict::Abstain
        })
        .build()
        .unwrap();
    let outcome = block_on(dispatcher.dispatch(ToolCall::new("ping", "{}").with_id("c1")));
    assert_eq!(
        seen.take(),
        [
            r#"ping low true Some("c1")"#.to_owned(),
            outcome.trace_id.to_string()
        ]
    );
}

#[test]
fn a36_a_rule_that_has_become_stricter_beats_an_approval() {
    let limit = Arc::new(AtomicU64::new(10_000));
    let allowed = Arc::clone(&limit);
    let effects = Effects::default();
    let dispatcher = Dispatcher::builder()
        .registry(shop())
        .context(effects.clone())
        .policy(move |request: &PolicyRequest<'_>| {
            let cents = request.arguments()["cents"].as_u64().unwrap_or(0);
            if cents > allowed.load(Ordering::SeqCst) {
                Verdict::deny("too much money")
            } else {
                Verdict::Abstain
            }
        })
        .build()
        .unwrap();
    let wire = |cents: u64| {
        let arguments = format!(r#"{{"to":"x","cents":{cents}}}"#);
        block_on(dispatcher.dispatch(ToolCall::new("wire", arguments)))
    };
    assert_eq!(code(&wire(10_001)), "denied");
    let waiting = approval(&wire(9_000));
    limit.store(5_000, Ordering::SeqCst);
    let error = block_on(dispatcher.approve(&waiting, "ann")).unwrap_err();
    assert!(error.to_string().contains("too much money"), "{error}");
    assert_eq!(code(&error.to_outcome()), "denied");
    assert_eq!(effects.count(), 0);
    // The approval is not used up: when the rule is lifted again, it runs once.
    limit.store(9_000, Ordering::SeqCst);
    assert!(
        block_on(dispatcher.approve(&waiting, "ann"))
            .unwrap()
            .is_ok()
    );
    assert!(block_on(dispatcher.approve(&waiting, "ann")).is_err());
    assert_eq!(effects.count(), 1);
}

#[test]
fn a_rule_that_asks_says_why_to_the_person() {
    let (dispatcher, _) = dispatcher(&[ASK, |_| Verdict::ask("a large\u{202e}\u{1b}[0m sum")]);
    let outcome = note(&dispatcher);
    let confirmation = outcome.failure().unwrap().confirmation.clone().unwrap();
    assert_eq!(
        confirmation.question,
        "Run `add_note`?\nit is late\na large\\u{202e}\\u{1b}[0m sum"
    );
}
