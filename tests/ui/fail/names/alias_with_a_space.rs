//! An alias follows the rule of names.

use tool_runtime::tool;

/// Cancels an order.
#[tool(alias = "old name")]
fn cancel() {}

fn main() {
    cancel();
}
