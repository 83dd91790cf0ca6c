//! A key with a typo.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(patern = "A")] id: &str) {
    let _ = id;
}

fn main() {
    cancel("A");
}
