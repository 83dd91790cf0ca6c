//! A module is no impl block.

use tool_runtime::toolbox;

#[toolbox]
mod shop {}

fn main() {}
