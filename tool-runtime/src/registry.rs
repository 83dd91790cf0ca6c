//! Tools by name: explicit, sorted, duplicates refused.

use std::any::Any;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::compiled::Compiled;
use crate::definition::ToolDefinition;
use crate::dynamic::DynamicTool;
use crate::risk::{Behaviour, Risk};
#[cfg(feature = "build")]
use crate::tool::Pinned;
use crate::tool::{ConfirmRule, ContextType, Parameter, Place, StaticTool, Toolbox};

/// A set of tools: a value, so several can live in one process.
///
/// Made by [`tools!`](crate::tools), by [`collect`](Self::collect), or tool by tool with [`add`](Self::add). What is wrong with
/// it is kept and reported by the dispatcher's `build()`, all at once.
#[derive(Debug, Clone, Default)]
pub struct Registry {
    /// Sorted by name.
    tools: Vec<Arc<RegisteredTool>>,
    /// Every further name a tool is called by.
    aliases: BTreeMap<Cow<'static, str>, Cow<'static, str>>,
    problems: Vec<RegistryError>,
}

/// What is wrong with a set of tools.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegistryError {
    /// Two tools have one name.
    #[error(
        "two tools are called `{name}`: {first} and {second}; rename one or give `name = \"…\"`"
    )]
    Duplicate {
        /// The name.
        name: String,
        /// Where the tool that was there is written.
        first: String,
        /// Where the other is written.
        second: String,
    },
    /// Two names differ only in case or punctuation, which some clients fold.
    #[error(
        "the tools `{first}` and `{second}` differ only in case or punctuation, which some clients do not see; rename one"
    )]
    Alike {
        /// One name.
        first: String,
        /// The other.
        second: String,
    },
    /// A name that some provider refuses.
    #[error(
        "`{name}` is no tool name ({place}): letters, digits, `_` and `-` are accepted by every provider, at most 64"
    )]
    Name {
        /// The name.
        name: String,
        /// Where the tool is written.
        place: String,
    },
    /// A tool's schema cannot be made.
    #[error("the schema of `{name}` ({place}) cannot be made: {reason}")]
    Schema {
        /// The tool.
        name: String,
        /// Where it is written.
        place: String,
        /// What is wrong.
        reason: String,
    },
}

impl Registry {
    /// A set without tools.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Every `#[tool]` linked into the program, from all its crates.
    #[cfg(feature = "collect")]
    #[must_use]
    pub fn collect() -> Self {
        Self::from_static(
            inventory::iter::<crate::__private::Collected>
                .into_iter()
                .map(|collected| collected.0),
        )
    }

    /// The tools that are methods of `value`, from the impl blocks under `#[toolbox]`.
    ///
    /// A type with several such blocks gives every further one a name, `#[toolbox(part = Refunds)]`, and lists them at the
    /// first: `#[toolbox(with = [Refunds])]`.
    #[must_use]
    pub fn toolbox<T: Toolbox + Send + Sync + 'static>(value: T) -> Self {
        Self::shared_toolbox(Arc::new(value))
    }

    /// As [`toolbox`](Self::toolbox), for a value that the host shares.
    #[must_use]
    pub fn shared_toolbox<T: Toolbox<Part> + Send + Sync + 'static, Part>(value: Arc<T>) -> Self {
        let value: Arc<dyn Any + Send + Sync> = value;
        let tools = T::PARTS.iter().copied().flatten().chain(T::TOOLS);
        Self::from_tools(tools.map(|tool| RegisteredTool {
            receiver: Some(Arc::clone(&value)),
            ..RegisteredTool::from(tool)
        }))
    }

    /// For [`tools!`](crate::tools).
    #[doc(hidden)]
    #[must_use]
    pub fn of(tools: &[&'static StaticTool]) -> Self {
        Self::from_static(tools.iter().copied())
    }

    fn from_static(tools: impl Iterator<Item = &'static StaticTool>) -> Self {
        Self::from_tools(tools.map(RegisteredTool::from))
    }

    fn from_tools(tools: impl Iterator<Item = RegisteredTool>) -> Self {
        let mut all: Vec<Arc<RegisteredTool>> = tools.map(Arc::new).collect();
        // By place too, so that which of two equals is first does not hang on the linker.
        all.sort_by(|a, b| {
            a.name()
                .cmp(b.name())
                .then_with(|| a.place_text().cmp(&b.place_text()))
        });
        let mut registry = Self {
            tools: Vec::with_capacity(all.len()),
            ..Self::default()
        };
        for tool in all {
            // In order, so each goes to the end.
            if let Err(problem) = registry.insert(tool) {
                registry.problems.push(problem);
            }
        }
        registry.find_alike();
        registry
    }

    /// Adds one tool.
    ///
    /// # Errors
    /// When its name is taken, is one that differs from another only in case or punctuation, or is no tool name.
    pub fn add(&mut self, tool: impl Into<RegisteredTool>) -> Result<(), RegistryError> {
        let tool = Arc::new(tool.into());
        let folded = fold(tool.name());
        if let Some(other) = self
            .tools
            .iter()
            .find(|other| other.name() != tool.name() && fold(other.name()) == folded)
        {
            return Err(RegistryError::Alike {
                first: other.name().to_owned(),
                second: tool.name().to_owned(),
            });
        }
        self.insert(tool)
    }

    /// Adds one tool in place of the one that has its name, if there is one.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn replace(&mut self, tool: impl Into<RegisteredTool>) -> Result<(), RegistryError> {
        let tool = tool.into();
        let name = tool.name().to_owned();
        self.retain(|other| other.name() != name);
        self.add(tool)
    }

    /// Adds all tools of another set; what is wrong is reported by `build()`.
    #[must_use]
    pub fn merge(mut self, other: Self) -> Self {
        self.problems.extend(other.problems);
        for tool in other.tools {
            if let Err(problem) = self.insert(tool) {
                self.problems.push(problem);
            }
        }
        self.find_alike();
        self
    }

    fn insert(&mut self, tool: Arc<RegisteredTool>) -> Result<(), RegistryError> {
        if !is_tool_name(tool.name()) {
            return Err(RegistryError::Name {
                name: tool.name().to_owned(),
                place: tool.place_text(),
            });
        }
        if let Some(other) = self.get(tool.name()) {
            return Err(duplicate(tool.name(), other, &tool));
        }
        for alias in tool.aliases() {
            if let Some(other) = self.get(alias) {
                return Err(duplicate(alias, other, &tool));
            }
        }
        for alias in tool.aliases() {
            self.aliases.insert(Cow::Borrowed(alias), tool.name_cow());
        }
        let at = self
            .tools
            .partition_point(|other| other.name() < tool.name());
        self.tools.insert(at, tool);
        Ok(())
    }

    fn find_alike(&mut self) {
        let mut folded: BTreeMap<String, &RegisteredTool> = BTreeMap::new();
        let mut problems = Vec::new();
        for tool in &self.tools {
            if let Some(other) = folded.insert(fold(tool.name()), tool) {
                problems.push(RegistryError::Alike {
                    first: other.name().to_owned(),
                    second: tool.name().to_owned(),
                });
            }
        }
        problems.retain(|problem| !self.problems.contains(problem));
        self.problems.extend(problems);
    }

    /// The tool of this name, or the one that has it as an alias.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&RegisteredTool> {
        self.position(name).map(|at| &*self.tools[at])
    }

    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        let find = |name: &str| {
            self.tools
                .binary_search_by(|tool| tool.name().cmp(name))
                .ok()
        };
        find(name).or_else(|| find(self.aliases.get(name)?))
    }

    pub(crate) fn at(&self, position: usize) -> Option<&Arc<RegisteredTool>> {
        self.tools.get(position)
    }

    /// All tools, sorted by name.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &RegisteredTool> + Clone {
        self.tools.iter().map(|tool| &**tool)
    }

    /// How many tools there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tools.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    /// A view with the named tools alone. A name that no tool has is passed over.
    #[must_use]
    pub fn only(&self, names: &[&str]) -> Self {
        self.filter(|tool| names.contains(&tool.name()))
    }

    /// A view without the named tools. To a dispatcher over it they do not exist.
    #[must_use]
    pub fn without(&self, names: &[&str]) -> Self {
        self.filter(|tool| !names.contains(&tool.name()))
    }

    /// A view with the tools that `keep` says yes to.
    #[must_use]
    pub fn filter(&self, keep: impl Fn(&RegisteredTool) -> bool) -> Self {
        let mut view = self.clone();
        view.retain(keep);
        view
    }

    fn retain(&mut self, keep: impl Fn(&RegisteredTool) -> bool) {
        self.tools.retain(|tool| keep(tool));
        let tools = &self.tools;
        self.aliases
            .retain(|_, name| tools.binary_search_by(|tool| tool.name().cmp(name)).is_ok());
    }

    /// What is wrong with the set, in the order it was found.
    #[must_use]
    pub fn problems(&self) -> &[RegistryError] {
        &self.problems
    }

    /// What the model is shown of each tool, sorted by name.
    ///
    /// # Errors
    /// Every tool whose schema cannot be made.
    pub fn definitions(&self) -> Result<Vec<ToolDefinition>, Vec<RegistryError>> {
        let (mut definitions, mut problems) = (Vec::with_capacity(self.len()), Vec::new());
        for tool in self.iter() {
            match tool.definition() {
                Ok(definition) => definitions.push(definition.clone()),
                Err(problem) => problems.push(problem),
            }
        }
        if problems.is_empty() {
            Ok(definitions)
        } else {
            Err(problems)
        }
    }
}

fn duplicate(name: &str, first: &RegisteredTool, second: &RegisteredTool) -> RegistryError {
    RegistryError::Duplicate {
        name: name.to_owned(),
        first: first.place_text(),
        second: second.place_text(),
    }
}

/// What some clients make of a name before they compare it.
fn fold(name: &str) -> String {
    name.chars()
        .map(|c| {
            if c == '-' {
                '_'
            } else {
                c.to_ascii_lowercase()
            }
        })
        .collect()
}

/// Whether every provider takes the name.
pub(crate) fn is_tool_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

/// One tool of a registry, with everything about it that can be asked.
#[derive(Debug)]
pub struct RegisteredTool {
    source: Source,
    compiled: OnceLock<Result<Arc<Compiled>, String>>,
    /// What a method is called on, for tools that are methods.
    receiver: Option<Arc<dyn Any + Send + Sync>>,
}

#[derive(Debug)]
enum Source {
    Static(&'static StaticTool),
    Dynamic(Box<DynamicTool>),
}

impl From<&'static StaticTool> for RegisteredTool {
    fn from(tool: &'static StaticTool) -> Self {
        Self {
            source: Source::Static(tool),
            compiled: OnceLock::new(),
            receiver: None,
        }
    }
}

impl From<DynamicTool> for RegisteredTool {
    fn from(tool: DynamicTool) -> Self {
        Self {
            source: Source::Dynamic(Box::new(tool)),
            compiled: OnceLock::new(),
            receiver: None,
        }
    }
}

/// How a tool is run.
pub(crate) enum Runner<'t> {
    Static(&'static StaticTool),
    Dynamic(&'t DynamicTool),
}

impl RegisteredTool {
    /// The name the model calls it by.
    #[must_use]
    pub fn name(&self) -> &str {
        match &self.source {
            Source::Static(tool) => tool.name,
            Source::Dynamic(tool) => &tool.definition.name,
        }
    }

    pub(crate) fn name_cow(&self) -> Cow<'static, str> {
        match &self.source {
            Source::Static(tool) => Cow::Borrowed(tool.name),
            Source::Dynamic(tool) => Cow::Owned(tool.definition.name.clone()),
        }
    }

    /// A short name for people.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        match &self.source {
            Source::Static(tool) => tool.title,
            Source::Dynamic(tool) => tool.definition.title.as_deref(),
        }
    }

    /// The prompt that steers the model's choice.
    #[must_use]
    pub fn description(&self) -> &str {
        match &self.source {
            Source::Static(tool) => tool.description,
            Source::Dynamic(tool) => &tool.definition.description,
        }
    }

    /// How much harm a call can do.
    #[must_use]
    pub fn risk(&self) -> Risk {
        match &self.source {
            Source::Static(tool) => tool.risk,
            Source::Dynamic(tool) => tool.risk,
        }
    }

    /// Whether the author stated the risk, or it is the default.
    #[must_use]
    pub fn risk_declared(&self) -> bool {
        match &self.source {
            Source::Static(tool) => tool.risk_declared,
            Source::Dynamic(_) => true,
        }
    }

    /// What a call does to the world outside.
    #[must_use]
    pub fn behaviour(&self) -> Behaviour {
        match &self.source {
            Source::Static(tool) => tool.behaviour,
            Source::Dynamic(tool) => tool.definition.behaviour,
        }
    }

    /// The question to ask before every run, if the tool asks: the author's, or one made from the name.
    #[must_use]
    pub fn question(&self) -> Option<Cow<'_, str>> {
        let made = || {
            Cow::Owned(format!(
                "Run `{}`? Its risk is {}.",
                self.name(),
                self.risk()
            ))
        };
        let by_risk = || (self.risk() == Risk::High).then(made);
        match &self.source {
            Source::Static(tool) => match tool.confirm {
                ConfirmRule::ByRisk => by_risk(),
                ConfirmRule::Always => Some(made()),
                ConfirmRule::Ask(question) => Some(Cow::Borrowed(question)),
            },
            Source::Dynamic(tool) => match &tool.confirm {
                None => by_risk(),
                Some(None) => Some(made()),
                Some(Some(question)) => Some(Cow::Borrowed(question)),
            },
        }
    }

    /// Whether every run has to be confirmed.
    #[must_use]
    pub fn confirms(&self) -> bool {
        match &self.source {
            Source::Static(tool) => tool.risk == Risk::High || tool.confirm != ConfirmRule::ByRisk,
            Source::Dynamic(tool) => tool.risk == Risk::High || tool.confirm.is_some(),
        }
    }

    /// The version of the contract.
    #[must_use]
    pub fn version(&self) -> u32 {
        match &self.source {
            Source::Static(tool) => tool.version,
            Source::Dynamic(_) => 1,
        }
    }

    /// Further names it is called by.
    #[must_use]
    pub fn aliases(&self) -> &'static [&'static str] {
        match &self.source {
            Source::Static(tool) => tool.aliases,
            Source::Dynamic(_) => &[],
        }
    }

    /// The arguments that have further names, with these.
    pub fn argument_aliases(
        &self,
    ) -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
        self.parameters()
            .iter()
            .filter(|parameter| !parameter.aliases.is_empty())
            .map(|parameter| (parameter.name, parameter.aliases))
    }

    /// The arguments whose values are never shown.
    pub fn secrets(&self) -> impl Iterator<Item = &'static str> {
        self.parameters()
            .iter()
            .filter(|parameter| parameter.secret)
            .map(|parameter| parameter.name)
    }

    /// The contract it was held against as it was compiled.
    #[cfg(feature = "build")]
    pub(crate) fn pinned(&self) -> Option<&'static Pinned> {
        match &self.source {
            Source::Static(tool) => tool.pinned.as_ref(),
            Source::Dynamic(_) => None,
        }
    }

    fn parameters(&self) -> &'static [Parameter] {
        match &self.source {
            Source::Static(tool) => tool.parameters,
            Source::Dynamic(_) => &[],
        }
    }

    /// Where the tool is written, unless it arrived at run time.
    #[must_use]
    pub fn place(&self) -> Option<Place> {
        match &self.source {
            Source::Static(tool) => Some(tool.place),
            Source::Dynamic(_) => None,
        }
    }

    pub(crate) fn place_text(&self) -> String {
        self.place()
            .map_or_else(|| "added at run time".to_owned(), |place| place.to_string())
    }

    pub(crate) fn contexts(&self) -> &'static [ContextType] {
        match &self.source {
            Source::Static(tool) => tool.contexts,
            Source::Dynamic(_) => &[],
        }
    }

    pub(crate) fn receiver(&self) -> Option<&Arc<dyn Any + Send + Sync>> {
        self.receiver.as_ref()
    }

    pub(crate) fn timeout(&self) -> Option<Duration> {
        match &self.source {
            Source::Static(tool) => tool.timeout,
            Source::Dynamic(tool) => tool.timeout,
        }
    }

    pub(crate) fn max_output(&self) -> Option<usize> {
        match &self.source {
            Source::Static(tool) => tool.max_output,
            Source::Dynamic(tool) => tool.max_output,
        }
    }

    pub(crate) fn masks_errors(&self) -> bool {
        match &self.source {
            Source::Static(tool) => tool.mask_errors,
            Source::Dynamic(tool) => tool.mask_errors,
        }
    }

    pub(crate) fn runner(&self) -> Runner<'_> {
        match &self.source {
            Source::Static(tool) => Runner::Static(tool),
            Source::Dynamic(tool) => Runner::Dynamic(tool),
        }
    }

    /// What the model is shown, made on first use.
    ///
    /// # Errors
    /// When the schema cannot be made.
    pub fn definition(&self) -> Result<&ToolDefinition, RegistryError> {
        self.compiled().map(|compiled| &compiled.definition)
    }

    /// A digest of name, version and schemas: changes when the contract does.
    ///
    /// # Errors
    /// When the schema cannot be made.
    pub fn fingerprint(&self) -> Result<&str, RegistryError> {
        self.compiled().map(|compiled| &*compiled.fingerprint)
    }

    pub(crate) fn compiled(&self) -> Result<&Arc<Compiled>, RegistryError> {
        let compiled = self.compiled.get_or_init(|| {
            // A `JsonSchema` of the user's can panic; that is no reason to take the process down.
            let made = catch_unwind(AssertUnwindSafe(|| match &self.source {
                Source::Static(tool) => Compiled::of_static(tool),
                Source::Dynamic(tool) => Compiled::of_definition(tool.enforced(), 1),
            }));
            match made {
                Ok(compiled) => compiled.map(Arc::new),
                Err(_) => Err("a type's `JsonSchema` panicked".to_owned()),
            }
        });
        compiled.as_ref().map_err(|reason| RegistryError::Schema {
            name: self.name().to_owned(),
            place: self.place_text(),
            reason: reason.clone(),
        })
    }
}

/// A registry of the tools named, by the functions' own paths.
///
/// ```
/// use tool_runtime::{tool, tools};
///
/// /// Add two numbers.
/// #[tool(read_only)]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// assert_eq!(tools![add].len(), 1);
/// ```
#[macro_export]
macro_rules! tools {
    ($($tool:ty),* $(,)?) => {
        $crate::Registry::of(&[$(<$tool as $crate::Tool>::TOOL),*])
    };
}
