//! High risk always asks.

use tool_runtime::tool;

/// Cancels an order.
#[tool(risk = "high", confirm = false)]
fn cancel() {}

fn main() {
    cancel();
}
