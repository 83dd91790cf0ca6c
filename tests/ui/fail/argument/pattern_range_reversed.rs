//! A class from Z to A.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(pattern = "[Z-A]")] id: &str) {
    let _ = id;
}

fn main() {
    cancel("A");
}
