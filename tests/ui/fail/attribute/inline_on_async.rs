//! `inline` is for plain functions.

use tool_runtime::tool;

/// Cancels an order.
#[tool(inline)]
async fn cancel() {}

fn main() {
    drop(cancel());
}
