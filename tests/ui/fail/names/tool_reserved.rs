//! Names that begin with two underscores are the library's.

use tool_runtime::tool;

/// Cancels an order.
#[tool(name = "__help")]
fn cancel() {}

fn main() {
    cancel();
}
