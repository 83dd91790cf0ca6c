//! Tools from a file, in any of the shapes they are published in.

use serde_json::Value;

use crate::definition::ToolDefinition;
use crate::risk::Behaviour;

/// Why a document holds no tools that can be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ToolsError {
    /// It is neither JSON nor one JSON text a line.
    #[error("the tools are not JSON: {0}")]
    NotJson(String),
    /// It is JSON, but no list of tools and no tool.
    #[error(
        "no tools found: expected a manifest or a tools/list result (an object with `tools`), a list of tools, or one tool"
    )]
    NoTools,
    /// One of the tools cannot be read.
    #[error("tool {at}: {why}")]
    Tool {
        /// Which one: its place in the list, from 1, or its name.
        at: String,
        /// What is wrong.
        why: &'static str,
    },
}

/// Reads tools: a manifest or an MCP `tools/list` result (an object with `tools`, also as a JSON-RPC answer), a list, or one
/// tool; with `inputSchema`, `input_schema` or `parameters`, also in a provider's envelope.
///
/// # Errors
///
/// There is no tool, or one without a name or a schema.
pub fn read_tools(document: &Value) -> Result<Vec<ToolDefinition>, ToolsError> {
    let document = document
        .get("result")
        .filter(|_| document.get("jsonrpc").is_some())
        .unwrap_or(document);
    let list: Vec<&Value> = match (document, document.get("tools")) {
        (_, Some(Value::Array(list))) | (Value::Array(list), None) => list.iter().collect(),
        (_, Some(Value::Object(map))) => map.values().collect(),
        (Value::Object(_), None) if is_tool(document) => vec![document],
        _ => return Err(ToolsError::NoTools),
    };
    let mut out = Vec::new();
    for (index, value) in list.into_iter().enumerate() {
        // Gemini gathers all of its functions in one entry.
        if let Some(Value::Array(functions)) = value.get("functionDeclarations") {
            for (inner, function) in functions.iter().enumerate() {
                out.push(tool(function, inner)?);
            }
        } else {
            out.push(tool(value, index)?);
        }
    }
    Ok(out)
}

/// [`read_tools`] from text: JSON, or one tool a line.
pub(crate) fn read_text(text: &str) -> Result<Vec<ToolDefinition>, ToolsError> {
    let text = text.trim_start_matches('\u{feff}').trim();
    match serde_json::from_str::<Value>(text) {
        Ok(document) => read_tools(&document),
        Err(error) => {
            let lines: Result<Vec<Value>, _> = text
                .lines()
                .filter(|line| !line.trim().is_empty())
                .map(serde_json::from_str)
                .collect();
            match lines {
                Ok(lines) if lines.len() > 1 => read_tools(&Value::Array(lines)),
                _ => Err(ToolsError::NotJson(error.to_string())),
            }
        }
    }
}

const SCHEMAS: &[&str] = &[
    "inputSchema",
    "input_schema",
    "parameters",
    "parametersJsonSchema",
];

fn is_tool(value: &Value) -> bool {
    let inner = opened(value);
    value.get("functionDeclarations").is_some()
        || SCHEMAS.iter().any(|key| inner.get(key).is_some())
        || (inner.get("name").is_some() && inner.get("description").is_some())
}

/// A tool without its provider's envelope.
fn opened(value: &Value) -> &Value {
    value
        .get("function")
        .or_else(|| value.get("toolSpec"))
        .filter(|inner| inner.is_object())
        .unwrap_or(value)
}

fn tool(value: &Value, index: usize) -> Result<ToolDefinition, ToolsError> {
    let inner = opened(value);
    let text = |key: &str| inner.get(key).and_then(Value::as_str);
    // `tool` is a unique key beside a name that is not one.
    let Some(name) = text("tool").or_else(|| text("name")) else {
        return Err(ToolsError::Tool {
            at: (index + 1).to_string(),
            why: "it has no name",
        });
    };
    let schema = SCHEMAS
        .iter()
        .find_map(|key| inner.get(key))
        .filter(|schema| !schema.is_null());
    let schema = match schema {
        Some(schema) if schema.is_object() || schema.is_boolean() => {
            // Bedrock wraps it once more.
            let wrapped = schema
                .as_object()
                .filter(|map| map.len() == 1)
                .and_then(|map| map.get("json"));
            wrapped
                .filter(|inner| inner.is_object())
                .unwrap_or(schema)
                .clone()
        }
        Some(_) => {
            return Err(ToolsError::Tool {
                at: name.to_owned(),
                why: "its schema is not a JSON Schema",
            });
        }
        None => serde_json::json!({"type": "object", "properties": {}}),
    };
    let mut out = ToolDefinition::new(name, text("description").unwrap_or_default(), schema);
    out.title = text("title").map(str::to_owned);
    let output = inner
        .get("outputSchema")
        .or_else(|| inner.get("output_schema"));
    out.output_schema = output.filter(|schema| schema.is_object()).cloned();
    out.behaviour = behaviour(inner);
    Ok(out)
}

/// What a tool says about its behaviour: a manifest in full, MCP in hints whose absence means the worst.
fn behaviour(tool: &Value) -> Behaviour {
    if let Some(behaviour) = tool
        .get("behaviour")
        .and_then(|value| serde_json::from_value(value.clone()).ok())
    {
        return behaviour;
    }
    let hint = |name: &str, absent: bool| {
        tool.get("annotations")
            .and_then(|hints| hints.get(name))
            .and_then(Value::as_bool)
            .unwrap_or(absent)
    };
    let read_only = hint("readOnlyHint", false);
    Behaviour {
        read_only,
        destructive: hint("destructiveHint", !read_only),
        idempotent: hint("idempotentHint", read_only),
        open_world: hint("openWorldHint", true),
        exclusive: false,
    }
}
