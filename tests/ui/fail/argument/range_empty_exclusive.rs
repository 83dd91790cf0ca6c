//! No number is above 5 and below 5.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(exclusive_minimum = 5, exclusive_maximum = 5)] id: u8) {
    let _ = id;
}

fn main() {
    cancel(1);
}
