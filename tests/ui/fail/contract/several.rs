//! Everything that differs is told at once.

use tool_runtime::tool;

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Reason {
    UserRequest,
    DuplicateOrder,
}

/// Cancels an order.
#[tool(schema = "schemas/cancel_order.json")]
fn cancel_order(
    id: u8,
    reason: Reason,
    copies: Option<u8>,
    #[arg(max_items = 3)] tags: Option<Vec<String>>,
) {
    let _ = (id, reason, copies, tags);
}

fn main() {
    let _ = cancel_order;
}
