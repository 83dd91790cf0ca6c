//! `#[arg]` takes parentheses.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg = "id"] id: u8) {
    let _ = id;
}

fn main() {
    cancel(1);
}
