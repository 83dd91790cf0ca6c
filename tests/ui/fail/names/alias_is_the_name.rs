//! An alias is another name.

use tool_runtime::tool;

/// Cancels an order.
#[tool(alias = "cancel")]
fn cancel() {}

fn main() {
    cancel();
}
