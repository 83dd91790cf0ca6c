//! `local` is for futures.

use tool_runtime::tool;

/// Cancels an order.
#[tool(local)]
fn cancel() {}

fn main() {
    cancel();
}
