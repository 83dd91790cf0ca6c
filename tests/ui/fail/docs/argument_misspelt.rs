//! An item with a typo.

use tool_runtime::tool;

/// Cancels an order.
///
/// # Arguments
/// * `order_ids` - The order number.
#[tool]
fn cancel(order_id: u32) {
    let _ = order_id;
}

fn main() {
    cancel(1);
}
