//! What cannot be sent is told in the body, where it is held.

use tool_runtime::tool;

/// Cancels an order.
#[tool]
async fn cancel(list: Vec<String>) -> usize {
    let one = std::rc::Rc::new(1);
    tick().await;
    *one + list.len()
}

async fn tick() {}

fn main() {
    drop(cancel(vec![]));
}
