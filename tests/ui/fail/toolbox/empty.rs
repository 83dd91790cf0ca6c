//! A box without tools, with the way to say that it is meant.

use tool_runtime::toolbox;

struct Shop;

#[toolbox]
impl Shop {
    fn open(&self) {}
}

fn main() {
    Shop.open();
}
