//! A pattern that repeats nothing.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(pattern = "*A")] id: &str) {}

fn main() {
    cancel("A");
}
