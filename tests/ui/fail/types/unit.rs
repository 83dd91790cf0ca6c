//! A parameter that carries nothing.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(id: ()) {
    let _ = id;
}

fn main() {
    cancel(());
}
