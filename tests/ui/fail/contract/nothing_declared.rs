//! A contract without arguments.

use tool_runtime::tool;

/// Stops an order.
#[tool(schema = "schemas/empty.json")]
fn stop_order(id: &str) {
    let _ = id;
}

fn main() {
    let _ = stop_order;
}
