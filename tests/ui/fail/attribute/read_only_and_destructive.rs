//! What changes nothing destroys nothing.

use tool_runtime::tool;

/// Cancels an order.
#[tool(read_only, destructive)]
fn cancel() {}

fn main() {
    cancel();
}
