//! Without words a model cannot decide.

use tool_runtime::tool;

#[tool]
fn cancel() {}

fn main() {
    cancel();
}
