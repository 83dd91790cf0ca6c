//! What may be absent is looked through.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(pattern = "^A$")] id: Option<u32>) {
    let _ = id;
}

fn main() {
    cancel(None);
}
