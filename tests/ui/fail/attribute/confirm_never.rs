//! A rule is no question.

use tool_runtime::tool;

/// Cancels an order.
#[tool(risk = "low", confirm = "never")]
fn cancel() {}

fn main() {
    cancel();
}
