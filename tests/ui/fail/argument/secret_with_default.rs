//! A default would be shown.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(secret, default = "hunter2")] id: &str) {
    let _ = id;
}

fn main() {
    cancel("A");
}
