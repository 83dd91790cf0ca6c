//! The gateway: one call in, one outcome out, always.

pub(crate) mod builder;
pub(crate) mod confirm;
mod execute;
pub(crate) mod policy;

use std::borrow::Cow;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, SystemTime};

use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;
use tracing::field::Empty;

use crate::call::{Arguments, ToolCall};
use crate::canonical;
use crate::context::{CallContext, Progress, ProgressSink};
use crate::encode::EncodeError;
use crate::intake::{self, Frozen, Repaired, Repairs};
use crate::invocation::{Contexts, Invocation, Why};
use crate::journal::{
    self, ApprovalState, Asked, Event, Journal, JournalError, MemoryJournal, Record, Recorded,
    fold, millis,
};
use crate::outcome::{ErrorType, Executed, Failure, Output, Source, ToolOutcome, code};
use crate::parse::Limits;
use crate::registry::{RegisteredTool, Registry};
use crate::text;
use crate::trace::TraceId;

use builder::Builder;
use confirm::{Answer, Approval, ApprovalError, Confirm};
use execute::{Detached, Ended, Execution};
use policy::{Decision, Policy, PolicyRequest};

/// Runs a model's calls, and lets none past that should not run.
///
/// Each call goes the same way: bounds, name, parsing and repairs, validation, defaults, policy, confirmation, the record of
/// the intent, the run itself, a check of the output, the record of the outcome. Whatever happens on it, there is one
/// [`ToolOutcome`], and it says whether the tool ran.
///
/// Futures need a Tokio runtime where a tool has a time limit; everything else runs on any executor.
pub struct Dispatcher {
    registry: Registry,
    /// By position in the registry.
    bound: Vec<Bound>,
    policies: Vec<Arc<dyn Policy>>,
    confirm: Option<Arc<dyn Confirm>>,
    journal: Store,
    limits: Limits,
    repairs: Repairs,
    approval_ttl: Duration,
    clock: Clock,
    /// Only where some tool must not overlap another: that one writes, all others read.
    turns: Option<tokio::sync::RwLock<()>>,
}

type Clock = Arc<dyn Fn() -> SystemTime + Send + Sync>;

/// What `build()` has settled for one tool.
struct Bound {
    contexts: Contexts,
    detached: Detached,
    timeout: Option<Duration>,
    max_output: usize,
    mask_errors: bool,
}

/// The journal. The one in memory is asked directly, which spares every call two boxed futures.
#[derive(Clone)]
enum Store {
    Memory(Arc<MemoryJournal>),
    Other(Arc<dyn Journal>),
}

impl Store {
    fn get(&self) -> &dyn Journal {
        match self {
            Self::Memory(journal) => &**journal,
            Self::Other(journal) => &**journal,
        }
    }
}

/// An append: done where it was asked for, or on its way.
enum Appending<'j> {
    Done(Option<Result<(), JournalError>>),
    Waiting(journal::Pending<'j, ()>),
}

impl Future for Appending<'_> {
    type Output = Result<(), JournalError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut *self {
            // Nobody polls a future again that was ready.
            Self::Done(result) => result.take().map_or(Poll::Pending, Poll::Ready),
            Self::Waiting(pending) => pending.as_mut().poll(cx),
        }
    }
}

/// What a host gives along with one call.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct CallOptions {
    cancellation: Option<CancellationToken>,
    progress: Option<ProgressSink>,
}

impl CallOptions {
    /// Lets the host cancel the call.
    #[must_use]
    pub fn cancellation(mut self, token: CancellationToken) -> Self {
        self.cancellation = Some(token);
        self
    }

    /// Takes the tool's progress reports.
    #[must_use]
    pub fn progress(mut self, sink: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        self.progress = Some(Arc::new(sink));
        self
    }
}

impl fmt::Debug for CallOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallOptions")
            .field("cancellation", &self.cancellation.is_some())
            .field("progress", &self.progress.is_some())
            .finish()
    }
}

/// What becomes known of a call on its way.
struct Receipt {
    trace_id: TraceId,
    tool_name: Cow<'static, str>,
    repairs: Vec<Repaired>,
}

/// A call that is valid: what policy, people and the tool see from here on is this.
struct Admitted<'d> {
    tool: &'d Arc<RegisteredTool>,
    bound: &'d Bound,
    arguments: Frozen,
    call_id: Option<String>,
    options: CallOptions,
}

impl Dispatcher {
    /// A dispatcher is put together first.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// The tools behind it, as the model sees them.
    #[must_use]
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// The journal behind it.
    #[must_use]
    pub fn journal(&self) -> &dyn Journal {
        self.journal.get()
    }

    /// Runs one call.
    pub async fn dispatch(&self, call: ToolCall) -> ToolOutcome {
        self.dispatch_with(call, CallOptions::default()).await
    }

    /// Runs one call that the host can cancel or watch.
    pub async fn dispatch_with(&self, call: ToolCall, options: CallOptions) -> ToolOutcome {
        let trace_id = TraceId::new();
        let mut receipt = Receipt {
            trace_id,
            tool_name: Cow::Borrowed(""),
            repairs: Vec::new(),
        };
        let call_id = call.id.clone();
        let span = tracing::info_span!(
            "execute_tool",
            otel.name = Empty,
            otel.status_code = Empty,
            gen_ai.operation.name = "execute_tool",
            gen_ai.tool.name = Empty,
            gen_ai.tool.type = "function",
            gen_ai.tool.call.id = call_id.as_deref(),
            error.type = Empty,
            tool.risk = Empty,
            tool.executed = Empty,
            tool.repairs = Empty,
            tool.trace_id = %trace_id,
        );
        let result = if span.is_disabled() {
            self.pipeline(&mut receipt, call, options).await
        } else {
            // On the heap, so that calls that are not traced do not carry room for it.
            Box::pin(self.pipeline(&mut receipt, call, options))
                .instrument(span.clone())
                .await
        };
        let mut outcome = ToolOutcome::new(receipt.tool_name, trace_id, result);
        outcome.call_id = call_id;
        outcome.repairs = receipt.repairs;
        if !span.is_disabled() {
            self.record(&span, &outcome);
        }
        outcome
    }

    /// Runs the calls of one turn together, and returns their outcomes in the same order.
    ///
    /// A failure does not touch its siblings; a tool marked `exclusive` overlaps nothing.
    pub async fn dispatch_all(
        &self,
        calls: impl IntoIterator<Item = ToolCall>,
    ) -> Vec<ToolOutcome> {
        let mut running: Vec<_> = calls
            .into_iter()
            .map(|call| (Some(Box::pin(self.dispatch(call))), None))
            .collect();
        std::future::poll_fn(|cx| {
            let mut waiting = false;
            for (future, outcome) in &mut running {
                let Some(call) = future else { continue };
                match call.as_mut().poll(cx) {
                    Poll::Ready(done) => (*future, *outcome) = (None, Some(done)),
                    Poll::Pending => waiting = true,
                }
            }
            if waiting {
                Poll::Pending
            } else {
                Poll::Ready(())
            }
        })
        .await;
        running
            .into_iter()
            .filter_map(|(_, outcome)| outcome)
            .collect()
    }

    /// The whole way of a call.
    async fn pipeline(
        &self,
        receipt: &mut Receipt,
        call: ToolCall,
        options: CallOptions,
    ) -> Result<Output, Box<Failure>> {
        let text = self.bounds(&call.name, call.arguments, call.truncated, receipt)?;
        let position = self.name(&call.name, receipt)?;
        let admitted = self.admit(position, text, call.id, options, self.repairs, receipt)?;
        match self.policy(&admitted, receipt.trace_id)? {
            Decision::Run => self.run(receipt.trace_id, admitted, 0).await,
            Decision::Ask(reasons) => Box::pin(self.ask(receipt.trace_id, admitted, reasons)).await,
        }
    }

    /// Bounds and UTF-8, before anything is built from what came.
    fn bounds(
        &self,
        name: &str,
        arguments: Arguments,
        truncated: bool,
        receipt: &mut Receipt,
    ) -> Result<String, Box<Failure>> {
        let admitted = intake::admit(arguments.0, &self.limits);
        if truncated || admitted.is_err() {
            // The refusal comes first, and still goes by the tool's own name where there is one.
            let _ = self.name(name, receipt);
        }
        if truncated {
            return Err(Box::new(Failure {
                retryable: true,
                ..Failure::new(
                    ErrorType::InvalidArguments,
                    code::TRUNCATED_CALL,
                    "the model's answer was cut off inside this call, so nothing was run; call again, with shorter arguments",
                )
            }));
        }
        admitted
    }

    /// Exactly one tool has the name, or none does.
    fn name(&self, name: &str, receipt: &mut Receipt) -> Result<usize, Box<Failure>> {
        // One alias rule for all: some models write the namespace of their own training in front.
        let found = self.registry.position(name).or_else(|| {
            name.strip_prefix("functions.")
                .and_then(|name| self.registry.position(name))
        });
        if let Some(tool) = found.and_then(|position| self.registry.at(position)) {
            receipt.tool_name = tool.name_cow();
        } else {
            receipt.tool_name = Cow::Owned(text::shown(name, 64));
        }
        found.ok_or_else(|| unknown_tool(name, &self.registry))
    }

    /// Parsing, repairs, validation, defaults.
    fn admit<'d>(
        &'d self,
        position: usize,
        text: String,
        call_id: Option<String>,
        options: CallOptions,
        repairs: Repairs,
        receipt: &mut Receipt,
    ) -> Result<Admitted<'d>, Box<Failure>> {
        let (Some(tool), Some(bound)) = (self.registry.at(position), self.bound.get(position))
        else {
            return Err(internal("the registry has lost a tool"));
        };
        let compiled = tool.compiled().map_err(|error| {
            tracing::error!(tool = tool.name(), %error, "a tool cannot be called");
            internal("this tool cannot be called: its schema is broken, which only its operator can put right")
        })?;
        let (arguments, repairs) = intake::read(text, compiled, &self.limits, repairs)?;
        receipt.repairs = repairs;
        Ok(Admitted {
            tool,
            bound,
            arguments,
            call_id,
            options,
        })
    }

    fn policy(&self, admitted: &Admitted<'_>, id: TraceId) -> Result<Decision, Box<Failure>> {
        if self.policies.is_empty() && !admitted.tool.confirms() {
            return Ok(Decision::Run);
        }
        let request = PolicyRequest::new(
            admitted.tool,
            &admitted.arguments,
            id,
            admitted.call_id.as_deref(),
        );
        policy::decide(&self.policies, &request)
    }

    /// Puts the question, on the spot if somebody is there; otherwise the call waits.
    async fn ask(
        &self,
        id: TraceId,
        admitted: Admitted<'_>,
        reasons: Vec<String>,
    ) -> Result<Output, Box<Failure>> {
        let asked = self.question(&admitted, reasons)?;
        let confirmation = confirm::confirmation(id, &asked);
        let (name, expires) = (asked.tool.clone(), asked.expires);
        self.append(id, 0, Event::Asked(Box::new(asked)))
            .await
            .map_err(|error| unrecorded(&error))?;
        let answer = match &self.confirm {
            None => Answer::Later,
            Some(confirm) => confirm::put(&**confirm, &confirmation).await,
        };
        match answer {
            Answer::Later => Err(confirm::pending(&name, confirmation)),
            Answer::No { by, why } => {
                let failure = confirm::rejected(&name, why.as_deref());
                self.decide(id, &name, Event::Rejected { by, why }).await?;
                Err(failure)
            }
            Answer::Yes { by } => {
                // While a person thinks, the question can lapse and the rules can change.
                if millis((self.clock)()) >= expires {
                    return Err(confirm::lapsed(&name));
                }
                self.policy(&admitted, id)?;
                self.decide(id, &name, Event::Approved { by }).await?;
                self.run(id, admitted, 2).await
            }
        }
    }

    /// Records the answer to a question, unless somebody elsewhere has decided in the meantime: the first decision stands.
    async fn decide(&self, id: TraceId, tool: &str, decision: Event) -> Result<(), Box<Failure>> {
        match self.append(id, 1, decision).await {
            Ok(()) => Ok(()),
            Err(JournalError::Conflict { .. }) => Err(match self.recorded(&id.to_string()).await {
                Ok((_, recorded)) => match recorded.state {
                    ApprovalState::Rejected { why, .. } => confirm::rejected(tool, why.as_deref()),
                    _ => used_elsewhere(tool),
                },
                Err(_) => used_elsewhere(tool),
            }),
            Err(error) => Err(unrecorded(&error)),
        }
    }

    /// What an approval is bound to.
    fn question(
        &self,
        admitted: &Admitted<'_>,
        reasons: Vec<String>,
    ) -> Result<Asked, Box<Failure>> {
        let tool = admitted.tool;
        let fingerprint = tool
            .fingerprint()
            .map_err(|_| internal("the tool has no schema"))?
            .to_owned();
        let arguments = admitted.arguments.canonical();
        let mut question = match tool.question() {
            Some(question) => question.into_owned(),
            None => format!("Run `{}`?", tool.name()),
        };
        for reason in reasons {
            question.push('\n');
            question.push_str(&text::shown(&reason, 500));
        }
        Ok(Asked {
            digest: digest(tool, &fingerprint, &arguments),
            tool: tool.name().to_owned(),
            version: tool.version(),
            fingerprint,
            arguments,
            display: admitted.arguments.display(),
            risk: tool.risk(),
            question,
            call_id: admitted.call_id.clone(),
            expires: millis((self.clock)() + self.approval_ttl),
        })
    }

    /// Records the intent, runs, checks the output, records the outcome. `position` is where the call's stream has come to.
    async fn run(
        &self,
        id: TraceId,
        admitted: Admitted<'_>,
        position: u64,
    ) -> Result<Output, Box<Failure>> {
        let Admitted {
            tool,
            bound,
            arguments,
            call_id,
            options,
        } = admitted;
        let behaviour = tool.behaviour();
        let approved = position > 0;
        let cancellation = options.cancellation.as_ref();
        if cancellation.is_some_and(CancellationToken::is_cancelled) {
            return Err(cancelled(Executed::No));
        }
        if bound.detached.count() >= execute::MAX_DETACHED {
            return Err(too_many_detached(tool.name()));
        }
        // Overlap is decided before the intent is recorded, so that a wait for one's turn is not a run.
        let _turn = match &self.turns {
            None => None,
            Some(turns) => Some(Box::pin(turn(turns, behaviour.exclusive, cancellation)).await?),
        };
        // What changes nothing leaves its outcome as its trace; anything else leaves its intent first.
        let mut position = position;
        if !behaviour.read_only || approved {
            let digest = (approved || tool.risk() == crate::risk::Risk::High).then(|| {
                digest(
                    tool,
                    tool.fingerprint().unwrap_or_default(),
                    &arguments.canonical(),
                )
            });
            let intent = Event::Started {
                tool: tool.name_cow(),
                digest,
            };
            self.append(id, position, intent)
                .await
                .map_err(|error| match error {
                    JournalError::Conflict { .. } => used_elsewhere(tool.name()),
                    error => unrecorded(&error),
                })?;
            position += 1;
        }
        // From here on a dropped future still leaves a record.
        let mut guard = Unfinished {
            dispatcher: self,
            id,
            position,
            tool: tool.name(),
            read_only: behaviour.read_only,
            done: false,
        };
        let invocation = Invocation {
            arguments,
            contexts: Arc::clone(&bound.contexts),
            call: CallContext {
                trace_id: id,
                call_id: call_id.map(Arc::from),
                cancellation: options.cancellation,
                progress: options.progress,
            },
        };
        let result = if invocation.call.is_cancelled() {
            Err(cancelled(Executed::No))
        } else {
            let execution = execute::execute(
                tool,
                invocation,
                bound.timeout,
                bound.max_output,
                &bound.detached,
                move || self.late(id, position + 1),
            );
            let ended = match execution {
                Execution::Over(ended) => ended,
                Execution::Running(running) => running.await,
            };
            judge(ended, tool, bound)
        };
        guard.done = true;
        // The effect has happened, so a journal that fails now cannot take the answer away.
        let finished = finished(id, tool, &result, approved);
        if let Err(error) = self.append(id, position, finished).await {
            tracing::error!(tool = tool.name(), trace = %id, %error, "an outcome could not be recorded");
        }
        result
    }

    /// Appends at once where the journal is in memory: a future that holds no record is a small one.
    fn append(&self, id: TraceId, expected: u64, event: Event) -> Appending<'_> {
        let record = Record::new((self.clock)(), event);
        match &self.journal {
            Store::Memory(journal) => {
                Appending::Done(Some(journal.append_now(id, expected, record)))
            }
            Store::Other(journal) => Appending::Waiting(journal.append(id, expected, record)),
        }
    }

    /// What records the end of a run that had been given up on.
    fn late(&self, id: TraceId, position: u64) -> impl FnOnce(&'static str) + Send + 'static {
        let (journal, clock) = (self.journal.clone(), Arc::clone(&self.clock));
        let runtime = tokio::runtime::Handle::try_current().ok();
        move |code| {
            tracing::warn!(trace = %id, code, "a run that was given up on has ended");
            let record = Record::new(
                clock(),
                Event::FinishedLate {
                    code: Cow::Borrowed(code),
                },
            );
            let told = move |result| {
                if let Err(error) = result {
                    tracing::error!(trace = %id, %error, "a late end could not be recorded");
                }
            };
            match (journal, runtime) {
                (Store::Memory(journal), _) => told(journal.append_now(id, position, record)),
                (Store::Other(journal), Some(runtime)) => {
                    runtime.spawn(async move { told(journal.append(id, position, record).await) });
                }
                (Store::Other(_), None) => {}
            }
        }
    }

    fn record(&self, span: &tracing::Span, outcome: &ToolOutcome) {
        let known = self.registry.get(&outcome.tool_name);
        // Names that models make up would be a label without bound.
        let name = known.map_or("_unknown", RegisteredTool::name);
        span.record("otel.name", format!("execute_tool {name}"));
        span.record("gen_ai.tool.name", name);
        if let Some(tool) = known {
            span.record("tool.risk", tool.risk().as_str());
        }
        if !outcome.repairs.is_empty() {
            span.record("tool.repairs", outcome.repairs.len());
        }
        let executed = match outcome.failure() {
            None => Executed::Yes,
            Some(failure) => {
                span.record("error.type", &*failure.code);
                if failure.is_error() {
                    span.record("otel.status_code", "ERROR");
                }
                failure.executed
            }
        };
        span.record("tool.executed", executed.as_str());
    }

    /// Approves a call that waits, and runs it, once.
    ///
    /// The arguments are those that were shown. They go through the schema and the host's rules again; a tool that has changed
    /// since is not run. `by` names who decided and comes from the host, never from the model.
    ///
    /// # Errors
    /// When there is nothing to approve any more; nothing was run then.
    pub async fn approve(&self, id: &str, by: &str) -> Result<ToolOutcome, ApprovalError> {
        let (id, recorded) = self.recorded(id).await?;
        let Recorded {
            asked,
            state,
            mut position,
        } = recorded;
        let tool_name = asked.tool.clone();
        match state {
            ApprovalState::Pending => {}
            // Decided, and cut off before it ran: to say yes again is to go on.
            ApprovalState::Approved { .. } => {}
            state => return Err(closed(id, tool_name, state, &asked)),
        }
        let mut receipt = Receipt {
            trace_id: id,
            tool_name: Cow::Owned(tool_name.clone()),
            repairs: Vec::new(),
        };
        let changed = || ApprovalError::Changed {
            id,
            tool: tool_name.clone(),
        };
        let at = self.registry.position(&asked.tool).ok_or_else(changed)?;
        let admitted = self
            .admit(
                at,
                asked.arguments.clone(),
                asked.call_id.clone(),
                CallOptions::default(),
                Repairs::NONE,
                &mut receipt,
            )
            .map_err(|_| changed())?;
        let fingerprint = admitted.tool.fingerprint().map_err(|_| changed())?;
        if digest(admitted.tool, fingerprint, &admitted.arguments.canonical()) != asked.digest {
            return Err(changed());
        }
        self.policy(&admitted, id)
            .map_err(|failure| ApprovalError::Refused {
                id,
                tool: tool_name.clone(),
                failure,
            })?;
        if state == ApprovalState::Pending {
            match self
                .append(id, position, Event::Approved { by: by.to_owned() })
                .await
            {
                Ok(()) => position += 1,
                Err(JournalError::Conflict { .. }) => return Err(self.lost(id).await),
                Err(error) => return Err(error.into()),
            }
        }
        let span = tracing::info_span!("execute_tool", otel.name = Empty, otel.status_code = Empty,
            gen_ai.operation.name = "execute_tool", gen_ai.tool.name = Empty, gen_ai.tool.type = "function",
            gen_ai.tool.call.id = asked.call_id.as_deref(), error.type = Empty, tool.risk = Empty,
            tool.executed = Empty, tool.trace_id = %id, tool.approval.status = "approved");
        let name = admitted.tool.name_cow();
        let result = self
            .run(id, admitted, position)
            .instrument(span.clone())
            .await;
        if result
            .as_ref()
            .is_err_and(|failure| failure.code == code::DUPLICATE_CALL)
        {
            return Err(self.lost(id).await);
        }
        let mut outcome = ToolOutcome::new(name, id, result);
        outcome.call_id = asked.call_id;
        self.record(&span, &outcome);
        Ok(outcome)
    }

    /// Refuses a call that waits; it will never run. `why` is told to the model.
    ///
    /// # Errors
    /// When there is nothing to refuse any more.
    pub async fn reject(
        &self,
        id: &str,
        by: &str,
        why: Option<&str>,
    ) -> Result<ToolOutcome, ApprovalError> {
        let (id, recorded) = self.recorded(id).await?;
        let Recorded {
            asked,
            state,
            position,
        } = recorded;
        let why = match state {
            ApprovalState::Pending => {
                let event = Event::Rejected {
                    by: by.to_owned(),
                    why: why.map(str::to_owned),
                };
                match self.append(id, position, event).await {
                    Ok(()) => why.map(str::to_owned),
                    Err(JournalError::Conflict { .. }) => return Err(self.lost(id).await),
                    Err(error) => return Err(error.into()),
                }
            }
            // The same decision again is no contradiction.
            ApprovalState::Rejected { why, .. } => why,
            state => return Err(closed(id, asked.tool.clone(), state, &asked)),
        };
        let mut outcome = ToolOutcome::new(
            asked.tool.clone(),
            id,
            Err(confirm::rejected(&asked.tool, why.as_deref())),
        );
        outcome.call_id = asked.call_id;
        Ok(outcome)
    }

    /// All approvals that were ever asked for, in that order, with where each stands.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub async fn approvals(&self) -> Result<Vec<Approval>, JournalError> {
        let journal = self.journal.get();
        let mut approvals = Vec::new();
        for id in journal.approvals().await? {
            let records = journal.read(id).await?;
            approvals.extend(
                fold(records, millis((self.clock)())).map(|recorded| Approval::new(id, recorded)),
            );
        }
        Ok(approvals)
    }

    async fn recorded(&self, text: &str) -> Result<(TraceId, Recorded), ApprovalError> {
        let not_found = || ApprovalError::NotFound {
            id: text::shown(text, 64),
        };
        let id = TraceId::parse(text.trim()).ok_or_else(not_found)?;
        let records = self.journal.get().read(id).await?;
        fold(records, millis((self.clock)()))
            .map(|recorded| (id, recorded))
            .ok_or_else(not_found)
    }

    /// Somebody else was first: what they did.
    async fn lost(&self, id: TraceId) -> ApprovalError {
        match self.recorded(&id.to_string()).await {
            Ok((id, recorded)) => closed(
                id,
                recorded.asked.tool.clone(),
                recorded.state,
                &recorded.asked,
            ),
            Err(error) => error,
        }
    }
}

impl fmt::Debug for Dispatcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dispatcher")
            .field("tools", &self.registry.len())
            .finish_non_exhaustive()
    }
}

/// Held while a tool runs, where some tool must run alone.
#[allow(dead_code, reason = "held for its drop")]
enum Turn<'l> {
    Alone(tokio::sync::RwLockWriteGuard<'l, ()>),
    Shared(tokio::sync::RwLockReadGuard<'l, ()>),
}

/// Waits for one's turn, unless the call is cancelled first.
async fn turn<'l>(
    turns: &'l tokio::sync::RwLock<()>,
    alone: bool,
    cancellation: Option<&CancellationToken>,
) -> Result<Turn<'l>, Box<Failure>> {
    let turn = async {
        if alone {
            Turn::Alone(turns.write().await)
        } else {
            Turn::Shared(turns.read().await)
        }
    };
    match cancellation {
        None => Ok(turn.await),
        Some(token) => token
            .run_until_cancelled(turn)
            .await
            .ok_or_else(|| cancelled(Executed::No)),
    }
}

/// Records a run whose caller went away in the middle.
struct Unfinished<'d> {
    dispatcher: &'d Dispatcher,
    id: TraceId,
    position: u64,
    tool: &'d str,
    read_only: bool,
    done: bool,
}

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        if self.done {
            return;
        }
        let event = Event::Finished {
            tool: Cow::Owned(self.tool.to_owned()),
            code: Cow::Borrowed(code::CANCELLED),
            executed: if self.read_only {
                Executed::No
            } else {
                Executed::Unknown
            },
            outcome: None,
        };
        let record = Record::new((self.dispatcher.clock)(), event);
        match &self.dispatcher.journal {
            Store::Memory(journal) => {
                let _ = journal.append_now(self.id, self.position, record);
            }
            // Any other store is asked in the background; where that is not possible, the intent without an outcome says as
            // much: nobody knows how it ended.
            Store::Other(journal) => {
                if let Ok(runtime) = tokio::runtime::Handle::try_current() {
                    let (journal, id, position) = (Arc::clone(journal), self.id, self.position);
                    runtime.spawn(async move { journal.append(id, position, record).await });
                }
            }
        }
    }
}

/// How a call ended, for the journal.
fn finished(
    id: TraceId,
    tool: &RegisteredTool,
    result: &Result<Output, Box<Failure>>,
    approved: bool,
) -> Event {
    let (code, executed) = match result {
        Ok(_) => (Cow::Borrowed("ok"), Executed::Yes),
        Err(failure) => (failure.code.clone(), failure.executed),
    };
    let outcome = approved
        .then(|| {
            let outcome = ToolOutcome::new(tool.name_cow(), id, result.clone());
            serde_json::from_str(&outcome.to_json()).ok().map(Box::new)
        })
        .flatten();
    Event::Finished {
        tool: tool.name_cow(),
        code,
        executed,
        outcome,
    }
}

/// What a run's end means for the caller.
fn judge(ended: Ended, tool: &RegisteredTool, bound: &Bound) -> Result<Output, Box<Failure>> {
    let behaviour = tool.behaviour();
    let half_done = if behaviour.read_only {
        Executed::No
    } else {
        Executed::Unknown
    };
    let again = behaviour.read_only || behaviour.idempotent;
    let failed = |code, message: String| Failure::new(ErrorType::ToolError, code, message);
    match ended {
        Ended::Replied(Ok(answered)) => {
            execute::output_of(answered, bound.max_output).map_err(|error| unwritable(&error))
        }
        Ended::Replied(Err(refused)) => Err(match refused.0 {
            Why::Argument(error) => intake::type_failure(error),
            Why::Output(error) => unwritable(&error),
            Why::Failed(mut error) => {
                let masked = bound.mask_errors && !error.public;
                let mut message = text::clean(&error.message);
                if masked {
                    tracing::warn!(tool = tool.name(), error = %message, "the tool failed; the model is not told how");
                    "the tool failed; what went wrong is recorded under the trace id".clone_into(&mut message);
                }
                execute::discard(error.take_source());
                Box::new(Failure {
                    executed: error.executed,
                    retryable: error.retryable,
                    retry_after_ms: error.retry_after.and_then(|wait| u64::try_from(wait.as_millis()).ok()),
                    source: if masked { Source::Gateway } else { Source::Tool },
                    ..Failure::new(ErrorType::ToolError, error.code.unwrap_or(Cow::Borrowed(code::FAILED)), message)
                })
            }
        }),
        Ended::Panicked => Err(Box::new(Failure {
            executed: Executed::Unknown,
            ..failed(
                code::INTERNAL,
                "the tool broke down in the middle, and how far it came is not known; look before you call it again".to_owned(),
            )
        })),
        Ended::TimedOut(limit) => Err(Box::new(Failure {
            executed: half_done,
            retryable: again,
            ..failed(
                code::TIMEOUT,
                match half_done {
                    Executed::No => format!("the tool gave no answer within {limit:?}; it changes nothing, so it can be called again"),
                    _ => format!(
                        "the tool gave no answer within {limit:?}; it may still have done its work, so look before you call it again"
                    ),
                },
            )
        })),
        Ended::Cancelled => Err(cancelled(half_done)),
    }
}

fn unwritable(error: &EncodeError) -> Box<Failure> {
    Box::new(match error {
        EncodeError::TooLarge { limit } => Failure {
            executed: Executed::Yes,
            retryable: true,
            ..Failure::new(
                ErrorType::ToolError,
                code::OUTPUT_TOO_LARGE,
                format!("the tool ran, but its result takes more than {limit} bytes; ask for less"),
            )
        },
        EncodeError::Invalid { .. } => Failure {
            executed: Executed::Yes,
            ..Failure::new(
                ErrorType::ToolError,
                code::OUTPUT_INVALID,
                format!("the tool ran, but its result cannot be written as JSON: {error}"),
            )
        },
    })
}

fn cancelled(executed: Executed) -> Box<Failure> {
    let message = match executed {
        Executed::No => "the call was cancelled by the host; nothing was changed",
        _ => "the call was cancelled by the host while it ran; it may have done part of its work",
    };
    Box::new(Failure {
        executed,
        ..Failure::new(ErrorType::ToolError, code::CANCELLED, message)
    })
}

fn internal(message: &str) -> Box<Failure> {
    Box::new(Failure::new(ErrorType::ToolError, code::INTERNAL, message))
}

fn too_many_detached(tool: &str) -> Box<Failure> {
    Box::new(Failure {
        retryable: true,
        ..Failure::new(
            ErrorType::ToolError,
            code::UNAVAILABLE,
            format!(
                "too many earlier runs of `{tool}` have not ended yet, so it was not run; try again later"
            ),
        )
    })
}

/// Nothing runs that could not be recorded first.
fn unrecorded(error: &JournalError) -> Box<Failure> {
    tracing::error!(%error, "a call was not run because it could not be recorded");
    Box::new(Failure {
        retryable: true,
        ..Failure::new(
            ErrorType::ToolError,
            code::UNAVAILABLE,
            "the call could not be recorded, so it was not run; try again later",
        )
    })
}

fn used_elsewhere(tool: &str) -> Box<Failure> {
    Box::new(Failure::new(
        ErrorType::ToolError,
        code::DUPLICATE_CALL,
        format!("this approval of `{tool}` was used elsewhere first; nothing was run again"),
    ))
}

fn unknown_tool(name: &str, registry: &Registry) -> Box<Failure> {
    let near = text::nearest(name, registry.iter().map(RegisteredTool::name));
    let shown = text::shown(name, 64);
    let mut message = format!("there is no tool called `{shown}`");
    if !name.is_ascii() {
        message.push_str(" (the name has characters that are not ASCII)");
    }
    match &*near {
        [] => message.push_str("; call only tools that are offered"),
        near => {
            message.push_str("; did you mean ");
            for (i, name) in near.iter().enumerate() {
                message.push_str(if i > 0 { " or " } else { "" });
                message.push_str(&format!("`{name}`"));
            }
            message.push('?');
        }
    }
    Box::new(Failure {
        retryable: !near.is_empty(),
        suggestions: near.into_iter().map(str::to_owned).collect(),
        ..Failure::new(ErrorType::UnknownTool, code::NOT_FOUND, message)
    })
}

fn digest(tool: &RegisteredTool, fingerprint: &str, arguments: &str) -> String {
    // One JSON array, so that no two lists of parts read alike; the arguments are canonical text already.
    let text = format!(
        "[\"call\",{},{},\"{fingerprint}\",{arguments}]",
        intake::quoted(tool.name()),
        tool.version()
    );
    canonical::sha256_hex(text.as_bytes())
}

/// Why an approval in this state cannot be used.
fn closed(id: TraceId, tool: String, state: ApprovalState, asked: &Asked) -> ApprovalError {
    match state {
        ApprovalState::Finished { code, outcome } => ApprovalError::Used {
            id,
            tool,
            code,
            outcome,
        },
        ApprovalState::Started => ApprovalError::Unfinished { id, tool },
        ApprovalState::Expired => ApprovalError::Expired {
            id,
            tool,
            at: crate::journal::rfc3339(asked.expires),
        },
        ApprovalState::Rejected { by, .. } => ApprovalError::Conflict {
            id,
            tool,
            decided: "rejected",
            by,
        },
        ApprovalState::Approved { by } => ApprovalError::Conflict {
            id,
            tool,
            decided: "approved",
            by,
        },
        ApprovalState::Pending => ApprovalError::Unfinished { id, tool },
    }
}
