//! A function whose name is reserved.

use tool_runtime::tool;

/// Helps.
#[tool]
fn __help() {}

fn main() {
    __help();
}
