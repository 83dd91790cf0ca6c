//! A description needs words.

use tool_runtime::tool;

/// Cancels an order.
#[tool(description)]
fn cancel() {}

fn main() {
    cancel();
}
