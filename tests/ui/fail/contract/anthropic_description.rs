//! A whole definition has a description; the first word that differs is told.

use tool_runtime::tool;

/// Stops an order.
#[tool(schema = "schemas/anthropic.json")]
fn stop_order(id: &str) {
    let _ = id;
}

fn main() {
    let _ = stop_order;
}
