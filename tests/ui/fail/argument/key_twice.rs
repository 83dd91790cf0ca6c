//! The second value is refused.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(minimum = 1)] #[arg(minimum = 2)] id: u8) {
    let _ = id;
}

fn main() {
    cancel(1);
}
