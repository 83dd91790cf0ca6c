//! A name is not empty.

use tool_runtime::tool;

/// Cancels an order.
#[tool(name = "")]
fn cancel() {}

fn main() {
    cancel();
}
