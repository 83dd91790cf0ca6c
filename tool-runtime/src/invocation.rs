//! One run of a tool: what generated code reads its arguments from and answers with.

use std::any::Any;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use crate::content::Content;
use crate::context::CallContext;
use crate::encode::EncodeError;
use crate::error::ToolError;
use crate::intake::Frozen;
use crate::outcome::FieldError;

/// What a run ends with.
#[doc(hidden)]
pub type Reply = Result<Answered, Refused>;

/// A run that has to be awaited.
#[doc(hidden)]
pub type Running<'a> = Pin<Box<dyn Future<Output = Reply> + Send + 'a>>;

/// An answer, written.
#[derive(Debug)]
#[doc(hidden)]
pub enum Answered {
    Json(String),
    Content(Vec<Content>),
}

/// Why a run has no answer.
#[derive(Debug)]
#[doc(hidden)]
pub struct Refused(pub(crate) Why);

#[derive(Debug)]
pub(crate) enum Why {
    /// A value passed the schema and the deserialiser still refused it; nothing ran.
    Argument(FieldError),
    /// The function's own error.
    Failed(ToolError),
    /// The function ran, and its result cannot be written.
    Output(EncodeError),
}

impl Refused {
    pub(crate) fn failed(error: ToolError) -> Self {
        Self(Why::Failed(error))
    }

    pub(crate) fn output(error: EncodeError) -> Self {
        Self(Why::Output(error))
    }
}

/// One run of a tool.
#[derive(Debug)]
#[doc(hidden)]
pub struct Invocation {
    pub(crate) arguments: Frozen,
    pub(crate) contexts: Contexts,
    pub(crate) call: CallContext,
}

/// What the host supplies to one tool, in the order of its `#[context]` parameters.
pub(crate) type Contexts = Arc<[Arc<dyn Any + Send + Sync>]>;

impl Invocation {
    /// Reads the argument of the parameter at `index`.
    ///
    /// # Errors
    /// When the deserialiser refuses what the schema let through.
    pub fn arg<T: DeserializeOwned>(&self, index: usize) -> Result<T, Refused> {
        self.arguments
            .read(index)
            .map_err(|error| Refused(Why::Argument(error)))
    }

    /// What the host registered for the `#[context]` parameter at `index`.
    ///
    /// # Panics
    /// Never in a dispatcher that was built: `build()` has looked every context up.
    #[must_use]
    pub fn context<T: Send + Sync + 'static>(&self, index: usize) -> &T {
        self.contexts
            .get(index)
            .and_then(|context| context.downcast_ref())
            .unwrap_or_else(|| unreachable!("build() resolves every context"))
    }

    /// The call's own context.
    #[must_use]
    pub fn call_context(&self) -> &CallContext {
        &self.call
    }
}
