//! From the tools of a program to the document.

use super::document::{Manifest, ManifestTool, SourcePlace};
use crate::registry::{RegisteredTool, Registry, RegistryError};

impl Manifest {
    /// The manifest of a registry's tools.
    ///
    /// # Errors
    /// Everything that is wrong with the registry, and every tool whose schema cannot be made.
    pub fn of(registry: &Registry) -> Result<Self, Vec<RegistryError>> {
        let (tools, mut problems) = tools_of(registry);
        problems.splice(0..0, registry.problems().iter().cloned());
        if problems.is_empty() {
            Ok(Self::from_tools(tools))
        } else {
            Err(problems)
        }
    }
}

/// The tools that can be described, and what is wrong with the others.
pub(super) fn tools_of(registry: &Registry) -> (Vec<ManifestTool>, Vec<RegistryError>) {
    let mut problems = Vec::new();
    let tools = registry
        .iter()
        .filter_map(|tool| {
            described(tool)
                .map_err(|problem| problems.push(problem))
                .ok()
        })
        .collect();
    (tools, problems)
}

fn described(tool: &RegisteredTool) -> Result<ManifestTool, RegistryError> {
    let definition = tool.definition()?;
    Ok(ManifestTool {
        title: definition.title.clone(),
        version: tool.version(),
        aliases: tool
            .aliases()
            .iter()
            .map(|&alias| alias.to_owned())
            .collect(),
        argument_aliases: tool
            .argument_aliases()
            .map(|(name, aliases)| {
                (
                    name.to_owned(),
                    aliases.iter().map(|&alias| alias.to_owned()).collect(),
                )
            })
            .collect(),
        risk: tool.risk(),
        risk_declared: tool.risk_declared(),
        confirm: tool.confirms(),
        confirm_question: tool.question().map(Into::into),
        behaviour: tool.behaviour(),
        output_schema: definition.output_schema.clone(),
        secrets: tool.secrets().map(str::to_owned).collect(),
        source: tool
            .place()
            .map(|place| SourcePlace::new(place.file, place.line, place.module)),
        ..ManifestTool::new(
            definition.name.as_str(),
            definition.description.as_str(),
            definition.input_schema.clone(),
        )
    })
}
