//! A level that is near none lists them all.

use tool_runtime::tool;

/// Cancels an order.
#[tool(risk = "catastrophic")]
fn cancel() {}

fn main() {
    cancel();
}
