//! A tool answers.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel() -> ! {
    std::process::exit(0)
}

fn main() {
    cancel();
}
