//! A duration is text.

use tool_runtime::tool;

/// Cancels an order.
#[tool(timeout = 30)]
fn cancel() {}

fn main() {
    cancel();
}
