//! A value that is not there yet.

use tool_runtime::tool;

/// Cancels an order.
#[tool(risk =)]
fn cancel() {}

fn main() {
    cancel();
}
