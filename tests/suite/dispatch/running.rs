//! The run: time limits, cancellation, panics, turns; and one result whatever happens.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tool_runtime::__private::{ContextType, Of, OfValue as _, Reply, Run, StaticTool};
use tool_runtime::journal::Event;
use tool_runtime::{
    Behaviour, CallOptions, Dispatcher, DynamicTool, Registry, Risk, ToolCall, ToolOutcome,
};

use crate::support::{
    Awaited, CHANGES, Effects, READS, TOOL, approval, arg, block_on, code, data, message, shop,
    until, verdict,
};

/// A door that blocking tools wait at.
#[derive(Debug, Clone, Default)]
struct Gate(Arc<(Mutex<bool>, Condvar, AtomicUsize)>);

impl Gate {
    /// For the tool: says that it is there, and waits.
    fn pass(&self) {
        let (open, changed, waiting) = &*self.0;
        waiting.fetch_add(1, Ordering::SeqCst);
        let mut open = open.lock().unwrap();
        while !*open {
            open = changed.wait(open).unwrap();
        }
    }

    fn open(&self) {
        *self.0.0.lock().unwrap() = true;
        self.0.1.notify_all();
    }

    fn waiting(&self) -> usize {
        self.0.2.load(Ordering::SeqCst)
    }
}

/// Notes when it is dropped.
struct Noted(Effects);

impl Drop for Noted {
    fn drop(&mut self) {
        self.0.note("dropped");
    }
}

fn never(call: &tool_runtime::__private::Invocation) -> Awaited<'_> {
    Box::pin(async {
        let effects = call.context::<Effects>(0);
        let _noted = Noted(effects.clone());
        effects.happened("began");
        std::future::pending::<Reply>().await
    })
}

static SLOW_ASYNC: StaticTool = StaticTool {
    name: "slow_async",
    timeout: Some(Duration::from_secs(1)),
    run: Run::Async(never),
    ..TOOL
};

static SLOW_READ: StaticTool = StaticTool {
    name: "slow_read",
    risk: Risk::Low,
    behaviour: READS,
    ..SLOW_ASYNC
};

static SLOW_SYNC: StaticTool = StaticTool {
    name: "slow_sync",
    timeout: Some(Duration::from_millis(50)),
    contexts: &[ContextType::of::<Effects>(), ContextType::of::<Gate>()],
    run: Run::Blocking(|call| {
        call.context::<Gate>(1).pass();
        call.context::<Effects>(0).happened("written");
        Of(()).answer()
    }),
    ..TOOL
};

fn over(registry: Registry) -> (Dispatcher, Effects, Gate) {
    let (effects, gate) = (Effects::default(), Gate::default());
    let dispatcher = Dispatcher::builder()
        .registry(registry)
        .context(effects.clone())
        .context(gate.clone())
        .build()
        .unwrap();
    (dispatcher, effects, gate)
}

fn events(dispatcher: &Dispatcher, outcome: &ToolOutcome) -> Vec<String> {
    let records = block_on(dispatcher.journal().read(outcome.trace_id)).unwrap();
    records
        .into_iter()
        .map(|record| match record.event {
            Event::Asked(_) => "asked".to_owned(),
            Event::Started { .. } => "started".to_owned(),
            Event::Approved { .. } => "approved".to_owned(),
            Event::Finished { code, executed, .. } => {
                format!("finished {code} {}", executed.as_str())
            }
            Event::FinishedLate { code } => format!("late {code}"),
            other => format!("{other:?}"),
        })
        .collect()
}

#[tokio::test(start_paused = true)]
async fn case_69_an_async_tool_that_never_ends_is_dropped_at_its_limit() {
    let (dispatcher, effects, _) = over(Registry::of(&[&SLOW_ASYNC, &SLOW_READ]));
    let begun = tokio::time::Instant::now();
    let outcome = dispatcher.dispatch(ToolCall::new("slow_async", "{}")).await;
    assert_eq!(begun.elapsed(), Duration::from_secs(1));
    assert_eq!(code(&outcome), "timeout");
    let failure = outcome.failure().unwrap();
    assert_eq!(
        (failure.executed.as_str(), failure.retryable),
        ("unknown", false)
    );
    assert!(failure.message.contains("look before you call it again"));
    assert_eq!(effects.take(), ["began", "dropped"]);
    assert_eq!(
        events(&dispatcher, &outcome),
        ["started", "finished timeout unknown"]
    );
    // What changes nothing can be called again.
    let outcome = dispatcher.dispatch(ToolCall::new("slow_read", "{}")).await;
    let failure = outcome.failure().unwrap();
    assert_eq!((failure.executed.as_str(), failure.retryable), ("no", true));
}

#[tokio::test(start_paused = true)]
async fn the_hosts_limit_holds_for_tools_that_state_none() {
    let tool = DynamicTool::new("slow", "Slow.", json!({"type": "object"}), |_, _| {
        std::future::pending()
    });
    let mut registry = Registry::of(&[&SLOW_ASYNC]);
    registry.add(tool.risk(Risk::Low)).unwrap();
    let dispatcher = Dispatcher::builder()
        .registry(registry)
        .context(Effects::default())
        .timeout(Duration::from_secs(9))
        .build()
        .unwrap();
    for (tool, seconds) in [("slow", 9), ("slow_async", 1)] {
        let begun = tokio::time::Instant::now();
        let outcome = dispatcher.dispatch(ToolCall::new(tool, "{}")).await;
        assert_eq!(code(&outcome), "timeout");
        assert_eq!(begun.elapsed(), Duration::from_secs(seconds));
    }
}

#[tokio::test(start_paused = true)]
async fn f17_the_wait_for_a_person_does_not_count() {
    static RISKY: StaticTool = StaticTool {
        name: "risky",
        risk: Risk::High,
        timeout: Some(Duration::from_secs(1)),
        ..TOOL
    };
    let clock = crate::support::Clock::default();
    let dispatcher = Dispatcher::builder()
        .registry(Registry::of(&[&RISKY]))
        .context(Effects::default())
        .clock(clock.now())
        .approval_ttl(Duration::from_secs(7 * 86_400))
        .build()
        .unwrap();
    let waiting = approval(&dispatcher.dispatch(ToolCall::new("risky", "{}")).await);
    tokio::time::advance(Duration::from_secs(2 * 86_400)).await;
    clock.forward(2 * 86_400);
    assert!(dispatcher.approve(&waiting, "ann").await.unwrap().is_ok());
}

#[tokio::test(start_paused = true)]
async fn f01_a_blocking_tool_goes_on_and_its_late_end_is_recorded() {
    let (dispatcher, effects, gate) = over(Registry::of(&[&SLOW_SYNC]));
    let dispatcher = Arc::new(dispatcher);
    let running = tokio::spawn({
        let dispatcher = Arc::clone(&dispatcher);
        async move { dispatcher.dispatch(ToolCall::new("slow_sync", "{}")).await }
    });
    until(|| gate.waiting() == 1).await;
    tokio::time::advance(Duration::from_millis(51)).await;
    let outcome = running.await.unwrap();
    assert_eq!(code(&outcome), "timeout");
    assert_eq!(outcome.failure().unwrap().executed.as_str(), "unknown");
    assert!(message(&outcome).contains("may still have done its work"));
    assert_eq!(effects.count(), 0);
    gate.open();
    until(|| events(&dispatcher, &outcome).len() == 3).await;
    assert_eq!(
        events(&dispatcher, &outcome),
        ["started", "finished timeout unknown", "late ok"]
    );
    assert_eq!(effects.count(), 1);
}

#[tokio::test(start_paused = true)]
async fn f02_runs_that_were_given_up_on_are_counted_and_capped() {
    let (dispatcher, effects, gate) = over(Registry::of(&[&SLOW_SYNC]).merge(shop()));
    let dispatcher = Arc::new(dispatcher);
    let mut given_up = 0;
    let refused = loop {
        let running = tokio::spawn({
            let dispatcher = Arc::clone(&dispatcher);
            async move { dispatcher.dispatch(ToolCall::new("slow_sync", "{}")).await }
        });
        until(|| gate.waiting() == given_up + 1 || running.is_finished()).await;
        tokio::time::advance(Duration::from_millis(51)).await;
        let outcome = running.await.unwrap();
        if code(&outcome) == "timeout" {
            given_up += 1;
            assert!(given_up <= 100, "there is no cap");
        } else {
            break outcome;
        }
    };
    assert_eq!(given_up, 16);
    assert_eq!(code(&refused), "unavailable");
    let failure = refused.failure().unwrap();
    assert_eq!((failure.executed.as_str(), failure.retryable), ("no", true));
    // Other tools are not concerned.
    assert!(
        dispatcher
            .dispatch(ToolCall::new("ping", "{}"))
            .await
            .is_ok()
    );
    // When they have ended, the tool is there again.
    gate.open();
    until(|| effects.count() == 16 + 1).await;
    let mut again = None;
    for _ in 0..1000 {
        let outcome = dispatcher.dispatch(ToolCall::new("slow_sync", "{}")).await;
        if outcome.is_ok() {
            again = Some(outcome);
            break;
        }
        tokio::task::yield_now().await;
        std::thread::yield_now();
    }
    assert!(again.is_some(), "it never came back");
}

#[tokio::test]
async fn a_call_that_is_cancelled_before_it_starts_has_no_effect() {
    let (dispatcher, effects, _) = over(shop());
    let token = CancellationToken::new();
    token.cancel();
    for (tool, arguments) in [
        ("add_note", r#"{"order":1,"text":"x"}"#),
        ("set_flag", r#"{"name":"a","on":true}"#),
        ("get_order", r#"{"id":1}"#),
    ] {
        let options = CallOptions::default().cancellation(token.clone());
        let outcome = dispatcher
            .dispatch_with(ToolCall::new(tool, arguments), options)
            .await;
        assert_eq!(code(&outcome), "cancelled");
        assert_eq!(outcome.failure().unwrap().executed.as_str(), "no");
        assert!(!outcome.is_error());
    }
    assert_eq!(effects.count(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_cancelled_in_the_middle_is_dropped_and_unknown() {
    let (dispatcher, effects, _) = over(Registry::of(&[&SLOW_ASYNC, &SLOW_READ]));
    for (tool, executed) in [("slow_async", "unknown"), ("slow_read", "no")] {
        let token = CancellationToken::new();
        let options = CallOptions::default().cancellation(token.clone());
        let call = dispatcher.dispatch_with(ToolCall::new(tool, "{}"), options);
        let (outcome, ()) = tokio::join!(call, async {
            until(|| effects.count() == 1).await;
            token.cancel();
        });
        assert_eq!(code(&outcome), "cancelled");
        assert_eq!(outcome.failure().unwrap().executed.as_str(), executed);
        assert_eq!(effects.take(), ["began", "dropped"]);
        let recorded = events(&dispatcher, &outcome);
        let last = recorded.last().unwrap();
        assert_eq!(*last, format!("finished cancelled {executed}"));
        effects.reset();
    }
}

#[tokio::test(start_paused = true)]
async fn f15_a_call_cancelled_while_it_waits_for_its_turn_has_not_started() {
    static ALONE: StaticTool = StaticTool {
        name: "alone",
        behaviour: Behaviour {
            exclusive: true,
            ..CHANGES
        },
        run: Run::Inline(|call| {
            call.context::<Effects>(0).happened("alone");
            Of(()).answer()
        }),
        ..TOOL
    };
    let (dispatcher, effects, _) = over(Registry::of(&[&SLOW_ASYNC, &ALONE]));
    let token = CancellationToken::new();
    let options = CallOptions::default().cancellation(token.clone());
    let slow = dispatcher.dispatch(ToolCall::new("slow_async", "{}"));
    let waiting = async {
        until(|| effects.count() == 1).await;
        let outcome = dispatcher.dispatch_with(ToolCall::new("alone", "{}"), options);
        let (outcome, ()) = tokio::join!(outcome, async {
            tokio::task::yield_now().await;
            token.cancel();
        });
        // It is answered at once, not when its turn comes.
        assert_eq!(effects.take(), ["began"]);
        outcome
    };
    let (slow, outcome) = tokio::join!(slow, waiting);
    assert_eq!(code(&slow), "timeout");
    assert_eq!(code(&outcome), "cancelled");
    assert_eq!(outcome.failure().unwrap().executed.as_str(), "no");
    assert_eq!(events(&dispatcher, &outcome), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn dropping_the_dispatch_drops_the_tool_and_leaves_a_record() {
    let (dispatcher, effects, _) = over(Registry::of(&[&SLOW_ASYNC]));
    let call = dispatcher.dispatch(ToolCall::new("slow_async", "{}"));
    tokio::select! {
        biased;
        outcome = call => panic!("it ended: {}", outcome.to_json()),
        () = until(|| effects.count() == 1) => {}
    }
    assert_eq!(effects.take(), ["began", "dropped"]);
    let waiting = block_on(dispatcher.journal().approvals()).unwrap();
    assert!(waiting.is_empty());
}

#[tokio::test]
async fn case_130_a_caller_that_leaves_a_waiting_call_has_run_nothing() {
    let (dispatcher, effects, _) = over(shop());
    let call = ToolCall::new("refund", r#"{"order":1,"cents":5}"#);
    let outcome = dispatcher.dispatch(call).await;
    drop(outcome);
    tokio::task::yield_now().await;
    assert_eq!(effects.count(), 0);
}

/// Panics in as many ways as there are.
fn misbehaving() -> Registry {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("planted in drop");
        }
    }
    static INLINE: StaticTool = StaticTool {
        name: "boom_inline",
        run: Run::Inline(|_| panic!("planted {}", 1)),
        ..TOOL
    };
    static BLOCKING: StaticTool = StaticTool {
        name: "boom_blocking",
        run: Run::Blocking(|_| panic!("planted")),
        ..TOOL
    };
    static BEFORE: StaticTool = StaticTool {
        name: "boom_before_await",
        run: Run::Async(|_| panic!("planted")),
        ..TOOL
    };
    static FIRST: StaticTool = StaticTool {
        name: "boom_first_poll",
        run: Run::Async(|_| Box::pin(async { panic!("planted") })),
        ..TOOL
    };
    static AFTER: StaticTool = StaticTool {
        name: "boom_after_await",
        run: Run::Async(|_| {
            Box::pin(async {
                tokio::task::yield_now().await;
                panic!("planted")
            })
        }),
        ..TOOL
    };
    static PAYLOAD: StaticTool = StaticTool {
        name: "boom_payload",
        run: Run::Inline(|_| std::panic::panic_any(7_u8)),
        ..TOOL
    };
    static DROPPED_PAYLOAD: StaticTool = StaticTool {
        name: "boom_payload_drop",
        run: Run::Inline(|_| std::panic::panic_any(Bomb)),
        ..TOOL
    };
    static DROP_INLINE: StaticTool = StaticTool {
        name: "boom_drop_inline",
        run: Run::Inline(|_| {
            drop(Bomb);
            Of(()).answer()
        }),
        ..TOOL
    };
    static DROP_ASYNC: StaticTool = StaticTool {
        name: "boom_drop_async",
        run: Run::Async(|_| {
            let bomb = Bomb;
            Box::pin(async move {
                tokio::task::yield_now().await;
                drop(bomb);
                Of(()).answer()
            })
        }),
        ..TOOL
    };
    let mut registry = Registry::of(&[
        &INLINE,
        &BLOCKING,
        &BEFORE,
        &FIRST,
        &AFTER,
        &PAYLOAD,
        &DROPPED_PAYLOAD,
        &DROP_INLINE,
        &DROP_ASYNC,
    ]);
    let object = || json!({"type": "object"});
    let handler = DynamicTool::new("boom_handler", "Boom.", object(), |_, _| {
        let never: fn() -> Pin<Box<dyn Future<Output = _> + Send>> = || panic!("planted");
        never()
    });
    let handling = DynamicTool::new("boom_handling", "Boom.", object(), |_, _| async {
        tokio::task::yield_now().await;
        panic!("planted")
    });
    registry.add(handler.risk(Risk::Low)).unwrap();
    registry.add(handling.risk(Risk::Low)).unwrap();
    registry
}

#[tokio::test]
async fn f07_case_70_a_panic_is_one_result_and_the_next_call_works() {
    let names: Vec<String> = misbehaving().iter().map(|t| t.name().to_owned()).collect();
    assert_eq!(names.len(), 11);
    let (dispatcher, effects, _) = over(misbehaving().merge(shop()));
    for name in names {
        let outcome = dispatcher.dispatch(ToolCall::new(&*name, "{}")).await;
        assert_eq!(code(&outcome), "internal", "{name}");
        let failure = outcome.failure().unwrap();
        assert_eq!(failure.executed.as_str(), "unknown", "{name}");
        assert!(!failure.retryable, "{name}: never again by itself");
        assert!(!outcome.to_json().contains("planted"), "{name}");
        assert_eq!(
            events(&dispatcher, &outcome),
            ["started", "finished internal unknown"],
            "{name}"
        );
        let next = dispatcher.dispatch(ToolCall::new("ping", "{}")).await;
        assert!(next.is_ok(), "{name}");
    }
    assert_eq!(effects.count(), 11, "the pings alone");
}

#[tokio::test(start_paused = true)]
async fn a_run_that_panics_when_it_is_given_up_on_is_a_timeout() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("planted in drop");
        }
    }
    static TOOL_: StaticTool = StaticTool {
        name: "slow_bomb",
        timeout: Some(Duration::from_secs(1)),
        run: Run::Async(|_| {
            Box::pin(async {
                let _bomb = Bomb;
                std::future::pending::<Reply>().await
            })
        }),
        ..TOOL
    };
    let (dispatcher, _, _) = over(Registry::of(&[&TOOL_]).merge(shop()));
    let outcome = dispatcher.dispatch(ToolCall::new("slow_bomb", "{}")).await;
    assert_eq!(code(&outcome), "timeout");
    assert!(
        dispatcher
            .dispatch(ToolCall::new("ping", "{}"))
            .await
            .is_ok()
    );
}

#[test]
fn f09_a_context_whose_lock_a_panic_poisoned_harms_nothing_else() {
    type Shared = Mutex<u32>;
    static POISON: StaticTool = StaticTool {
        name: "poison",
        contexts: &[ContextType::of::<Shared>()],
        run: Run::Inline(|call| {
            let _held = call.context::<Shared>(0).lock().unwrap();
            panic!("planted with the lock held");
        }),
        ..TOOL
    };
    let dispatcher = Dispatcher::builder()
        .registry(Registry::of(&[&POISON]))
        .registry(shop())
        .context(Effects::default())
        .context::<Shared>(Mutex::new(0))
        .build()
        .unwrap();
    for _ in 0..2 {
        let outcome = block_on(dispatcher.dispatch(ToolCall::new("poison", "{}")));
        assert_eq!(code(&outcome), "internal");
        assert!(block_on(dispatcher.dispatch(ToolCall::new("ping", "{}"))).is_ok());
    }
}

#[test]
fn a_context_that_nobody_supplies_is_an_error_of_the_build() {
    let problems = Dispatcher::builder()
        .registry(shop())
        .registry(Registry::of(&[&SLOW_SYNC]))
        .build()
        .unwrap_err();
    let told = problems.to_string();
    assert_eq!(problems.problems().len(), 10, "{told}");
    assert!(
        told.contains("`slow_sync`") && told.contains("Gate"),
        "{told}"
    );
    assert!(told.contains("support.rs"), "{told}");
}

#[tokio::test]
async fn f14_an_exclusive_tool_overlaps_nothing() {
    static INSIDE: AtomicUsize = AtomicUsize::new(0);
    static MOST: AtomicUsize = AtomicUsize::new(0);
    static OVERLAPS: AtomicUsize = AtomicUsize::new(0);
    static ALONE: StaticTool = StaticTool {
        name: "alone",
        behaviour: Behaviour {
            exclusive: true,
            ..CHANGES
        },
        run: Run::Async(|_| {
            Box::pin(async {
                let others = INSIDE.fetch_add(1, Ordering::SeqCst);
                OVERLAPS.fetch_add(others, Ordering::SeqCst);
                for _ in 0..5 {
                    tokio::task::yield_now().await;
                }
                let others = INSIDE.fetch_sub(1, Ordering::SeqCst) - 1;
                OVERLAPS.fetch_add(others, Ordering::SeqCst);
                Of("alone").answer()
            })
        }),
        ..TOOL
    };
    static SHARED: StaticTool = StaticTool {
        name: "shared",
        run: Run::Async(|_| {
            Box::pin(async {
                let inside = INSIDE.fetch_add(1, Ordering::SeqCst) + 1;
                MOST.fetch_max(inside, Ordering::SeqCst);
                for _ in 0..3 {
                    tokio::task::yield_now().await;
                }
                INSIDE.fetch_sub(1, Ordering::SeqCst);
                Of("shared").answer()
            })
        }),
        ..TOOL
    };
    let (dispatcher, _, _) = over(Registry::of(&[&ALONE, &SHARED]));
    let dispatcher = Arc::new(dispatcher);
    let names = [
        "shared", "shared", "alone", "shared", "alone", "shared", "shared",
    ];
    let calls: Vec<_> = names
        .iter()
        .map(|name| {
            let (dispatcher, call) = (Arc::clone(&dispatcher), ToolCall::new(*name, "{}"));
            tokio::spawn(async move { dispatcher.dispatch(call).await })
        })
        .collect();
    for (call, name) in calls.into_iter().zip(names) {
        assert_eq!(
            data(&call.await.unwrap()),
            *name,
            "results keep their order"
        );
    }
    assert_eq!(OVERLAPS.load(Ordering::SeqCst), 0);
    assert!(MOST.load(Ordering::SeqCst) >= 2, "the others do overlap");
}

#[tokio::test]
async fn case_77_nothing_is_called_again_by_itself() {
    static FLAKY: StaticTool = StaticTool {
        name: "flaky",
        behaviour: Behaviour {
            idempotent: true,
            ..CHANGES
        },
        run: Run::Inline(|call| {
            call.context::<Effects>(0).happened("flaky");
            Of(Err::<(), _>(
                tool_runtime::ToolError::new("busy").retryable(),
            ))
            .split()?;
            Of(()).answer()
        }),
        ..TOOL
    };
    let (dispatcher, effects, _) = over(Registry::of(&[&FLAKY]));
    let outcome = dispatcher.dispatch(ToolCall::new("flaky", "{}")).await;
    assert_eq!(verdict(&outcome), "failed");
    assert!(outcome.failure().unwrap().retryable);
    assert_eq!(effects.count(), 1);
}

#[tokio::test]
async fn progress_goes_to_the_host_with_the_trace_of_its_call() {
    let tool = DynamicTool::new(
        "work",
        "Works.",
        json!({"type": "object"}),
        |_, call| async move {
            call.report(1.0, Some(2.0), Some("half"));
            call.report(2.0, Some(2.0), None);
            Ok(json!(call.call_id()))
        },
    );
    let mut registry = Registry::new();
    registry.add(tool.risk(Risk::Low)).unwrap();
    let dispatcher = Dispatcher::builder().registry(registry).build().unwrap();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&seen);
    let options = CallOptions::default().progress(move |progress| {
        sink.lock()
            .unwrap()
            .push((progress.trace_id, progress.progress, progress.message));
    });
    let call = ToolCall::new("work", "{}").with_id("c");
    let outcome = dispatcher.dispatch_with(call, options).await;
    assert_eq!(data(&outcome), Value::from("c"));
    assert_eq!(
        *seen.lock().unwrap(),
        [
            (outcome.trace_id, 1.0, Some("half".to_owned())),
            (outcome.trace_id, 2.0, None),
        ]
    );
}

#[tokio::test]
async fn a_schema_that_cannot_be_made_is_the_operators_to_put_right() {
    struct Broken;
    impl schemars::JsonSchema for Broken {
        fn schema_name() -> std::borrow::Cow<'static, str> {
            "Broken".into()
        }
        fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
            panic!("planted")
        }
    }
    impl<'de> serde::Deserialize<'de> for Broken {
        fn deserialize<D: serde::Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
            Ok(Self)
        }
    }
    static BROKEN: StaticTool = StaticTool {
        name: "broken",
        parameters: &[arg::<Broken>("v")],
        ..TOOL
    };
    let mut registry = Registry::of(&[&BROKEN]).merge(shop());
    let invalid = DynamicTool::new("invalid", "Invalid.", json!({"type": 5}), |_, _| async {
        Ok(Value::Null)
    });
    registry.add(invalid.risk(Risk::Low)).unwrap();
    let (dispatcher, _, _) = over(registry);
    for tool in ["broken", "invalid"] {
        let outcome = dispatcher.dispatch(ToolCall::new(tool, r#"{"v":1}"#)).await;
        assert_eq!(code(&outcome), "internal", "{tool}");
        assert!(!outcome.to_json().contains("planted"));
        assert_eq!(outcome.failure().unwrap().executed.as_str(), "no");
    }
    assert!(
        dispatcher
            .dispatch(ToolCall::new("ping", "{}"))
            .await
            .is_ok()
    );
    assert_eq!(dispatcher.registry().definitions().unwrap_err().len(), 2);
}
