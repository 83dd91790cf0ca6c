//! What is shared is not changed without a lock.

use tool_runtime::tool;

struct Shop;

/// Cancels an order.
#[tool]
fn cancel(#[context] shop: &mut Shop) {
    let _ = shop;
}

fn main() {
    cancel(&mut Shop);
}
