//! A pattern that borrows is no plain name.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(ref id: u8) {
    let _ = *id;
}

fn main() {
    cancel(1);
}
