//! A name that was given is told where it was given.

use tool_runtime::tool;

/// Stops an order.
#[tool(schema = "schemas/mcp.json", name = "halt_order")]
fn stop_order(id: &str) {
    let _ = id;
}

fn main() {
    let _ = stop_order;
}
