//! An argument does not live for ever.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(id: &'static str) {
    let _ = id;
}

fn main() {
    cancel("A1001");
}
