//! A title that says nothing.

use tool_runtime::tool;

/// Cancels an order.
#[tool(title = "  ")]
fn cancel() {}

fn main() {
    cancel();
}
