//! The same inside a `Result`, at the type inside.

use tool_runtime::tool;

struct Receipt;

/// Cancels an order.
#[tool]
fn cancel() -> Result<Receipt, String> {
    Ok(Receipt)
}

fn main() {
    let _ = cancel();
}
