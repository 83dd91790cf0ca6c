//! A tool as the checker understood it. Expansion accepts only this, so it has nothing left to doubt.

use proc_macro2::{Ident, Span, TokenStream};
use syn::{Expr, Type, Visibility};

use crate::docs::Part;
use crate::paths::Runtime;

/// A checked tool.
pub(crate) struct Tool {
    pub(crate) runtime: Runtime,
    /// The function.
    pub(crate) function: Ident,
    /// The item that stands for it in the type namespace.
    pub(crate) item: Ident,
    pub(crate) vis: Visibility,
    /// The name the model calls.
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: Text,
    pub(crate) risk: Risk,
    pub(crate) risk_declared: bool,
    pub(crate) confirm: Confirm,
    pub(crate) behaviour: Behaviour,
    pub(crate) version: u32,
    pub(crate) aliases: Vec<String>,
    pub(crate) timeout_ms: Option<u64>,
    pub(crate) max_output: Option<usize>,
    pub(crate) mask_errors: bool,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) run: Run,
    pub(crate) output: Output,
    /// Whether a call of the function would warn.
    pub(crate) deprecated: bool,
    pub(crate) pinned: Option<Pinned>,
    /// A method of a toolbox, and how it is called.
    pub(crate) method: Option<Receiver>,
    /// Where the type of a method's receiver is told, if it cannot be shared.
    pub(crate) receiver: Span,
    /// The names of the impl block's own parameters, which constants cannot speak of.
    pub(crate) generic: Vec<String>,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Receiver {
    /// `&self`
    Shared,
    /// None: a function that lives with the type.
    None,
}

/// A contract that the tool was held against.
pub(crate) struct Pinned {
    /// Relative to the crate's manifest.
    pub(crate) path: String,
    /// For the compiler, which reads the file again and watches it.
    pub(crate) absolute: String,
}

/// Words for the model.
pub(crate) enum Text {
    Known(String),
    /// A const expression of the user's.
    Expression(Expr),
    /// A doc comment with parts that only the compiler knows.
    Parts(Vec<Part>),
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Risk {
    Low,
    Medium,
    High,
}

pub(crate) enum Confirm {
    ByRisk,
    Always,
    Ask(String),
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Behaviour {
    pub(crate) read_only: bool,
    pub(crate) destructive: bool,
    pub(crate) idempotent: bool,
    pub(crate) open_world: bool,
    pub(crate) exclusive: bool,
}

pub(crate) enum Run {
    /// Awaited on one thread, since its future cannot be sent.
    Local,
    /// Awaited. A future that is not `Send` is told here, in the body, where its cause is.
    Async(Span),
    Blocking,
    Inline,
}

/// What the function returns.
pub(crate) enum Output {
    /// A type that has a name; lifetimes are elided.
    Named {
        ty: TokenStream,
        /// Where a value that cannot be written, and an error without words, are told.
        value: Span,
        error: Span,
    },
    /// `impl Serialize`, which no other place can name.
    Opaque(Span),
}

/// A parameter of the function, in order.
pub(crate) struct Parameter {
    /// The predicates of its `#[cfg]`s, which only the compiler can decide.
    pub(crate) cfgs: Vec<TokenStream>,
    pub(crate) kind: ParameterKind,
}

impl Parameter {
    pub(crate) fn argument(&mut self) -> Option<&mut Argument> {
        match &mut self.kind {
            ParameterKind::Argument(argument) => Some(argument),
            ParameterKind::Context(_) => None,
        }
    }
}

pub(crate) enum ParameterKind {
    /// `#[context] shop: &Shop`: the type behind the reference.
    Context(TokenStream),
    Argument(Box<Argument>),
}

/// What the model gives.
pub(crate) struct Argument {
    /// Where the parameter is named.
    pub(crate) at: TokenStream,
    /// The name on the wire.
    pub(crate) name: String,
    pub(crate) aliases: Vec<String>,
    pub(crate) description: Option<Text>,
    /// JSON Schema members in the keyword's own spelling, with the value as JSON.
    pub(crate) constraints: Vec<Constraint>,
    pub(crate) default: Option<Expr>,
    pub(crate) example: Option<Expr>,
    pub(crate) secret: bool,
    /// The type as the function takes it, lifetimes elided.
    pub(crate) ty: TokenStream,
    pub(crate) read_as: ReadAs,
    /// Whether the type is written `String`, so that a string literal becomes one.
    pub(crate) is_string: bool,
    /// The type as it is written, for messages.
    pub(crate) spelled: Type,
    /// What a contract asks of the type.
    pub(crate) checks: Vec<TypeCheck>,
}

/// A question that only the compiler can answer.
pub(crate) enum TypeCheck {
    /// Whether the type is an `Option`.
    Optional { wanted: bool, message: String },
    /// Whether the type's JSON is of a kind: `integer`.
    Json { kind: String, message: String },
}

/// How an argument is read.
pub(crate) enum ReadAs {
    /// As the type itself.
    Value(TokenStream),
    /// As the type behind the reference, or a `Vec` for a slice, and borrowed.
    Borrowed(TokenStream),
    /// As the owned form that the runtime knows for the type behind the reference: a `String` for a `str`.
    Lent(TokenStream),
}

impl ReadAs {
    /// The type that is asked about, without the reference.
    pub(crate) fn ty(&self) -> &TokenStream {
        match self {
            Self::Value(ty) | Self::Borrowed(ty) | Self::Lent(ty) => ty,
        }
    }
}

/// One JSON Schema keyword.
pub(crate) struct Constraint {
    pub(crate) keyword: &'static str,
    /// As it is spelled in the attribute.
    pub(crate) key: &'static str,
    pub(crate) value: Value,
    pub(crate) tokens: TokenStream,
}

#[derive(Clone)]
pub(crate) enum Value {
    Text(String),
    Number(crate::args::Number),
    Count(u64),
    True,
}

impl Value {
    /// The value as JSON.
    pub(crate) fn to_json(&self) -> String {
        match self {
            Self::Text(text) => json_string(text),
            Self::Number(number) => number.text.clone(),
            Self::Count(count) => count.to_string(),
            Self::True => "true".to_owned(),
        }
    }
}

/// A text as a JSON string.
pub(crate) fn json_string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
