//! A struct is no function.

use tool_runtime::tool;

#[tool]
pub struct Order;

fn main() {
    let _ = Order;
}
