//! So is a list of borrows.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(ids: &[&str]) {
    let _ = ids;
}

fn main() {
    cancel(&["A1001"]);
}
