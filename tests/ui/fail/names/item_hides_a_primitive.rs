//! An item called `str` would change every `str` of the module.

use tool_runtime::tool;

/// Makes text.
#[tool(item = str)]
fn text() {}

fn main() {
    text();
}
