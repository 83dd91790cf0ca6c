//! A key in another spelling names ours.

use tool_runtime::tool;

/// Cancels an order.
#[tool(readOnly)]
fn cancel() {}

fn main() {
    cancel();
}
