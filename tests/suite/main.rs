//! What the two crates promise together, one module a promise.

/// What `#[tool]` makes of a function, seen from outside.
mod macros;
/// What the compiler says about a wrong `#[tool]`.
mod ui;
