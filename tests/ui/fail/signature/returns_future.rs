//! A future is no answer.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel() -> impl Future<Output = u8> {
    async { 1 }
}

fn main() {
    drop(cancel());
}
