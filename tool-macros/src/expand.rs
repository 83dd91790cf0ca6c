//! A checked tool as Rust code. Nothing here can fail.
//!
//! The expansion is small and dull, which is what keeps builds fast: a table of data, one shim that reads the arguments and
//! calls the function, and names of one hidden module. The arguments are read inside the call, so no local of ours can
//! meet a name of the user's.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, Visibility};

use crate::asserts;
use crate::docs::Part;
use crate::model::{
    Argument, Behaviour, Confirm, Output, Parameter, ParameterKind, Pinned, ReadAs, Receiver, Risk,
    Run, Text, Tool, json_string,
};
use crate::paths::Runtime;
use crate::toolbox::Toolbox;

/// The item that stands for a tool in the type namespace, and what makes it one.
pub(crate) fn tool(tool: &Tool) -> TokenStream {
    let private = tool.runtime.private();
    let item = marker(&tool.item);
    let declaration = declaration(&tool.item, &tool.vis);
    let kind = run_kind(tool);
    let table = table(
        tool,
        &quote!(__tool_output),
        &quote!(__tool::Run::#kind(__tool_run)),
    );
    let run = run(tool);
    let output = output(&tool.output);
    quote! {
        #declaration
        const _: () = {
            use #private as __tool;
            static __TOOL: __tool::StaticTool = #table;
            #run
            #output
            #[automatically_derived]
            impl __tool::Tool for #item {
                const TOOL: &'static __tool::StaticTool = &__TOOL;
            }
            __tool::submit! { __TOOL }
        };
    }
}

/// What stands in for a tool that was refused, so that nothing else fails because of it.
pub(crate) fn refused(runtime: &Runtime, item: &Ident, vis: &Visibility) -> TokenStream {
    let private = runtime.private();
    let declaration = declaration(item, vis);
    let item = marker(item);
    quote! {
        #declaration
        #[automatically_derived]
        impl #private::Tool for #item {
            const TOOL: &'static #private::StaticTool = #private::REFUSED;
        }
    }
}

/// Names a contract to the compiler, so that a refused tool is looked at again when the file changes.
pub(crate) fn watched(runtime: &Runtime, pinned: &Pinned) -> TokenStream {
    let private = runtime.private();
    let absolute = &pinned.absolute;
    quote!(const _: &#private::str = #private::include_str!(#absolute);)
}

/// `struct cancel_order {}`, in the type namespace only: the function keeps its name.
fn declaration(item: &Ident, vis: &Visibility) -> TokenStream {
    let doc = format!("The tool `{0}`, as `tools![{0}]` takes it.", item);
    let item = marker(item);
    quote! {
        #[doc = #doc]
        #vis struct #item {}
    }
}

/// The item's name as ours: lints about names and use pass over what a macro made.
fn marker(item: &Ident) -> Ident {
    let mut item = item.clone();
    item.set_span(Span::mixed_site().located_at(item.span()));
    item
}

/// The static entry.
fn table(tool: &Tool, output: &TokenStream, run: &TokenStream) -> TokenStream {
    let name = &tool.name;
    let description = text(&tool.description, "tool's description");
    // Only what differs from the plainest tool is written: every token costs each build.
    let mut said = TokenStream::new();
    if let Some(title) = &tool.title {
        said.extend(quote!(title: __tool::Some(#title),));
    }
    match tool.risk {
        Risk::Low => said.extend(quote!(risk: __tool::Risk::Low,)),
        Risk::Medium => {}
        Risk::High => said.extend(quote!(risk: __tool::Risk::High,)),
    }
    if tool.risk_declared {
        said.extend(quote!(risk_declared: true,));
    }
    match &tool.confirm {
        Confirm::ByRisk => {}
        Confirm::Always => said.extend(quote!(confirm: __tool::ConfirmRule::Always,)),
        Confirm::Ask(question) => {
            said.extend(quote!(confirm: __tool::ConfirmRule::Ask(#question),));
        }
    }
    said.extend(behaviour(&tool.behaviour));
    if tool.version != 1 {
        let version = tool.version;
        said.extend(quote!(version: #version,));
    }
    if !tool.aliases.is_empty() {
        let aliases = &tool.aliases;
        said.extend(quote!(aliases: &[#(#aliases),*],));
    }
    if let Some(ms) = tool.timeout_ms {
        said.extend(quote!(timeout: __tool::Some(__tool::Duration::from_millis(#ms)),));
    }
    if let Some(bytes) = tool.max_output {
        said.extend(quote!(max_output: __tool::Some(#bytes),));
    }
    if tool.mask_errors {
        said.extend(quote!(mask_errors: true,));
    }
    if let Some(Pinned { path, absolute }) = &tool.pinned {
        said.extend(quote! {
            pinned: __tool::Some(__tool::Pinned { path: #path, text: __tool::include_str!(#absolute) }),
        });
    }
    let parameters = tool
        .parameters
        .iter()
        .filter_map(|parameter| match &parameter.kind {
            ParameterKind::Argument(argument) => Some(argument_entry(tool, parameter, argument)),
            ParameterKind::Context(_) => None,
        });
    let contexts = tool
        .parameters
        .iter()
        .filter_map(|parameter| match &parameter.kind {
            ParameterKind::Context(ty) => {
                let cfgs = cfgs(parameter);
                Some(quote!(#cfgs __tool::context::<#ty>().ty()))
            }
            ParameterKind::Argument(_) => None,
        });
    // The receiver is the first of what the host supplies.
    let receiver = tool.method.map(|_| {
        let own = own_type(tool);
        quote!(__tool::context::<#own>().ty())
    });
    let mut parameters = parameters.peekable();
    if parameters.peek().is_some() {
        said.extend(quote!(parameters: &[#(#parameters),*],));
    }
    let mut contexts = receiver.into_iter().chain(contexts).peekable();
    if contexts.peek().is_some() {
        said.extend(quote!(contexts: &[#(#contexts),*],));
    }
    quote! {
        __tool::StaticTool {
            name: #name,
            description: #description,
            #said
            output: #output,
            run: #run,
            place: __tool::place!(),
            ..__tool::TOOL
        }
    }
}

/// The behaviour, where it is not that of a tool that says nothing.
fn behaviour(behaviour: &Behaviour) -> TokenStream {
    let plain = Behaviour {
        read_only: false,
        destructive: true,
        idempotent: false,
        open_world: false,
        exclusive: false,
    };
    let reading = Behaviour {
        read_only: true,
        destructive: false,
        idempotent: true,
        ..plain
    };
    if *behaviour == plain {
        return TokenStream::new();
    }
    if *behaviour == reading {
        return quote!(behaviour: __tool::READS,);
    }
    let Behaviour {
        read_only,
        destructive,
        idempotent,
        open_world,
        exclusive,
    } = behaviour;
    quote! {
        behaviour: __tool::Behaviour {
            read_only: #read_only,
            destructive: #destructive,
            idempotent: #idempotent,
            open_world: #open_world,
            exclusive: #exclusive,
        },
    }
}

/// One row of the parameters.
fn argument_entry(tool: &Tool, parameter: &Parameter, argument: &Argument) -> TokenStream {
    let cfgs = cfgs(parameter);
    let name = &argument.name;
    let mut said = TokenStream::new();
    if !argument.aliases.is_empty() {
        let aliases = &argument.aliases;
        said.extend(quote!(aliases: &[#(#aliases),*],));
    }
    if let Some(description) = &argument.description {
        let description = text(description, "description");
        said.extend(quote!(description: __tool::Some(#description),));
    }
    if !argument.constraints.is_empty() {
        let members: Vec<String> = argument
            .constraints
            .iter()
            .map(|constraint| {
                format!(
                    "{}:{}",
                    json_string(constraint.keyword),
                    constraint.value.to_json()
                )
            })
            .collect();
        let constraints = members.join(",");
        said.extend(quote!(constraints: #constraints,));
    }
    if let Some(default) = &argument.default {
        let default = json_of(argument, default);
        said.extend(quote!(default: __tool::Some(#default),));
    }
    if let Some(example) = &argument.example {
        let example = json_of(argument, example);
        said.extend(quote!(example: __tool::Some(#example),));
    }
    if argument.secret {
        said.extend(quote!(secret: true,));
    }
    let reader = reader(argument);
    let ty = asserts::block(
        &asserts::argument(argument, &tool.generic),
        quote!(#reader.ty()),
    );
    quote! {
        #cfgs __tool::Parameter { name: #name, #said ty: #ty, ..__tool::PARAMETER }
    }
}

/// How an argument is read: asked for in the table and in the shim in the very same words, so that a type that cannot be
/// read is told once.
fn reader(argument: &Argument) -> TokenStream {
    match &argument.read_as {
        ReadAs::Lent(ty) => quote!(__tool::lent::<#ty>()),
        ReadAs::Value(ty) | ReadAs::Borrowed(ty) => quote!(__tool::arg::<#ty>()),
    }
}

/// A default or an example as JSON text. It is assigned to the parameter's type, so that rustc itself says what does not
/// match, at the value.
fn json_of(argument: &Argument, value: &Expr) -> TokenStream {
    let ty = &argument.ty;
    let is_text = matches!(crate::args::literal(value), Some(syn::Lit::Str(_)));
    let value = if argument.is_string && is_text {
        quote!(__tool::text(#value))
    } else {
        value.to_token_stream()
    };
    quote! {
        || {
            let __tool_value: #ty = #value;
            __tool::json_of::<#ty>(&__tool_value)
        }
    }
}

/// How the runtime drives the shim.
fn run_kind(tool: &Tool) -> Ident {
    let kind = match tool.run {
        Run::Async(_) => "Async",
        Run::Blocking | Run::Local => "Blocking",
        Run::Inline => "Inline",
    };
    Ident::new(kind, Span::mixed_site())
}

/// An impl block's tools: a table that is a constant of the impl, so that it may speak of the block's own generics.
pub(crate) fn toolbox(toolbox: &Toolbox) -> TokenStream {
    let private = toolbox.runtime.private();
    let (generics, _, bounds) = toolbox.generics.split_for_impl();
    let ty = &toolbox.ty;
    let part = toolbox.part.as_ref().map(marker);
    let declaration = part.as_ref().map(|part| {
        let doc = format!("The tools of the part `{part}`.");
        quote! {
            #[doc = #doc]
            pub(crate) struct #part {}
        }
    });
    let part = part.map(|part| quote!(<#part>));
    let with = &toolbox.with;
    let tables = toolbox.tools.iter().map(|boxed| {
        let cfgs = &boxed.cfgs;
        let tool = &boxed.tool;
        let table = table(tool, &closure_output(&tool.output), &closure_run(tool));
        quote!(#(#[cfg(#cfgs)])* #table)
    });
    let deprecated = toolbox
        .tools
        .iter()
        .any(|boxed| boxed.tool.deprecated)
        .then(|| quote!(#[allow(deprecated)]));
    let watched = toolbox
        .watched
        .iter()
        .map(|contract| watched(&toolbox.runtime, &contract.pinned()));
    quote! {
        #declaration
        const _: () = {
            use #private as __tool;
            #(#watched)*
            #[automatically_derived]
            #deprecated
            impl #generics __tool::Toolbox #part for #ty #bounds {
                const TOOLS: &'static [__tool::StaticTool] = &[#(#tables),*];
                const PARTS: &'static [&'static [__tool::StaticTool]] =
                    &[#(<Self as __tool::Toolbox<#with>>::TOOLS),*];
            }
        };
    }
}

/// The shim of a method, as a closure: unlike a function inside, it may speak of the block's own generics.
fn closure_run(tool: &Tool) -> TokenStream {
    let kind = run_kind(tool);
    let body = shim(tool);
    quote! {
        __tool::Run::#kind(|__tool_call| {
            use __tool::{OfOther as _, OfValue as _};
            #body
        })
    }
}

fn closure_output(output: &Output) -> TokenStream {
    let body = output_body(output);
    quote!(|__tool_schemas| { #body })
}

/// The shim: reads the arguments inside the call, so that what is lent lives as long as the call does.
fn run(tool: &Tool) -> TokenStream {
    let deprecated = tool.deprecated.then(|| quote!(#[allow(deprecated)]));
    let body = shim(tool);
    let signature = match tool.run {
        Run::Async(_) => {
            quote!(fn __tool_run<'a>(__tool_call: &'a __tool::Invocation) -> __tool::Running<'a>)
        }
        _ => quote!(fn __tool_run(__tool_call: &__tool::Invocation) -> __tool::Reply),
    };
    quote! {
        #deprecated
        #signature {
            use __tool::{OfOther as _, OfValue as _};
            #body
        }
    }
}

fn shim(tool: &Tool) -> TokenStream {
    let call = call(tool);
    match tool.run {
        Run::Async(span) => {
            let answer = answer(&tool.output, &quote!(#call.await));
            // The future is boxed under the span of the user's `.await`: if it cannot be sent, that is where it is told.
            quote_spanned!(Span::mixed_site().located_at(span)=> __tool::Box::pin(async move { #answer }))
        }
        Run::Local => {
            let answer = answer(&tool.output, &quote!(#call.await));
            quote!(__tool::block_on(async { #answer }))
        }
        Run::Blocking | Run::Inline => answer(&tool.output, &call),
    }
}

/// The call of the function, every argument read in its place.
fn call(tool: &Tool) -> TokenStream {
    let function = &tool.function;
    let mut arguments = Index::default();
    let mut contexts = Index {
        fixed: usize::from(tool.method.is_some()),
        ..Index::default()
    };
    let given = tool.parameters.iter().map(|parameter| {
        let cfgs = cfgs(parameter);
        match &parameter.kind {
            ParameterKind::Context(ty) => {
                let index = contexts.next(parameter);
                quote!(#cfgs __tool::context::<#ty>().of(__tool_call, #index))
            }
            ParameterKind::Argument(argument) => {
                let index = arguments.next(parameter);
                let reader = reader(argument);
                let read = quote!(#reader.read(__tool_call, #index)?);
                match argument.read_as {
                    ReadAs::Value(_) => quote!(#cfgs #read),
                    ReadAs::Borrowed(_) => quote!(#cfgs &#read),
                    ReadAs::Lent(_) => quote!(#cfgs #read.lend()),
                }
            }
        }
    });
    match tool.method {
        None => quote!(#function(#(#given),*)),
        Some(Receiver::None) => quote!(Self::#function(#(#given),*)),
        Some(Receiver::Shared) => {
            let own = own_type(tool);
            quote!(Self::#function(__tool::context::<#own>().of(__tool_call, 0usize) #(, #given)*))
        }
    }
}

/// `Self`, under the span of the type it is.
fn own_type(tool: &Tool) -> Ident {
    Ident::new("Self", tool.receiver)
}

/// What the function returned, as the gateway takes it. The two questions stand under the spans of the types they ask about.
fn answer(output: &Output, returned: &TokenStream) -> TokenStream {
    let (value, error) = match output {
        Output::Named { value, error, .. } => (*value, *error),
        Output::Opaque(span) => (*span, *span),
    };
    let answer = Ident::new("answer", Span::mixed_site().located_at(value));
    let split =
        quote_spanned!(Span::mixed_site().located_at(error)=> __tool::Of(#returned).split()?);
    quote!(__tool::Of(#split).#answer())
}

/// The result's schema, if its type has one.
fn output(output: &Output) -> TokenStream {
    let body = output_body(output);
    quote! {
        fn __tool_output(__tool_schemas: &mut __tool::SchemaGenerator) -> __tool::Option<__tool::Schema> {
            #body
        }
    }
}

fn output_body(output: &Output) -> TokenStream {
    match output {
        Output::Named { ty, .. } => quote! {
            use __tool::{SchemaOfAny as _, SchemaOfResult as _, SchemaOfType as _, SchemaOfUnknown as _};
            (&&&&__tool::OutputOf::<#ty>::NEW).schema(__tool_schemas)
        },
        Output::Opaque(_) => quote! {
            let _ = __tool_schemas;
            __tool::None
        },
    }
}

/// The place of a parameter among its kind. A `#[cfg]` on an earlier one counts only where it holds.
#[derive(Default)]
struct Index {
    fixed: usize,
    conditional: Vec<TokenStream>,
}

impl Index {
    fn next(&mut self, parameter: &Parameter) -> TokenStream {
        let fixed = self.fixed;
        let conditional = &self.conditional;
        let index = quote!(#fixed #(+ __tool::cfg!(#conditional) as __tool::usize)*);
        let cfgs = &parameter.cfgs;
        match cfgs.as_slice() {
            [] => self.fixed += 1,
            [cfg] => self.conditional.push(cfg.clone()),
            _ => self.conditional.push(quote!(all(#(#cfgs),*))),
        }
        index
    }
}

fn cfgs(parameter: &Parameter) -> TokenStream {
    let cfgs = &parameter.cfgs;
    quote!(#(#[cfg(#cfgs)])*)
}

/// Words for the model.
fn text(text: &Text, what: &str) -> TokenStream {
    match text {
        Text::Known(text) => text.to_token_stream(),
        Text::Expression(expression) => asserts::text(&expression.to_token_stream(), what),
        Text::Parts(parts) => {
            let parts = parts.iter().map(|part| match part {
                Part::Text(text) => text.to_token_stream(),
                Part::Expression(expression) => expression.to_token_stream(),
            });
            let parts: Vec<TokenStream> = parts.collect();
            match parts.as_slice() {
                [whole] => asserts::text(whole, what),
                [first, rest @ ..] => {
                    asserts::text(&quote!(__tool::concat!(#first #(, "\n", #rest)*)), what)
                }
                [] => quote!(""),
            }
        }
    }
}
