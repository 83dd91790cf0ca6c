//! A default is written into the schema.

use tool_runtime::tool;

#[derive(serde::Deserialize, schemars::JsonSchema)]
enum CancelReason {
    Mistake,
}

/// Cancels an order.
#[tool]
fn cancel(#[arg(default = CancelReason::Mistake)] reason: CancelReason) {
    drop(reason);
}

fn main() {
    cancel(CancelReason::Mistake);
}
