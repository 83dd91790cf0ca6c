//! A unit nobody knows.

use tool_runtime::tool;

/// Cancels an order.
#[tool(max_output = "64 kibs")]
fn cancel() {}

fn main() {
    cancel();
}
