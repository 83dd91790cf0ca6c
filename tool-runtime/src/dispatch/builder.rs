//! Putting a dispatcher together; everything that is wrong is told at once.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::confirm::Confirm;
use super::execute::Detached;
use super::policy::Policy;
use super::{Bound, Clock, Dispatcher, Store};
use crate::context::CallContext;
use crate::encode::MAX_OUTPUT;
use crate::intake::Repairs;
use crate::invocation::Contexts;
use crate::journal::{Journal, MemoryJournal};
use crate::parse::Limits;
use crate::registry::{RegisteredTool, Registry, RegistryError};

/// What a dispatcher is made of.
#[must_use]
pub struct Builder {
    registry: Registry,
    contexts: HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
    policies: Vec<Arc<dyn Policy>>,
    confirm: Option<Arc<dyn Confirm>>,
    journal: Store,
    limits: Limits,
    repairs: Repairs,
    approval_ttl: Duration,
    timeout: Option<Duration>,
    max_output: usize,
    mask_errors: bool,
    clock: Clock,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            registry: Registry::new(),
            contexts: HashMap::new(),
            policies: Vec::new(),
            confirm: None,
            journal: Store::Memory(Arc::new(MemoryJournal::default())),
            limits: Limits::default(),
            repairs: Repairs::default(),
            approval_ttl: Duration::from_secs(15 * 60),
            timeout: None,
            max_output: MAX_OUTPUT,
            mask_errors: false,
            clock: Arc::new(SystemTime::now),
        }
    }
}

impl Builder {
    /// Adds the tools of a registry.
    pub fn registry(mut self, registry: Registry) -> Self {
        self.registry = self.registry.merge(registry);
        self
    }

    /// Supplies what `#[context]` parameters of type `&T` get. The model never sees it.
    pub fn context<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        self.contexts.insert(TypeId::of::<T>(), Arc::new(value));
        self
    }

    /// As [`context`](Self::context), for a value that the host shares.
    pub fn shared_context<T: Send + Sync + 'static>(mut self, value: Arc<T>) -> Self {
        self.contexts.insert(TypeId::of::<T>(), value);
        self
    }

    /// Adds a rule of the host's.
    pub fn policy(mut self, policy: impl Policy + 'static) -> Self {
        self.policies.push(Arc::new(policy));
        self
    }

    /// Asks on the spot instead of only letting the call wait.
    pub fn confirm(mut self, confirm: impl Confirm + 'static) -> Self {
        self.confirm = Some(Arc::new(confirm));
        self
    }

    /// Where approvals and the trail of calls are kept. Default: in memory.
    pub fn journal(mut self, journal: impl Journal + 'static) -> Self {
        let journal = Arc::new(journal);
        let any: Arc<dyn Any + Send + Sync> = Arc::clone(&journal) as _;
        self.journal = any.downcast().map_or(Store::Other(journal), Store::Memory);
        self
    }

    /// The bounds of arguments.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Which repairs of arguments are made.
    pub fn repairs(mut self, repairs: Repairs) -> Self {
        self.repairs = repairs;
        self
    }

    /// How long an approval can be given and used. Default 15 minutes.
    pub fn approval_ttl(mut self, ttl: Duration) -> Self {
        self.approval_ttl = ttl;
        self
    }

    /// The time limit of tools that state none. Default: none. The wait for a person never counts.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// The most bytes of a result, for tools that state no limit. Default 1 MiB.
    pub fn max_output(mut self, bytes: usize) -> Self {
        self.max_output = bytes;
        self
    }

    /// Keeps the messages of foreign errors from the model, for every tool.
    pub fn mask_errors(mut self, mask: bool) -> Self {
        self.mask_errors = mask;
        self
    }

    /// Another clock, for tests of what expires.
    pub fn clock(mut self, clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Makes the dispatcher.
    ///
    /// # Errors
    /// Everything that is wrong, at once: names that clash, contexts that nobody supplies.
    pub fn build(self) -> Result<Dispatcher, BuildError> {
        let mut problems: Vec<BuildProblem> = self
            .registry
            .problems()
            .iter()
            .cloned()
            .map(BuildProblem::Registry)
            .collect();
        let mut bound = Vec::with_capacity(self.registry.len());
        for tool in self.registry.iter() {
            match contexts_of(tool, &self.contexts) {
                Ok(contexts) => bound.push(Bound {
                    contexts,
                    detached: Detached::default(),
                    timeout: tool.timeout().or(self.timeout),
                    max_output: tool.max_output().unwrap_or(self.max_output),
                    mask_errors: self.mask_errors || tool.masks_errors(),
                }),
                Err(missing) => problems.extend(missing),
            }
        }
        if !problems.is_empty() {
            return Err(BuildError { problems });
        }
        let exclusive = self.registry.iter().any(|tool| tool.behaviour().exclusive);
        Ok(Dispatcher {
            registry: self.registry,
            bound,
            policies: self.policies,
            confirm: self.confirm,
            journal: self.journal,
            limits: self.limits,
            repairs: self.repairs,
            approval_ttl: self.approval_ttl,
            clock: self.clock,
            turns: exclusive.then(tokio::sync::RwLock::default),
        })
    }
}

fn contexts_of(
    tool: &RegisteredTool,
    supplied: &HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
) -> Result<Contexts, Vec<BuildProblem>> {
    let mut missing = Vec::new();
    let mut contexts: Vec<Arc<dyn Any + Send + Sync>> =
        tool.receiver().cloned().into_iter().collect();
    for context in tool.contexts().iter().skip(contexts.len()) {
        let id = (context.id)();
        match supplied.get(&id) {
            // Each call has its own, whatever the host supplies; here it only keeps its place.
            _ if id == TypeId::of::<CallContext>() => contexts.push(Arc::new(())),
            Some(value) => contexts.push(Arc::clone(value)),
            None => missing.push(BuildProblem::MissingContext {
                tool: tool.name().to_owned(),
                place: tool.place_text(),
                context: (context.name)(),
            }),
        }
    }
    if missing.is_empty() {
        Ok(contexts.into())
    } else {
        Err(missing)
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder")
            .field("tools", &self.registry.len())
            .finish_non_exhaustive()
    }
}

/// Everything that is wrong with a dispatcher.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildError {
    problems: Vec<BuildProblem>,
}

impl BuildError {
    /// One by one.
    #[must_use]
    pub fn problems(&self) -> &[BuildProblem] {
        &self.problems
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.problems {
            [problem] => problem.fmt(f),
            problems => {
                write!(f, "{} problems:", problems.len())?;
                problems
                    .iter()
                    .try_for_each(|problem| write!(f, "\n- {problem}"))
            }
        }
    }
}

impl std::error::Error for BuildError {}

/// One thing that is wrong with a dispatcher.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildProblem {
    /// The set of tools itself.
    #[error(transparent)]
    Registry(RegistryError),
    /// A tool needs what nobody supplies.
    #[error(
        "tool `{tool}` ({place}) needs a context of type `{context}`; add `.context(…)` to the builder"
    )]
    MissingContext {
        /// The tool.
        tool: String,
        /// Where it is written.
        place: String,
        /// The type.
        context: &'static str,
    },
}
