//! Where the runtime lives, as generated code names it.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use std::sync::OnceLock;

/// The path of the runtime crate in the user's crate.
#[derive(Clone)]
pub(crate) struct Runtime(TokenStream);

impl Runtime {
    /// What `crate = path` said.
    pub(crate) fn at(path: &syn::Path) -> Self {
        Self(path.to_token_stream())
    }

    /// Where the runtime is when nobody says otherwise: the name cargo gave it. A package that renames its dependency
    /// needs no `crate = path`, since the compiler was told the name and nothing has to be read to know it.
    pub(crate) fn found() -> Self {
        static NAME: OnceLock<Option<String>> = OnceLock::new();
        let renamed = NAME
            .get_or_init(|| renamed_among(std::env::args()))
            .as_deref();
        let name = Ident::new(renamed.unwrap_or("tool_runtime"), Span::mixed_site());
        Self(quote!(::#name))
    }

    /// The one module that generated code may use.
    pub(crate) fn private(&self) -> TokenStream {
        let path = &self.0;
        quote!(#path::__private)
    }

    /// The attribute `#[tool]` itself.
    pub(crate) fn attribute(&self) -> TokenStream {
        let path = &self.0;
        quote!(#path::tool)
    }
}

/// The name of a renamed runtime among the compiler's `--extern name=path` arguments; none when it has its own name, or
/// when the expansion does not run inside the compiler (an editor).
fn renamed_among(args: impl IntoIterator<Item = String>) -> Option<String> {
    let mut renamed = None;
    let mut args = args.into_iter();
    while let Some(arg) = args.next() {
        let value = match arg.strip_prefix("--extern") {
            Some("") => args.next()?,
            Some(value) if value.starts_with('=') => value[1..].to_owned(),
            _ => continue,
        };
        let Some((name, path)) = value.split_once('=') else {
            continue;
        };
        let name = name.rsplit(':').next().unwrap_or(name);
        let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let library = file.split('.').next().unwrap_or(file);
        let library = library
            .rsplit_once('-')
            .map_or(library, |(library, _hash)| library);
        if library.strip_prefix("lib").unwrap_or(library) == "tool_runtime" {
            if name == "tool_runtime" {
                return None;
            }
            if syn::parse_str::<Ident>(name).is_ok() {
                renamed.get_or_insert_with(|| name.to_owned());
            }
        }
    }
    renamed
}

#[cfg(test)]
mod tests {
    use super::renamed_among;

    fn check(args: &str, expected: Option<&str>) {
        assert_eq!(
            renamed_among(args.split(' ').map(str::to_owned)).as_deref(),
            expected,
            "{args}"
        );
    }

    #[test]
    fn the_runtime_is_found_under_the_name_cargo_gave_it() {
        check("rustc --crate-name shop", None);
        check(
            "rustc --extern tool_runtime=/t/deps/libtool_runtime-0a1b.rmeta",
            None,
        );
        check(
            "rustc --extern kit=/t/deps/libtool_runtime-0a1b.rmeta",
            Some("kit"),
        );
        check(
            "rustc --extern=kit=/t/deps/libtool_runtime-0a1b.rlib",
            Some("kit"),
        );
        check(
            "rustc --extern priv:kit=/t/deps/libtool_runtime-0a1b.rlib",
            Some("kit"),
        );
        check(
            r"rustc --extern kit=C:\t\deps\libtool_runtime-0a1b.rlib",
            Some("kit"),
        );
        check(
            "rustc --extern kit=/t/libtool_runtime-1.rlib --extern tool_runtime=/t/libtool_runtime-2.rlib",
            None,
        );
        check(
            "rustc --extern serde=/t/deps/libserde-0a1b.rmeta --extern",
            None,
        );
    }
}
