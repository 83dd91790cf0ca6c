//! A level with a typo names the level that was meant, at the literal; the function stays usable.

use tool_runtime::tool;

/// Cancels an order.
#[tool(risk = "hgih")]
fn cancel() {}

fn main() {
    cancel();
}
