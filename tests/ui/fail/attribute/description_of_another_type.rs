//! rustc itself says that a number is no text.

use tool_runtime::tool;

/// Cancels an order.
#[tool(description = 5)]
fn cancel() {}

fn main() {
    cancel();
}
