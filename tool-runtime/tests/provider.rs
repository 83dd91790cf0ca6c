//! TEMP: the providers' part of the suite, alone.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#[path = "../../tests/suite/provider/mod.rs"]
mod provider;
