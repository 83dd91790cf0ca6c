//! A module is no function.

use tool_runtime::tool;

#[tool]
mod orders {}

fn main() {}
