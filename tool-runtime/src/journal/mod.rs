//! What happened, append-only: approvals and audit are one concept.
//!
//! Each call is a stream of events under its trace id; what state it is in is a fold over them. The one primitive is *append
//! to a stream at an expected position*: of two that race for one approval, one appends and the other finds the
//! position taken, and reads what the first did.

mod file;
mod memory;
mod state;

use std::borrow::Cow;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::outcome::Executed;
use crate::risk::Risk;
use crate::trace::TraceId;

pub use file::FileJournal;
pub use memory::MemoryJournal;
pub use state::ApprovalState;
pub(crate) use state::{Recorded, fold};

/// A store of streams of events.
///
/// An implementation keeps one promise: of several appends to one stream at one position, exactly one succeeds, and when it
/// returns the event is as durable as the store is.
pub trait Journal: fmt::Debug + Send + Sync {
    /// Appends one event to a stream that holds `expected` events.
    fn append<'a>(&'a self, stream: TraceId, expected: u64, record: Record) -> Pending<'a, ()>;

    /// All events of a stream, in order; empty for one that does not exist.
    fn read<'a>(&'a self, stream: TraceId) -> Pending<'a, Vec<Record>>;

    /// The streams that hold an approval, in the order they were begun.
    fn approvals<'a>(&'a self) -> Pending<'a, Vec<TraceId>>;
}

/// What a journal's methods return.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = Result<T, JournalError>> + Send + 'a>>;

/// Why an event was not recorded or not found.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// Somebody else appended at that position first.
    #[error("stream {stream} already holds an event at position {position}")]
    Conflict {
        /// The stream.
        stream: TraceId,
        /// The position.
        position: u64,
    },
    /// The store failed.
    #[error("the journal {place} cannot be used: {source}")]
    Store {
        /// The store.
        place: String,
        /// What failed.
        source: std::io::Error,
    },
    /// What is stored is no journal.
    #[error(
        "the journal {place} is damaged at line {line}: {reason}; move it away, or restore it from a copy"
    )]
    Damaged {
        /// The store.
        place: String,
        /// The line.
        line: u64,
        /// What is wrong there.
        reason: String,
    },
}

/// One event and when it happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Record {
    /// Milliseconds since 1970, UTC.
    pub time: u64,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

impl Record {
    pub(crate) fn new(now: SystemTime, event: Event) -> Self {
        Self {
            time: millis(now),
            event,
        }
    }
}

/// Milliseconds since 1970.
pub(crate) fn millis(time: SystemTime) -> u64 {
    let since = time
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or(Duration::ZERO);
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// The time as RFC 3339, UTC, whole seconds.
pub(crate) fn rfc3339(millis: u64) -> String {
    /// The last second of the year 9999, which is as far as RFC 3339 goes.
    const LAST: u64 = 253_402_300_799;
    humantime::format_rfc3339_seconds(
        SystemTime::UNIX_EPOCH + Duration::from_secs((millis / 1000).min(LAST)),
    )
    .to_string()
}

/// What can happen to a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "event",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
#[non_exhaustive]
pub enum Event {
    /// A person has to agree.
    Asked(Box<Asked>),
    /// Somebody agreed.
    Approved {
        /// Who.
        by: String,
    },
    /// Somebody refused.
    Rejected {
        /// Who.
        by: String,
        /// Why, for the model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// The tool is about to run; from here on an approval is used up.
    Started {
        /// The tool.
        tool: Cow<'static, str>,
        /// Digest of the arguments.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        digest: Option<String>,
    },
    /// The call has an outcome.
    Finished {
        /// The tool.
        tool: Cow<'static, str>,
        /// `ok`, or the code of the failure.
        code: Cow<'static, str>,
        /// Whether the tool ran.
        executed: Executed,
        /// The outcome as the caller got it, for calls that were approved.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        outcome: Option<Box<Value>>,
    },
    /// A run that had been given up on came to its end.
    FinishedLate {
        /// How it ended.
        code: Cow<'static, str>,
    },
}

/// What an approval is bound to. Nothing of it changes any more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Asked {
    /// The tool.
    pub tool: String,
    /// The version of its contract.
    pub version: u32,
    /// The fingerprint of its contract.
    pub fingerprint: String,
    /// Digest of tool, version, fingerprint and arguments.
    pub digest: String,
    /// The arguments as they will run, as canonical JSON text. Secrets stand in it: the store has to be kept like one.
    pub arguments: String,
    /// The arguments for people, secrets masked.
    pub display: Value,
    /// The tool's risk.
    pub risk: Risk,
    /// The question.
    pub question: String,
    /// The provider's id of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
    /// When the question lapses, in milliseconds since 1970.
    pub expires: u64,
}
