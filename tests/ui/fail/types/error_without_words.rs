//! A failure needs words.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel() -> Result<u8, ()> {
    Ok(1)
}

fn main() {
    let _ = cancel();
}
