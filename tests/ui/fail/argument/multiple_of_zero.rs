//! Nothing is a multiple of nothing.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(multiple_of = 0)] id: u8) {
    let _ = id;
}

fn main() {
    cancel(1);
}
