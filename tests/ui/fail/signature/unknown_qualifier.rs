//! What the macro's parser does not know is told, and the function is still there.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
safe fn cancel() {}

fn main() {
    cancel();
}
