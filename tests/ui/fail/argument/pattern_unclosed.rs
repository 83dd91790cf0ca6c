//! A pattern that never closes, and where.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(pattern = "(A|B")] id: &str) {
    let _ = id;
}

fn main() {
    cancel("A");
}
