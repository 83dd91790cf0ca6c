//! A fraction has a smaller unit.

use tool_runtime::tool;

/// Cancels an order.
#[tool(timeout = "1.5s")]
fn cancel() {}

fn main() {
    cancel();
}
