//! Checks that need types: constants that rustc evaluates, spanned at what the user wrote.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::Type;

use crate::check::spelled;
use crate::model::{Argument, Constraint, Value};

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

/// The checks of one argument; nothing for the types whose every question is answered by their spelling.
pub(crate) fn argument(argument: &Argument) -> TokenStream {
    let ty = argument.lent.as_ref().unwrap_or(&argument.ty);
    let mut checks = TokenStream::new();
    if !is_plain(&argument.spelled) {
        checks.extend(readable(argument, ty));
    }
    for constraint in &argument.constraints {
        checks.extend(bears(argument, constraint, ty));
        checks.extend(fits(argument, constraint, ty));
    }
    checks
}

/// `x: Option<Option<u8>>`, `x: ()`: types that JSON cannot tell apart, or that carry nothing.
fn readable(argument: &Argument, ty: &TokenStream) -> TokenStream {
    let span = first_span(ty);
    let spelled = spelled(&argument.spelled);
    let nested = message(&format!(
        "`{spelled}` cannot be told from `Option`: in JSON both kinds of nothing are null\nhelp: take one `Option`, or an enum that names the cases"
    ));
    let nothing = message(&format!(
        "`{spelled}` carries nothing a model could give; leave the parameter out"
    ));
    quote_spanned! {span=>
        const _: () = __tool::assert!(!__tool::KindOf::<#ty>::KIND.is_nested_option(), #nested);
        const _: () = __tool::assert!(!__tool::KindOf::<#ty>::KIND.is_nothing(), #nothing);
    }
}

/// `#[arg(pattern = "..")] n: u32`
fn bears(argument: &Argument, constraint: &Constraint, ty: &TokenStream) -> TokenStream {
    let span = first_span(ty);
    let (plural, singular, question) = Kind::of(constraint.keyword).words();
    let question = proc_macro2::Ident::new(question, span);
    let text = message(&format!(
        "`{}` constrains {plural}, and `{}` is not {singular}\nnote: text takes `pattern`, `format`, `min_length`, `max_length`; numbers `minimum`, `maximum`, `multiple_of`; lists `min_items`, `max_items`, `unique_items`",
        constraint.key,
        spelled(&argument.spelled),
    ));
    quote_spanned!(span=> const _: () = __tool::assert!(__tool::KindOf::<#ty>::KIND.#question(), #text);)
}

/// `#[arg(maximum = 300)] n: u8`
fn fits(argument: &Argument, constraint: &Constraint, ty: &TokenStream) -> Option<TokenStream> {
    let Value::Number(number) = &constraint.value else {
        return None;
    };
    let whole = number.whole?;
    let span = first_span(&number.tokens);
    let text = message(&format!(
        "{whole} does not fit `{}`",
        spelled(&argument.spelled)
    ));
    Some(
        quote_spanned!(span=> const _: () = __tool::assert!(__tool::KindOf::<#ty>::KIND.holds(#whole), #text);),
    )
}

/// Words as the literal of a panic, where braces mean something.
fn message(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

/// Types of one word that are what they say.
fn is_plain(ty: &Type) -> bool {
    const PLAIN: [&str; 19] = [
        "bool", "char", "str", "String", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16",
        "i32", "i64", "i128", "isize", "f32", "f64", "PathBuf",
    ];
    const AROUND: [&str; 4] = ["Option", "Vec", "Box", "HashMap"];
    match ty {
        Type::Reference(reference) => is_plain(&reference.elem),
        Type::Slice(_) | Type::Array(_) => true,
        Type::Group(group) => is_plain(&group.elem),
        Type::Path(path) if path.qself.is_none() => match path.path.segments.last() {
            Some(last) if last.arguments.is_none() => PLAIN.iter().any(|plain| last.ident == plain),
            Some(last) => {
                let inner = last.arguments.to_token_stream().into_iter().any(|token| {
                    matches!(&token, TokenTree::Group(_)) || token.to_string() == "Option"
                });
                !inner && AROUND.iter().any(|around| last.ident == around)
            }
            None => false,
        },
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
    let blank = format!("the {what} is blank");
    let section = format!(
        "the {what} has an `# Arguments` section, which cannot be split where the text is an expression; describe each parameter at the parameter"
    );
    quote_spanned! {span=>{
        const __TOOL_TEXT: &__tool::str = #expression;
        const _: () = __tool::assert!(!__tool::is_blank(__TOOL_TEXT), #blank);
        const _: () = __tool::assert!(!__tool::has_arguments_section(__TOOL_TEXT), #section);
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
