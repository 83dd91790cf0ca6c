//! A file that is not JSON, and where.

use tool_runtime::tool;

/// Stops an order.
#[tool(schema = "schemas/broken.json")]
fn stop_order(id: &str) {
    let _ = id;
}

fn main() {
    let _ = stop_order;
}
