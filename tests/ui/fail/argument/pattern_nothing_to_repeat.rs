//! A pattern that repeats nothing.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(pattern = "*A")] id: &str) {
    let _ = id;
}

fn main() {
    cancel("A");
}
