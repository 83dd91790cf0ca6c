//! A context is found by its type.

use tool_runtime::tool;

struct Shop;

/// Cancels an order.
#[tool]
fn cancel(#[context] shop: &impl Send) {
    let _ = shop;
}

fn main() {
    cancel(&Shop);
}
