//! `crate` takes a path.

use tool_runtime::tool;

/// Cancels an order.
#[tool(crate = 3)]
fn cancel() {}

fn main() {
    cancel();
}
