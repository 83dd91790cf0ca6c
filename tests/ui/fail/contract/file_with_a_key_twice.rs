//! A file that says a thing twice.

use tool_runtime::tool;

/// Stops an order.
#[tool(schema = "schemas/twice.json")]
fn stop_order(id: &str) {
    let _ = id;
}

fn main() {
    let _ = stop_order;
}
