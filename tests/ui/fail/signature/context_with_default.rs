//! The model never sees a context.

use tool_runtime::tool;

struct Shop;

/// Cancels an order.
#[tool]
fn cancel(#[context] #[arg(default = 1)] shop: &Shop) {
    let _ = shop;
}

fn main() {
    cancel(&Shop);
}
