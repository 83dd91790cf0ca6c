//! A tool made ready: its schemas, its validator and its defaults, made once, on first use.

use serde_json::Value;

use crate::definition::ToolDefinition;
use crate::parse::Limits;
use crate::schema;
use crate::tool::StaticTool;
use crate::tree::{Tree, push_token};
use crate::validate::Validator;

/// What judging and reading arguments needs.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) definition: ToolDefinition,
    pub(crate) validator: Validator,
    /// In the order of the signature; empty for a tool that takes its arguments as they are.
    pub(crate) parameters: Vec<CompiledParameter>,
    /// SHA-256 of name, version and schemas: what an approval is bound to besides the arguments.
    pub(crate) fingerprint: String,
}

#[derive(Debug)]
pub(crate) struct CompiledParameter {
    pub(crate) name: &'static str,
    pub(crate) aliases: &'static [&'static str],
    pub(crate) default: Option<Tree>,
    pub(crate) secret: bool,
}

impl Compiled {
    /// # Errors
    /// What is wrong with the tool's schema or a default of it.
    pub(crate) fn of_static(tool: &'static StaticTool) -> Result<Self, String> {
        let definition = ToolDefinition {
            name: tool.name.to_owned(),
            title: tool.title.map(str::to_owned),
            description: tool.description.to_owned(),
            input_schema: schema::input(tool)?,
            output_schema: schema::output(tool),
            behaviour: tool.behaviour,
        };
        let validator = Validator::new(&definition.input_schema, true)?;
        let mut parameters = Vec::with_capacity(tool.parameters.len());
        for parameter in tool.parameters {
            let default = match parameter.default {
                None => None,
                Some(make) => {
                    let tree = Tree::parse(make()?, &Limits::default()).map_err(|(_, fault)| {
                        format!("the default of `{}`: {}", parameter.name, fault.message)
                    })?;
                    check_default(&definition.input_schema, parameter.name, &tree)?;
                    Some(tree)
                }
            };
            parameters.push(CompiledParameter {
                name: parameter.name,
                aliases: parameter.aliases,
                default,
                secret: parameter.secret,
            });
        }
        let fingerprint = fingerprint(&definition, tool.version);
        Ok(Self {
            definition,
            validator,
            parameters,
            fingerprint,
        })
    }

    /// # Errors
    /// What is wrong with the schema.
    pub(crate) fn of_definition(definition: ToolDefinition, version: u32) -> Result<Self, String> {
        let validator = Validator::new(&definition.input_schema, false)?;
        let fingerprint = fingerprint(&definition, version);
        Ok(Self {
            definition,
            validator,
            parameters: Vec::new(),
            fingerprint,
        })
    }

    /// Whether the value at this path must not be quoted anywhere.
    pub(crate) fn is_secret(&self, path: &str) -> bool {
        self.parameters
            .iter()
            .filter(|parameter| parameter.secret)
            .any(|parameter| {
                let mut top = String::new();
                push_token(&mut top, parameter.name);
                path.strip_prefix(&top)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
    }
}

/// A default has to pass the schema it stands in: what the model leaves out is judged like what it gives.
fn check_default(schema: &Value, name: &str, default: &Tree) -> Result<(), String> {
    let mut alone = schema
        .get("properties")
        .and_then(|properties| properties.get(name))
        .cloned()
        .unwrap_or(Value::Bool(true));
    if let (Some(alone), Some(definitions)) = (alone.as_object_mut(), schema.get("$defs")) {
        alone.insert("$defs".to_owned(), definitions.clone());
    }
    let problems = Validator::new(&alone, true)?.problems(default, &|_| false);
    match problems.first() {
        None => Ok(()),
        Some(problem) => Err(format!(
            "the default of `{name}` breaks its own schema: expected {}, got {}",
            problem.error.expected, problem.error.got
        )),
    }
}

fn fingerprint(definition: &ToolDefinition, version: u32) -> String {
    crate::manifest::canonical::fingerprint(&serde_json::json!([
        definition.name,
        version,
        definition.input_schema,
        definition.output_schema,
    ]))
}
