//! Two patterns.

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
    #[arg(pattern = r"^B\d{4}$")] id: &str,
    reason: Reason,
    #[arg(minimum = 1, maximum = 9)] copies: u8,
    #[arg(max_items = 3)] tags: Option<Vec<String>>,
    #[arg(default = true)] notify: bool,
) {
    let _ = (id, reason, copies, tags, notify);
}

fn main() {
    let _ = cancel_order;
}
