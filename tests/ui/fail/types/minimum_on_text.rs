//! A minimum constrains numbers.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(minimum = 1)] id: String) {
    let _ = id;
}

fn main() {
    cancel(String::new());
}
