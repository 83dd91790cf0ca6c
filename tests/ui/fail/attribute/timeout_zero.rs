//! No time at all is no time limit.

use tool_runtime::tool;

/// Cancels an order.
#[tool(timeout = "0s")]
fn cancel() {}

fn main() {
    cancel();
}
