//! What is shared between threads must allow it.

use tool_runtime::toolbox;

struct Shop(std::cell::Cell<u8>);

#[toolbox]
impl Shop {
    /// Opens.
    #[tool]
    fn open(&self) {}
}

fn main() {
    Shop(std::cell::Cell::new(1)).open();
}
