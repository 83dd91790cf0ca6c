//! A tool's pinned schema held against the generated one: what only the types can tell.
//!
//! The macro has compared what stands in the signature. Here both schemas are whole, so they are proved to accept the
//! same calls, in both directions, or a call is shown that tells them apart.

use serde_json::{Map, Value};

use super::diff::{Apart, Policy, Side, apart};
use crate::registry::RegisteredTool;
use crate::schema;

/// What is wrong between a tool and the contract it is pinned to, as a block for the build's report.
pub(super) fn problem(tool: &RegisteredTool) -> Option<String> {
    let pinned = tool.pinned()?;
    let generated = &tool.definition().ok()?.input_schema;
    let contract = match serde_json::from_str::<Value>(pinned.text) {
        Ok(file) => arguments(file),
        Err(error) => return Some(format!("cannot read {}: {error}", pinned.path)),
    };
    let apart = apart(
        &schema::closed(contract),
        &without_word_size(generated),
        Policy::ENFORCED,
    )?;
    let name = tool.name();
    let place = tool.place_text();
    let mut block = format!("`{name}` does not accept what its contract does\n");
    match apart {
        Apart::Told { value, accepted_by } => {
            let accepts = match accepted_by {
                Side::Old => "the contract accepts it, the function refuses it",
                Side::New => "the function accepts it, the contract refuses it",
            };
            block.push_str(&format!(
                "  a call that tells them apart: {value}\n  {accepts}\n"
            ));
        }
        Apart::Untold(side) => block.push_str(match side {
            Side::Old => "  the contract accepts calls that the function refuses; none could be written down\n",
            Side::New => "  the function accepts calls that the contract refuses; none could be written down\n",
        }),
        Apart::Undecided => block.push_str("  that both accept the same calls could not be proved\n"),
    }
    block.push_str(&format!("  contract: {}   now: {place}\n", pinned.path));
    block.push_str("  help: change the parameter's type, or the contract where it is no longer what was agreed");
    Some(block)
}

/// The schema of the arguments in a file that is one, or a tool as Anthropic, MCP or OpenAI define it.
fn arguments(file: Value) -> Value {
    let tool = match file.get("function") {
        Some(function) if file.get("type").and_then(Value::as_str) == Some("function") => function,
        _ => &file,
    };
    let schema = ["input_schema", "inputSchema", "parameters"]
        .iter()
        .find_map(|key| tool.get(key));
    match schema {
        Some(schema) if tool.get("properties").is_none() => schema.clone(),
        _ => file,
    }
}

/// Without the bounds that every 64-bit integer has: a contract that says `integer` means one that fits.
fn without_word_size(schema: &Value) -> Value {
    fn strip(schema: &mut Map<String, Value>) {
        let (low, high) = (
            Value::from(i64::MIN),
            [Value::from(i64::MAX), Value::from(u64::MAX)],
        );
        if schema.get("minimum") == Some(&low) {
            schema.remove("minimum");
        }
        if schema
            .get("maximum")
            .is_some_and(|maximum| high.contains(maximum))
        {
            schema.remove("maximum");
        }
        schema::for_each_subschema(schema, &mut |_, inner| {
            if let Value::Object(inner) = inner {
                strip(inner);
            }
        });
        if let Some(Value::Object(definitions)) = schema.get_mut("$defs") {
            definitions
                .values_mut()
                .filter_map(Value::as_object_mut)
                .for_each(strip);
        }
    }
    let mut schema = schema.clone();
    if let Value::Object(root) = &mut schema {
        strip(root);
    }
    schema
}
