//! No text has at least 5 and at most 1 characters.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(min_length = 5, max_length = 1)] id: &str) {
    let _ = id;
}

fn main() {
    cancel("A");
}
