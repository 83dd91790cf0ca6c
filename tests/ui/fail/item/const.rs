//! A constant is no function.

use tool_runtime::tool;

#[tool]
const ORDER: u8 = 1;

fn main() {
    assert_eq!(ORDER, 1);
}
