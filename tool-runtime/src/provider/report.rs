//! What an export says about itself: what it changed, and what it refuses.

use std::fmt;

use serde_json::Value;

/// Tools in one dialect, and everything that was changed to get there.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Export {
    /// One definition a tool, in the order of the tools.
    pub definitions: Vec<Value>,
    /// The definitions as the request wants them: the value of its member `tools`.
    pub tools: Value,
    /// Every difference between a tool's own schema and what the model is shown.
    pub changes: Vec<Change>,
    /// What is accepted today and may not be everywhere, or tomorrow.
    pub warnings: Vec<Change>,
}

impl Export {
    /// The report for people: one line a change, one a warning.
    #[must_use]
    pub fn report(&self) -> String {
        let mut out = String::new();
        for change in &self.changes {
            out.push_str(&format!("{change} [{}]\n", change.loss));
        }
        for warning in &self.warnings {
            out.push_str(&format!("warning: {warning}\n"));
        }
        out
    }
}

/// One difference between a tool's own schema and what the model is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// The tool.
    pub tool: String,
    /// Where in the tool's own schema: a JSON Pointer.
    pub path: String,
    /// What was done.
    pub what: String,
    /// What it costs.
    pub loss: Loss,
}

impl Change {
    /// Whether everything the schema demands is still demanded by the schema.
    #[must_use]
    pub fn is_lossless(&self) -> bool {
        self.loss != Loss::Moved
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "tool {:?}: {}: {}",
            self.tool,
            place(&self.path),
            self.what
        )
    }
}

/// What a change costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Loss {
    /// Exactly the same calls are accepted.
    None,
    /// The model can say less than the tool would take, and nothing that the tool would not.
    Narrower,
    /// The model can say more, or has to say it another way, and intake puts that right or refuses it.
    Intake,
    /// A rule is told in words only. It still holds when the call comes in.
    Moved,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "lossless",
            Self::Narrower => "lossless, narrower",
            Self::Intake => "lossless, settled at intake",
            Self::Moved => "moved into the description",
        })
    }
}

/// Why tools cannot be exported: every reason, not the first.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", lines(.findings))]
#[non_exhaustive]
pub struct ExportError {
    /// The reasons, in the order of the tools.
    pub findings: Vec<Finding>,
}

/// One construct that a dialect cannot express.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The tool.
    pub tool: String,
    /// The dialect.
    pub dialect: &'static str,
    /// Where in the tool's own schema: a JSON Pointer.
    pub path: String,
    /// What it is, such as "a map".
    pub construct: String,
    /// Why it has no spelling.
    pub reason: String,
    /// What to do about it.
    pub way_out: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            tool,
            dialect,
            path,
            construct,
            reason,
            way_out,
        } = self;
        let path = place(path);
        let mut way = way_out.chars();
        let way_out: String = way
            .next()
            .into_iter()
            .flat_map(char::to_uppercase)
            .chain(way)
            .collect();
        write!(
            f,
            "tool {tool:?}, dialect {dialect}: {path}: {construct} cannot be expressed because {reason}. {way_out}."
        )
    }
}

fn lines(findings: &[Finding]) -> String {
    findings
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join("\n")
}

fn place(path: &str) -> &str {
    if path.is_empty() { "the root" } else { path }
}
