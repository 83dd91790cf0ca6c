/// Runs.
#[must_use]
#[tokio::main]
#[::tool_runtime::tool(read_only)]
async fn run() {
    body
}
