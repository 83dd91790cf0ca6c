//! A name begins with a letter.

use tool_runtime::tool;

/// Cancels an order.
#[tool(name = "9x")]
fn cancel() {}

fn main() {
    cancel();
}
