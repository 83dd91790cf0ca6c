//! What is left over inside a value.

use tool_runtime::tool;

/// Cancels an order.
#[tool(alias = ["stop"; 2 end])]
fn cancel() {}

fn main() {
    cancel();
}
