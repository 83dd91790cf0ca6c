//! A short word names the keyword.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(min = 1)] id: u8) {
    let _ = id;
}

fn main() {
    cancel(1);
}
