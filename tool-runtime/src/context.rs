//! What a running call knows about itself.

use std::fmt;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::trace::TraceId;

/// What a tool may ask about the call it runs for: `#[context] call: &CallContext`. The model never sees it.
#[derive(Clone)]
pub struct CallContext {
    pub(crate) trace_id: TraceId,
    pub(crate) call_id: Option<Arc<str>>,
    pub(crate) cancellation: Option<CancellationToken>,
    pub(crate) progress: Option<ProgressSink>,
}

/// Where a host takes progress reports.
pub(crate) type ProgressSink = Arc<dyn Fn(Progress) + Send + Sync>;

/// One report of a running call.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// The trace of the call it belongs to.
    pub trace_id: TraceId,
    /// How much is done, in the unit of `total`.
    pub progress: f64,
    /// How much there is, if that is known.
    pub total: Option<f64>,
    /// What is being done, for people.
    pub message: Option<String>,
}

impl CallContext {
    /// The trace of this call in outcomes, journal and telemetry.
    #[must_use]
    pub fn trace_id(&self) -> TraceId {
        self.trace_id
    }

    /// The provider's id of the call, if it gave one.
    #[must_use]
    pub fn call_id(&self) -> Option<&str> {
        self.call_id.as_deref()
    }

    /// The key to hand to a system that drops repeats: the same for every attempt at this call, also in another process
    /// after an approval, and different for every other call.
    #[must_use]
    pub fn idempotency_key(&self) -> String {
        self.trace_id.to_string()
    }

    /// Whether the host has cancelled the call. An async tool is dropped at its next await; a sync one has to look.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancellation
            .as_ref()
            .is_some_and(CancellationToken::is_cancelled)
    }

    /// The token behind [`is_cancelled`](Self::is_cancelled), to hand on or to wait for; `None` where the host gave none.
    #[must_use]
    pub fn cancellation(&self) -> Option<&CancellationToken> {
        self.cancellation.as_ref()
    }

    /// Reports progress to the host; without a listener it costs nothing.
    pub fn report(&self, progress: f64, total: Option<f64>, message: Option<&str>) {
        if let Some(sink) = &self.progress {
            sink(Progress {
                trace_id: self.trace_id,
                progress,
                total,
                message: message.map(str::to_owned),
            });
        }
    }
}

impl fmt::Debug for CallContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallContext")
            .field("trace_id", &self.trace_id)
            .field("call_id", &self.call_id)
            .finish_non_exhaustive()
    }
}
