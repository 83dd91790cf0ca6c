//! A crate that hands the runtime on under another name.

pub use tool_runtime as tools;
