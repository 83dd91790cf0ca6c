//! What is shared cannot borrow.

use tool_runtime::toolbox;

struct Shop<'a>(&'a str);

#[toolbox]
impl<'a> Shop<'a> {
    /// Opens.
    #[tool]
    fn open(&self) {}
}

fn main() {
    Shop("").open();
}
