//! A value stands after `=`.

use tool_runtime::tool;

/// Cancels an order.
#[tool(name("cancel_order"))]
fn cancel() {}

fn main() {
    cancel();
}
