//! So it does for futures.

use tool_runtime::toolbox;

struct Shop;

#[toolbox]
impl Shop {
    /// Opens.
    #[tool]
    async fn open(&self) {
        let one = std::rc::Rc::new(1);
        std::future::ready(()).await;
        drop(one);
    }
}

fn main() {
    drop(Shop.open());
}
