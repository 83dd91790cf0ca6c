//! A default within its own length.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(default = "A1001", max_length = 3)] id: &str) {
    let _ = id;
}

fn main() {
    cancel("A");
}
