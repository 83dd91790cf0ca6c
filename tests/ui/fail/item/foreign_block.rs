//! Foreign functions are no tools.

use tool_runtime::tool;

#[tool]
unsafe extern "C" {
    safe fn abs(n: i32) -> i32;
}

fn main() {
    let _ = abs(1);
}
