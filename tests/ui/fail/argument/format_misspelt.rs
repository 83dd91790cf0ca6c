//! A format with a typo names the one that was meant.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(format = "emial")] id: &str) {
    let _ = id;
}

fn main() {
    cancel("A");
}
