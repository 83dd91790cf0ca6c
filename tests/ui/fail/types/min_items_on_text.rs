//! Items are a list's.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(min_items = 1)] id: &str) {
    let _ = id;
}

fn main() {
    cancel("");
}
