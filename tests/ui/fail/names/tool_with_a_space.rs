//! A space, and the name without it.

use tool_runtime::tool;

/// Cancels an order.
#[tool(name = "cancel order")]
fn cancel() {}

fn main() {
    cancel();
}
