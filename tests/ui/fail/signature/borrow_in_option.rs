//! A borrow inside another type is shown in its owned form.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(id: Option<&str>) {
    let _ = id;
}

fn main() {
    cancel(None);
}
