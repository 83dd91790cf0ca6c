//! An item that names no parameter, with the parameter that was meant.

use tool_runtime::tool;

/// Cancels an order.
///
/// # Arguments
/// * `id` - The order number.
#[tool]
fn cancel(order_id: u32) {
    let _ = order_id;
}

fn main() {
    cancel(1);
}
