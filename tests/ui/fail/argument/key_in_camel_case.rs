//! JSON Schema's own spelling names ours.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(minLength = 1)] id: &str) {}

fn main() {
    cancel("A");
}
