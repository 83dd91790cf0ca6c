//! Running the tool: off the executor, in bounds, and whatever it does, with an answer.

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::sync::oneshot;

use crate::encode;
use crate::invocation::{Answered, Invocation, Refused, Reply, Running};
use crate::outcome::Output;
use crate::registry::{RegisteredTool, Runner};
use crate::tool::{Run, StaticTool};

/// How many runs of one tool may go on after they were given up on. With that many, the tool is `unavailable`.
pub(crate) const MAX_DETACHED: usize = 16;

/// How a run ended.
pub(crate) enum Ended {
    Replied(Reply),
    Panicked,
    TimedOut(Duration),
    Cancelled,
}

/// Runs of one tool that nobody waits for any more.
#[derive(Debug, Clone, Default)]
pub(crate) struct Detached(Arc<AtomicUsize>);

impl Detached {
    pub(crate) fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

/// A run that is over, or on its way.
pub(crate) enum Execution<'r> {
    Over(Ended),
    /// On the heap: each layer around a run would keep room for it in every call, of whatever tool.
    Running(Pin<Box<dyn Future<Output = Ended> + Send + 'r>>),
}

/// Runs the tool to its end, its time limit or its cancellation, whichever comes first.
///
/// `late` makes what is told of a run that ends when nobody waits for it any more.
pub(crate) fn execute<'r, L: FnOnce(&'static str) + Send + 'static>(
    tool: &'r RegisteredTool,
    invocation: Invocation,
    timeout: Option<Duration>,
    max_output: usize,
    detached: &'r Detached,
    late: impl FnOnce() -> L + Send + 'r,
) -> Execution<'r> {
    if let Runner::Static(StaticTool {
        run: Run::Inline(run),
        ..
    }) = tool.runner()
    {
        // It is over before anybody could give up on it.
        return Execution::Over(caught(max_output, || run(&invocation)));
    }
    Execution::Running(Box::pin(bounded(
        tool, invocation, timeout, max_output, detached, late,
    )))
}

async fn bounded<L: FnOnce(&'static str) + Send + 'static>(
    tool: &RegisteredTool,
    invocation: Invocation,
    timeout: Option<Duration>,
    max_output: usize,
    detached: &Detached,
    late: impl FnOnce() -> L,
) -> Ended {
    let cancellation = invocation.call.cancellation.clone();
    let run = async move {
        match tool.runner() {
            Runner::Static(tool) => match tool.run {
                Run::Inline(run) => caught(max_output, || run(&invocation)),
                Run::Blocking(run) => blocking(run, invocation, max_output, detached, late()).await,
                Run::Async(run) => match catch_unwind(AssertUnwindSafe(|| run(&invocation))) {
                    Ok(running) => {
                        Guarded {
                            running: Some(running),
                            max_output,
                        }
                        .await
                    }
                    Err(payload) => panicked(payload),
                },
            },
            Runner::Dynamic(tool) => {
                let call = invocation.call.clone();
                let handled = catch_unwind(AssertUnwindSafe(|| {
                    tool.handle(invocation.arguments.to_value(), call)
                }));
                match handled {
                    Ok(handling) => {
                        let running: Running<'_> = Box::pin(async move {
                            match handling.await {
                                Ok(value) => encode::to_json(&value)
                                    .map(Answered::Json)
                                    .map_err(Refused::output),
                                Err(error) => Err(Refused::failed(error)),
                            }
                        });
                        Guarded {
                            running: Some(running),
                            max_output,
                        }
                        .await
                    }
                    Err(payload) => panicked(payload),
                }
            }
        }
    };
    let timed = async move {
        match timeout {
            None => run.await,
            Some(limit) => tokio::time::timeout(limit, run)
                .await
                .unwrap_or(Ended::TimedOut(limit)),
        }
    };
    match cancellation {
        None => timed.await,
        Some(token) => token
            .run_until_cancelled(timed)
            .await
            .unwrap_or(Ended::Cancelled),
    }
}

/// Runs a plain function, and catches its panic.
fn caught(max_output: usize, run: impl FnOnce() -> Reply) -> Ended {
    match catch_unwind(AssertUnwindSafe(|| encode::with_limit(max_output, run))) {
        Ok(reply) => Ended::Replied(reply),
        Err(payload) => panicked(payload),
    }
}

/// What a panic says is for the process's own hook, not for the model.
#[cold]
fn panicked(payload: Box<dyn Any + Send>) -> Ended {
    discard(payload);
    Ended::Panicked
}

/// Drops what came from a tool, which may panic, and whose panic may panic again when it is dropped.
pub(crate) fn discard<T>(value: T) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(value)))
        && let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload)))
    {
        std::mem::forget(again);
    }
}

/// Runs a plain function on a thread that may block. When nobody waits for it any more it goes on, and tells its end.
async fn blocking(
    run: fn(&Invocation) -> Reply,
    invocation: Invocation,
    max_output: usize,
    detached: &Detached,
    late: impl FnOnce(&'static str) + Send + 'static,
) -> Ended {
    let (sender, receiver) = oneshot::channel();
    let span = tracing::Span::current();
    let work = move || {
        let ended = span.in_scope(|| caught(max_output, || run(&invocation)));
        // The invocation's own values may panic when they are dropped.
        discard(invocation);
        if let Err(ended) = sender.send(ended) {
            late(match ended {
                Ended::Replied(Ok(_)) => "ok",
                Ended::Replied(Err(_)) => crate::outcome::code::FAILED,
                _ => crate::outcome::code::INTERNAL,
            });
        }
    };
    let mut leaving = Leaving {
        detached: detached.clone(),
        waited: false,
        done: Arc::default(),
    };
    let done = Arc::clone(&leaving.done);
    let counted = detached.clone();
    let work = move || {
        work();
        // Whoever comes second takes the run off the count: the waiter that leaves, or the run that ends.
        if done.fetch_or(ENDED, Ordering::AcqRel) & LEFT != 0 {
            counted.0.fetch_sub(1, Ordering::Relaxed);
        }
    };
    match tokio::runtime::Handle::try_current() {
        Ok(runtime) => drop(runtime.spawn_blocking(work)),
        // Any other executor: a thread of its own.
        Err(_) => drop(std::thread::spawn(work)),
    }
    let ended = receiver.await.unwrap_or(Ended::Panicked);
    leaving.waited = true;
    ended
}

const LEFT: usize = 1;
const ENDED: usize = 2;

/// Counts a run as detached when its waiter goes away before it ends.
struct Leaving {
    detached: Detached,
    waited: bool,
    done: Arc<AtomicUsize>,
}

impl Drop for Leaving {
    fn drop(&mut self) {
        if self.waited {
            return;
        }
        self.detached.0.fetch_add(1, Ordering::Relaxed);
        if self.done.fetch_or(LEFT, Ordering::AcqRel) & ENDED != 0 {
            self.detached.0.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// A run that is awaited, with its panics caught at every poll and when it is dropped.
struct Guarded<'a> {
    running: Option<Running<'a>>,
    max_output: usize,
}

impl Future for Guarded<'_> {
    type Output = Ended;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Ended> {
        let max_output = self.max_output;
        let Some(running) = self.running.as_mut() else {
            return Poll::Ready(Ended::Panicked);
        };
        let polled = catch_unwind(AssertUnwindSafe(|| {
            encode::with_limit(max_output, || running.as_mut().poll(cx))
        }));
        match polled {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(reply)) => Poll::Ready(Ended::Replied(reply)),
            Err(payload) => Poll::Ready(panicked(payload)),
        }
    }
}

impl Drop for Guarded<'_> {
    fn drop(&mut self) {
        discard(self.running.take());
    }
}

/// The size of parts that were never written as one text.
pub(crate) fn output_of(
    answered: Answered,
    max_output: usize,
) -> Result<Output, encode::EncodeError> {
    match answered {
        Answered::Json(text) => Ok(Output::Json(text)),
        Answered::Content(parts) => {
            let output = Output::Content(parts);
            if output.to_json().len() > max_output {
                return Err(encode::EncodeError::TooLarge { limit: max_output });
            }
            Ok(output)
        }
    }
}
