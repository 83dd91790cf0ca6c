//! Temporary facade of this branch: the contract alone.

pub mod manifest;
mod risk;
pub use risk::{Behaviour, Risk};
