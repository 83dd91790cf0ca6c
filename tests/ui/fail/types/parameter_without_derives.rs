//! The derives that are missing, at the type.

use tool_runtime::tool;

enum CancelReason {
    Mistake,
}

/// Cancels an order.
#[tool]
fn cancel(reason: CancelReason) {
    drop(reason);
}

fn main() {
    cancel(CancelReason::Mistake);
}
