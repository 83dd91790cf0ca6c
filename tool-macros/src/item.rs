//! The function under the attribute: the signature is parsed, the body stays tokens, so that half-typed code still
//! expands.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Attribute, Signature, Token, Visibility};

use crate::errors::{Errors, say};

/// A function as the user wrote it.
pub(crate) struct Function {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) sig: Signature,
    pub(crate) body: Group,
}

/// Attributes on parameters that only we know.
const HELPERS: [&str; 3] = ["arg", "context", "doc"];

/// Parses the item, or says what it is instead of a function.
pub(crate) fn parse(tokens: TokenStream, errors: &mut Errors) -> Option<Function> {
    let read = |input: ParseStream<'_>| {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis: Visibility = input.parse()?;
        if let Some(mistake) = other_item(input) {
            // What follows is not ours to judge.
            skip(input);
            return Ok(Err(mistake));
        }
        let sig: Signature = input.parse()?;
        if input.peek(Token![;]) || input.is_empty() {
            skip(input);
            return Ok(Err((sig.ident.span(), say::no_body())));
        }
        match input.parse()? {
            TokenTree::Group(body) if body.delimiter() == Delimiter::Brace => Ok(Ok(Function {
                attrs,
                vis,
                sig,
                body,
            })),
            other => Err(syn::Error::new(
                other.span(),
                "expected the function's body",
            )),
        }
    };
    match read.parse2(ungrouped(tokens)) {
        Ok(Ok(function)) => Some(function),
        Ok(Err((span, message))) => {
            errors.at_span(span, message);
            None
        }
        Err(problem) => {
            errors.at_span(problem.span(), say::unknown_syntax(problem));
            None
        }
    }
}

fn skip(input: ParseStream<'_>) {
    let _: syn::Result<TokenStream> = input.call(TokenStream::parse);
}

/// What the item is, when it cannot be a function.
fn other_item(input: ParseStream<'_>) -> Option<(Span, crate::errors::Message)> {
    let ahead = input.fork();
    let Ok(first) = ahead.parse::<TokenTree>() else {
        return Some((Span::call_site(), say::not_a_function("nothing")));
    };
    let span = first.span();
    let TokenTree::Ident(word) = &first else {
        return Some((span, say::not_a_function("something else")));
    };
    let second = ahead
        .parse::<TokenTree>()
        .map(|token| token.to_string())
        .unwrap_or_default();
    let what = match word.to_string().as_str() {
        "struct" => "a struct",
        "enum" => "an enum",
        "union" if second != "!" => "a union",
        "trait" => "a trait",
        "mod" => "a module",
        "static" => "a static",
        "type" => "a type alias",
        "use" => "an import",
        "let" => "a local variable",
        "impl" => return Some((span, say::impl_block())),
        "const" if !["fn", "async", "unsafe", "extern"].contains(&second.as_str()) => "a constant",
        "extern" if second == "crate" => "an import",
        "extern" if second.starts_with('{') => "a foreign block",
        "extern" | "unsafe" if foreign_block(input) => "a foreign block",
        "unsafe" if second == "impl" => return Some((span, say::impl_block())),
        "unsafe" | "auto" if second == "trait" => "a trait",
        _ if second == "!" => "a macro call",
        _ => return None,
    };
    Some((span, say::not_a_function(what)))
}

/// Whether the tokens ahead are `[unsafe] extern ["C"] {`.
fn foreign_block(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    let _: syn::Result<Option<Token![unsafe]>> = ahead.parse();
    ahead.parse::<syn::Abi>().is_ok() && ahead.peek(syn::token::Brace)
}

/// The item without our helper attributes, which nobody else knows. This works on tokens alone, so that the function
/// is there whatever else is wrong with it.
pub(crate) fn survivor(tokens: TokenStream) -> TokenStream {
    let mut out = Vec::new();
    let mut seen = Seen::Nothing;
    // How deep in `<..>`, whose parentheses are not the parameters'.
    let mut depth = 0_usize;
    let mut arrow = false;
    for token in without_attributes(ungrouped(tokens), &["tool"]) {
        match (&seen, &token) {
            (Seen::Nothing, TokenTree::Ident(word)) if word == "fn" => seen = Seen::Fn,
            (Seen::Fn, TokenTree::Punct(punct)) => {
                match punct.as_char() {
                    '<' => depth += 1,
                    '>' if !arrow => depth = depth.saturating_sub(1),
                    _ => {}
                }
                arrow = punct.as_char() == '-';
            }
            (Seen::Fn, TokenTree::Group(group))
                if depth == 0 && group.delimiter() == Delimiter::Parenthesis =>
            {
                let inside = without_attributes(group.stream(), &HELPERS)
                    .into_iter()
                    .collect();
                let mut parameters = Group::new(Delimiter::Parenthesis, inside);
                parameters.set_span(group.span());
                out.push(TokenTree::Group(parameters));
                seen = Seen::Parameters;
                continue;
            }
            _ => {}
        }
        out.push(token);
    }
    out.into_iter().collect()
}

enum Seen {
    Nothing,
    Fn,
    Parameters,
}

/// The tokens without the attributes whose path is one of `names`.
pub(crate) fn without_attributes(tokens: TokenStream, names: &[&str]) -> Vec<TokenTree> {
    let mut out = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        if let TokenTree::Punct(punct) = &token
            && punct.as_char() == '#'
            && let Some(TokenTree::Group(group)) = tokens.peek()
            && group.delimiter() == Delimiter::Bracket
            && attribute_name(group).is_some_and(|name| {
                names.iter().any(|helper| name == helper)
                    || (name == "cfg_attr" && brings(group, names))
            })
        {
            tokens.next();
            continue;
        }
        out.push(token);
    }
    out
}

/// The tokens behind all outer attributes.
pub(crate) fn without_any_attributes(tokens: TokenStream) -> TokenStream {
    let mut tokens = ungrouped(tokens).into_iter().peekable();
    while matches!(tokens.peek(), Some(TokenTree::Punct(punct)) if punct.as_char() == '#') {
        tokens.next();
        tokens.next();
    }
    tokens.collect()
}

/// Whether a `cfg_attr` brings one of the attributes. It is refused, and goes with its helper.
fn brings(attribute: &Group, names: &[&str]) -> bool {
    names.contains(&"arg")
        && attribute.stream().into_iter().any(|token| {
            match token {
        TokenTree::Group(inside) => inside.stream().into_iter().any(
            |token| matches!(token, TokenTree::Ident(word) if word == "arg" || word == "context"),
        ),
        _ => false,
    }
        })
}

/// The name of an attribute whose path is one word, or the runtime's own `tool_runtime::tool`.
fn attribute_name(attribute: &Group) -> Option<Ident> {
    let mut tokens = attribute.stream().into_iter().filter(|token| {
        // `#[::tool_runtime::tool]` is `#[tool]`.
        !matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':')
    });
    match (tokens.next()?, tokens.next()) {
        (TokenTree::Ident(krate), Some(TokenTree::Ident(name))) if krate == "tool_runtime" => {
            Some(name)
        }
        (TokenTree::Ident(_), Some(TokenTree::Ident(_))) => None,
        (TokenTree::Ident(name), _) => Some(name),
        _ => None,
    }
}

/// The tokens of an item that a `macro_rules!` handed over as `$item:item`.
pub(crate) fn ungrouped(tokens: TokenStream) -> TokenStream {
    let mut trees = tokens.clone().into_iter();
    match (trees.next(), trees.next()) {
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::None => {
            ungrouped(group.stream())
        }
        _ => tokens,
    }
}
