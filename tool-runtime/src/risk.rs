//! How much harm a tool can do, and what that demands before it runs.

use serde::{Deserialize, Serialize};

/// How much harm a call of the tool can do.
///
/// `Low` and `Medium` run when they are valid and no policy objects; `High` always asks first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Risk {
    /// Reads, or changes nothing that matters.
    Low,
    /// Changes something that can be put right. The default of a tool that declares nothing.
    Medium,
    /// Cannot be undone, costs money, or reaches other people.
    High,
}

impl Risk {
    /// The word used in attributes, manifests and journals.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

impl std::fmt::Display for Risk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a call does to the world outside, as far as the tool's author says.
///
/// The first four are MCP's annotations (`readOnlyHint`, `destructiveHint`, `idempotentHint`,
/// `openWorldHint`), resolved: a tool that says nothing changes things, may destroy, is not
/// idempotent and stays inside its own system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(clippy::struct_excessive_bools, reason = "five independent facts")]
pub struct Behaviour {
    /// Changes nothing.
    pub read_only: bool,
    /// May overwrite or remove something.
    pub destructive: bool,
    /// The same call twice has the effect of one.
    pub idempotent: bool,
    /// Reaches systems beyond the host's own.
    pub open_world: bool,
    /// Must not overlap any other call.
    pub exclusive: bool,
}

impl Default for Behaviour {
    fn default() -> Self {
        Self {
            read_only: false,
            destructive: true,
            idempotent: false,
            open_world: false,
            exclusive: false,
        }
    }
}
