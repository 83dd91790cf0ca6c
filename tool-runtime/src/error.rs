//! The failure of a tool, as its author states it.

use std::borrow::Cow;
use std::fmt::Display;
use std::time::Duration;

use crate::outcome::Executed;

/// A failure with full control of what the model reads: message, code, and whether a repeat makes sense.
///
/// Any error type that implements `Display` will do as a tool's error; this one adds the rest.
///
/// ```
/// use tool_runtime::ToolError;
/// let error = ToolError::new("order A1001 has shipped; a refund is possible instead").with_code("already_shipped");
/// assert_eq!(error.code(), Some("already_shipped"));
/// ```
#[derive(Debug)]
pub struct ToolError {
    pub(crate) message: String,
    pub(crate) code: Option<Cow<'static, str>>,
    pub(crate) retryable: bool,
    pub(crate) retry_after: Option<Duration>,
    pub(crate) executed: Executed,
    /// Whether the author wrote the message for the model, so that `mask_errors` leaves it.
    pub(crate) public: bool,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl ToolError {
    /// A failure with a message for the model: what happened, and what it can do about it.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            code: None,
            retryable: false,
            retry_after: None,
            executed: Executed::Yes,
            public: true,
            source: None,
        }
    }

    /// A foreign error, by its outermost message.
    pub(crate) fn from_display(error: &dyn Display) -> Self {
        Self {
            public: false,
            ..Self::new(error.to_string())
        }
    }

    /// A code of your own, in place of `failed`.
    #[must_use]
    pub fn with_code(mut self, code: impl Into<Cow<'static, str>>) -> Self {
        self.code = Some(code.into());
        self
    }

    /// The same call may succeed later.
    #[must_use]
    pub fn retryable(mut self) -> Self {
        self.retryable = true;
        self
    }

    /// The same call may succeed after this long.
    #[must_use]
    pub fn retry_after(mut self, wait: Duration) -> Self {
        self.retryable = true;
        self.retry_after = Some(wait);
        self
    }

    /// The tool found out before it changed anything.
    #[must_use]
    pub fn not_executed(mut self) -> Self {
        self.executed = Executed::No;
        self
    }

    /// The error underneath, for the host's eyes; the model never sees it.
    #[must_use]
    pub fn with_source(
        mut self,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        self.source = Some(source.into());
        self
    }

    pub(crate) fn take_source(&mut self) -> Option<Box<dyn std::error::Error + Send + Sync>> {
        self.source.take()
    }

    /// The message for the model.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The author's code, if there is one.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        self.code.as_deref()
    }
}

impl Display for ToolError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ToolError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}
