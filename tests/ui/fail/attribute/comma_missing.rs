//! Two keys without a comma between them.

use tool_runtime::tool;

/// Cancels an order.
#[tool(read_only idempotent)]
fn cancel() {}

fn main() {
    cancel();
}
