//! What arrives: one call as a model made it.

use serde_json::Value;

/// One tool call as a model made it: a name, and arguments nobody has looked at yet.
///
/// ```
/// use tool_runtime::ToolCall;
/// let call = ToolCall::new("cancel_order", r#"{"order_id":"A1001"}"#).with_id("call_7");
/// assert_eq!(call.name(), "cancel_order");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    pub(crate) id: Option<String>,
    pub(crate) name: String,
    pub(crate) arguments: Arguments,
    pub(crate) truncated: bool,
}

impl ToolCall {
    /// A call of the tool `name`. Arguments are taken as text, bytes, a [`Value`], or [`Arguments::absent`].
    pub fn new(name: impl Into<String>, arguments: impl Into<Arguments>) -> Self {
        Self {
            id: None,
            name: name.into(),
            arguments: arguments.into(),
            truncated: false,
        }
    }

    /// The provider's id of this call. It is a label: it is echoed and never trusted to be unique.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Marks the call as cut off by the provider (finish reason "length" or a content filter).
    /// Such a call is refused even when what is left of it parses.
    #[must_use]
    pub fn with_truncated(mut self, truncated: bool) -> Self {
        self.truncated = truncated;
        self
    }

    /// The provider's id of this call, if it gave one.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// The name as the model wrote it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The arguments as the model wrote them.
    #[must_use]
    pub fn arguments(&self) -> &Arguments {
        &self.arguments
    }

    /// Whether the provider cut the call off.
    #[must_use]
    pub fn is_truncated(&self) -> bool {
        self.truncated
    }
}

/// The raw arguments of a call: bytes that claim to be JSON.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Arguments(pub(crate) Vec<u8>);

impl Arguments {
    /// No arguments at all, as some providers send for a tool without parameters.
    #[must_use]
    pub const fn absent() -> Self {
        Self(Vec::new())
    }

    /// The bytes as they came.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Arguments can hold secrets, so only their size is shown.
impl std::fmt::Debug for Arguments {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Arguments({} bytes)", self.0.len())
    }
}

impl From<&str> for Arguments {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().to_vec())
    }
}

impl From<String> for Arguments {
    fn from(text: String) -> Self {
        Self(text.into_bytes())
    }
}

impl From<Vec<u8>> for Arguments {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl From<&Value> for Arguments {
    fn from(value: &Value) -> Self {
        Self(value.to_string().into_bytes())
    }
}

impl From<Value> for Arguments {
    fn from(value: Value) -> Self {
        Self::from(&value)
    }
}
