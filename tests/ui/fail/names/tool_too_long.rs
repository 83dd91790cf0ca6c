//! A name has at most 64 characters.

use tool_runtime::tool;

/// Cancels an order.
#[tool(name = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx")]
fn cancel() {}

fn main() {
    cancel();
}
