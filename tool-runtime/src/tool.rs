//! The static description of a tool: what `#[tool]` writes down, as plain data.

use std::any::TypeId;
use std::time::Duration;

use schemars::{JsonSchema, Schema, SchemaGenerator};

use crate::arg::Argument;
use crate::error::ToolError;
use crate::invocation::{Invocation, Refused, Reply, Running};
use crate::risk::{Behaviour, Risk};

/// A function that a model may call. Implemented by `#[tool]` for the item of the function's name; nobody
/// needs to import or implement it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    label = "not a tool",
    note = "put `#[tool]` on the function of this name"
)]
pub trait Tool {
    #[doc(hidden)]
    const TOOL: &'static StaticTool;
}

/// A type some of whose methods are tools. Implemented by `#[toolbox]` for the type of the impl block; nobody needs to import
/// or implement it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a toolbox",
    label = "not a toolbox",
    note = "put `#[toolbox]` on an impl block of it, and `#[tool]` on the methods"
)]
pub trait Toolbox<Part = ()> {
    #[doc(hidden)]
    const TOOLS: &'static [StaticTool];
    /// The parts that are handed out with this one.
    #[doc(hidden)]
    const PARTS: &'static [&'static [StaticTool]];
}

/// Everything a build knows about a tool. Made by `#[tool]` as a `static`; schemas and validators are made from it
/// on first use.
#[derive(Debug)]
#[doc(hidden)]
pub struct StaticTool {
    pub name: &'static str,
    pub title: Option<&'static str>,
    pub description: &'static str,
    pub risk: Risk,
    /// Whether the author wrote a risk (or `read_only`, which implies one).
    pub risk_declared: bool,
    pub confirm: ConfirmRule,
    pub behaviour: Behaviour,
    pub version: u32,
    pub aliases: &'static [&'static str],
    pub timeout: Option<Duration>,
    /// In bytes of JSON text.
    pub max_output: Option<usize>,
    pub mask_errors: bool,
    pub parameters: &'static [Parameter],
    pub contexts: &'static [ContextType],
    pub output: fn(&mut SchemaGenerator) -> Option<Schema>,
    pub run: Run,
    pub pinned: Option<Pinned>,
    pub place: Place,
}

/// The contract that a tool was held against as it was compiled; what only the types can tell is proved in the build script.
#[derive(Debug, Clone, Copy)]
#[doc(hidden)]
pub struct Pinned {
    /// Relative to the crate's manifest.
    pub path: &'static str,
    /// The file.
    pub text: &'static str,
}

/// The plainest tool: an expansion says only what differs from it.
#[doc(hidden)]
pub const TOOL: StaticTool = StaticTool {
    name: "",
    title: None,
    description: "",
    risk: Risk::Medium,
    risk_declared: false,
    confirm: ConfirmRule::ByRisk,
    behaviour: Behaviour {
        read_only: false,
        destructive: true,
        idempotent: false,
        open_world: false,
        exclusive: false,
    },
    version: 1,
    aliases: &[],
    timeout: None,
    max_output: None,
    mask_errors: false,
    parameters: &[],
    contexts: &[],
    output: |_| None,
    run: Run::Inline(|_| Err(Refused::failed(ToolError::new("refused by the compiler")))),
    pinned: None,
    place: Place::new("", "", 0),
};

/// What stands for a tool that `#[tool]` refused, so that its other uses do not fail besides. No program that has one
/// compiles.
#[doc(hidden)]
pub const REFUSED: &StaticTool = &TOOL;

/// The behaviour of a tool that reads.
#[doc(hidden)]
pub const READS: Behaviour = Behaviour {
    read_only: true,
    destructive: false,
    idempotent: true,
    open_world: false,
    exclusive: false,
};

/// The plainest parameter.
#[doc(hidden)]
pub const PARAMETER: Parameter = Parameter {
    name: "",
    aliases: &[],
    description: None,
    constraints: "",
    default: None,
    example: None,
    secret: false,
    ty: ArgType::of::<bool>(),
};

/// Whether a tool asks before it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConfirmRule {
    /// The risk decides: `high` asks.
    ByRisk,
    /// Always, with a question made from the tool's name.
    Always,
    /// Always, with this question.
    Ask(&'static str),
}

/// How the function is run.
#[derive(Debug, Clone, Copy)]
#[doc(hidden)]
pub enum Run {
    /// An `async fn`.
    Async(for<'a> fn(&'a Invocation) -> Running<'a>),
    /// A plain function, run off the async executor.
    Blocking(fn(&Invocation) -> Reply),
    /// A plain function marked `inline`, run where the dispatch is polled.
    Inline(fn(&Invocation) -> Reply),
}

/// One argument the model gives.
#[derive(Debug)]
#[doc(hidden)]
pub struct Parameter {
    /// The name on the wire.
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    pub description: Option<&'static str>,
    /// JSON Schema members that narrow the type's own schema, as the inside of a JSON object; empty for none.
    pub constraints: &'static str,
    /// The default as JSON text.
    pub default: Option<fn() -> Result<String, String>>,
    /// An example as JSON text.
    pub example: Option<fn() -> Result<String, String>>,
    pub secret: bool,
    pub ty: ArgType,
}

/// What the runtime needs of a parameter's owned type.
#[derive(Debug, Clone, Copy)]
#[doc(hidden)]
pub struct ArgType {
    pub schema: fn(&mut SchemaGenerator) -> Schema,
    /// Whether the deserialiser takes an absent value, asked of the deserialiser itself.
    pub optional: fn() -> bool,
}

impl ArgType {
    #[must_use]
    pub const fn of<T: Argument>() -> Self {
        Self {
            schema: subschema::<T>,
            optional: crate::arg::is_optional::<T>,
        }
    }
}

fn subschema<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// A type the host supplies.
#[derive(Debug, Clone, Copy)]
#[doc(hidden)]
pub struct ContextType {
    pub id: fn() -> TypeId,
    pub name: fn() -> &'static str,
}

impl ContextType {
    #[must_use]
    pub const fn of<T: Send + Sync + 'static>() -> Self {
        Self {
            id: TypeId::of::<T>,
            name: std::any::type_name::<T>,
        }
    }
}

/// Where a tool is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The module's path.
    pub module: &'static str,
    /// The file, as the compiler names it.
    pub file: &'static str,
    /// The line of the `#[tool]`.
    pub line: u32,
}

impl Place {
    #[doc(hidden)]
    #[must_use]
    pub const fn new(module: &'static str, file: &'static str, line: u32) -> Self {
        Self { module, file, line }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}
