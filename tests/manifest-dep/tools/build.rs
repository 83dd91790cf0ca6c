//! One form of a build script with a manifest: the module that holds the tools, by its path.

#[path = "src/tools.rs"]
mod tools;

fn main() {
    tool_runtime::build::Manifest::collect().emit();
}
