//! A function that keeps its contract, in every shape a contract comes in.

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
    #[arg(pattern = r"^A\d{4}$", name = "id")] order_id: &str,
    reason: Reason,
    #[arg(minimum = 1, maximum = 9)] copies: u8,
    #[arg(max_items = 3)] tags: Option<Vec<String>>,
    #[arg(default = true)] notify: bool,
) {
    let _ = (order_id, reason, copies, tags, notify);
}

mod anthropic {
    /// Stops an order that
    /// has not shipped.
    #[tool_runtime::tool(schema = "schemas/anthropic.json")]
    pub fn stop_order(id: &str) {
        let _ = id;
    }
}

mod openai {
    /// Stops an order.
    #[tool_runtime::tool(schema = "schemas/openai.json")]
    pub async fn stop_order(id: String) {
        drop(id);
    }
}

mod mcp {
    #[tool_runtime::tool(
        schema = "schemas/mcp.json",
        name = "stop_order",
        description = "Stops an order."
    )]
    pub fn halt(id: String) {
        drop(id);
    }
}

fn main() {
    cancel_order("A1001", Reason::UserRequest, 1, None, false);
    let _ = Reason::DuplicateOrder;
    anthropic::stop_order("A1001");
    drop(openai::stop_order(String::new()));
    mcp::halt(String::new());
}
