//! An argument has a type of one name.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(id: impl Into<String>) {
    drop(id);
}

fn main() {
    cancel("A1001");
}
