//! A version has 32 bits.

use tool_runtime::tool;

/// Cancels an order.
#[tool(version = 4294967296)]
fn cancel() {}

fn main() {
    cancel();
}
