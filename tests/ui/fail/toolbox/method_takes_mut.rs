//! Calls overlap.

use tool_runtime::toolbox;

struct Shop;

#[toolbox]
impl Shop {
    /// Opens.
    #[tool]
    fn open(&mut self) {}
}

fn main() {
    let _ = Shop;
}
