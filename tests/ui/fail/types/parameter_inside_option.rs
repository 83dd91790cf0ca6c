//! The same inside another type.

use tool_runtime::tool;

enum CancelReason {
    Mistake,
}

/// Cancels an order.
#[tool]
fn cancel(reason: Option<CancelReason>) {
    drop(reason);
}

fn main() {
    cancel(Some(CancelReason::Mistake));
}
