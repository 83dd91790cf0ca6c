//! A function whose name no provider takes asks for another.

use tool_runtime::tool;

/// Measures.
#[tool]
fn größe() {}

fn main() {
    größe();
}
