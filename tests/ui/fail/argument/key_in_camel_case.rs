//! JSON Schema's own spelling names ours.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(minLength = 1)] id: &str) {
    let _ = id;
}

fn main() {
    cancel("A");
}
