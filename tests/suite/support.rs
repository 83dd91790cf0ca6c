//! Tools, counters and verdicts that the tests share.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use tool_runtime::__private::{
    ArgType, Argument, ConfirmRule, ContextType, Invocation, Of, OfValue as _, Parameter, Place,
    Reply, Run, StaticTool,
};
use tool_runtime::{Behaviour, Registry, Risk, ToolOutcome};

/// A file of the material that is kept beside the workspace, or nothing where there is none. In CI there has to be.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let full = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../shared")
        .join(path);
    if full.exists() {
        return Some(full);
    }
    let told = format!("{} is not there, so nothing was tested", full.display());
    assert!(std::env::var("CI").as_deref() != Ok("true"), "{told}");
    println!("{told}");
    None
}

/// Runs a future without any runtime.
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    struct Thread(std::thread::Thread);
    impl Wake for Thread {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Thread(std::thread::current())));
    let mut cx = Context::from_waker(&waker);
    let mut future = std::pin::pin!(future);
    loop {
        match future.as_mut().poll(&mut cx) {
            Poll::Ready(out) => return out,
            Poll::Pending => std::thread::park(),
        }
    }
}

/// Lets other tasks run until something has become true. Not a measure of time: it only bounds how long a broken test hangs.
pub(crate) async fn until(mut true_now: impl FnMut() -> bool) {
    let begun = std::time::Instant::now();
    while !true_now() {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "it never came true"
        );
        tokio::task::yield_now().await;
        std::thread::yield_now();
    }
}

/// A clock that a test sets.
#[derive(Debug, Clone, Default)]
pub(crate) struct Clock(Arc<AtomicU64>);

impl Clock {
    pub(crate) fn forward(&self, seconds: u64) {
        self.0.fetch_add(seconds, Ordering::SeqCst);
    }

    pub(crate) fn now(&self) -> impl Fn() -> SystemTime + Send + Sync + 'static {
        let seconds = Arc::clone(&self.0);
        move || {
            SystemTime::UNIX_EPOCH
                + Duration::from_secs(1_700_000_000 + seconds.load(Ordering::SeqCst))
        }
    }
}

/// What the tools have done: a counter of effects, and the order of everything that was noted.
#[derive(Debug, Clone, Default)]
pub(crate) struct Effects(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    count: AtomicUsize,
    log: Mutex<Vec<String>>,
}

impl Effects {
    /// Something happened in the world outside.
    pub(crate) fn happened(&self, what: impl Into<String>) {
        self.0.count.fetch_add(1, Ordering::SeqCst);
        self.note(what);
    }

    pub(crate) fn note(&self, what: impl Into<String>) {
        self.0.log.lock().unwrap().push(what.into());
    }

    pub(crate) fn count(&self) -> usize {
        self.0.count.load(Ordering::SeqCst)
    }

    /// Starts the count again.
    pub(crate) fn reset(&self) {
        self.0.count.store(0, Ordering::SeqCst);
    }

    /// The log so far; it is empty afterwards.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.log.lock().unwrap())
    }
}

/// The outcome in a line: `ok` with what was repaired, or the code with every rule and path.
pub(crate) fn verdict(outcome: &ToolOutcome) -> String {
    let mut out = match outcome.failure() {
        None => "ok".to_owned(),
        Some(failure) => failure.code.to_string(),
    };
    for repaired in &outcome.repairs {
        let name = serde_json::to_value(repaired.repair).unwrap();
        let _ = write!(out, " {}:{}", name.as_str().unwrap(), repaired.path);
    }
    for error in outcome.failure().into_iter().flat_map(|f| &f.errors) {
        let _ = write!(out, " {}:{}", error.rule, error.path);
    }
    out
}

/// The answer of a call that succeeded.
#[track_caller]
pub(crate) fn data(outcome: &ToolOutcome) -> Value {
    match &outcome.result {
        Ok(output) => serde_json::from_str(&output.to_json()).unwrap(),
        Err(failure) => panic!("{}: {}", failure.code, failure.message),
    }
}

/// The code of a call that failed.
#[track_caller]
pub(crate) fn code(outcome: &ToolOutcome) -> &str {
    match outcome.failure() {
        Some(failure) => &failure.code,
        None => panic!("it succeeded: {}", outcome.to_json()),
    }
}

/// The message of a call that failed.
#[track_caller]
pub(crate) fn message(outcome: &ToolOutcome) -> &str {
    &outcome.failure().expect("a failure").message
}

/// The approval a call waits for.
#[track_caller]
pub(crate) fn approval(outcome: &ToolOutcome) -> String {
    match outcome.failure().and_then(|f| f.confirmation.as_ref()) {
        Some(confirmation) => confirmation.approval_id.clone(),
        None => panic!("nothing waits: {}", outcome.to_json()),
    }
}

/// A tool as the macro would write it down, to be filled in by struct update.
pub(crate) const TOOL: StaticTool = StaticTool {
    name: "tool",
    title: None,
    description: "A tool of the tests.",
    risk: Risk::Medium,
    risk_declared: false,
    confirm: ConfirmRule::ByRisk,
    behaviour: CHANGES,
    version: 1,
    aliases: &[],
    timeout: None,
    max_output: None,
    mask_errors: false,
    parameters: &[],
    contexts: &[ContextType::of::<Effects>()],
    output: |_| None,
    run: Run::Inline(|_| Of(()).answer()),
    pinned: None,
    place: Place::new(module_path!(), file!(), line!()),
};

pub(crate) const CHANGES: Behaviour = Behaviour {
    read_only: false,
    destructive: true,
    idempotent: false,
    open_world: false,
    exclusive: false,
};

pub(crate) const READS: Behaviour = Behaviour {
    read_only: true,
    destructive: false,
    idempotent: true,
    open_world: false,
    exclusive: false,
};

pub(crate) const fn arg<T: Argument>(name: &'static str) -> Parameter {
    Parameter {
        name,
        aliases: &[],
        description: None,
        constraints: "",
        default: None,
        example: None,
        secret: false,
        ty: ArgType::of::<T>(),
    }
}

pub(crate) type Awaited<'a> = Pin<Box<dyn Future<Output = Reply> + Send + 'a>>;

/// Counts one effect of a tool that was called with these arguments, and answers with them.
fn ran(call: &Invocation, tool: &str, arguments: Value) -> Reply {
    call.context::<Effects>(0)
        .happened(format!("{tool}{arguments}"));
    Of(arguments).answer()
}

pub(crate) static GET_ORDER: StaticTool = StaticTool {
    name: "get_order",
    risk: Risk::Low,
    behaviour: READS,
    parameters: &[arg::<u64>("id")],
    run: Run::Inline(|call| {
        let id: u64 = call.arg(0)?;
        ran(call, "get_order", json!({"id": id}))
    }),
    ..TOOL
};

pub(crate) static ADD_NOTE: StaticTool = StaticTool {
    name: "add_note",
    risk: Risk::Low,
    parameters: &[
        arg::<u64>("order"),
        arg::<String>("text"),
        arg::<Option<bool>>("pinned"),
    ],
    run: Run::Inline(|call| {
        let (order, text): (u64, String) = (call.arg(0)?, call.arg(1)?);
        let pinned: Option<bool> = call.arg(2)?;
        ran(
            call,
            "add_note",
            json!({"order": order, "text": text, "pinned": pinned}),
        )
    }),
    ..TOOL
};

pub(crate) static SET_FLAG: StaticTool = StaticTool {
    name: "set_flag",
    behaviour: Behaviour {
        idempotent: true,
        ..CHANGES
    },
    parameters: &[arg::<String>("name"), arg::<bool>("on")],
    run: Run::Blocking(|call| {
        let (name, on): (String, bool) = (call.arg(0)?, call.arg(1)?);
        ran(call, "set_flag", json!({"name": name, "on": on}))
    }),
    ..TOOL
};

pub(crate) static REFUND: StaticTool = StaticTool {
    name: "refund",
    risk: Risk::High,
    confirm: ConfirmRule::Ask("Pay the money back?"),
    parameters: &[
        arg::<u64>("order"),
        arg::<u64>("cents"),
        arg::<Option<String>>("reason"),
    ],
    run: Run::Async(|call| {
        Box::pin(async move {
            let (order, cents): (u64, u64) = (call.arg(0)?, call.arg(1)?);
            let reason: Option<String> = call.arg(2)?;
            // The first thing it does is the effect: a tool that starts too early is seen.
            let arguments = json!({"order": order, "cents": cents, "reason": reason});
            let reply = ran(call, "refund", arguments);
            tokio::task::yield_now().await;
            reply
        })
    }),
    ..TOOL
};

pub(crate) static WIRE: StaticTool = StaticTool {
    name: "wire",
    risk: Risk::High,
    parameters: &[arg::<String>("to"), arg::<u64>("cents")],
    run: Run::Blocking(|call| {
        let (to, cents): (String, u64) = (call.arg(0)?, call.arg(1)?);
        ran(call, "wire", json!({"to": to, "cents": cents}))
    }),
    ..TOOL
};

pub(crate) static PING: StaticTool = StaticTool {
    name: "ping",
    risk: Risk::Low,
    behaviour: READS,
    run: Run::Inline(|call| ran(call, "ping", json!({}))),
    ..TOOL
};

pub(crate) static SEARCH: StaticTool = StaticTool {
    name: "search",
    risk: Risk::Low,
    behaviour: READS,
    parameters: &[
        arg::<String>("query"),
        Parameter {
            default: Some(|| Ok("10".to_owned())),
            ..arg::<u8>("limit")
        },
        Parameter {
            default: Some(|| Ok("[]".to_owned())),
            ..arg::<Vec<String>>("tags")
        },
    ],
    run: Run::Inline(|call| {
        let (query, limit): (String, u8) = (call.arg(0)?, call.arg(1)?);
        let tags: Vec<String> = call.arg(2)?;
        ran(
            call,
            "search",
            json!({"query": query, "limit": limit, "tags": tags}),
        )
    }),
    ..TOOL
};

/// Text or a list of texts.
#[derive(Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(untagged)]
pub(crate) enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

pub(crate) static EITHER: StaticTool = StaticTool {
    name: "either",
    risk: Risk::Low,
    parameters: &[arg::<OneOrMany>("v")],
    run: Run::Inline(|call| {
        let v: OneOrMany = call.arg(0)?;
        ran(call, "either", json!({"v": v}))
    }),
    ..TOOL
};

/// The tools that most tests call.
pub(crate) fn shop() -> Registry {
    Registry::of(&[
        &GET_ORDER, &ADD_NOTE, &SET_FLAG, &REFUND, &WIRE, &PING, &SEARCH, &EITHER,
    ])
}
