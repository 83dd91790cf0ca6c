//! An item is a name, not a text.

use tool_runtime::tool;

/// Cancels an order.
#[tool(item = "Cancel")]
fn cancel() {}

fn main() {
    cancel();
}
