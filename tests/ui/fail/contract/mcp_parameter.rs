//! MCP's shape.

use tool_runtime::tool;

/// Stops an order.
#[tool(schema = "schemas/mcp.json")]
fn stop_order(id: u8) {
    let _ = id;
}

fn main() {
    let _ = stop_order;
}
