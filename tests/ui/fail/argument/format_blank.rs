//! A format has a name.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(format = "")] id: &str) {
    let _ = id;
}

fn main() {
    cancel("A");
}
