//! A value alone is no key.

use tool_runtime::tool;

/// Cancels an order.
#[tool("high")]
fn cancel() {}

fn main() {
    cancel();
}
