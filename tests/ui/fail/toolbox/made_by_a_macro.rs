//! What a macro makes inside the block is not seen.

use tool_runtime::toolbox;

struct Shop;

macro_rules! make {
    () => {
        /// Opens.
        #[tool_runtime::tool]
        fn open(&self) {}
    };
}

#[toolbox]
impl Shop {
    make!();
}

fn main() {
    Shop.open();
}
