//! A spelling that is near none lists them all.

use tool_runtime::tool;

/// Cancels an order.
#[tool(rename_all = "title")]
fn cancel() {}

fn main() {
    cancel();
}
