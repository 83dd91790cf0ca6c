//! Checks that need types: constants that rustc evaluates, spanned at what the user wrote.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::{GenericArgument, PathArguments, Type};

use crate::check::spelled;
use crate::errors::say;
use crate::json::{Json, Node};
use crate::model::{Argument, Constraint, TypeCheck, Value};

/// What kind of JSON a keyword constrains.
#[derive(Clone, Copy)]
enum Kind {
    Text,
    Number,
    List,
}

impl Kind {
    fn of(keyword: &str) -> Self {
        match keyword {
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
                Self::Number
            }
            "minItems" | "maxItems" | "uniqueItems" => Self::List,
            _ => Self::Text,
        }
    }

    /// How the kind is called, and the question that generated code asks.
    fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Text => ("text", "text", "bears_text"),
            Self::Number => ("numbers", "a number", "bears_number"),
            Self::List => ("lists", "a list", "bears_list"),
        }
    }
}

/// The checks of one argument. What the type's spelling answers is not asked of the compiler again: it costs time in each
/// build, and a type that is spelled `u8` and is none fails elsewhere.
pub(crate) fn argument(argument: &Argument, generic: &[String]) -> TokenStream {
    let ty = argument.read_as.ty();
    // A constant cannot speak of a generic type; its schema is looked at when the dispatcher is built.
    if mentions(ty.clone(), generic) {
        return TokenStream::new();
    }
    let spelled = Spelled::of(&argument.spelled);
    let mut checks = TokenStream::new();
    if matches!(spelled, Spelled::Unknown) {
        checks.extend(readable(argument, ty));
    }
    for constraint in &argument.constraints {
        if !spelled.bears(Kind::of(constraint.keyword)) {
            checks.extend(bears(argument, constraint, ty));
        }
        if let Value::Number(number) = &constraint.value
            && let Some(whole) = number.whole
            && !spelled.holds(whole)
        {
            checks.extend(fits(argument, &number.tokens, whole, ty));
        }
    }
    let span = first_span(ty);
    for check in &argument.checks {
        checks.extend(match check {
            TypeCheck::Optional { wanted: true, message } => {
                quote_spanned!(span=> const _: () = __tool::hold(__tool::KindOf::<#ty>::OPTIONAL, #message);)
            }
            TypeCheck::Optional { wanted: false, message } => {
                quote_spanned!(span=> const _: () = __tool::hold(!__tool::KindOf::<#ty>::OPTIONAL, #message);)
            }
            TypeCheck::Json { kind, message } => {
                quote_spanned!(span=> const _: () = __tool::hold(__tool::KindOf::<#ty>::KIND.reads(#kind), #message);)
            }
        });
    }
    if checks.is_empty() {
        return checks;
    }
    quote!(use __tool::KindOfAny as _; #checks)
}

fn mentions(tokens: TokenStream, names: &[String]) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(word) => names.iter().any(|name| word == name),
        TokenTree::Group(group) => mentions(group.stream(), names),
        _ => false,
    })
}

/// `x: Option<Option<u8>>`, `x: ()`: types that JSON cannot tell apart, or that carry nothing.
fn readable(argument: &Argument, ty: &TokenStream) -> TokenStream {
    let span = first_span(ty);
    let spelled = spelled(&argument.spelled);
    let nested = say::nested_option(&spelled).text();
    let nothing = say::carries_nothing(&spelled).text();
    quote_spanned! {span=>
        const _: () = __tool::hold(!__tool::KindOf::<#ty>::KIND.is_nested_option(), #nested);
        const _: () = __tool::hold(!__tool::KindOf::<#ty>::KIND.is_nothing(), #nothing);
    }
}

/// `#[arg(pattern = "..")] n: u32`
fn bears(argument: &Argument, constraint: &Constraint, ty: &TokenStream) -> TokenStream {
    let span = first_span(ty);
    let (plural, singular, question) = Kind::of(constraint.keyword).words();
    let question = proc_macro2::Ident::new(question, span);
    let spelled = spelled(&argument.spelled);
    let text = say::wrong_kind(constraint.key, plural, spelled, singular).text();
    quote_spanned!(span=> const _: () = __tool::hold(__tool::KindOf::<#ty>::KIND.#question(), #text);)
}

/// `#[arg(maximum = 300)] n: u8`
fn fits(argument: &Argument, number: &TokenStream, whole: i128, ty: &TokenStream) -> TokenStream {
    let span = first_span(number);
    let text = say::does_not_fit(whole, spelled(&argument.spelled)).text();
    quote_spanned!(span=> const _: () = __tool::hold(__tool::KindOf::<#ty>::KIND.holds(#whole), #text);)
}

/// What a type's spelling says about its JSON.
pub(crate) enum Spelled {
    Text,
    Integer { least: i128, most: u128 },
    Number,
    List,
    Boolean,
    Object,
    Unknown,
}

impl Spelled {
    pub(crate) fn of(ty: &Type) -> Self {
        match ty {
            Type::Reference(reference) => Self::of(&reference.elem),
            Type::Group(group) => Self::of(&group.elem),
            Type::Slice(_) | Type::Array(_) => Self::List,
            Type::Path(path) if path.qself.is_none() => match path.path.segments.last() {
                Some(last) => Self::word(&last.ident.to_string(), &last.arguments),
                None => Self::Unknown,
            },
            _ => Self::Unknown,
        }
    }

    fn word(word: &str, arguments: &PathArguments) -> Self {
        macro_rules! integer {
            ($ty:ident) => {
                Self::Integer {
                    least: $ty::MIN as i128,
                    most: $ty::MAX as u128,
                }
            };
        }
        if let PathArguments::AngleBracketed(inner) = arguments {
            let Some(GenericArgument::Type(inner)) = inner.args.first() else {
                return Self::Unknown;
            };
            return match (word, Self::of(inner)) {
                ("Option", _) if is_option(inner) => Self::Unknown,
                ("Option" | "Box", inner) => inner,
                ("Vec", _) => Self::List,
                ("HashMap" | "BTreeMap", _) => Self::Object,
                _ => Self::Unknown,
            };
        }
        match word {
            "str" | "String" | "char" | "Path" | "PathBuf" => Self::Text,
            "f32" | "f64" => Self::Number,
            "bool" => Self::Boolean,
            "u8" => integer!(u8),
            "u16" => integer!(u16),
            "u32" => integer!(u32),
            "u64" => integer!(u64),
            "u128" => integer!(u128),
            "i8" => integer!(i8),
            "i16" => integer!(i16),
            "i32" => integer!(i32),
            "i64" => integer!(i64),
            // `usize` and `isize` depend on the target, which the compiler knows.
            _ => Self::Unknown,
        }
    }

    /// JSON Schema's word for it.
    pub(crate) fn json(&self) -> Option<&'static str> {
        match self {
            Self::Text => Some("string"),
            Self::Integer { .. } => Some("integer"),
            Self::Number => Some("number"),
            Self::List => Some("array"),
            Self::Boolean => Some("boolean"),
            Self::Object => Some("object"),
            Self::Unknown => None,
        }
    }

    /// Whether the type says a keyword of a contract by itself: a `u8` is at least 0 and at most 255. A type that is not
    /// known may say anything.
    pub(crate) fn implies(&self, keyword: &str, value: &Node) -> bool {
        let bound = match &value.value {
            Json::Number(text) => text.parse::<i128>().ok(),
            _ => None,
        };
        match (self, keyword) {
            (Self::Unknown, _) | (Self::Integer { .. } | Self::Number, "format") => true,
            (Self::Integer { least, .. }, "minimum") => bound.is_some_and(|bound| bound == *least),
            (Self::Integer { most, .. }, "maximum") => {
                bound.and_then(|bound| u128::try_from(bound).ok()) == Some(*most)
            }
            _ => false,
        }
    }

    fn bears(&self, kind: Kind) -> bool {
        matches!(
            (self, kind),
            (Self::Text, Kind::Text)
                | (Self::Integer { .. } | Self::Number, Kind::Number)
                | (Self::List, Kind::List)
        )
    }

    fn holds(&self, whole: i128) -> bool {
        match self {
            Self::Integer { least, most } => {
                whole >= *least && (whole < 0 || whole.unsigned_abs() <= *most)
            }
            Self::Number => true,
            _ => false,
        }
    }
}

fn is_option(ty: &Type) -> bool {
    match ty {
        Type::Group(group) => is_option(&group.elem),
        Type::Path(path) => path
            .path
            .segments
            .last()
            .is_some_and(|last| last.ident == "Option"),
        _ => false,
    }
}

pub(crate) fn first_span(tokens: &TokenStream) -> Span {
    let first = tokens.clone().into_iter().next();
    first.map_or_else(Span::mixed_site, |token| {
        Span::mixed_site().located_at(token.span())
    })
}

/// A description that is an expression says something, and has no section that would have to be taken apart.
pub(crate) fn text(expression: &TokenStream, what: &str) -> TokenStream {
    let span = first_span(expression);
    let blank = say::blank_expression(what).text();
    let section = say::arguments_in_expression(what).text();
    quote_spanned! {span=>{
        const __TOOL_TEXT: &__tool::str = #expression;
        const _: () = __tool::hold(!__tool::is_blank(__TOOL_TEXT), #blank);
        const _: () = __tool::hold(!__tool::has_arguments_section(__TOOL_TEXT), #section);
        __TOOL_TEXT
    }}
}

/// Whether `tokens` are nothing, so that a block for them can be left out.
pub(crate) fn block(checks: &TokenStream, value: TokenStream) -> TokenStream {
    if checks.is_empty() {
        value
    } else {
        quote!({ #checks #value })
    }
}
