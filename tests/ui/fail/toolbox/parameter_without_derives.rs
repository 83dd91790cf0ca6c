//! What holds for functions holds for methods.

use tool_runtime::toolbox;

struct Shop;

struct Door;

#[toolbox]
impl Shop {
    /// Opens.
    #[tool]
    fn open(&self, door: Door) {
        drop(door);
    }
}

fn main() {
    Shop.open(Door);
}
