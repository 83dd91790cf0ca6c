//! `confirm` takes its question after `=`.

use tool_runtime::tool;

/// Cancels an order.
#[tool(confirm("Cancel the order?"))]
fn cancel() {}

fn main() {
    cancel();
}
