//! A question is text.

use tool_runtime::tool;

/// Cancels an order.
#[tool(confirm = 1)]
fn cancel() {}

fn main() {
    cancel();
}
