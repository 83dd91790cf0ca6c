//! The macros of `tool-runtime`, which re-exports and documents them.
//!
//! A tool goes through four stages, one file each: `args` and `item` parse, `check` turns what was parsed into the `model`,
//! and `expand` writes the model down. `errors` and `rules` hold every message. The crate never panics, is deterministic, and
//! reads no file but the pinned schema that an attribute names.

use proc_macro2::TokenStream;

mod args;
mod asserts;
mod check;
mod contract;
mod docs;
mod errors;
mod expand;
#[cfg(test)]
mod fuzz;
mod item;
mod json;
mod model;
mod order;
mod paths;
#[cfg(test)]
mod tests;
mod toolbox;

/// Turns a function into a tool that a language model may call. See the documentation of `tool_runtime::tool`.
#[proc_macro_attribute]
pub fn tool(
    args: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    expand_tool(args.into(), item.into()).into()
}

/// Turns the methods of an impl block into tools. See the documentation of `tool_runtime::toolbox`.
#[proc_macro_attribute]
pub fn toolbox(
    args: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    expand_toolbox(args.into(), item.into()).into()
}

/// The impl block first, whatever is wrong with it as a toolbox; then the toolbox, or every mistake at once.
fn expand_toolbox(args: TokenStream, block: TokenStream) -> TokenStream {
    let mut errors = errors::Errors::default();
    let (mut out, toolbox) = toolbox::read(args, block, &mut errors);
    let refused = !errors.is_empty();
    out.extend(errors.into_tokens());
    out.extend(toolbox.map(|mut toolbox| {
        if refused {
            toolbox.tools.clear();
        }
        expand::toolbox(&toolbox)
    }));
    out
}

/// The function first, whatever is wrong with it as a tool; then the tool, or every mistake at once.
fn expand_tool(args: TokenStream, item: TokenStream) -> TokenStream {
    if let Some(later) = order::behind_others(&args, &item) {
        return later;
    }
    let mut out = item::survivor(item.clone());
    let mut errors = errors::Errors::default();
    let args = args::tool(args, &mut errors);
    let Some(function) = item::parse(item, &mut errors) else {
        out.extend(errors.into_tokens());
        return out;
    };
    let contract = args
        .schema
        .as_ref()
        .and_then(|given| contract::read(&given.value, &mut errors));
    match check::tool(
        &args,
        &function,
        contract.as_ref(),
        &check::Home::Free,
        &mut errors,
    ) {
        Some(tool) => out.extend(expand::tool(&tool)),
        None => {
            out.extend(errors.into_tokens());
            // A method's impl block has no place for the item.
            if function.sig.receiver().is_none() {
                let item = args
                    .item
                    .as_ref()
                    .map_or(&function.sig.ident, |given| &given.value);
                out.extend(expand::refused(&check::runtime(&args), item, &function.vis));
                let pinned = contract.as_ref().map(contract::Contract::pinned);
                out.extend(pinned.map(|pinned| expand::watched(&check::runtime(&args), &pinned)));
            }
        }
    }
    out
}
