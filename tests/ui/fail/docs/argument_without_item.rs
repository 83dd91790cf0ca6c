//! Text under the heading that belongs to no item.

use tool_runtime::tool;

/// Cancels an order.
///
/// # Arguments
/// The order number.
#[tool]
fn cancel(id: u32) {
    let _ = id;
}

fn main() {
    cancel(1);
}
