//! A key with a typo.

use tool_runtime::toolbox;

struct Shop;

#[toolbox(prat = Doors)]
impl Shop {
    /// Opens.
    #[tool]
    fn open(&self) {}
}

fn main() {
    let _ = Shop;
}
