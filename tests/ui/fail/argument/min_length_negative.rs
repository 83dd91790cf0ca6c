//! A length is not negative.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(min_length = -1)] id: &str) {
    let _ = id;
}

fn main() {
    cancel("A");
}
