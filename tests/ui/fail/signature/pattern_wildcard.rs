//! A parameter that is ignored has no name.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(_: u8) {}

fn main() {
    cancel(1);
}
