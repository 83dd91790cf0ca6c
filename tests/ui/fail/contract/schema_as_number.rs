//! A path is text.

use tool_runtime::tool;

/// Stops an order.
#[tool(schema = 1)]
fn stop_order() {}

fn main() {
    stop_order();
}
