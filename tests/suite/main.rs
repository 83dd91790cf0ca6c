//! What the two crates promise together, one module a promise.

/// What `#[tool]` makes of a function, seen from outside.
mod macros;
/// Every message of the macro has a UI test.
mod rules;
/// What the compiler says about a wrong `#[tool]`.
mod ui;
