//! What is shared between threads must allow it.

use tool_runtime::tool;

struct Shop(std::cell::Cell<u8>);

/// Cancels an order.
#[tool]
fn cancel(#[context] shop: &Shop) {
    shop.0.set(1);
}

fn main() {
    cancel(&Shop(std::cell::Cell::new(0)));
}
