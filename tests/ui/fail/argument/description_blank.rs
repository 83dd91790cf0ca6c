//! A description that says nothing.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(description = "")] id: &str) {
    let _ = id;
}

fn main() {
    cancel("A");
}
