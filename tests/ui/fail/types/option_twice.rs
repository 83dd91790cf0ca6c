//! JSON has one nothing.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(id: Option<Option<u8>>) {
    let _ = id;
}

fn main() {
    cancel(None);
}
