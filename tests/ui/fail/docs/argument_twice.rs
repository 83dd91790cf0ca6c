//! A parameter is described once.

use tool_runtime::tool;

/// Cancels an order.
///
/// # Arguments
/// * `id` - The order number.
/// * `id` - Which.
#[tool]
fn cancel(id: u32) {
    let _ = id;
}

fn main() {
    cancel(1);
}
