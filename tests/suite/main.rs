//! What the library promises, tested from outside: one binary, a module a topic.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    reason = "a test says what it shows in its name, and fails where it stands"
)]

// Tools, counters and verdicts the other modules share.
mod support;

// Real calls with recorded verdicts, through the whole pipeline.
mod bfcl;
// Type, schema and pipeline take the same values.
mod agreement;
// The gateway, step by step: arguments, names, policy, approvals, the run, its result, what is told of it.
mod dispatch;
// The journals: one winner a position, and what a restart finds.
mod journal;
// Any bytes at all, any order of answers at all.
mod properties;
// What `#[tool]` makes of a function, seen from outside.
#[allow(
    clippy::multiple_bound_locations,
    clippy::needless_arbitrary_self_type,
    clippy::needless_lifetimes,
    clippy::non_minimal_cfg,
    clippy::too_many_arguments,
    reason = "signatures as people write them"
)]
mod macros;
// Methods as tools.
#[allow(
    clippy::multiple_bound_locations,
    clippy::needless_arbitrary_self_type,
    clippy::needless_lifetimes,
    clippy::non_minimal_cfg,
    clippy::too_many_arguments,
    reason = "signatures as people write them"
)]
mod toolbox;
// Every message of the macro has a UI test.
mod rules;
// What the compiler says about a wrong `#[tool]`.
mod ui;
// Definitions out, calls in, outcomes out, for every model provider.
mod provider;
// What a published contract promises, and what breaks it.
mod contract;
