//! Tools in a crate of their own.

pub mod tools;

/// The manifest by path: the build script contains the module.
pub const MANIFEST: &str = tool_runtime::manifest!();
