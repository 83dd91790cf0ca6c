//! What is shared is borrowed.

use tool_runtime::tool;

struct Shop;

/// Cancels an order.
#[tool]
fn cancel(#[context] shop: Shop) {
    drop(shop);
}

fn main() {
    cancel(Shop);
}
