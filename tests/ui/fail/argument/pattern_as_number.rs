//! A pattern is text.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(pattern = 4)] id: &str) {
    let _ = id;
}

fn main() {
    cancel("A");
}
