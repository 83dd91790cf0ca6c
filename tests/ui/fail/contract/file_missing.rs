//! A file that is not there.

use tool_runtime::tool;

/// Stops an order.
#[tool(schema = "schemas/nowhere.json")]
fn stop_order(id: &str) {
    let _ = id;
}

fn main() {
    let _ = stop_order;
}
