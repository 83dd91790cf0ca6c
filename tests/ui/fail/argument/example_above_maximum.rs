//! An example within its own range.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(example = Some(10), maximum = 9)] id: Option<u8>) {
    let _ = id;
}

fn main() {
    cancel(None);
}
