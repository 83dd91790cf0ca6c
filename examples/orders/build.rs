//! Writes the manifest of the tools, and fails the build where they cannot keep what they promise, or break what was
//! published in `tools.lock.json`.
//!
//! The tools are compiled into this script too, so `cargo build` sees their real schemas.

#[path = "src/policies.rs"]
mod policies;
#[allow(dead_code, reason = "only the program runs the shop")]
#[path = "src/shop.rs"]
mod shop;
#[path = "src/tools.rs"]
mod tools;

fn main() {
    tool_runtime::build::Manifest::collect()
        .lock("tools.lock.json")
        .emit();
}
