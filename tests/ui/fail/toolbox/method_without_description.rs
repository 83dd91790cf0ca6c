//! What holds for functions holds for methods.

use tool_runtime::toolbox;

struct Shop;

#[toolbox]
impl Shop {
    #[tool]
    fn open(&self) {}
}

fn main() {
    let _ = Shop;
}
