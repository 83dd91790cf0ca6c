//! What the host decides about a call, after it is valid and before anybody is asked.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use crate::intake::Frozen;
use crate::outcome::{ErrorType, Failure, code};
use crate::registry::RegisteredTool;
use crate::text;
use crate::trace::TraceId;

/// A rule of the host's about calls. A closure `Fn(&PolicyRequest) -> Verdict` is one.
///
/// Rules see every valid call with its frozen arguments, and again before an approved call runs. Of their verdicts the
/// strictest counts (deny, ask, allow, abstain), so their order does not matter. One that panics denies.
pub trait Policy: Send + Sync {
    /// Decides about one call.
    fn decide(&self, request: &PolicyRequest<'_>) -> Verdict;
}

impl<F: Fn(&PolicyRequest<'_>) -> Verdict + Send + Sync> Policy for F {
    fn decide(&self, request: &PolicyRequest<'_>) -> Verdict {
        self(request)
    }
}

/// What a rule says.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// Nothing: the other rules and the tool's risk decide.
    Abstain,
    /// It may run; where the tool itself does not ask, nobody is asked.
    Allow,
    /// A person has to agree first.
    Ask {
        /// Why, for that person.
        reason: String,
    },
    /// It must not run.
    Deny {
        /// Why, for the model.
        reason: String,
        /// Why, for the operator alone; it goes to the log.
        internal: Option<String>,
    },
}

impl Verdict {
    /// It must not run, for this reason, which the model is told.
    pub fn deny(reason: impl Into<String>) -> Self {
        Self::Deny {
            reason: reason.into(),
            internal: None,
        }
    }

    /// A person has to agree first, for this reason.
    pub fn ask(reason: impl Into<String>) -> Self {
        Self::Ask {
            reason: reason.into(),
        }
    }
}

/// The call a rule decides about.
pub struct PolicyRequest<'c> {
    tool: &'c RegisteredTool,
    arguments: &'c Frozen,
    value: OnceLock<Value>,
    trace_id: TraceId,
    call_id: Option<&'c str>,
}

impl<'c> PolicyRequest<'c> {
    pub(crate) fn new(
        tool: &'c RegisteredTool,
        arguments: &'c Frozen,
        trace_id: TraceId,
        call_id: Option<&'c str>,
    ) -> Self {
        Self {
            tool,
            arguments,
            value: OnceLock::new(),
            trace_id,
            call_id,
        }
    }

    /// The tool: its name, risk and behaviour.
    #[must_use]
    pub fn tool(&self) -> &RegisteredTool {
        self.tool
    }

    /// The arguments exactly as they will run, defaults filled in.
    pub fn arguments(&self) -> &Value {
        self.value.get_or_init(|| self.arguments.to_value())
    }

    /// The trace of the call.
    #[must_use]
    pub fn trace_id(&self) -> TraceId {
        self.trace_id
    }

    /// The provider's id of the call.
    #[must_use]
    pub fn call_id(&self) -> Option<&str> {
        self.call_id
    }
}

impl fmt::Debug for PolicyRequest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PolicyRequest")
            .field("tool", &self.tool.name())
            .field("trace_id", &self.trace_id)
            .finish_non_exhaustive()
    }
}

/// What all rules together and the tool itself come to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    Run,
    /// Ask; the reasons of the rules that want it.
    Ask(Vec<String>),
}

/// Asks every rule.
///
/// # Errors
/// The outcome of a call that must not run.
pub(crate) fn decide(
    policies: &[Arc<dyn Policy>],
    request: &PolicyRequest<'_>,
) -> Result<Decision, Box<Failure>> {
    let mut reasons = Vec::new();
    let mut denied = None;
    for policy in policies {
        let verdict = catch_unwind(AssertUnwindSafe(|| policy.decide(request)));
        match verdict {
            Ok(Verdict::Abstain | Verdict::Allow) => {}
            Ok(Verdict::Ask { reason }) => reasons.push(reason),
            Ok(Verdict::Deny { reason, internal }) => {
                tracing::info!(tool = request.tool.name(), trace = %request.trace_id, internal, "denied by policy");
                denied.get_or_insert(reason);
            }
            Err(_) => {
                tracing::error!(tool = request.tool.name(), trace = %request.trace_id, "a policy panicked; the call is denied");
                return Err(Box::new(Failure {
                    retryable: true,
                    ..Failure::new(
                        ErrorType::ConfirmationRequired,
                        code::POLICY_UNAVAILABLE,
                        "the host's rules could not be asked, so nothing was run; this is no refusal: try again later",
                    )
                }));
            }
        }
    }
    if let Some(reason) = denied {
        let message = format!(
            "the host does not allow this call: {}; do not repeat it",
            text::clean(&reason)
        );
        return Err(Box::new(Failure::new(
            ErrorType::ConfirmationRequired,
            code::DENIED,
            message,
        )));
    }
    if request.tool.confirms() || !reasons.is_empty() {
        Ok(Decision::Ask(reasons))
    } else {
        Ok(Decision::Run)
    }
}
