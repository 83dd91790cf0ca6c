//! A default within its own range.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(default = 1, minimum = 5)] id: u8) {
    let _ = id;
}

fn main() {
    cancel(1);
}
