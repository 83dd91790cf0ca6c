//! What is so anyway is not said.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(unique_items = false)] ids: Vec<u8>) {
    let _ = ids;
}

fn main() {
    cancel(vec![1]);
}
