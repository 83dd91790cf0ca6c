//! The type of a context says everything.

use tool_runtime::tool;

struct Shop;

/// Cancels an order.
#[tool]
fn cancel(#[context(shop)] shop: &Shop) {
    let _ = shop;
}

fn main() {
    cancel(&Shop);
}
