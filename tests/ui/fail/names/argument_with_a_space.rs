//! A name on the wire has no space.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(name = "order id")] id: u32) {
    let _ = id;
}

fn main() {
    cancel(1);
}
