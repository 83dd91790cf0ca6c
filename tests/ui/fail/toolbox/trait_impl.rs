//! A trait's methods are no tools.

use tool_runtime::toolbox;

struct Shop;

trait Open {
    fn open(&self);
}

#[toolbox]
impl Open for Shop {
    /// Opens.
    #[tool]
    fn open(&self) {}
}

fn main() {
    Shop.open();
}
