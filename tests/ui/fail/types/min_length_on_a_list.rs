//! A length is a text's.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(min_length = 1)] ids: Vec<u8>) {
    let _ = ids;
}

fn main() {
    cancel(vec![]);
}
