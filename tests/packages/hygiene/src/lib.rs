//! macro cases 1, 3, 105 and 118: tools in a crate whose only dependency is the runtime, and which denies every group of
//! lints of rustc and clippy, one by one where a group is not enough.

#![forbid(unsafe_code)]
#![deny(
    warnings,
    unused,
    nonstandard_style,
    future_incompatible,
    rust_2018_compatibility,
    rust_2018_idioms,
    rust_2021_compatibility,
    rust_2024_compatibility,
    let_underscore,
    keyword_idents,
    refining_impl_trait,
    missing_docs,
    missing_debug_implementations,
    missing_copy_implementations,
    unreachable_pub,
    unused_qualifications,
    unused_results,
    unused_lifetimes,
    unused_macro_rules,
    unused_import_braces,
    unused_crate_dependencies,
    single_use_lifetimes,
    let_underscore_drop,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    meta_variable_misuse,
    non_ascii_idents,
    redundant_imports,
    redundant_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unit_bindings,
    unnameable_types,
    variant_size_differences,
    absolute_paths_not_starting_with_crate,
    ambiguous_negative_literals,
    deprecated_in_future,
    impl_trait_redundant_captures,
    macro_use_extern_crate,
    deprecated
)]
#![deny(
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::cargo,
    clippy::complexity,
    clippy::correctness,
    clippy::perf,
    clippy::style,
    clippy::suspicious,
    clippy::restriction
)]
#![allow(
    clippy::blanket_clippy_restriction_lints,
    clippy::implicit_return,
    clippy::missing_docs_in_private_items,
    clippy::question_mark_used,
    clippy::arithmetic_side_effects,
    clippy::min_ident_chars,
    clippy::single_char_lifetime_names,
    clippy::absolute_paths,
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    clippy::multiple_crate_versions,
    clippy::cargo_common_metadata,
    clippy::unused_async,
    clippy::pub_use,
    clippy::pub_with_shorthand,
    clippy::redundant_pub_crate,
    clippy::needless_pass_by_value,
    clippy::missing_const_for_fn,
    clippy::missing_inline_in_public_items,
    clippy::arbitrary_source_item_ordering,
    clippy::exhaustive_structs,
    clippy::single_call_fn,
    clippy::field_scoped_visibility_modifiers,
    clippy::ref_patterns,
    clippy::trivially_copy_pass_by_ref,
    clippy::module_name_repetitions,
    clippy::impl_trait_in_params,
    clippy::big_endian_bytes,
    clippy::tests_outside_test_module,
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "restrictions on the hand-written functions, some of which contradict each other"
)]

use tool_runtime::{CallContext, tool};

/// What the host supplies.
#[derive(Debug, Clone, Copy)]
pub struct Shop {
    /// How many orders there are.
    pub orders: usize,
}

/// Adds.
#[tool]
#[must_use]
pub fn add(
    /** left */
    a: i32,
    /** right */
    b: i32,
) -> i32 {
    a.wrapping_add(b)
}

/// Tells the time.
#[tool(read_only, inline)]
pub(crate) fn now() -> String {
    String::from("now")
}

/// Cancels an order.
///
/// # Errors
/// When there is none.
#[tool(
    risk = "high",
    confirm = "Cancel the order?",
    timeout = "3s",
    max_output = "1 KiB",
    alias = "stop"
)]
pub async fn cancel_order(
    #[context] shop: &Shop,
    #[context] call: &CallContext,
    /// The order number.
    #[arg(pattern = r"^A\d{4}$", example = "A1001")]
    order_id: &str,
    #[arg(default = true)] notify: bool,
    #[arg(default = Some(1), minimum = 0, maximum = 9)] copies: Option<u8>,
    #[arg(secret)] token: Option<String>,
    tags: &[String],
) -> Result<String, String> {
    if shop.orders == 0 || !notify || copies.is_some() || token.is_some() || tags.is_empty() {
        return Err(call.trace_id().to_string());
    }
    Ok(order_id.to_owned())
}

/// Counts, the old way.
#[tool]
#[deprecated = "count the new way"]
#[must_use]
pub fn count() -> usize {
    0
}

/// Nothing to see.
#[tool]
pub fn nothing() {}

mod inner {
    use tool_runtime::tool;

    /// A type of this crate only.
    #[derive(Debug, Clone, Copy)]
    pub(crate) struct Private;

    /// Uses a private type.
    #[tool(item = used_privately)]
    pub(crate) fn use_private(#[context] private: &Private) -> usize {
        size_of_val(private)
    }
}

/// Every tool of this crate.
#[must_use]
pub fn registry() -> tool_runtime::Registry {
    tool_runtime::tools![
        add,
        now,
        cancel_order,
        count,
        nothing,
        inner::used_privately
    ]
}
