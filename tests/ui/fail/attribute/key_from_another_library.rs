//! A word other libraries use names ours.

use tool_runtime::tool;

/// Cancels an order.
#[tool(desc = "Cancels an order.")]
fn cancel() {}

fn main() {
    cancel();
}
