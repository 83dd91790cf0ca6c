//! The next call needs it too.

use tool_runtime::toolbox;

struct Shop;

#[toolbox]
impl Shop {
    /// Closes.
    #[tool]
    fn close(self) {}
}

fn main() {
    let _ = Shop;
}
