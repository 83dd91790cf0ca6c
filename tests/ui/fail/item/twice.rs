//! One function is one tool.

use tool_runtime::tool;

/// Cancels an order.
#[tool(read_only)]
#[tool]
fn cancel() {}

fn main() {
    cancel();
}
