//! No number is at least 5 and at most 1.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(minimum = 5, maximum = 1)] id: u8) {
    let _ = id;
}

fn main() {
    cancel(1);
}
