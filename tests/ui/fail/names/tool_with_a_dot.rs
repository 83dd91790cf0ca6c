//! Some providers take a dot, others do not.

use tool_runtime::tool;

/// Cancels an order.
#[tool(name = "orders.cancel")]
fn cancel() {}

fn main() {
    cancel();
}
