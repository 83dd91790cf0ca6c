//! A number alone is no duration.

use tool_runtime::tool;

/// Cancels an order.
#[tool(timeout = "30")]
fn cancel() {}

fn main() {
    cancel();
}
