//! The second value is refused, with the first in view.

use tool_runtime::tool;

/// Cancels an order.
#[tool(risk = "low", risk = "high")]
fn cancel() {}

fn main() {
    cancel();
}
