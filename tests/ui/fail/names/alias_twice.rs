//! An alias is given once.

use tool_runtime::tool;

/// Cancels an order.
#[tool(alias = "stop", alias = ["end", "stop"])]
fn cancel() {}

fn main() {
    cancel();
}
