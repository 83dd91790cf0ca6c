//! What the user wrote, held against the rules: one function a rule or a value, each with an example.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{
    Attribute, Expr, FnArg, GenericArgument, GenericParam, Lit, LitStr, Meta, Pat, PathArguments,
    ReceiverKind, ReturnType, Type,
};

use crate::args::{self, Given, Number, ParameterArgs, ToolArgs};
use crate::asserts;
use crate::contract::Contract;
use crate::docs::{self, Docs};
use crate::errors::{Errors, nearest, say};
use crate::item::Function;
use crate::model::{
    Argument, Behaviour, Confirm, Constraint, Output, Parameter, ParameterKind, Risk, Run, Text,
    Tool, Value,
};
use crate::model::{ReadAs, Receiver};
use crate::paths::Runtime;

/// Where a function stands.
pub(crate) enum Home<'a> {
    Free,
    /// In a `#[toolbox]`, with the generics of the impl block.
    Toolbox {
        generics: &'a syn::Generics,
        krate: Option<&'a Given<syn::Path>>,
        ty: &'a Type,
    },
}

/// The meaning of a function under `#[tool]`, if it has one. Every rule is looked at, whatever the others found.
pub(crate) fn tool(
    args: &ToolArgs,
    function: &Function,
    contract: Option<&Contract>,
    home: &Home<'_>,
    errors: &mut Errors,
) -> Option<Tool> {
    let sig = &function.sig;
    signature(function, errors);
    let (risk, risk_declared) = risk(args, errors);
    let confirm = confirm(args, risk, errors);
    let behaviour = behaviour(args, risk, errors);
    let name = name(args, &sig.ident, errors);
    let aliases = aliases(args, &name, errors);
    let title = args.title.as_ref().and_then(|title| filled(title, errors));
    let docs = docs::collect(&function.attrs);
    let documented = match &docs {
        Docs::Lines(lines) => docs::function(lines),
        Docs::Expressions(_) => docs::FunctionDocs::default(),
    };
    let description = description(args, docs, &documented.description, &sig.ident, errors);
    let spelling = spelling(args, errors);
    let before = errors.count();
    let mut parameters = parameters(function, spelling, &documented, errors);
    if let Some(contract) = contract {
        contract.check_name(&name, &name_at(args, &sig.ident), errors);
        if let Some(Text::Known(text)) = &description {
            contract.check_description(text, &sig.ident.to_token_stream(), errors);
        }
        // A parameter that was refused already is not missed a second time.
        if errors.count() == before || parameters.len() == sig.inputs.len() {
            let mut arguments: Vec<&mut Argument> = parameters
                .iter_mut()
                .filter_map(Parameter::argument)
                .collect();
            contract.check_arguments(&mut arguments, &sig.ident, errors);
        }
    }
    let version = version(args, errors);
    let timeout_ms = args
        .timeout
        .as_ref()
        .and_then(|given| duration(&given.value, errors));
    let max_output = args
        .max_output
        .as_ref()
        .and_then(|given| size(&given.value, errors));
    let run = run(args, function, errors);
    let output = output(&sig.output, errors);
    let item = args
        .item
        .as_ref()
        .map_or_else(|| sig.ident.clone(), |given| given.value.clone());
    if matches!(home, Home::Free) {
        hides_primitive(&item, errors);
    }
    let method = receiver(function, home, errors);
    if !errors.is_empty() {
        return None;
    }
    Some(Tool {
        runtime: match home {
            Home::Toolbox {
                krate: Some(given), ..
            } => Runtime::at(&given.value),
            _ => runtime(args),
        },
        function: sig.ident.clone(),
        item,
        vis: function.vis.clone(),
        name,
        title,
        description: description?,
        risk,
        risk_declared,
        confirm,
        behaviour,
        version,
        aliases,
        timeout_ms,
        max_output,
        mask_errors: args.mask_errors.as_ref().is_some_and(|given| given.value),
        parameters,
        run,
        output: output?,
        deprecated: function
            .attrs
            .iter()
            .any(|attribute| attribute.path().is_ident("deprecated")),
        pinned: contract.map(Contract::pinned),
        method,
        receiver: match home {
            Home::Free => Span::mixed_site(),
            Home::Toolbox { ty, .. } => asserts::first_span(&ty.to_token_stream()),
        },
        generic: match home {
            Home::Free => Vec::new(),
            Home::Toolbox { generics, .. } => generic_names(generics),
        },
    })
}

/// Where the runtime lives.
pub(crate) fn runtime(args: &ToolArgs) -> Runtime {
    args.krate
        .as_ref()
        .map_or_else(Runtime::found, |given| Runtime::at(&given.value))
}

// ---- the attribute ---------------------------------------------------------------------------------------------------

/// The risk, and whether the author said so: `risk = "high"`, or `read_only`, which is `low` unless something else is said.
fn risk(args: &ToolArgs, errors: &mut Errors) -> (Risk, bool) {
    let read_only = args.read_only.as_ref().is_some_and(|given| given.value);
    let Some(given) = &args.risk else {
        return (if read_only { Risk::Low } else { Risk::Medium }, read_only);
    };
    let level = given.value.value();
    let risk = match level.as_str() {
        "low" => Risk::Low,
        "medium" => Risk::Medium,
        "high" => Risk::High,
        _ => {
            let message = say::unknown_risk(&level).suggest(&level, ["low", "medium", "high"]);
            errors.at(&given.value, message);
            Risk::Medium
        }
    };
    (risk, true)
}

/// When it asks. `confirm = false` says what is so anyway, except on a high risk, where it cannot be.
fn confirm(args: &ToolArgs, risk: Risk, errors: &mut Errors) -> Confirm {
    let Some(given) = &args.confirm else {
        return Confirm::ByRisk;
    };
    match &given.value {
        args::Confirm::Switch(true) => Confirm::Always,
        args::Confirm::Switch(false) => {
            // `risk = "high", confirm = false`
            if risk == Risk::High {
                errors.at(&given.tokens, say::high_risk_unconfirmed());
            }
            Confirm::ByRisk
        }
        args::Confirm::Question(question) => {
            let text = question.value();
            // `confirm = "yes"`, `confirm = "never"`: an answer, or a rule, where a question belongs.
            let words = [
                "", "yes", "no", "true", "false", "always", "never", "ask", "on", "off",
                "required", "none",
            ];
            if words.contains(&text.trim().to_lowercase().as_str()) {
                errors.at(question, say::not_a_question(&text));
            }
            Confirm::Ask(text)
        }
    }
}

/// The flags, resolved: what changes nothing destroys nothing and may be repeated; what says nothing may destroy.
fn behaviour(args: &ToolArgs, risk: Risk, errors: &mut Errors) -> Behaviour {
    let on = |flag: &Option<Given<bool>>, default: bool| {
        flag.as_ref().map_or(default, |given| given.value)
    };
    let read_only = on(&args.read_only, false);
    if read_only {
        // `read_only, destructive`
        if let Some(given) = args.destructive.as_ref().filter(|given| given.value) {
            errors.at(&given.tokens, say::read_only_destructive());
        }
        // `read_only, idempotent = false`
        if let Some(given) = args.idempotent.as_ref().filter(|given| !given.value) {
            errors.at(&given.tokens, say::read_only_not_idempotent());
        }
        // `read_only, risk = "high"`
        if let Some(given) = args.risk.as_ref().filter(|_| risk == Risk::High) {
            errors.at(&given.tokens, say::read_only_high_risk());
        }
    }
    Behaviour {
        read_only,
        destructive: on(&args.destructive, !read_only),
        idempotent: on(&args.idempotent, read_only),
        open_world: on(&args.open_world, false),
        exclusive: on(&args.exclusive, false),
    }
}

/// The name on the wire: `name = ".."`, or the function's own without `r#`.
fn name(args: &ToolArgs, function: &Ident, errors: &mut Errors) -> String {
    match &args.name {
        Some(given) => {
            let name = given.value.value();
            tool_name(&name, &given.value, errors);
            name
        }
        None => {
            let name = function.unraw().to_string();
            // A name that was given and refused already is not told again through the function's.
            if !args.seen.iter().any(|key| key == "name") {
                tool_name(&name, function, errors);
            }
            name
        }
    }
}

/// Where the name is said.
fn name_at(args: &ToolArgs, function: &Ident) -> TokenStream {
    match &args.name {
        Some(given) => given.value.to_token_stream(),
        None => function.to_token_stream(),
    }
}

/// `name = "cancel order"`: what every provider accepts.
fn tool_name(name: &str, at: &impl ToTokens, errors: &mut Errors) {
    if name.starts_with("__") {
        errors.at(at, say::reserved_name(name));
    } else if let Some(problem) = name_problem(name, &['_', '-']) {
        let fixed = portable(name);
        let message = say::bad_name(name, problem);
        let is_literal = at.to_token_stream().to_string().starts_with('"');
        errors.at(
            at,
            match fixed {
                Some(fixed) if is_literal => message.help(format_args!("`{fixed}`")),
                Some(fixed) => message.help(format_args!("`#[tool(name = \"{fixed}\")]`")),
                None if is_literal => message,
                None => message.help("give it one with `#[tool(name = \"...\")]`"),
            },
        );
    }
}

/// What is wrong with a name of letters, digits and `extra`.
fn name_problem(name: &str, extra: &[char]) -> Option<String> {
    let Some(first) = name.chars().next() else {
        return Some("is empty".to_owned());
    };
    let allowed = |c: char| c.is_ascii_alphanumeric() || extra.contains(&c);
    if let Some(bad) = name.chars().find(|c| !allowed(*c)) {
        return Some(match bad {
            ' ' => "has a space".to_owned(),
            c if c.is_control() || c.is_whitespace() => {
                format!("has the character U+{:04X}", u32::from(c))
            }
            c => format!("has `{c}`"),
        });
    }
    let length = name.len();
    if !(first.is_ascii_alphabetic() || first == '_') {
        Some(format!("begins with `{first}`"))
    } else if length > 64 {
        Some(format!("has {length} characters"))
    } else {
        None
    }
}

/// The nearest name that every provider accepts, if the way there is clear.
fn portable(name: &str) -> Option<String> {
    if !name.is_ascii() {
        return None;
    }
    let fixed: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '-' {
                c
            } else {
                '_'
            }
        })
        .collect();
    let fixed = fixed.trim_matches('_');
    let fixed = if fixed.starts_with(|c: char| c.is_ascii_digit()) {
        format!("_{fixed}")
    } else {
        fixed.to_owned()
    };
    (name_problem(&fixed, &['_', '-']).is_none()).then_some(fixed)
}

/// `alias = "old_name"`: other names it is still called by.
fn aliases(args: &ToolArgs, name: &str, errors: &mut Errors) -> Vec<String> {
    let mut aliases = Vec::new();
    for given in &args.aliases {
        let alias = given.value();
        tool_name(&alias, given, errors);
        if alias == name {
            errors.at(given, say::alias_is_name(&alias));
        } else if aliases.contains(&alias) {
            errors.at(given, say::alias_twice(&alias));
        }
        aliases.push(alias);
    }
    aliases
}

/// `title = ""`
fn filled(given: &Given<LitStr>, errors: &mut Errors) -> Option<String> {
    let text = given.value.value();
    if text.trim().is_empty() {
        errors.at(&given.value, say::blank(&given.key));
        return None;
    }
    Some(text)
}

/// The prompt: `description = ..`, or the doc comment.
fn description(
    args: &ToolArgs,
    docs: Docs,
    documented: &str,
    function: &Ident,
    errors: &mut Errors,
) -> Option<Text> {
    if let Some(given) = &args.description {
        return text(given, errors);
    }
    match docs {
        Docs::Expressions(parts) => Some(Text::Parts(parts)),
        Docs::Lines(_) if !documented.is_empty() => Some(Text::Known(documented.to_owned())),
        Docs::Lines(_) => {
            if !args.seen.iter().any(|key| key == "description") {
                errors.at(function, say::no_description());
            }
            None
        }
    }
}

/// Words given as a literal or as a const expression.
fn text(given: &Given<Expr>, errors: &mut Errors) -> Option<Text> {
    match args::literal(&given.value) {
        Some(Lit::Str(text)) if text.value().trim().is_empty() => {
            errors.at(text, say::blank(&given.key));
            None
        }
        Some(Lit::Str(text)) => Some(Text::Known(text.value())),
        // rustc knows best what is wrong with `description = 5`.
        _ => Some(Text::Expression(given.value.clone())),
    }
}

/// `version = 2`
fn version(args: &ToolArgs, errors: &mut Errors) -> u32 {
    let Some(given) = &args.version else { return 1 };
    match given.value.base10_parse() {
        Ok(version @ 1..) => version,
        _ => {
            errors.at(&given.value, say::bad_version());
            1
        }
    }
}

/// `timeout = "30s"`, in milliseconds.
fn duration(text: &LitStr, errors: &mut Errors) -> Option<u64> {
    let given = text.value();
    let units = [
        ("ms", 1),
        ("s", 1000),
        ("m", 60_000),
        ("min", 60_000),
        ("h", 3_600_000),
    ];
    let read = measure(&given, &units).filter(|ms| *ms > 0);
    if read.is_none() {
        errors.at(text, say::bad_duration(&given));
    }
    read
}

/// `max_output = "64 KiB"`, in bytes.
fn size(text: &LitStr, errors: &mut Errors) -> Option<usize> {
    const K: u64 = 1000;
    const KI: u64 = 1024;
    let units = [
        ("B", 1),
        ("kB", K),
        ("KB", K),
        ("KiB", KI),
        ("MB", K * K),
        ("MiB", KI * KI),
        ("GB", K * K * K),
        ("GiB", KI * KI * KI),
    ];
    let given = text.value();
    // The tool may run on a machine with smaller words than this one; 4 GiB are more than any model reads.
    let read = measure(&given, &units).filter(|bytes| (1..=u64::from(u32::MAX)).contains(bytes));
    if read.is_none() {
        errors.at(text, say::bad_size(&given));
    }
    read.and_then(|bytes| usize::try_from(bytes).ok())
}

/// A whole number and one of the units.
fn measure(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let text = text.trim();
    let digits = text
        .find(|c: char| !(c.is_ascii_digit() || c == '_'))
        .unwrap_or(text.len());
    let (number, unit) = (text[..digits].replace('_', ""), text[digits..].trim_start());
    let (_, factor) = units.iter().find(|(name, _)| *name == unit)?;
    number.parse::<u64>().ok()?.checked_mul(*factor)
}

/// `fn str()` would put a type of that name into the module.
fn hides_primitive(item: &Ident, errors: &mut Errors) {
    const PRIMITIVES: [&str; 17] = [
        "bool", "char", "str", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32",
        "i64", "i128", "isize", "f32", "f64",
    ];
    let name = item.to_string();
    if PRIMITIVES.contains(&name.as_str()) {
        errors.at(item, say::hides_primitive(&name));
    }
}

// ---- the signature ---------------------------------------------------------------------------------------------------

/// What a function's own words may not be.
fn signature(function: &Function, errors: &mut Errors) {
    let sig = &function.sig;
    for attribute in &function.attrs {
        // `#[tool] #[tool] fn f() {}`
        if attribute.path().is_ident("tool") {
            errors.at(attribute, say::tool_twice());
        }
    }
    // `unsafe fn f()`
    if let syn::Safety::Unsafe(token) = &sig.safety {
        errors.at(token, say::unsafe_function());
    }
    // `extern "C" fn f()`; `extern "Rust"` is what every function is.
    if let Some(abi) = sig
        .abi
        .as_ref()
        .filter(|abi| abi.name.as_ref().is_none_or(|name| name.value() != "Rust"))
    {
        errors.at(abi, say::foreign_abi());
    }
    // `fn f(x: u8, ...)`
    if let Some(variadic) = &sig.variadic {
        errors.at(&variadic.dots, say::variadic());
    }
    for parameter in &sig.generics.params {
        match parameter {
            // `fn f<'a>(x: &'a str)` has one schema.
            GenericParam::Lifetime(_) => {}
            // `fn f<T>(x: T)`
            GenericParam::Type(parameter) => {
                errors.at(&parameter.ident, say::generic_type(&parameter.ident))
            }
            // `fn f<const N: usize>(x: [u8; N])`
            GenericParam::Const(parameter) => {
                errors.at(&parameter.ident, say::generic_const(&parameter.ident))
            }
        }
    }
}

/// How a method is called. Outside a toolbox there are none.
fn receiver(function: &Function, home: &Home<'_>, errors: &mut Errors) -> Option<Receiver> {
    let Some(receiver) = function.sig.receiver() else {
        return match home {
            Home::Free => None,
            Home::Toolbox { .. } => Some(Receiver::None),
        };
    };
    if matches!(home, Home::Free) {
        // `#[tool] fn f(&self)` outside a toolbox
        errors.at(receiver, say::receiver());
        return None;
    }
    match &receiver.kind {
        ReceiverKind::Reference(_, _, None) => {}
        // `fn f(&mut self)`
        ReceiverKind::Reference(..) => errors.at(receiver, say::exclusive_receiver()),
        ReceiverKind::Typed(_, ty) => match ungrouped(ty) {
            Type::Reference(reference) if reference.mutability.is_none() => {}
            Type::Reference(_) => errors.at(receiver, say::exclusive_receiver()),
            _ => errors.at(receiver, say::consuming_receiver()),
        },
        // `fn f(self)`, and what is not known yet.
        _ => errors.at(receiver, say::consuming_receiver()),
    }
    Some(Receiver::Shared)
}

/// What a constant inside the impl block cannot speak of.
fn generic_names(generics: &syn::Generics) -> Vec<String> {
    let names = generics
        .params
        .iter()
        .filter_map(|parameter| match parameter {
            GenericParam::Type(parameter) => Some(parameter.ident.to_string()),
            GenericParam::Const(parameter) => Some(parameter.ident.to_string()),
            GenericParam::Lifetime(_) => None,
        });
    names.chain(["Self".to_owned()]).collect()
}

/// How the function is run.
fn run(args: &ToolArgs, function: &Function, errors: &mut Errors) -> Run {
    let inline = args.inline.as_ref().filter(|given| given.value);
    let local = args.local.as_ref().filter(|given| given.value);
    // `#[tool(local)] fn f()`
    if let Some(given) = local.filter(|_| function.sig.asyncness.is_none()) {
        errors.at(&given.tokens, say::local_sync());
    }
    if function.sig.asyncness.is_none() {
        return if inline.is_some() {
            Run::Inline
        } else {
            Run::Blocking
        };
    }
    // `#[tool(inline)] async fn f()`
    if let Some(given) = inline {
        errors.at(&given.tokens, say::inline_async());
    }
    if local.is_some() {
        return Run::Local;
    }
    Run::Async(first_await(function.body.stream()).unwrap_or_else(|| function.sig.ident.span()))
}

/// The first `.await` of a body, where a future that cannot be sent is told: what it holds is held across an await.
fn first_await(body: TokenStream) -> Option<Span> {
    for token in body {
        match token {
            TokenTree::Ident(word) if word == "await" => return Some(word.span()),
            TokenTree::Group(group) => {
                if let Some(span) = first_await(group.stream()) {
                    return Some(span);
                }
            }
            _ => {}
        }
    }
    None
}

/// What the function returns.
fn output(output: &ReturnType, errors: &mut Errors) -> Option<Output> {
    let ReturnType::Type(_, ty) = output else {
        let span = Span::call_site();
        return Some(Output::Named {
            ty: quote!(()),
            value: span,
            error: span,
        });
    };
    match ungrouped(ty) {
        // `-> !`
        Type::Never(never) => {
            errors.at(never, say::never_returns());
            None
        }
        Type::ImplTrait(opaque) if opaque.bounds.iter().any(names_future) => {
            errors.at(opaque, say::returns_future());
            None
        }
        ty if mentions_impl(ty) => Some(Output::Opaque(ty.span())),
        ty => {
            // Where to point is a matter of spelling; what is checked is the type.
            let (value, error) = result_parts(ty).unwrap_or((ty, ty));
            Some(Output::Named {
                ty: elided(ty),
                value: value.span(),
                error: error.span(),
            })
        }
    }
}

/// `Future<Output = u8>`
fn names_future(bound: &syn::TypeParamBound) -> bool {
    match bound {
        syn::TypeParamBound::Trait(bound) => bound
            .path
            .segments
            .last()
            .is_some_and(|last| last.ident == "Future"),
        _ => false,
    }
}

/// The `T` and `E` of what is spelled like a `Result<T, E>`.
fn result_parts(ty: &Type) -> Option<(&Type, &Type)> {
    let Type::Path(path) = ty else { return None };
    let PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else {
        return None;
    };
    let types: Vec<&Type> = arguments
        .args
        .iter()
        .filter_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(ungrouped(ty)),
            _ => None,
        })
        .collect();
    let last = path.path.segments.last()?;
    match types.as_slice() {
        [value, error] => Some((value, error)),
        [value] if last.ident == "Result" => Some((value, ty)),
        _ => None,
    }
}

/// Whether `impl` stands anywhere in the type.
fn mentions_impl(ty: &Type) -> bool {
    fn inside(tokens: TokenStream) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(word) => word == "impl",
            TokenTree::Group(group) => inside(group.stream()),
            _ => false,
        })
    }
    inside(ty.to_token_stream())
}

/// The type inside the invisible group that a `macro_rules!` puts around `$t:ty`, and inside parentheses.
fn ungrouped(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => ungrouped(&group.elem),
        Type::Paren(paren) => ungrouped(&paren.elem),
        other => other,
    }
}

/// The type with its lifetimes left to inference, since generated code stands outside the function's own.
fn elided(ty: &impl ToTokens) -> TokenStream {
    fn walk(tokens: TokenStream, bound: &[String]) -> TokenStream {
        let mut out = Vec::new();
        let mut tick = false;
        for token in tokens {
            let token = match token {
                TokenTree::Ident(name)
                    if tick && name != "static" && !bound.contains(&name.to_string()) =>
                {
                    TokenTree::Ident(Ident::new("_", name.span()))
                }
                TokenTree::Group(group) => {
                    let mut inside =
                        proc_macro2::Group::new(group.delimiter(), walk(group.stream(), bound));
                    inside.set_span(group.span());
                    TokenTree::Group(inside)
                }
                other => other,
            };
            tick = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '\'');
            out.push(token);
        }
        out.into_iter().collect()
    }
    let tokens = ty.to_token_stream();
    let bound = higher_ranked(tokens.clone());
    walk(tokens, &bound)
}

/// The lifetimes that a type binds itself: `for<'a> fn(&'a str)`.
fn higher_ranked(tokens: TokenStream) -> Vec<String> {
    let mut bound = Vec::new();
    let mut inside = false;
    let mut tick = false;
    for token in tokens {
        match &token {
            TokenTree::Ident(word) if word == "for" => inside = true,
            TokenTree::Ident(name) if inside && tick => bound.push(name.to_string()),
            TokenTree::Punct(punct) if punct.as_char() == '>' => inside = false,
            TokenTree::Group(group) => bound.extend(higher_ranked(group.stream())),
            _ => {}
        }
        tick = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '\'');
    }
    bound
}

// ---- the parameters --------------------------------------------------------------------------------------------------

/// Every parameter, with what its attributes, its doc comment and the function's `# Arguments` say about it.
fn parameters(
    function: &Function,
    spelling: Option<Spelling>,
    documented: &docs::FunctionDocs,
    errors: &mut Errors,
) -> Vec<Parameter> {
    let mut parameters = Vec::new();
    let mut wire: Vec<(String, Vec<TokenStream>)> = Vec::new();
    let mut known = Vec::new();
    for input in &function.sig.inputs {
        let input = match input {
            FnArg::Typed(input) => input,
            FnArg::Receiver(_) => continue,
        };
        let ident = binding(&input.pat);
        known.extend(ident.map(|ident| ident.unraw().to_string()));
        for attribute in &input.attrs {
            conditional_helper(attribute, errors);
        }
        let cfgs = cfgs(&input.attrs);
        let is_context = input
            .attrs
            .iter()
            .any(|attribute| attribute.path().is_ident("context"));
        if is_context {
            if let Some(ty) = context(input, errors) {
                parameters.push(Parameter {
                    cfgs,
                    kind: ParameterKind::Context(ty),
                });
            }
            continue;
        }
        let args = args::parameter(&input.attrs, errors);
        let name = argument_name(&args, ident, &input.pat, spelling, errors);
        if let Some(name) = name.as_ref().filter(|name| !known.contains(name)) {
            known.push(name.clone());
        }
        let item = ident.and_then(|ident| {
            let own = ident.unraw().to_string();
            let item =
                |item: &&docs::ArgumentItem| item.name == own || Some(&item.name) == name.as_ref();
            documented.arguments.iter().find(item)
        });
        let argument = argument(args, name, input, item, &cfgs, &mut wire, errors);
        if let Some(argument) = argument {
            parameters.push(Parameter {
                cfgs,
                kind: ParameterKind::Argument(Box::new(argument)),
            });
        }
    }
    argument_items(documented, &known, errors);
    parameters
}

/// The name a pattern binds, if it is nothing but a name: `n` and `mut n`.
fn binding(pat: &Pat) -> Option<&Ident> {
    match pat {
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => Some(&pat.ident),
        _ => None,
    }
}

/// The predicates of a parameter's `#[cfg]`s.
pub(crate) fn cfgs(attributes: &[Attribute]) -> Vec<TokenStream> {
    attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("cfg"))
        .filter_map(|attribute| match &attribute.meta {
            Meta::List(list) => Some(list.tokens.clone()),
            _ => None,
        })
        .collect()
}

/// `#[cfg_attr(test, arg(secret))]`: whether it holds is known after us only.
fn conditional_helper(attribute: &Attribute, errors: &mut Errors) {
    let Meta::List(list) = &attribute.meta else {
        return;
    };
    if !list.path.is_ident("cfg_attr") {
        return;
    }
    let mut behind_comma = false;
    for token in list.tokens.clone() {
        if let TokenTree::Ident(word) = &token
            && behind_comma
            && (word == "arg" || word == "context" || word == "cfg")
        {
            errors.at(word, say::conditional_helper(word));
        }
        behind_comma = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ',');
    }
}

/// `#[context] shop: &Shop`: the type behind the reference.
fn context(input: &syn::PatType, errors: &mut Errors) -> Option<TokenStream> {
    for attribute in &input.attrs {
        if attribute.path().is_ident("context") && !matches!(attribute.meta, Meta::Path(_)) {
            errors.at(attribute, say::context_form());
        }
        // `#[context] #[arg(default = 1)]`
        if attribute.path().is_ident("arg") {
            errors.at(attribute, say::arg_on_context());
        }
    }
    match ungrouped(&input.ty) {
        Type::Reference(reference) => {
            // `#[context] db: &mut Db`
            if reference.mutability.is_some() {
                errors.at(&input.ty, say::context_mutable());
                return None;
            }
            if let Some(opaque) = first_impl(&reference.elem) {
                errors.at(&opaque, say::impl_trait());
                return None;
            }
            Some(elided(&reference.elem))
        }
        // `#[context] db: Db`
        ty => {
            errors.at(
                ty,
                say::context_by_value().help(format_args!("`&{}`", spelled(ty))),
            );
            None
        }
    }
}

/// The name on the wire: `#[arg(name = "..")]`, or the parameter's own in the tool's spelling.
fn argument_name(
    args: &ParameterArgs,
    ident: Option<&Ident>,
    pat: &Pat,
    spelling: Option<Spelling>,
    errors: &mut Errors,
) -> Option<String> {
    let (name, at) = match (&args.name, ident) {
        (Some(given), _) => (given.value.value(), given.value.to_token_stream()),
        (None, Some(ident)) => {
            let own = ident.unraw().to_string();
            (
                spelling.map_or(own.clone(), |spelling| spelling.of(&own)),
                ident.to_token_stream(),
            )
        }
        // `fn f((a, b): (i32, i32))`
        (None, None) => {
            errors.at(
                pat,
                say::pattern_parameter().help(
                    "name it, and take it apart in the body; or say `#[arg(name = \"...\")]`",
                ),
            );
            return None;
        }
    };
    check_argument_name(&name, &at, args.name.is_none(), errors);
    Some(name)
}

/// `größe: u32`, `#[arg(name = "")]`: what every provider accepts, and JSON Schema's readers besides.
fn check_argument_name(name: &str, at: &TokenStream, own: bool, errors: &mut Errors) {
    if let Some(problem) = name_problem(name, &['_', '-', '.']) {
        let message = say::bad_argument_name(name, problem);
        errors.at(
            at,
            if own {
                message.help("give it one with `#[arg(name = \"...\")]`")
            } else {
                message
            },
        );
    }
}

/// One argument.
fn argument(
    args: ParameterArgs,
    name: Option<String>,
    input: &syn::PatType,
    item: Option<&docs::ArgumentItem>,
    cfgs: &[TokenStream],
    wire: &mut Vec<(String, Vec<TokenStream>)>,
    errors: &mut Errors,
) -> Option<Argument> {
    let ty = ungrouped(&input.ty);
    let readable = argument_type(ty, errors);
    let aliases: Vec<String> = args.aliases.iter().map(LitStr::value).collect();
    let at = args.name.as_ref().map_or_else(
        || input.pat.to_token_stream(),
        |given| given.value.to_token_stream(),
    );
    for alias in &args.aliases {
        check_argument_name(&alias.value(), &alias.to_token_stream(), false, errors);
    }
    let alias_tokens = args.aliases.iter().map(ToTokens::to_token_stream);
    let names = name
        .iter()
        .cloned()
        .zip([at])
        .chain(aliases.iter().cloned().zip(alias_tokens));
    for (name, at) in names {
        // Two parameters under different `#[cfg]`s may share a name; the compiler keeps one of them.
        let taken = wire.iter().any(|(other, conditions)| {
            *other == name && (conditions.is_empty() || cfgs.is_empty())
        });
        if taken {
            errors.at(&at, say::argument_name_twice(&name));
        }
        wire.push((name, cfgs.to_vec()));
    }
    let constraints = constraints(&args, errors);
    for (what, given) in [("default", &args.default), ("example", &args.example)] {
        if let Some(given) = given {
            value_in_range(what, given, &constraints, errors);
            // `#[arg(secret, default = "hunter2")]`
            if args.secret.as_ref().is_some_and(|secret| secret.value) {
                errors.at(&given.tokens, say::secret_shown(what));
            }
        }
    }
    let description = match &args.description {
        Some(given) => text(given, errors),
        None => match docs::collect(&input.attrs) {
            Docs::Expressions(parts) => Some(Text::Parts(parts)),
            Docs::Lines(lines) => Some(docs::parameter(&lines))
                .filter(|text| !text.is_empty())
                .or_else(|| {
                    item.map(|item| item.text.clone())
                        .filter(|text| !text.is_empty())
                })
                .map(Text::Known),
        },
    };
    if !readable {
        return None;
    }
    Some(Argument {
        at: input.pat.to_token_stream(),
        name: name?,
        aliases,
        description,
        constraints,
        default: args.default.map(|given| given.value),
        example: args.example.map(|given| given.value),
        secret: args.secret.is_some_and(|given| given.value),
        ty: elided(ty),
        read_as: read_as(ty),
        is_string: matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "String")),
        spelled: ty.clone(),
        checks: Vec::new(),
    })
}

/// What is read from the call. A borrow is read as its owned form.
fn read_as(ty: &Type) -> ReadAs {
    let Type::Reference(reference) = ty else {
        return ReadAs::Value(elided(ty));
    };
    match ungrouped(&reference.elem) {
        Type::Slice(slice) => {
            let elem = elided(&slice.elem);
            let span = asserts::first_span(&elem);
            ReadAs::Borrowed(quote_spanned!(span=> __tool::Vec<#elem>))
        }
        // Whether these are std's, the compiler knows.
        Type::Path(path)
            if path
                .path
                .segments
                .last()
                .is_some_and(|last| last.ident == "str" || last.ident == "Path") =>
        {
            ReadAs::Lent(elided(path))
        }
        other => ReadAs::Borrowed(elided(other)),
    }
}

/// Whether a type can be read from a call, as far as its spelling tells.
fn argument_type(ty: &Type, errors: &mut Errors) -> bool {
    // `x: impl Into<String>`, `x: Vec<impl Display>`
    if let Some(opaque) = first_impl(ty) {
        errors.at(&opaque, say::impl_trait());
        return false;
    }
    let inside = match ty {
        Type::Reference(reference) => {
            // `x: &mut Vec<u8>`
            if reference.mutability.is_some() {
                errors.at(ty, say::mutable_borrow());
                return false;
            }
            // `x: &'static str`
            if reference
                .lifetime
                .as_ref()
                .is_some_and(|lifetime| lifetime.ident == "static")
            {
                errors.at(ty, say::static_borrow());
                return false;
            }
            &*reference.elem
        }
        ty => ty,
    };
    // `x: &dyn Display`, `x: Box<dyn Display>`
    if let Some(object) = first_type(inside, &|ty| matches!(ty, Type::TraitObject(_))) {
        errors.at(&object, say::trait_object());
        return false;
    }
    // `x: Option<&str>`, `x: &[&str]`
    if first_type(inside, &|ty| matches!(ty, Type::Reference(_))).is_some() {
        errors.at(
            ty,
            say::borrow_inside().help(format_args!("`{}`", spelled(&owned(ty)))),
        );
        return false;
    }
    true
}

fn first_impl(ty: &Type) -> Option<Type> {
    first_type(ty, &|ty| matches!(ty, Type::ImplTrait(_)))
}

/// The first type inside `ty`, itself included, that is of a kind. Function pointers are left alone: no argument holds one.
fn first_type(ty: &Type, wanted: &dyn Fn(&Type) -> bool) -> Option<Type> {
    if wanted(ty) {
        return Some(ty.clone());
    }
    match ty {
        Type::Array(array) => first_type(&array.elem, wanted),
        Type::Group(group) => first_type(&group.elem, wanted),
        Type::Paren(paren) => first_type(&paren.elem, wanted),
        Type::Reference(reference) => first_type(&reference.elem, wanted),
        Type::Slice(slice) => first_type(&slice.elem, wanted),
        Type::Tuple(tuple) => tuple.elems.iter().find_map(|ty| first_type(ty, wanted)),
        Type::Path(path) => {
            path.path
                .segments
                .iter()
                .find_map(|segment| match &segment.arguments {
                    PathArguments::AngleBracketed(arguments) => {
                        arguments.args.iter().find_map(|argument| match argument {
                            GenericArgument::Type(ty) => first_type(ty, wanted),
                            _ => None,
                        })
                    }
                    _ => None,
                })
        }
        _ => None,
    }
}

/// The owned form of a type: `Option<String>` for `Option<&str>`.
fn owned(ty: &Type) -> Type {
    match ty {
        Type::Reference(reference) => match owned(&reference.elem) {
            Type::Path(path) if path.path.is_ident("str") => syn::parse_quote!(String),
            Type::Path(path)
                if path
                    .path
                    .segments
                    .last()
                    .is_some_and(|last| last.ident == "Path") =>
            {
                syn::parse_quote!(PathBuf)
            }
            Type::Slice(slice) => {
                let elem = owned(&slice.elem);
                syn::parse_quote!(Vec<#elem>)
            }
            other => other,
        },
        Type::Group(group) => owned(&group.elem),
        Type::Array(array) => {
            let mut array = array.clone();
            *array.elem = owned(&array.elem);
            Type::Array(array)
        }
        Type::Slice(slice) => {
            let mut slice = slice.clone();
            *slice.elem = owned(&slice.elem);
            Type::Slice(slice)
        }
        Type::Tuple(tuple) => {
            let mut tuple = tuple.clone();
            tuple.elems.iter_mut().for_each(|elem| *elem = owned(elem));
            Type::Tuple(tuple)
        }
        Type::Path(path) => {
            let mut path = path.clone();
            for segment in &mut path.path.segments {
                if let PathArguments::AngleBracketed(arguments) = &mut segment.arguments {
                    for argument in &mut arguments.args {
                        if let GenericArgument::Type(ty) = argument {
                            *ty = owned(ty);
                        }
                    }
                }
            }
            Type::Path(path)
        }
        other => other.clone(),
    }
}

/// A type as people write it.
pub(crate) fn spelled(ty: &impl ToTokens) -> String {
    let text = ty.to_token_stream().to_string();
    let mut out = String::with_capacity(text.len());
    let chars: Vec<char> = text.chars().collect();
    for (i, c) in chars.iter().enumerate() {
        let tight = |c: Option<&char>| c.is_some_and(|c| "<>()[]:&'!,;".contains(*c));
        let (before, after) = (
            i.checked_sub(1).and_then(|i| chars.get(i)),
            chars.get(i + 1),
        );
        let behind = before.is_some_and(|c| ",;".contains(*c));
        if *c == ' ' && !behind && (tight(before) || tight(after)) {
            continue;
        }
        out.push(*c);
    }
    out
}

/// `# Arguments` speaks of parameters that exist, once each, in a form we know.
fn argument_items(documented: &docs::FunctionDocs, known: &[String], errors: &mut Errors) {
    let mut seen: Vec<&str> = Vec::new();
    for item in &documented.arguments {
        if !known.contains(&item.name) {
            let message = say::unknown_argument_item(&item.name);
            let names = known.iter().map(String::as_str);
            errors.at(
                &item.at,
                match nearest(&item.name, names.clone()) {
                    Some(name) => message.help(format_args!("did you mean `{name}`?")),
                    // `* `id` - ..` while the parameter is `order_id`.
                    None => match known
                        .iter()
                        .find(|name| name.contains(&item.name) || item.name.contains(*name))
                    {
                        Some(name) => message.help(format_args!("did you mean `{name}`?")),
                        None if known.is_empty() => message.note("the function has no parameters"),
                        None => {
                            let list: Vec<String> = names.map(|name| format!("`{name}`")).collect();
                            message.note(format_args!("the parameters are {}", list.join(", ")))
                        }
                    },
                },
            );
        } else if seen.contains(&item.name.as_str()) {
            errors.at(&item.at, say::argument_item_twice(&item.name));
        }
        seen.push(&item.name);
    }
    for stray in &documented.strays {
        errors.at(&stray.at, say::argument_item_form());
    }
}

// ---- constraints -----------------------------------------------------------------------------------------------------

/// The JSON Schema keywords of one parameter, in the order of the draft.
fn constraints(args: &ParameterArgs, errors: &mut Errors) -> Vec<Constraint> {
    let mut found = Vec::new();
    if let Some(given) = &args.pattern {
        pattern(&given.value, errors);
        found.push(constraint(
            "pattern",
            "pattern",
            given,
            Value::Text(given.value.value()),
        ));
    }
    if let Some(given) = &args.format {
        format(&given.value, errors);
        found.push(constraint(
            "format",
            "format",
            given,
            Value::Text(given.value.value()),
        ));
    }
    let numbers = [
        ("minimum", "minimum", &args.minimum),
        ("maximum", "maximum", &args.maximum),
        (
            "exclusiveMinimum",
            "exclusive_minimum",
            &args.exclusive_minimum,
        ),
        (
            "exclusiveMaximum",
            "exclusive_maximum",
            &args.exclusive_maximum,
        ),
        ("multipleOf", "multiple_of", &args.multiple_of),
    ];
    for (keyword, key, given) in numbers {
        if let Some(given) = given {
            found.push(constraint(
                keyword,
                key,
                given,
                Value::Number(given.value.clone()),
            ));
        }
    }
    let counts = [
        ("minLength", "min_length", &args.min_length),
        ("maxLength", "max_length", &args.max_length),
        ("minItems", "min_items", &args.min_items),
        ("maxItems", "max_items", &args.max_items),
    ];
    for (keyword, key, given) in counts {
        if let Some(given) = given {
            found.push(constraint(keyword, key, given, Value::Count(given.value)));
        }
    }
    if let Some(given) = &args.unique_items {
        // `unique_items = false`
        if !given.value {
            errors.at(&given.tokens, say::unique_items_false());
        }
        found.push(constraint(
            "uniqueItems",
            "unique_items",
            given,
            Value::True,
        ));
    }
    ranges(args, errors);
    found
}

fn constraint<T>(
    keyword: &'static str,
    key: &'static str,
    given: &Given<T>,
    value: Value,
) -> Constraint {
    Constraint {
        keyword,
        key,
        value,
        tokens: given.tokens.clone(),
    }
}

/// `pattern = "("`. JSON Schema's patterns are JavaScript's, which know more than this parser, so only what is wrong in
/// every dialect is refused.
fn pattern(text: &LitStr, errors: &mut Errors) {
    use regex_syntax::ast::ErrorKind;
    let given = text.value();
    let Err(problem) = regex_syntax::ast::parse::Parser::new().parse(&given) else {
        return;
    };
    let wrong = matches!(
        problem.kind(),
        ErrorKind::ClassRangeInvalid
            | ErrorKind::ClassUnclosed
            | ErrorKind::EscapeUnexpectedEof
            | ErrorKind::GroupUnclosed
            | ErrorKind::GroupUnopened
            | ErrorKind::RepetitionCountInvalid
            | ErrorKind::RepetitionMissing
    );
    // In JavaScript `[]` is empty and `[^]` is everything, where others see a `]` that is never closed.
    if wrong && !given.contains("[]") && !given.contains("[^]") {
        let at = problem.span().start.offset;
        let rest: String = given[at.min(given.len())..].chars().take(12).collect();
        let place = if rest.is_empty() {
            "at its end".to_owned()
        } else {
            format!("at `{rest}`")
        };
        errors.at(
            text,
            say::bad_pattern(format_args!("{} {place}", problem.kind())),
        );
    }
}

/// `format = "emial"`. Formats of one's own are allowed; near misses of known ones are not.
fn format(text: &LitStr, errors: &mut Errors) {
    const FORMATS: [&str; 19] = [
        "date-time",
        "date",
        "time",
        "duration",
        "email",
        "idn-email",
        "hostname",
        "idn-hostname",
        "ipv4",
        "ipv6",
        "uri",
        "uri-reference",
        "iri",
        "iri-reference",
        "uuid",
        "uri-template",
        "json-pointer",
        "relative-json-pointer",
        "regex",
    ];
    let given = text.value();
    if given.trim().is_empty() {
        errors.at(text, say::blank("format"));
    } else if !FORMATS.contains(&given.as_str())
        && let Some(near) = nearest(&given, FORMATS)
    {
        errors.at(
            text,
            say::unknown_format(&given).help(format_args!("did you mean `{near}`?")),
        );
    }
}

/// `minimum = 5, maximum = 1`; `multiple_of = 0`.
fn ranges(args: &ParameterArgs, errors: &mut Errors) {
    let lows = [(&args.minimum, false), (&args.exclusive_minimum, true)];
    let highs = [(&args.maximum, false), (&args.exclusive_maximum, true)];
    for (low, low_open) in lows {
        for (high, high_open) in highs {
            let (Some(low), Some(high)) = (low, high) else {
                continue;
            };
            let empty = if low_open || high_open {
                !less(&low.value, &high.value)
            } else {
                less(&high.value, &low.value)
            };
            if empty {
                errors.at(&high.tokens, say::empty_range(&low.tokens, &high.tokens));
            }
        }
    }
    for (low, high) in [
        (&args.min_length, &args.max_length),
        (&args.min_items, &args.max_items),
    ] {
        if let (Some(low), Some(high)) = (low, high)
            && low.value > high.value
        {
            errors.at(&high.tokens, say::empty_range(&low.tokens, &high.tokens));
        }
    }
    if let Some(given) = args
        .multiple_of
        .as_ref()
        .filter(|given| given.value.value <= 0.0)
    {
        errors.at(&given.value.tokens, say::bad_multiple());
    }
}

fn less(a: &Number, b: &Number) -> bool {
    match (a.whole, b.whole) {
        (Some(a), Some(b)) => a < b,
        _ => a.value < b.value,
    }
}

/// `#[arg(default = 1, minimum = 5)]`, where both are literals.
fn value_in_range(
    what: &str,
    given: &Given<Expr>,
    constraints: &[Constraint],
    errors: &mut Errors,
) {
    let value = inside_some(&given.value);
    let number = args::number(value);
    let text = match args::literal(value) {
        Some(Lit::Str(text)) => Some(text.value().chars().count() as u64),
        _ => None,
    };
    for constraint in constraints {
        let broken = match (&constraint.value, &number, text) {
            (Value::Number(limit), Some(number), _) => match constraint.key {
                "minimum" => less(number, limit),
                "maximum" => less(limit, number),
                "exclusive_minimum" => !less(limit, number),
                "exclusive_maximum" => !less(number, limit),
                "multiple_of" => match (number.whole, limit.whole) {
                    (Some(number), Some(limit)) if limit > 0 => number % limit != 0,
                    _ => false,
                },
                _ => false,
            },
            (Value::Count(limit), _, Some(length)) => match constraint.key {
                "min_length" => length < *limit,
                "max_length" => length > *limit,
                _ => false,
            },
            _ => false,
        };
        if broken {
            let told = format!("{} is {}", constraint.key, constraint.value.to_json());
            errors.at(&given.value, say::value_out_of_range(what, told));
        }
    }
}

/// The `5` of `Some(5)`.
pub(crate) fn inside_some(value: &Expr) -> &Expr {
    match args::ungrouped(value) {
        Expr::Call(call) if call.args.len() == 1 => match (&*call.func, call.args.first()) {
            (Expr::Path(path), Some(inner))
                if path
                    .path
                    .segments
                    .last()
                    .is_some_and(|last| last.ident == "Some") =>
            {
                inner
            }
            _ => value,
        },
        other => other,
    }
}

// ---- spellings -------------------------------------------------------------------------------------------------------

/// serde's spellings of a field's name.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Spelling {
    Same,
    Upper,
    Pascal,
    Camel,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

const SPELLINGS: [(&str, Spelling); 8] = [
    ("lowercase", Spelling::Same),
    ("UPPERCASE", Spelling::Upper),
    ("PascalCase", Spelling::Pascal),
    ("camelCase", Spelling::Camel),
    ("snake_case", Spelling::Same),
    ("SCREAMING_SNAKE_CASE", Spelling::ScreamingSnake),
    ("kebab-case", Spelling::Kebab),
    ("SCREAMING-KEBAB-CASE", Spelling::ScreamingKebab),
];

/// `rename_all = "camelCase"`
fn spelling(args: &ToolArgs, errors: &mut Errors) -> Option<Spelling> {
    let given = args.rename_all.as_ref()?;
    let text = given.value.value();
    let found = SPELLINGS
        .iter()
        .find(|(name, _)| *name == text)
        .map(|(_, spelling)| *spelling);
    if found.is_none() {
        let message =
            say::unknown_spelling(&text).suggest(&text, SPELLINGS.iter().map(|(name, _)| *name));
        errors.at(&given.value, message);
    }
    found
}

impl Spelling {
    /// The name of a field, as serde's derive would spell it.
    pub(crate) fn of(self, name: &str) -> String {
        match self {
            Self::Same => name.to_owned(),
            Self::Upper | Self::ScreamingSnake => name.to_uppercase(),
            Self::Kebab => name.replace('_', "-"),
            Self::ScreamingKebab => name.to_uppercase().replace('_', "-"),
            Self::Pascal | Self::Camel => {
                let mut out = String::new();
                for word in name.split('_').filter(|word| !word.is_empty()) {
                    let mut chars = word.chars();
                    if let Some(first) = chars.next() {
                        out.extend(first.to_uppercase());
                        out.push_str(chars.as_str());
                    }
                }
                match (self, out.chars().next()) {
                    (Self::Camel, Some(first)) => {
                        let rest = &out[first.len_utf8()..];
                        first.to_lowercase().chain(rest.chars()).collect()
                    }
                    _ => out,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(spelling: &str, expected: &str) {
        let found = SPELLINGS
            .iter()
            .find(|(name, _)| *name == spelling)
            .expect("a spelling")
            .1;
        assert_eq!(found.of("order_id"), expected, "{spelling}");
    }

    #[test]
    fn spellings_are_serdes() {
        check("lowercase", "order_id");
        check("UPPERCASE", "ORDER_ID");
        check("PascalCase", "OrderId");
        check("camelCase", "orderId");
        check("snake_case", "order_id");
        check("SCREAMING_SNAKE_CASE", "ORDER_ID");
        check("kebab-case", "order-id");
        check("SCREAMING-KEBAB-CASE", "ORDER-ID");
    }

    #[test]
    fn measures_have_units() {
        let seconds = [("ms", 1), ("s", 1000)];
        assert_eq!(measure("30s", &seconds), Some(30_000));
        assert_eq!(measure("500 ms", &seconds), Some(500));
        assert_eq!(measure("1_000ms", &seconds), Some(1000));
        assert_eq!(measure("30", &seconds), None);
        assert_eq!(measure("s", &seconds), None);
        assert_eq!(measure("1.5s", &seconds), None);
        assert_eq!(measure("99999999999999999999s", &seconds), None);
        assert_eq!(measure("18446744073709551615s", &seconds), None);
    }

    #[test]
    fn types_are_spelled_as_people_write_them() {
        let ty: Type = syn::parse_quote!(Option<Vec<(&'static str, [u8; 4])>>);
        assert_eq!(spelled(&ty), "Option<Vec<(&'static str, [u8; 4])>>");
        let ty: Type = syn::parse_quote!(&[Option<&str>]);
        assert_eq!(spelled(&owned(&ty)), "Vec<Option<String>>");
    }

    #[test]
    fn names_are_what_every_provider_accepts() {
        let check = |name: &str, problem: Option<&str>| {
            assert_eq!(
                name_problem(name, &['_', '-']).as_deref(),
                problem,
                "{name}"
            );
        };
        check("cancel_order", None);
        check("cancel-order", None);
        check("cancel order", Some("has a space"));
        check("orders.cancel", Some("has `.`"));
        check("9x", Some("begins with `9`"));
        check("", Some("is empty"));
        check(&"x".repeat(65), Some("has 65 characters"));
        check("a\tb", Some("has the character U+0009"));
        check("größe", Some("has `ö`"));
    }
}
