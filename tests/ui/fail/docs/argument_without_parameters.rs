//! An item where there are no parameters.

use tool_runtime::tool;

/// Cancels an order.
///
/// # Arguments
/// * `customer` - Who.
#[tool]
fn cancel() {}

fn main() {
    cancel();
}
