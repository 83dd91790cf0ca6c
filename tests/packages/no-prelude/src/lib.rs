//! macro cases 4 and 7: nothing is taken from the user's scope that has a name there by chance.

#![no_implicit_prelude]
#![deny(warnings)]
#![allow(
    dead_code,
    non_camel_case_types,
    reason = "names that shadow, and nothing else"
)]

use ::tool_runtime::tool;

mod serde {}
mod serde_json {}
mod schemars {}
mod core {}
mod alloc {}
mod std {}
mod tool_runtime {}
mod inventory {}
struct Option;
struct Some;
struct None;
struct Ok;
struct Err;
struct Result;
struct String;
struct Box;
struct Vec;
struct Send;
struct Sync;
struct Static;
trait Into {}
trait From {}
trait Default {}
trait Future {}
trait Tool {}
trait Sized {}
trait Fn {}

/// Adds.
#[tool]
pub fn add(
    a: u8,
    #[arg(default = ::core::option::Option::Some(1), minimum = 0)] b: ::core::option::Option<u8>,
) -> u8 {
    let _ = b;
    a
}

/// Adds slowly.
#[tool]
pub async fn add_slowly(
    a: &str,
    #[arg(default = "x")] b: ::std::string::String,
    #[context] c: &::tool_runtime::CallContext,
) -> ::core::result::Result<usize, ::std::string::String> {
    let _ = c;
    ::core::result::Result::Ok(a.len() + b.len())
}

/// Nothing is refused here but what it is for.
mod shadowed {
    #![allow(clippy::all, reason = "names that shadow, and nothing else")]

    use ::tool_runtime::tool;

    macro_rules! assert {
        () => {};
    }
    macro_rules! concat {
        () => {};
    }
    macro_rules! line {
        () => {};
    }
    macro_rules! module_path {
        () => {};
    }
    pub fn all() {
        assert!();
        concat!();
        line!();
        module_path!();
    }

    /// Counts.
    #[tool]
    #[doc = "More."]
    pub fn count(list: &[u8]) -> usize {
        list.len()
    }
}

pub use shadowed::all;

/// The three are registered.
#[must_use]
pub fn registry() -> ::tool_runtime::Registry {
    ::tool_runtime::tools![add, add_slowly, shadowed::count]
}
