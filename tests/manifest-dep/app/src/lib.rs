//! A program over the tools of another crate.

use manifest_dep_tools as _;

/// The manifest by build-dependency.
pub const MANIFEST: &str = tool_runtime::manifest!();

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// The tools of a manifest, without the places they are written at: those name the crate they were compiled in.
    fn tools(manifest: &str) -> Vec<Value> {
        let mut manifest: Value = serde_json::from_str(manifest).unwrap();
        let tools = manifest["tools"].as_array_mut().unwrap();
        for tool in &mut *tools {
            tool.as_object_mut().unwrap().remove("source").unwrap();
        }
        std::mem::take(tools)
    }

    #[test]
    fn both_forms_list_the_same_tools_in_the_same_way() {
        let listed = tools(MANIFEST);
        assert_eq!(listed, tools(manifest_dep_tools::MANIFEST));
        let names: Vec<_> = listed.iter().map(|tool| &tool["name"]).collect();
        assert_eq!(names, ["say_goodbye", "say_hello"]);
    }
}
