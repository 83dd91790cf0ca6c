//! All mistakes are told at once, each at its token.

use tool_runtime::tool;

/// Cancels an order.
#[tool(risc = "high", timeout = "30", read_only = "yes")]
fn cancel() {}

fn main() {
    cancel();
}
