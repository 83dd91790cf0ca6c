//! Whether a helper holds is known too late.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[cfg_attr(all(), arg(secret))] id: u8) {
    let _ = id;
}

fn main() {
    cancel(1);
}
