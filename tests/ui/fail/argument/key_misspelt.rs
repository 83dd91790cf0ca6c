//! A key with a typo.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(patern = "A")] id: &str) {}

fn main() {
    cancel("A");
}
