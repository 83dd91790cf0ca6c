//! A flag takes no parentheses.

use tool_runtime::tool;

/// Cancels an order.
#[tool(read_only(true))]
fn cancel() {}

fn main() {
    cancel();
}
