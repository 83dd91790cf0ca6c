//! A name that cannot be spelled in ASCII by guessing.

use tool_runtime::tool;

/// Cancels an order.
#[tool(name = "größe")]
fn cancel() {}

fn main() {
    cancel();
}
