//! A key that is near none lists them all.

use tool_runtime::tool;

/// Cancels an order.
#[tool(frobnicate)]
fn cancel() {}

fn main() {
    cancel();
}
