//! A parameter that is taken apart has no name.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel((a, b): (i32, i32)) {
    let _ = a + b;
}

fn main() {
    cancel((1, 2));
}
