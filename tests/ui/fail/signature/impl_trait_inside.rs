//! So has what is inside another type.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(id: Vec<impl Into<String>>) {
    drop(id);
}

fn main() {
    cancel(vec!["A1001"]);
}
