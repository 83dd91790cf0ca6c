//! A method asks for a toolbox, and is still there.

use tool_runtime::tool;

struct Shop;

impl Shop {
    /// Opens.
    #[tool]
    fn open(&self) {}
}

fn main() {
    Shop.open();
}
