//! Versions begin with 1.

use tool_runtime::tool;

/// Cancels an order.
#[tool(version = 0)]
fn cancel() {}

fn main() {
    cancel();
}
