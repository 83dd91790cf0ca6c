//! An answer is no question.

use tool_runtime::tool;

/// Cancels an order.
#[tool(confirm = "yes")]
fn cancel() {}

fn main() {
    cancel();
}
