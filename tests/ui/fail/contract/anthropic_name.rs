//! A whole definition has a name.

use tool_runtime::tool;

/// Stops an order that has not shipped.
#[tool(schema = "schemas/anthropic.json")]
fn cancel_order(id: &str) {
    let _ = id;
}

fn main() {
    let _ = cancel_order;
}
