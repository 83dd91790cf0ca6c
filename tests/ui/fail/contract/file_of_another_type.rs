//! A contract of arguments is about an object.

use tool_runtime::tool;

/// Stops an order.
#[tool(schema = "schemas/text.json")]
fn stop_order(id: &str) {
    let _ = id;
}

fn main() {
    let _ = stop_order;
}
