//! A default that is a multiple.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(default = 7, multiple_of = 5)] id: u8) {
    let _ = id;
}

fn main() {
    cancel(1);
}
