//! A spelling with a typo names the one that was meant.

use tool_runtime::tool;

/// Cancels an order.
#[tool(rename_all = "camelcase")]
fn cancel() {}

fn main() {
    cancel();
}
