//! An item that is near none lists them all.

use tool_runtime::tool;

/// Cancels an order.
///
/// # Arguments
/// * `customer` - Who.
#[tool]
fn cancel(order_id: u32) {
    let _ = order_id;
}

fn main() {
    cancel(1);
}
