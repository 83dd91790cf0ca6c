//! The question before a risky call: who may answer, and what an answer is worth.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::Poll;

use serde::Serialize;
use serde_json::Value;

use crate::journal::{ApprovalState, Asked, JournalError, Recorded, rfc3339};
use crate::outcome::{Confirmation, ErrorType, Failure, ToolOutcome, code};
use crate::risk::Risk;
use crate::text;
use crate::trace::TraceId;

/// Asks on the spot: a terminal, a dialog. Without one, a call that needs an approval waits for
/// [`Dispatcher::approve`](crate::Dispatcher::approve).
pub trait Confirm: Send + Sync {
    /// Puts the question to somebody.
    fn ask<'a>(
        &'a self,
        confirmation: &'a Confirmation,
    ) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>>;
}

/// What came of asking.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answer {
    /// Run it.
    Yes {
        /// Who says so; from the host, never from the model.
        by: String,
    },
    /// Do not run it.
    No {
        /// Who says so.
        by: String,
        /// Why, for the model.
        why: Option<String>,
    },
    /// Nobody is there to answer: the question stays open.
    Later,
}

/// One approval, as an operator sees it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Approval {
    /// What `approve` and `reject` take.
    pub approval_id: TraceId,
    /// The tool.
    pub tool_name: String,
    /// Its risk.
    pub risk: Risk,
    /// The question.
    pub question: String,
    /// The arguments as they will run, secrets masked.
    pub arguments: Value,
    /// When the question lapses: RFC 3339, UTC.
    pub expires_at: String,
    /// Where it stands.
    #[serde(flatten)]
    pub state: ApprovalState,
}

impl Approval {
    pub(crate) fn new(id: TraceId, recorded: Recorded) -> Self {
        let Recorded { asked, state, .. } = recorded;
        Self {
            approval_id: id,
            tool_name: asked.tool,
            risk: asked.risk,
            question: asked.question,
            arguments: asked.display,
            expires_at: rfc3339(asked.expires),
            state,
        }
    }
}

/// Why an approval cannot be given, refused or used. Nothing was run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ApprovalError {
    /// There is none of that id.
    #[error("there is no approval `{id}`; `approvals` lists those that wait")]
    NotFound {
        /// What was asked for.
        id: String,
    },
    /// It has been used.
    #[error(
        "approval {id} has been used already: the call ended with `{code}`; nothing was run again"
    )]
    Used {
        /// The approval.
        id: TraceId,
        /// The tool.
        tool: String,
        /// `ok`, or the code of the failure.
        code: String,
        /// The outcome as it was recorded.
        outcome: Option<Value>,
    },
    /// It is being used, or the process that used it died on the way.
    #[error(
        "approval {id} has been used, and how the call ended is not recorded: it runs right now, or it was cut off; look at what `{tool}` \
         has done before you call it again"
    )]
    Unfinished {
        /// The approval.
        id: TraceId,
        /// The tool.
        tool: String,
    },
    /// Somebody has decided otherwise.
    #[error(
        "approval {id} was {decided} by {by}; the first decision stands, and nothing was changed"
    )]
    Conflict {
        /// The approval.
        id: TraceId,
        /// The tool.
        tool: String,
        /// `approved` or `rejected`.
        decided: &'static str,
        /// By whom.
        by: String,
    },
    /// The question has lapsed.
    #[error("approval {id} expired at {at}; make the call again to be asked again")]
    Expired {
        /// The approval.
        id: TraceId,
        /// The tool.
        tool: String,
        /// When it lapsed.
        at: String,
    },
    /// The tool is not what it was when the question was put.
    #[error(
        "`{tool}` has changed since approval {id} was asked for; make the call again to be asked again"
    )]
    Changed {
        /// The approval.
        id: TraceId,
        /// The tool.
        tool: String,
    },
    /// The host's rules do not allow the call any more.
    #[error("approval {id} was not used: {}", .failure.message)]
    Refused {
        /// The approval.
        id: TraceId,
        /// The tool.
        tool: String,
        /// What the rules say.
        failure: Box<Failure>,
    },
    /// The journal failed.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl ApprovalError {
    /// The same as an outcome, for hosts that answer in one form.
    #[must_use]
    pub fn to_outcome(&self) -> ToolOutcome {
        let message = self.to_string();
        let waits = |code| Failure::new(ErrorType::ConfirmationRequired, code, message.clone());
        let failed = |code| Failure::new(ErrorType::ToolError, code, message.clone());
        let (id, tool, failure) = match self {
            Self::NotFound { .. } => (None, "", waits(code::NOT_FOUND)),
            Self::Used { id, tool, .. } => (Some(*id), tool.as_str(), failed(code::DUPLICATE_CALL)),
            Self::Unfinished { id, tool } => {
                (Some(*id), tool.as_str(), failed(code::OUTCOME_UNKNOWN))
            }
            Self::Conflict { id, tool, .. } => (Some(*id), tool.as_str(), waits(code::DENIED)),
            Self::Expired { id, tool, .. } => {
                (Some(*id), tool.as_str(), waits(code::APPROVAL_EXPIRED))
            }
            Self::Changed { id, tool } => (Some(*id), tool.as_str(), waits(code::APPROVAL_EXPIRED)),
            Self::Refused { id, tool, failure } => (Some(*id), tool.as_str(), (**failure).clone()),
            Self::Journal(_) => (None, "", failed(code::UNAVAILABLE)),
        };
        ToolOutcome::new(
            tool.to_owned(),
            id.unwrap_or_else(TraceId::new),
            Err(Box::new(failure)),
        )
    }
}

/// Puts the question. One that breaks down is one that nobody has answered.
pub(crate) async fn put(confirm: &dyn Confirm, confirmation: &Confirmation) -> Answer {
    let broken = |_| {
        tracing::error!(
            approval = confirmation.approval_id,
            "the question could not be put: `Confirm` panicked"
        );
        Answer::Later
    };
    let mut asking = match catch_unwind(AssertUnwindSafe(|| confirm.ask(confirmation))) {
        Ok(asking) => asking,
        Err(payload) => return broken(payload),
    };
    std::future::poll_fn(|cx| {
        catch_unwind(AssertUnwindSafe(|| asking.as_mut().poll(cx)))
            .unwrap_or_else(|payload| Poll::Ready(broken(payload)))
    })
    .await
}

/// The question as it is put.
pub(crate) fn confirmation(id: TraceId, asked: &Asked) -> Confirmation {
    Confirmation {
        approval_id: id.to_string(),
        tool_name: asked.tool.clone(),
        question: asked.question.clone(),
        risk: asked.risk,
        arguments: asked.display.clone(),
        expires_at: rfc3339(asked.expires),
    }
}

/// The outcome of a call that waits.
pub(crate) fn pending(tool: &str, confirmation: Confirmation) -> Box<Failure> {
    let message = format!(
        "`{tool}` was not run: a person has to approve it first (approval {}, until {}); tell the user, and do not repeat the \
         call",
        confirmation.approval_id, confirmation.expires_at
    );
    Box::new(Failure {
        confirmation: Some(confirmation),
        ..Failure::new(ErrorType::ConfirmationRequired, code::PENDING, message)
    })
}

/// The outcome of a call whose question was answered too late.
pub(crate) fn lapsed(tool: &str) -> Box<Failure> {
    Box::new(Failure::new(
        ErrorType::ConfirmationRequired,
        code::APPROVAL_EXPIRED,
        format!(
            "nobody approved `{tool}` in time, so it was not run; that is no refusal: make the call again to be asked again"
        ),
    ))
}

/// The outcome of a call that a person refused.
pub(crate) fn rejected(tool: &str, why: Option<&str>) -> Box<Failure> {
    let reason = why
        .map(|why| format!(": {}", text::clean(why)))
        .unwrap_or_default();
    Box::new(Failure {
        source: crate::outcome::Source::Human,
        ..Failure::new(
            ErrorType::ConfirmationRequired,
            code::DENIED,
            format!(
                "a person refused to run `{tool}`{reason}; do not repeat the call unless the user asks for it"
            ),
        )
    })
}
