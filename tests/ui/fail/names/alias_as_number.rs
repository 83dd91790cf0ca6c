//! An alias is text.

use tool_runtime::tool;

/// Cancels an order.
#[tool(alias = [1])]
fn cancel() {}

fn main() {
    cancel();
}
