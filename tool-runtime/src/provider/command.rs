//! The two commands over files: `export` and `calls`. All of their work, none of their arguments.

use serde_json::Value;

use super::report::ExportError;
use super::tools::{ToolsError, read_text};
use super::turn::ReadError;
use super::{Provider, by_name, names};
use crate::definition::ToolDefinition;

/// What a command prints.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Printed {
    /// For standard output: JSON and nothing else.
    pub stdout: String,
    /// For standard error: the report, for people. Empty where there is nothing to say.
    pub stderr: String,
}

/// Why a command prints nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CommandError {
    /// There is no such provider.
    #[error("unknown provider `{name}`{near}; expected one of {}", names().join(", "))]
    UnknownProvider {
        /// What was asked for.
        name: String,
        /// The nearest name, as a question.
        near: String,
    },
    /// The provider has no strict form.
    #[error("{0} has no strict form")]
    NoStrict(&'static str),
    /// The tools cannot be read.
    #[error(transparent)]
    Tools(#[from] ToolsError),
    /// The tools cannot be expressed.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// The response cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}

/// `export --provider NAME [--strict] [FILE]`: the definitions as the request wants them, and the report.
///
/// `file` is the text of a manifest, an MCP `tools/list` result, or anything else that
/// [`read_tools`](super::read_tools) takes; without it, `own` is exported.
///
/// # Errors
///
/// An unknown provider, a file without tools, or a tool that the dialect cannot express: then nothing is printed.
pub fn export_command(
    provider: &str,
    strict: bool,
    file: Option<&str>,
    own: &[ToolDefinition],
) -> Result<Printed, CommandError> {
    let mut provider = named(provider)?;
    if strict {
        provider = provider
            .strict()
            .ok_or(CommandError::NoStrict(provider.id()))?;
    }
    let read;
    let tools = match file {
        Some(text) => {
            read = read_text(text)?;
            read.as_slice()
        }
        None => own,
    };
    let export = provider.export(tools)?;
    Ok(Printed {
        stdout: pretty(&export.tools),
        stderr: export.report(),
    })
}

/// `calls --provider NAME FILE`: the calls in a response as `[{"id", "name", "arguments"}]`.
///
/// The response may be JSON or a recorded stream. Arguments that are not JSON stay text; a call that was cut off has
/// `"truncated": true`, and must not run.
///
/// # Errors
///
/// An unknown provider, or a text that is no response of it.
pub fn calls_command(provider: &str, response: &str) -> Result<Printed, CommandError> {
    let turn = named(provider)?.read(response)?;
    let mut stderr = String::new();
    if turn.stop.is_cut_off() {
        stderr = format!(
            "the turn was cut off ({}); its calls must not run\n",
            turn.stop.as_str()
        );
    }
    Ok(Printed {
        stdout: turn.to_json() + "\n",
        stderr,
    })
}

fn named(name: &str) -> Result<&'static dyn Provider, CommandError> {
    by_name(name).ok_or_else(|| {
        let near = names()
            .into_iter()
            .map(|known| (strsim::damerau_levenshtein(known, name), known))
            .min();
        let near = near
            .filter(|(distance, _)| *distance <= 3)
            .map(|(_, known)| format!(", did you mean `{known}`?"));
        CommandError::UnknownProvider {
            name: name.to_owned(),
            near: near.unwrap_or_default(),
        }
    })
}

fn pretty(value: &Value) -> String {
    // A JSON value always has a text.
    let mut out = serde_json::to_string_pretty(value).unwrap_or_default();
    out.push('\n');
    out
}
