//! What a result can be, decided by the type and not by how it is spelled.
//!
//! Generated code wraps what the function returned and calls methods on the wrapper. An exact inherent method wins over
//! a trait's general one, so `Result` and `Content` are seen through any alias, and a type that has an output schema is
//! found without a line of it in the user's code.

use std::any::Any;
use std::fmt::Display;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use crate::content::Content;
use crate::error::ToolError;
use crate::invocation::{Answered, Refused, Reply};

/// A value that can be written as JSON for the model.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool's result",
    label = "cannot be written as JSON",
    note = "derive `serde::Serialize` for it, or return `String`"
)]
#[doc(hidden)]
pub trait Answer: Serialize {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + ?Sized> Answer for T {}

/// A failure that has words for the model.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool's error",
    label = "has no words for the model",
    note = "a failure needs words: the error type must implement `std::fmt::Display`, or be `ToolError`"
)]
#[doc(hidden)]
pub trait Worded: Display {
    /// The error as the gateway handles it.
    fn into_tool_error(self) -> ToolError;
}

#[diagnostic::do_not_recommend]
impl<E: Display + 'static> Worded for E {
    fn into_tool_error(self) -> ToolError {
        let mut error = Some(self);
        // By type: a `ToolError` is taken as it is, whatever alias or generic it came through.
        let any: &mut dyn Any = &mut error;
        if let Some(error) = any
            .downcast_mut::<Option<ToolError>>()
            .and_then(Option::take)
        {
            return error;
        }
        error.map_or_else(
            || ToolError::new(""),
            |error| ToolError::from_display(&error),
        )
    }
}

/// What a function returned.
#[derive(Debug)]
#[doc(hidden)]
pub struct Of<T>(pub T);

impl<T, E> Of<Result<T, E>> {
    /// Takes a `Result` apart.
    ///
    /// # Errors
    /// The function's own error.
    pub fn split(self) -> Result<T, Refused>
    where
        E: Worded,
    {
        self.0
            .map_err(|error| Refused::failed(error.into_tool_error()))
    }
}

/// Everything that is not a `Result`.
#[doc(hidden)]
pub trait OfOther<T> {
    /// Takes the value as it is.
    ///
    /// # Errors
    /// Never.
    fn split(self) -> Result<T, Refused>;
}

impl<T> OfOther<T> for Of<T> {
    fn split(self) -> Result<T, Refused> {
        Ok(self.0)
    }
}

impl Of<Content> {
    /// One part.
    ///
    /// # Errors
    /// Never.
    pub fn answer(self) -> Reply {
        Ok(Answered::Content(vec![self.0]))
    }
}

impl Of<Vec<Content>> {
    /// Several parts.
    ///
    /// # Errors
    /// Never.
    pub fn answer(self) -> Reply {
        Ok(Answered::Content(self.0))
    }
}

/// Everything that is written as JSON.
#[doc(hidden)]
pub trait OfValue<T> {
    /// Writes the value as JSON text.
    ///
    /// # Errors
    /// When it cannot be written: not a number, too large, too deep, or its own `Serialize` fails.
    fn answer(self) -> Reply
    where
        T: Answer;
}

impl<T> OfValue<T> for Of<T> {
    fn answer(self) -> Reply
    where
        T: Answer,
    {
        crate::encode::to_json(&self.0)
            .map(Answered::Json)
            .map_err(Refused::output)
    }
}

/// Asks a return type for its output schema.
#[derive(Debug)]
#[doc(hidden)]
pub struct OutputOf<T: ?Sized>(PhantomData<fn() -> Box<T>>);

impl<T: ?Sized> OutputOf<T> {
    pub const NEW: Self = Self(PhantomData);
}

/// First choice: a `Result` whose value has a schema.
#[doc(hidden)]
pub trait SchemaOfResult {
    fn schema(&self, generator: &mut SchemaGenerator) -> Option<Schema>;
}

impl<T: JsonSchema, E> SchemaOfResult for &&&OutputOf<Result<T, E>> {
    fn schema(&self, generator: &mut SchemaGenerator) -> Option<Schema> {
        Some(generator.subschema_for::<T>())
    }
}

/// Second choice: any other `Result`.
#[doc(hidden)]
pub trait SchemaOfUnknown {
    fn schema(&self, generator: &mut SchemaGenerator) -> Option<Schema>;
}

impl<T, E> SchemaOfUnknown for &&OutputOf<Result<T, E>> {
    fn schema(&self, _: &mut SchemaGenerator) -> Option<Schema> {
        None
    }
}

/// Third choice: a value that has a schema.
#[doc(hidden)]
pub trait SchemaOfType {
    fn schema(&self, generator: &mut SchemaGenerator) -> Option<Schema>;
}

impl<T: JsonSchema + ?Sized> SchemaOfType for &OutputOf<T> {
    fn schema(&self, generator: &mut SchemaGenerator) -> Option<Schema> {
        Some(generator.subschema_for::<T>())
    }
}

/// Last choice: a value that has none.
#[doc(hidden)]
pub trait SchemaOfAny {
    fn schema(&self, generator: &mut SchemaGenerator) -> Option<Schema>;
}

impl<T: ?Sized> SchemaOfAny for OutputOf<T> {
    fn schema(&self, _: &mut SchemaGenerator) -> Option<Schema> {
        None
    }
}
