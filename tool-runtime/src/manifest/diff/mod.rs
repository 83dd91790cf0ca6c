//! What changed between two versions of a list of tools, and what it does to their callers.
//!
//! [`diff`] compares two [`Listing`]s and says for each change whether it breaks a caller, with a value that proves it.

mod change;
mod declared;
mod local;
mod position;
mod prepare;
mod proof;
pub(crate) mod rename;
mod report;
mod sample;
mod schema;
mod spell;
mod surround;
mod tools;
mod words;

use serde_json::Value;

pub use change::{Change, Class};
pub(crate) use report::block;

use super::read::Listing;

/// How the schemas bind whoever published them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Policy {
    /// Whether `format` is checked, or only a hint as draft 2020-12 has it.
    pub formats_bind: bool,
    /// Whether integers beyond 2^53 are carried exactly, and integer formats such as `uint32` stand for their bounds.
    pub exact_integers: bool,
}

impl Policy {
    /// A list that somebody published: JSON Schema as the specification reads it.
    pub const PUBLISHED: Self = Self {
        formats_bind: false,
        exact_integers: false,
    };
    /// Tools behind this library's gateway, which checks formats and reads every integer exactly.
    pub const ENFORCED: Self = Self {
        formats_bind: true,
        exact_integers: true,
    };

    /// The policy for two lists: ours are enforced, and all others are read as published.
    #[must_use]
    pub fn of(old: &Listing, new: &Listing) -> Self {
        let ours = |listing: &Listing| {
            !listing.tools.is_empty() && listing.tools.iter().all(|tool| tool.is_ours())
        };
        if ours(old) && ours(new) {
            Self::ENFORCED
        } else {
            Self::PUBLISHED
        }
    }
}

/// All changes between two versions, gravest verdict first to read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Diff {
    changes: Vec<Change>,
}

/// Compares two versions of a list of tools.
///
/// ```
/// use tool_runtime::manifest::{Class, Listing, Policy, diff};
/// let old = Listing::read(r#"[{"name":"a","inputSchema":{"type":"object","properties":{"x":{"type":"string"}}}}]"#)?;
/// let new = Listing::read(r#"[{"name":"a","inputSchema":{"type":"object","properties":{"x":{"type":"integer"}}}}]"#)?;
/// let diff = diff(&old, &new, Policy::PUBLISHED);
/// assert_eq!(diff.verdict(), Some(Class::Breaking));
/// assert_eq!(diff.changes()[0].witness.as_ref().unwrap()["x"], "");
/// # Ok::<(), tool_runtime::manifest::ReadError>(())
/// ```
#[must_use]
pub fn diff(old: &Listing, new: &Listing, policy: Policy) -> Diff {
    Diff {
        changes: tools::compare(old, new, policy),
    }
}

impl Diff {
    /// The changes: tool by tool, in the order of the old list.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// The gravest class; nothing where nothing changed.
    #[must_use]
    pub fn verdict(&self) -> Option<Class> {
        self.changes.iter().map(|change| change.class).max()
    }

    /// The verdict's word, `identical` where nothing changed.
    #[must_use]
    pub fn verdict_str(&self) -> &'static str {
        self.verdict().map_or("identical", Class::as_str)
    }

    /// What a command line exits with: 0 identical or compatible, 3 semantic, 4 risk, 5 breaking.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        self.verdict().map_or(0, Class::exit_code)
    }

    /// The whole as one object: `{"verdict", "changes": [{"tool", "path", "kind", "class", "also"?, "old"?, "new"?,
    /// "witness"?, "reason"}]}`.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let changes: Vec<Value> = self.changes.iter().map(Change::to_value).collect();
        serde_json::json!({"verdict": self.verdict_str(), "changes": changes})
    }
}

/// A value that the schema is likely to accept, the same for the same seed. For tests that try contracts out.
#[doc(hidden)]
#[must_use]
pub fn sample(schema: &Value, seed: u64) -> Option<Value> {
    if position::depth(schema) > 128 {
        return None;
    }
    if seed == 0 {
        sample::Sampler::least(schema).root()
    } else {
        sample::Sampler::seeded(schema, seed).root()
    }
}
