//! For methods there is another attribute.

use tool_runtime::tool;

struct Shop;

#[tool]
impl Shop {}

fn main() {
    let _ = Shop;
}
