//! A trait object has no schema.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
fn cancel(id: Box<dyn Fn()>) {
    id();
}

fn main() {
    cancel(Box::new(|| {}));
}
