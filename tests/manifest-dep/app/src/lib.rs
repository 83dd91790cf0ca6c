//! A program over the tools of another crate.

use manifest_dep_tools as _;

/// The manifest by build-dependency.
pub const MANIFEST: &str = tool_runtime::manifest!();

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn both_forms_list_the_same_tools_in_the_same_way() {
        assert_eq!(MANIFEST, manifest_dep_tools::MANIFEST);
        let manifest: Value = serde_json::from_str(MANIFEST).unwrap();
        let tools = manifest["tools"].as_array().unwrap();
        let names: Vec<_> = tools.iter().map(|tool| &tool["name"]).collect();
        assert_eq!(names, ["say_goodbye", "say_hello"]);
    }
}
