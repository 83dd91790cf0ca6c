//! A limit below the type's own.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(minimum = -1)] id: u8) {
    let _ = id;
}

fn main() {
    cancel(1);
}
