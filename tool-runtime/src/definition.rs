//! What a tool is to a model: its name, its prompt and its contract.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::risk::Behaviour;

/// A tool as it is shown to a model, before any provider's dialect.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ToolDefinition {
    /// The name the model calls it by.
    pub name: String,
    /// A short name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The prompt that steers the model's choice.
    pub description: String,
    /// JSON Schema 2020-12 of the arguments; its root is an object.
    pub input_schema: Value,
    /// JSON Schema 2020-12 of a successful result, where the type has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Value>,
    /// What a call does to the world outside.
    #[serde(default)]
    pub behaviour: Behaviour,
}

impl ToolDefinition {
    /// A definition with a name, a description and an input schema.
    pub fn new(
        name: impl Into<String>,
        description: impl Into<String>,
        input_schema: Value,
    ) -> Self {
        Self {
            name: name.into(),
            title: None,
            description: description.into(),
            input_schema,
            output_schema: None,
            behaviour: Behaviour::default(),
        }
    }
}
