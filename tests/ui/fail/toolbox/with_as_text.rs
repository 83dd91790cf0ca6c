//! The other parts are named by their items.

use tool_runtime::toolbox;

struct Shop;

#[toolbox(with = "Doors")]
impl Shop {
    /// Opens.
    #[tool]
    fn open(&self) {}
}

fn main() {
    let _ = Shop;
}
