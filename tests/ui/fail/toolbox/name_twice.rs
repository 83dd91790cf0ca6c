//! Two methods of one name.

use tool_runtime::toolbox;

struct Shop;

#[toolbox]
impl Shop {
    /// Opens.
    #[tool]
    fn open(&self) {}

    /// Opens again.
    #[tool(name = "open")]
    fn open_again(&self) {}
}

fn main() {
    let _ = Shop;
}
