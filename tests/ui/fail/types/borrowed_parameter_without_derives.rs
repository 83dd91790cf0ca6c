//! The same behind a reference.

use tool_runtime::tool;

struct Order;

/// Cancels an order.
#[tool]
fn cancel(order: &Order) {
    let _ = order;
}

fn main() {
    cancel(&Order);
}
