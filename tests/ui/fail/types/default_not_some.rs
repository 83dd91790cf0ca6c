//! A default of an optional parameter is optional too.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(#[arg(default = 1)] id: Option<u32>) {
    let _ = id;
}

fn main() {
    cancel(None);
}
