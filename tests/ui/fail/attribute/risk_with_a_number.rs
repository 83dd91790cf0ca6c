//! A number where a string belongs.

use tool_runtime::tool;

/// Cancels an order.
#[tool(risk = 3)]
fn cancel() {}

fn main() {
    cancel();
}
