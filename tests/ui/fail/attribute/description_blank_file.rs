//! A file is read before it is found blank.

use tool_runtime::tool;

#[doc = concat!(" ", "")]
#[tool]
fn cancel() {}

fn main() {
    cancel();
}
