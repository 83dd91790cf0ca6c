//! A struct that is taken apart has no name.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(std::ops::Range { start, end }: std::ops::Range<u8>) {
    let _ = end - start;
}

fn main() {
    cancel(1..2);
}
