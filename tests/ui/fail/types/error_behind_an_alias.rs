//! A `Result` is known by its type.

use tool_runtime::tool;

type Result<T> = std::result::Result<T, ()>;

/// Cancels an order.
#[tool]
fn cancel() -> Result<u8> {
    Ok(1)
}

fn main() {
    let _ = cancel();
}
