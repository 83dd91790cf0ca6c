//! One form of a build script with a manifest: the module that holds the tools, by its path.

#[allow(unreachable_pub, reason = "the library is what reaches it")]
#[path = "src/tools.rs"]
mod tools;

fn main() {
    tool_runtime::build::Manifest::collect().emit();
}
