//! One tool has one schema.

use tool_runtime::toolbox;

struct Shop;

#[toolbox]
impl Shop {
    /// Opens.
    #[tool]
    fn open<T>(&self, door: T) {
        drop(door);
    }
}

fn main() {
    let _ = Shop;
}
