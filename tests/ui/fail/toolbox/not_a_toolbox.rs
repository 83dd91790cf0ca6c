//! A type without a box.

use tool_runtime::Registry;

struct Shop;

fn main() {
    let _ = Registry::toolbox(Shop);
}
