//! One tool has one schema.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel<T>(id: T) {
    drop(id);
}

fn main() {
    cancel(1);
}
