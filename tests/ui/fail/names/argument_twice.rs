//! Two parameters of one name on the wire.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(name = "x")] a: u32, #[arg(name = "x")] b: u32) {
    let _ = a;
    let _ = b;
}

fn main() {
    cancel(1, 2);
}
