//! A name on the wire is not empty.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(name = "")] id: u32) {
    let _ = id;
}

fn main() {
    cancel(1);
}
