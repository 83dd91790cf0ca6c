//! A method takes `&self`, and nothing else.

use tool_runtime::toolbox;

struct Shop;

#[toolbox]
impl Shop {
    /// Closes.
    #[tool]
    fn close(self: std::sync::Arc<Self>) {}
}

fn main() {
    let _ = Shop;
}
