//! What a result can be, decided by the type and not by how it is spelled.
//!
//! Generated code wraps the returned value and calls methods on the wrapper; which trait answers is method resolution's
//! choice: an inherent-like exact impl first, the general one by one more reference. So `Result` is seen through any
//! alias, and `Content` and output schemas are found without a line of it in the user's code.

use std::any::Any;
use std::fmt::Display;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use crate::content::Content;
use crate::error::ToolError;
use crate::invocation::{Invocation, Returned};

/// A value that can be written as JSON for the model.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool's result",
    label = "cannot be written as JSON",
    note = "derive `serde::Serialize` for it, or return `String`"
)]
pub trait Answer: Serialize {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + ?Sized> Answer for T {}

/// A failure that has words for the model.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool's error",
    label = "has no words for the model",
    note = "a failure needs words: the error type must implement `std::fmt::Display`, or be `ToolError`"
)]
pub trait Refusing: Display + 'static {}

#[diagnostic::do_not_recommend]
impl<T: Display + 'static> Refusing for T {}
