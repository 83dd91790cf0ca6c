//! `tools!` takes functions that are tools.

use tool_runtime::tools;

struct Order;

fn main() {
    let _ = tools![Order];
}
