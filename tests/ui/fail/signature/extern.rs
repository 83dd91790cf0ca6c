//! A tool is called from Rust.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
extern "C" fn cancel() {}

fn main() {
    cancel();
}
