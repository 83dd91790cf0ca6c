//! A flag takes `true` or `false`.

use tool_runtime::tool;

/// Cancels an order.
#[tool(read_only = "yes")]
fn cancel() {}

fn main() {
    cancel();
}
