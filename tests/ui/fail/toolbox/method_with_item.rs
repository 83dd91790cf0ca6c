//! A method has no item of its own.

use tool_runtime::toolbox;

struct Shop;

#[toolbox]
impl Shop {
    /// Opens.
    #[tool(item = Open)]
    fn open(&self) {}
}

fn main() {
    let _ = Shop;
}
