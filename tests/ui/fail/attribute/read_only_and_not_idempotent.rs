//! What changes nothing may be repeated.

use tool_runtime::tool;

/// Cancels an order.
#[tool(read_only, idempotent = false)]
fn cancel() {}

fn main() {
    cancel();
}
