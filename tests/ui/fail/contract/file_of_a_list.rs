//! A list is no contract.

use tool_runtime::tool;

/// Stops an order.
#[tool(schema = "schemas/list.json")]
fn stop_order(id: &str) {
    let _ = id;
}

fn main() {
    let _ = stop_order;
}
