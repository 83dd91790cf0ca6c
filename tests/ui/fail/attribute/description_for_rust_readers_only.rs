//! Sections for Rust readers are no description.

use tool_runtime::tool;

/// # Panics
///
/// Never.
#[tool]
fn cancel() {}

fn main() {
    cancel();
}
