//! An argument whose name no provider takes asks for another.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(größe: u32) {
    let _ = größe;
}

fn main() {
    cancel(1);
}
