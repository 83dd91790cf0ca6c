//! `#[toolbox] impl Shop { .. }`: the methods that are tools, and the rest of the block as it is.
//!
//! The block is taken apart by tokens, so that a method whose body is half typed is still there. Each method under `#[tool]`
//! goes the way of a function: parsed, checked, expanded.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, GenericParam, Generics, Path, Token, Type};

use crate::args::{self, Given, ToolArgs};
use crate::check::{self, Home};
use crate::contract::{self, Contract};
use crate::errors::{Errors, say};
use crate::item;
use crate::model::Tool;
use crate::paths::Runtime;

/// An impl block with tools in it.
pub(crate) struct Toolbox {
    pub(crate) runtime: Runtime,
    pub(crate) generics: Generics,
    pub(crate) ty: Type,
    /// Which of the type's boxes this is, if it has several.
    pub(crate) part: Option<Ident>,
    /// The other boxes that are handed out with this one.
    pub(crate) with: Vec<Path>,
    pub(crate) tools: Vec<Boxed>,
    /// Contracts of tools that were refused.
    pub(crate) watched: Vec<Contract>,
}

/// A method, and the predicates that decide whether it is there and is a tool.
pub(crate) struct Boxed {
    pub(crate) cfgs: Vec<TokenStream>,
    pub(crate) tool: Tool,
}

/// The header of an impl block.
struct Header {
    generics: Generics,
    ty: Type,
}

/// The block without our helpers, and the box, if the block is one at all.
pub(crate) fn read(
    args: TokenStream,
    block: TokenStream,
    errors: &mut Errors,
) -> (TokenStream, Option<Toolbox>) {
    let args = args::toolbox(args, errors);
    let tokens: Vec<TokenTree> = item::ungrouped(block).into_iter().collect();
    let Some((TokenTree::Group(body), head)) = tokens
        .split_last()
        .filter(|(last, _)| is_delimited(last, Delimiter::Brace))
    else {
        let whole: TokenStream = tokens.into_iter().collect();
        errors.at(&first(&whole), say::not_an_impl_block());
        return (whole, None);
    };
    let head: TokenStream = head.iter().cloned().collect();
    let header = header(head.clone(), errors);
    let members = members(body.stream());
    let mut out = TokenStream::new();
    let mut methods = Vec::new();
    for member in members {
        let (survivor, method) = member.split(errors);
        out.extend(survivor);
        methods.extend(method);
    }
    let mut inside = Group::new(Delimiter::Brace, out);
    inside.set_span(body.span());
    let mut survivor = head;
    inside.to_tokens(&mut survivor);
    let Some(header) = header else {
        return (survivor, None);
    };
    if methods.is_empty() && !args.empty.as_ref().is_some_and(|given| given.value) {
        errors.at(&header.ty, say::empty_toolbox());
    }
    let mut toolbox = Toolbox {
        runtime: args
            .krate
            .as_ref()
            .map_or_else(Runtime::found, |given| Runtime::at(&given.value)),
        generics: header.generics,
        ty: header.ty,
        part: args.part.map(|given| given.value),
        with: args.with,
        tools: Vec::new(),
        watched: Vec::new(),
    };
    for method in methods {
        toolbox.method(method, args.krate.as_ref(), errors);
    }
    // A box that borrows cannot be written down at all: one message is enough.
    if toolbox.generics.lifetimes().next().is_some() {
        return (survivor, None);
    }
    (survivor, Some(toolbox))
}

/// A method under `#[tool]`.
struct Method {
    cfgs: Vec<TokenStream>,
    args: TokenStream,
    /// The method without its `#[tool]`.
    tokens: TokenStream,
}

impl Toolbox {
    fn method(&mut self, method: Method, krate: Option<&Given<Path>>, errors: &mut Errors) {
        let own = &mut Errors::default();
        let args = args::tool(method.args, own);
        not_in_a_toolbox(&args, own);
        if let Some(function) = item::parse(method.tokens, own) {
            let contract = args
                .schema
                .as_ref()
                .and_then(|given| contract::read(&given.value, own));
            let home = Home::Toolbox {
                generics: &self.generics,
                krate,
                ty: &self.ty,
            };
            let tool = check::tool(&args, &function, contract.as_ref(), &home, own);
            match tool {
                Some(tool) => {
                    let same =
                        |boxed: &&Boxed| boxed.tool.name == tool.name && boxed.cfgs.is_empty();
                    if method.cfgs.is_empty() && self.tools.iter().find(same).is_some() {
                        let at = args.name.as_ref().map_or_else(
                            || function.sig.ident.to_token_stream(),
                            |given| given.value.to_token_stream(),
                        );
                        own.at(&at, say::tool_name_twice(&tool.name));
                    }
                    let mut cfgs = method.cfgs;
                    cfgs.extend(check::cfgs(&function.attrs));
                    self.tools.push(Boxed { cfgs, tool });
                }
                None => self.watched.extend(contract),
            }
        }
        errors.append(own);
    }
}

/// `#[tool(item = Other)]` on a method, `#[tool(crate = kit)]` on a method
fn not_in_a_toolbox(args: &ToolArgs, errors: &mut Errors) {
    if let Some(given) = &args.item {
        errors.at(&given.tokens, say::item_in_toolbox());
    }
    if let Some(given) = &args.krate {
        errors.at(&given.tokens, say::crate_in_toolbox());
    }
}

/// Reads `impl<T> Shop<T> where ..`, or says what it is instead.
fn header(head: TokenStream, errors: &mut Errors) -> Option<Header> {
    let read = |input: ParseStream<'_>| {
        input.call(Attribute::parse_outer)?;
        let safety: Option<Token![unsafe]> = input.parse()?;
        if !input.peek(Token![impl]) {
            input.parse::<TokenStream>()?;
            return Ok(None);
        }
        input.parse::<Token![impl]>()?;
        let mut generics: Generics = if input.peek(Token![<]) && !input.peek2(Token![<]) {
            input.parse()?
        } else {
            Generics::default()
        };
        let ty: Type = input.parse()?;
        if input.peek(Token![for]) || safety.is_some() {
            input.parse::<TokenStream>()?;
            return Ok(Some(Err(ty)));
        }
        generics.where_clause = input.parse()?;
        Ok(Some(Ok(Header { generics, ty })))
    };
    match read.parse2(head.clone()) {
        Ok(Some(Ok(header))) => {
            for parameter in &header.generics.params {
                // `impl<'a> Shop<'a>`
                if let GenericParam::Lifetime(parameter) = parameter {
                    errors.at(&parameter.lifetime, say::borrowing_toolbox());
                }
            }
            Some(header)
        }
        Ok(Some(Err(ty))) => {
            errors.at(&ty, say::trait_impl());
            None
        }
        Ok(None) => {
            errors.at(&first(&head), say::not_an_impl_block());
            None
        }
        Err(problem) => {
            errors.at_span(problem.span(), say::unknown_syntax(problem));
            None
        }
    }
}

fn first(tokens: &TokenStream) -> TokenStream {
    // Past the attributes: what the block is.
    let mut past = item::without_any_attributes(tokens.clone()).into_iter();
    past.next().map_or_else(TokenStream::new, TokenStream::from)
}

fn is_delimited(token: &TokenTree, delimiter: Delimiter) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == delimiter)
}

/// One member of an impl block: its attributes, and the rest.
struct Member {
    attributes: Vec<Group>,
    /// The `#` of each, for its span.
    pounds: Vec<TokenTree>,
    rest: Vec<TokenTree>,
}

/// Splits the inside of an impl block. A function ends with its body, anything else with `;` or its braces.
fn members(tokens: TokenStream) -> Vec<Member> {
    let mut members = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    while tokens.peek().is_some() {
        let mut member = Member {
            attributes: Vec::new(),
            pounds: Vec::new(),
            rest: Vec::new(),
        };
        while let Some(TokenTree::Punct(punct)) = tokens.peek()
            && punct.as_char() == '#'
            && member.rest.is_empty()
        {
            let pound = tokens.next();
            match tokens.next() {
                Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket => {
                    member.pounds.extend(pound);
                    member.attributes.push(group);
                }
                // `#![allow(..)]` stays where it is.
                other => {
                    member.rest.extend(pound);
                    member.rest.extend(other);
                    member.rest.extend(tokens.next());
                }
            }
        }
        let mut ends_with_body = true;
        let mut first_word = true;
        for token in tokens.by_ref() {
            if let TokenTree::Ident(word) = &token {
                // `const X: T = { .. };` ends with `;`, and so does a type.
                if first_word && (word == "type" || word == "static") {
                    ends_with_body = false;
                }
                if first_word && word == "const" {
                    ends_with_body = false;
                }
                if word == "fn"
                    && member.rest.iter().all(|token| {
                        matches!(
                            token,
                            TokenTree::Ident(_) | TokenTree::Literal(_) | TokenTree::Group(_)
                        )
                    })
                {
                    ends_with_body = true;
                }
                if word != "pub" && word != "default" {
                    first_word = false;
                }
            }
            let ends = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ';')
                || (ends_with_body && is_delimited(&token, Delimiter::Brace));
            member.rest.push(token);
            if ends {
                break;
            }
        }
        members.push(member);
    }
    members
}

impl Member {
    /// What stays of the member, and the method it is under `#[tool]`.
    fn split(self, errors: &mut Errors) -> (TokenStream, Option<Method>) {
        let mut attributes = TokenStream::new();
        let mut tools: Vec<(TokenStream, Vec<TokenStream>, TokenTree)> = Vec::new();
        for (pound, attribute) in self.pounds.into_iter().zip(self.attributes) {
            match ToolAttribute::of(&attribute) {
                ToolAttribute::Tool(args) => {
                    tools.push((args, Vec::new(), TokenTree::Group(attribute)))
                }
                // `#[cfg_attr(feature = "x", tool, must_use)]`
                ToolAttribute::Conditional {
                    predicate,
                    args,
                    others,
                } => {
                    tools.push((
                        args,
                        vec![predicate.clone()],
                        TokenTree::Group(attribute.clone()),
                    ));
                    if !others.is_empty() {
                        let mut kept = Group::new(
                            Delimiter::Bracket,
                            quote::quote!(cfg_attr(#predicate, #others)),
                        );
                        kept.set_span(attribute.span());
                        attributes.extend([pound, TokenTree::Group(kept)]);
                    }
                }
                ToolAttribute::None => attributes.extend([pound, TokenTree::Group(attribute)]),
            }
        }
        let mut whole = attributes;
        whole.extend(self.rest);
        let mut tools = tools.into_iter();
        let Some((args, cfgs, _)) = tools.next() else {
            return (whole, None);
        };
        for (_, _, again) in tools {
            errors.at(&again, say::tool_twice());
        }
        (
            item::survivor(whole.clone()),
            Some(Method {
                cfgs,
                args,
                tokens: whole,
            }),
        )
    }
}

/// An attribute of a member, as far as it is ours.
enum ToolAttribute {
    Tool(TokenStream),
    Conditional {
        predicate: TokenStream,
        args: TokenStream,
        others: TokenStream,
    },
    None,
}

impl ToolAttribute {
    fn of(attribute: &Group) -> Self {
        let tokens: Vec<TokenTree> = attribute.stream().into_iter().collect();
        if let Some(args) = tool_args(&tokens) {
            return Self::Tool(args);
        }
        match tokens.as_slice() {
            [TokenTree::Ident(word), TokenTree::Group(inside)] if word == "cfg_attr" => {
                Self::conditional(inside.stream())
            }
            _ => Self::None,
        }
    }

    /// The inside of `cfg_attr(predicate, attribute, ..)`.
    fn conditional(inside: TokenStream) -> Self {
        let mut parts: Vec<Vec<TokenTree>> = vec![Vec::new()];
        for token in inside {
            match (&token, parts.last_mut()) {
                (TokenTree::Punct(punct), _) if punct.as_char() == ',' => parts.push(Vec::new()),
                (_, Some(part)) => part.push(token),
                (_, None) => {}
            }
        }
        let mut parts = parts.into_iter();
        let predicate: TokenStream = parts.next().unwrap_or_default().into_iter().collect();
        let mut args = None;
        let mut others = Vec::new();
        for part in parts.filter(|part| !part.is_empty()) {
            match tool_args(&part) {
                Some(found) if args.is_none() => args = Some(found),
                _ => others.push(part.into_iter().collect::<TokenStream>()),
            }
        }
        match args {
            Some(args) => Self::Conditional {
                predicate,
                args,
                others: quote::quote!(#(#others),*),
            },
            None => Self::None,
        }
    }
}

/// The arguments of `tool`, `tool(..)` or `a::path::to::tool(..)`. Inside a toolbox every attribute of that name is ours.
fn tool_args(tokens: &[TokenTree]) -> Option<TokenStream> {
    let (path, args) = match tokens.split_last()? {
        (TokenTree::Group(group), path) if group.delimiter() == Delimiter::Parenthesis => {
            (path, group.stream())
        }
        _ => (tokens, TokenStream::new()),
    };
    let is_path = path.iter().all(|token| match token {
        TokenTree::Ident(_) => true,
        TokenTree::Punct(punct) => punct.as_char() == ':',
        _ => false,
    });
    let is_tool = matches!(path.last(), Some(TokenTree::Ident(name)) if name == "tool");
    (is_path && is_tool).then_some(args)
}
