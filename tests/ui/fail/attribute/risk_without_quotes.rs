//! A word where a string belongs is shown with its quotes.

use tool_runtime::tool;

/// Cancels an order.
#[tool(risk = high)]
fn cancel() {}

fn main() {
    cancel();
}
