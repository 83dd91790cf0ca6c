//! An enum is no function.

use tool_runtime::tool;

#[tool]
enum Order {}

fn main() {}
