//! So it does for results.

use tool_runtime::toolbox;

struct Shop;

struct Door;

#[toolbox]
impl Shop {
    /// Opens.
    #[tool]
    async fn open(&self) -> Door {
        Door
    }
}

fn main() {
    drop(Shop.open());
}
