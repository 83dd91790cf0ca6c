//! What changes nothing is not high risk.

use tool_runtime::tool;

/// Cancels an order.
#[tool(read_only, risk = "high")]
fn cancel() {}

fn main() {
    cancel();
}
