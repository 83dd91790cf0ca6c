//! Nobody sees what a tool does to an argument.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(ids: &mut Vec<u8>) {
    ids.clear();
}

fn main() {
    cancel(&mut vec![1]);
}
