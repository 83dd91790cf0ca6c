//! The file says `id`, the function reads `order_id`: the worst drift there is.

use tool_runtime::tool;

/// Cancels an order.
#[tool(schema = "schemas/seed.json")]
fn cancel_order(order_id: &str) {
    let _ = order_id;
}

fn main() {
    let _ = cancel_order;
}
