//! The other form of a build script with a manifest: a build-dependency on the crate that holds the tools.

// The tools are found because their crate is linked, and it is linked because it is named.
use manifest_dep_tools as _;

fn main() {
    tool_runtime::build::Manifest::collect().emit();
}
