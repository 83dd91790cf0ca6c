//! `Deserialize` alone is not enough.

use tool_runtime::tool;

#[derive(serde::Deserialize)]
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
