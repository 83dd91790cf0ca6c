//! A function without a body cannot run; `&self` asks for a toolbox.

use tool_runtime::tool;

trait Shop {
    /// Opens.
    #[tool]
    fn open();
}

fn main() {}
