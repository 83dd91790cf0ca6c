//! A pattern constrains text.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(pattern = "^A$")] id: u32) {
    let _ = id;
}

fn main() {
    cancel(1);
}
