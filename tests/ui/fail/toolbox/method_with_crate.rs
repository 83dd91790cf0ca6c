//! Where the runtime lives is said once.

use tool_runtime::toolbox;

struct Shop;

#[toolbox]
impl Shop {
    /// Opens.
    #[tool(crate = tool_runtime)]
    fn open(&self) {}
}

fn main() {
    let _ = Shop;
}
