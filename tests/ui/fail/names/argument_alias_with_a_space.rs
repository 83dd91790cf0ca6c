//! An alias on the wire has no space.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(alias = "order id")] id: u32) {
    let _ = id;
}

fn main() {
    cancel(1);
}
