//! A version is a number.

use tool_runtime::tool;

/// Cancels an order.
#[tool(version = "2")]
fn cancel() {}

fn main() {
    cancel();
}
