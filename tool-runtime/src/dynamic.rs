//! Tools that arrive at run time: a name, a description, a JSON Schema and a handler, through the same gate.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::context::CallContext;
use crate::definition::ToolDefinition;
use crate::error::ToolError;
use crate::risk::{Behaviour, Risk};
use crate::schema;

/// What a handler's run is awaited as.
type Handling = Pin<Box<dyn Future<Output = Result<Value, ToolError>> + Send>>;

/// A tool whose contract is only known at run time, such as one imported from another server.
///
/// Nobody here has read its code, so it counts as high risk (and asks before every run) until [`risk`](Self::risk) says
/// otherwise. Its objects are closed like those of `#[tool]`; [`open`](Self::open) leaves the schema as it came.
///
/// ```
/// use serde_json::json;
/// use tool_runtime::{DynamicTool, Registry, Risk};
///
/// let echo = DynamicTool::new(
///     "echo",
///     "Say something back.",
///     json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}),
///     |arguments, _call| async move { Ok(arguments["text"].clone()) },
/// )
/// .risk(Risk::Low);
/// let mut registry = Registry::new();
/// registry.add(echo)?;
/// # Ok::<(), tool_runtime::RegistryError>(())
/// ```
#[derive(Clone)]
pub struct DynamicTool {
    pub(crate) definition: ToolDefinition,
    pub(crate) risk: Risk,
    /// Whether it always asks, and with which question.
    pub(crate) confirm: Option<Option<String>>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) max_output: Option<usize>,
    pub(crate) mask_errors: bool,
    open: bool,
    handler: Arc<dyn Fn(Value, CallContext) -> Handling + Send + Sync>,
}

impl DynamicTool {
    /// A tool with a name, the prompt that steers the model, the JSON Schema (2020-12) of its arguments, and what runs.
    pub fn new<F, R>(
        name: impl Into<String>,
        description: impl Into<String>,
        input_schema: Value,
        handler: F,
    ) -> Self
    where
        F: Fn(Value, CallContext) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Value, ToolError>> + Send + 'static,
    {
        Self {
            definition: ToolDefinition::new(name, description, input_schema),
            risk: Risk::High,
            confirm: None,
            timeout: None,
            max_output: None,
            mask_errors: false,
            open: false,
            handler: Arc::new(move |arguments, call| Box::pin(handler(arguments, call))),
        }
    }

    /// States the risk.
    #[must_use]
    pub fn risk(mut self, risk: Risk) -> Self {
        self.risk = risk;
        self
    }

    /// Asks before every run, with this question.
    #[must_use]
    pub fn confirm(mut self, question: impl Into<String>) -> Self {
        self.confirm = Some(Some(question.into()));
        self
    }

    /// States what a call does to the world outside.
    #[must_use]
    pub fn behaviour(mut self, behaviour: Behaviour) -> Self {
        self.definition.behaviour = behaviour;
        self
    }

    /// Gives it a short name for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.definition.title = Some(title.into());
        self
    }

    /// States the schema of its answers.
    #[must_use]
    pub fn output_schema(mut self, schema: Value) -> Self {
        self.definition.output_schema = Some(schema);
        self
    }

    /// Gives up after this long.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Refuses an answer of more bytes than this.
    #[must_use]
    pub fn max_output(mut self, bytes: usize) -> Self {
        self.max_output = Some(bytes);
        self
    }

    /// Takes members that the schema does not name, as JSON Schema does unless told otherwise.
    #[must_use]
    pub fn open(mut self) -> Self {
        self.open = true;
        self
    }

    /// The definition whose schema is enforced, and shown.
    pub(crate) fn enforced(&self) -> ToolDefinition {
        let mut definition = self.definition.clone();
        if !self.open {
            definition.input_schema = schema::closed(definition.input_schema);
        }
        definition
    }

    pub(crate) fn handle(&self, arguments: Value, call: CallContext) -> Handling {
        (self.handler)(arguments, call)
    }
}

impl fmt::Debug for DynamicTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DynamicTool")
            .field("name", &self.definition.name)
            .field("risk", &self.risk)
            .finish_non_exhaustive()
    }
}
