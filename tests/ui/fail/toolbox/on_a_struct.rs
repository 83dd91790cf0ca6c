//! A struct is no impl block.

use tool_runtime::toolbox;

#[toolbox]
struct Shop;

fn main() {
    let _ = Shop;
}
