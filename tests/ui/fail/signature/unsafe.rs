//! A model cannot keep promises.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
unsafe fn cancel() {}

fn main() {
    let _ = cancel as unsafe fn();
}
