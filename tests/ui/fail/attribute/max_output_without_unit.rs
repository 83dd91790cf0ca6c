//! A number alone is no size.

use tool_runtime::tool;

/// Cancels an order.
#[tool(max_output = "64")]
fn cancel() {}

fn main() {
    cancel();
}
