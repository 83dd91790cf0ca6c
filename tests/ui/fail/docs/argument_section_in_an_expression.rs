//! A section that cannot be taken apart is not half used.

use tool_runtime::tool;

const WORDS: &str = "Cancels an order.\n\n# Arguments\n* `id` - Which.";

#[tool(description = WORDS)]
fn cancel(id: u32) {
    let _ = id;
}

fn main() {
    cancel(1);
}
