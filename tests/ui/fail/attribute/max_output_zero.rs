//! A tool has to answer something.

use tool_runtime::tool;

/// Cancels an order.
#[tool(max_output = "0 B")]
fn cancel() {}

fn main() {
    cancel();
}
