//! A result is written as JSON.

use tool_runtime::tool;

struct Receipt;

/// Cancels an order.
#[tool]
fn cancel() -> Receipt {
    Receipt
}

fn main() {
    cancel();
}
