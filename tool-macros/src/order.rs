//! Where `#[tool]` stands among other attributes.
//!
//! An attribute macro sees what stands below it unexpanded. `#[tool] #[tokio::main] async fn f()` would take a plain
//! function for an async one, and `#[tool] #[test] fn f()` would name a function that is not there outside of tests. So
//! `#[tool]` steps behind every attribute that may change the function, and the order in which they are written does not
//! matter.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use crate::errors::Errors;
use crate::{args, check, item};

/// Attributes that leave the function as it is.
const INERT: [&str; 30] = [
    "allow",
    "arg",
    "automatically_derived",
    "cfg",
    "cfg_attr",
    "cold",
    "context",
    "coverage",
    "deny",
    "deprecated",
    "doc",
    "expect",
    "export_name",
    "forbid",
    "ignore",
    "inline",
    "instruction_set",
    "link_section",
    "macro_use",
    "must_use",
    "no_mangle",
    "non_exhaustive",
    "optimize",
    "should_panic",
    "target_feature",
    "tool",
    "track_caller",
    "unsafe",
    "used",
    "warn",
];

/// Tools whose attributes rustc hands over untouched: `#[rustfmt::skip]`.
const INERT_TOOLS: [&str; 5] = ["clippy", "diagnostic", "miri", "rust_analyzer", "rustfmt"];

/// The item with `#[tool]` behind its other attributes, if some of those may change it.
pub(crate) fn behind_others(args: &TokenStream, item: &TokenStream) -> Option<TokenStream> {
    let mut attributes = TokenStream::new();
    let mut changing = false;
    let mut tokens = item::ungrouped(item.clone()).into_iter().peekable();
    while let Some(TokenTree::Punct(punct)) = tokens.peek()
        && punct.as_char() == '#'
    {
        let pound = tokens.next();
        let Some(TokenTree::Group(group)) = tokens.next() else {
            return None;
        };
        changing |= group.delimiter() == Delimiter::Bracket && changes(&group);
        pound.to_tokens(&mut attributes);
        group.to_tokens(&mut attributes);
    }
    if !changing {
        return None;
    }
    let mut unread = Errors::default();
    let runtime = check::runtime(&args::tool(args.clone(), &mut unread));
    // They are told when our turn comes.
    drop(unread.into_tokens());
    let attribute = runtime.attribute();
    let rest: TokenStream = tokens.collect();
    Some(quote!(#attributes #[#attribute(#args)] #rest))
}

/// Whether an attribute may change the function it stands on.
fn changes(attribute: &Group) -> bool {
    let mut tokens = attribute.stream().into_iter();
    let Some(TokenTree::Ident(first)) = tokens.next() else {
        return true;
    };
    let first = first.to_string();
    match tokens.next() {
        Some(TokenTree::Punct(punct)) if punct.as_char() == ':' => {
            !INERT_TOOLS.contains(&first.as_str())
        }
        _ => !INERT.contains(&first.as_str()),
    }
}
