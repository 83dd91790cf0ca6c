//! An expression is evaluated before it is found blank.

use tool_runtime::tool;

const WORDS: &str = " ";

#[tool(description = WORDS)]
fn cancel() {}

fn main() {
    cancel();
}
