//! The type is judged, not its spelling.

use tool_runtime::tool;

type Id = u32;

/// Cancels an order.
#[tool]
fn cancel(#[arg(pattern = "^A$")] id: Id) {
    let _ = id;
}

fn main() {
    cancel(1);
}
