//! A macro call is no function, whatever it makes.

use tool_runtime::tool;

#[tool]
thread_local!(static ORDER: u8 = 1);

fn main() {}
