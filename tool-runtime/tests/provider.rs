//! TEMP: the providers' part of the suite, alone.
#[path = "../../tests/suite/provider/mod.rs"]
mod provider;
