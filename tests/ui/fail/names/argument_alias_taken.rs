//! An alias that is another parameter's name.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(a: u32, #[arg(alias = "a")] b: u32) {
    let _ = a;
    let _ = b;
}

fn main() {
    cancel(1, 2);
}
