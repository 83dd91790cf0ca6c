//! rustc itself says what does not match, at the default.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(default = "x")] id: u32) {
    let _ = id;
}

fn main() {
    cancel(1);
}
