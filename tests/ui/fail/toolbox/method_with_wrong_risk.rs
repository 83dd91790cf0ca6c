//! A mistake of a method is told at the method, and the others are still there.

use tool_runtime::toolbox;

struct Shop;

#[toolbox]
impl Shop {
    /// Opens.
    #[tool(risk = "hgih")]
    fn open(&self) {}

    /// Closes.
    #[tool]
    fn close(&self) {}
}

fn main() {
    Shop.open();
    Shop.close();
    let _ = tool_runtime::Registry::toolbox(Shop);
}
