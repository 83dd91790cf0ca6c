//! What state a call is in: a fold over its events.

use serde::Serialize;
use serde_json::Value;

use super::{Asked, Event, Record};

/// Where an approval stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ApprovalState {
    /// Nobody has decided.
    Pending,
    /// Nobody has decided, and it is too late.
    Expired,
    /// Somebody agreed; it has not run yet.
    Approved {
        /// Who.
        by: String,
    },
    /// Somebody refused.
    Rejected {
        /// Who.
        by: String,
        /// Why.
        why: Option<String>,
    },
    /// It was used: the tool was started, and no end is recorded. Either it runs right now, or the process died.
    Started,
    /// It was used, and this came of it.
    Finished {
        /// `ok`, or the code of the failure.
        code: String,
        /// The outcome as the caller got it.
        #[serde(skip_serializing_if = "Option::is_none")]
        outcome: Option<Value>,
    },
}

/// A stream, read.
#[derive(Debug)]
pub(crate) struct Recorded {
    pub(crate) asked: Box<Asked>,
    pub(crate) state: ApprovalState,
    /// How many events there are: where the next one goes.
    pub(crate) position: u64,
}

/// The approval of a stream, if it holds one.
pub(crate) fn fold(records: Vec<Record>, now: u64) -> Option<Recorded> {
    let position = records.len() as u64;
    let mut asked = None;
    let mut state = ApprovalState::Pending;
    for record in records {
        match record.event {
            Event::Asked(question) => asked = Some(question),
            Event::Approved { by } => state = ApprovalState::Approved { by },
            Event::Rejected { by, why } => state = ApprovalState::Rejected { by, why },
            Event::Started { .. } => state = ApprovalState::Started,
            Event::Finished { code, outcome, .. } => {
                state = ApprovalState::Finished {
                    code: code.into_owned(),
                    outcome: outcome.map(|outcome| *outcome),
                }
            }
            Event::FinishedLate { .. } => {}
        }
    }
    let asked = asked?;
    if matches!(
        state,
        ApprovalState::Pending | ApprovalState::Approved { .. }
    ) && now >= asked.expires
    {
        state = ApprovalState::Expired;
    }
    Some(Recorded {
        asked,
        state,
        position,
    })
}
