//! A limit that the type cannot hold.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(maximum = 300)] id: u8) {
    let _ = id;
}

fn main() {
    cancel(1);
}
