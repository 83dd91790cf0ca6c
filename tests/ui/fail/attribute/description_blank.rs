//! A description that says nothing.

use tool_runtime::tool;

/// Cancels an order.
#[tool(description = "")]
fn cancel() {}

fn main() {
    cancel();
}
