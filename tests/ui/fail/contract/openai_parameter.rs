//! OpenAI's shape.

use tool_runtime::tool;

/// Stops an order.
#[tool(schema = "schemas/openai.json")]
fn stop_order(order_id: &str) {
    let _ = order_id;
}

fn main() {
    let _ = stop_order;
}
