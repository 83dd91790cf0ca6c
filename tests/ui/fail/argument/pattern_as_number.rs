//! A pattern is text.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(pattern = 4)] id: &str) {}

fn main() {
    cancel("A");
}
