//! One tool has one schema, array lengths included.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel<const N: usize>(ids: [u8; N]) {
    drop(ids);
}

fn main() {
    cancel([1]);
}
