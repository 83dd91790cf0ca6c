//! A key with a typo names the key that was meant.

use tool_runtime::tool;

/// Cancels an order.
#[tool(risc = "high")]
fn cancel() {}

fn main() {
    cancel();
}
