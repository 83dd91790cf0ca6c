//! Temporary home of the contract's tests on this branch.

#[path = "../../tests/suite/contract/mod.rs"]
mod contract;
