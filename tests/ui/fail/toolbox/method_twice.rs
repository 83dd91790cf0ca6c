//! One method is one tool.

use tool_runtime::toolbox;

struct Shop;

#[toolbox]
impl Shop {
    /// Opens.
    #[tool]
    #[tool(read_only)]
    fn open(&self) {}
}

fn main() {
    let _ = Shop;
}
