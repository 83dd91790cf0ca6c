//! A list of arguments that never ends has no schema.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
unsafe extern "C" fn cancel(count: u8, _: ...) {
    let _ = count;
}

fn main() {
    let _ = count();
}

fn count() -> u8 {
    1
}
