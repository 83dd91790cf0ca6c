//! Turn an ordinary function into a tool that a language model may call.

#![forbid(unsafe_code)]

// `::tool_runtime` is this crate for its own tests too.
#[cfg(test)]
#[allow(unused_extern_crates, reason = "only tests that hold a tool use it")]
extern crate self as tool_runtime;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
mod arg;
#[cfg(feature = "build")]
pub use manifest::build;
mod call;
mod canonical;
#[cfg(feature = "cli")]
pub mod cli;
mod compiled;
mod content;
mod context;
mod de;
mod definition;
mod dispatch;
mod dynamic;
mod encode;
mod error;
mod intake;
mod invocation;
pub mod journal;
pub mod manifest;
pub mod outcome;
mod output;
mod parse;
pub mod provider;
mod registry;
mod risk;
mod schema;
mod text;
mod tool;
mod trace;
mod tree;
mod validate;

pub use call::{Arguments, ToolCall};
pub use content::Content;
pub use context::{CallContext, Progress};
pub use definition::ToolDefinition;
pub use dispatch::builder::{BuildError, BuildProblem, Builder};
pub use dispatch::confirm::{Answer, Approval, ApprovalError, Confirm};
pub use dispatch::policy::{Policy, PolicyRequest, Verdict};
pub use dispatch::{CallOptions, Dispatcher};
pub use dynamic::DynamicTool;
pub use error::ToolError;
pub use intake::{Repair, Repaired, Repairs};
pub use outcome::{
    Confirmation, ErrorType, Executed, Failure, FieldError, Output, Source, ToolOutcome,
};
pub use parse::Limits;
pub use registry::{RegisteredTool, Registry, RegistryError};
pub use risk::{Behaviour, Risk};
/// Cancels a call, see [`CallOptions::cancellation`]; re-exported on purpose, so that a host needs no other crate to name it.
pub use tokio_util::sync::CancellationToken;
#[doc(hidden)]
pub use tool::StaticTool;
pub use tool::{Place, Tool, Toolbox};
#[doc(inline)]
#[doc = include_str!("../docs/guide.md")]
pub use tool_macros::tool;
/// Turns the methods of an impl block into tools: those under `#[tool]`, with the keys that a function has.
///
/// [`Registry::toolbox`] puts them together with the value they are called on. The guide, at [`tool`](macro@tool#methods), has
/// an example.
///
/// A type with several such blocks gives every further one a name, `#[toolbox(part = Refunds)]`, and lists them at the first:
/// `#[toolbox(with = [Refunds])]`.
#[doc(inline)]
pub use tool_macros::toolbox;
pub use trace::TraceId;

/// The README's examples are compiled with the guide's.
#[cfg(all(doctest, feature = "cli"))]
#[doc = include_str!("../../README.md")]
mod readme {}
