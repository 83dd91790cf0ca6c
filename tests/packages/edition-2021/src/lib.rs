//! macro case 9: names that later editions reserve, in the edition of 2021.

#![deny(warnings)]

use tool_runtime::tool;

/// Makes.
#[tool]
pub fn make(gen: u8, r#async: u8, r#try: bool) -> u8 {
    if r#try {
        gen
    } else {
        r#async
    }
}

/// Makes slowly.
#[tool]
pub async fn make_slowly(
    #[arg(default = 1)] r#gen: u8,
    #[context] call: &tool_runtime::CallContext,
) -> u8 {
    let _ = call;
    r#gen
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_on_the_wire_are_plain() {
        let registry = tool_runtime::tools![super::make, super::make_slowly];
        let tool = registry.get("make").expect("it is there");
        let schema = &tool.definition().expect("it has a schema").input_schema;
        for name in &["gen", "async", "try"] {
            assert!(schema["properties"][name].is_object(), "{}", schema);
        }
    }
}
