//! What changed between two versions of a list of tools, and what it does to their callers.
//!
//! [`diff`] compares two [`Listing`]s and says for each change whether it breaks a caller, with a value that proves it.

mod change;
mod declared;
mod listed;
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
#[cfg(feature = "build")]
pub(crate) use prepare::Side;
pub(crate) use report::{block, headline};

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

/// How two schemas that should accept the same values differ.
#[cfg(feature = "build")]
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Apart {
    /// One accepts this value, and the other does not.
    Told {
        /// The value, tried on both.
        value: Value,
        /// The one that accepts it.
        accepted_by: Side,
    },
    /// That one accepts more is proved, and no value of it could be written down.
    Untold(Side),
    /// Nothing could be proved.
    Undecided,
}

/// Holds two schemas against each other in both directions; nothing where they accept the same values.
#[cfg(feature = "build")]
pub(crate) fn apart(old: &Value, new: &Value, policy: Policy) -> Option<Apart> {
    /// How many values are tried before a difference counts as one without a value.
    const TRIES: u64 = 64;
    let mut undecided = false;
    for (side, wide, narrow) in [(Side::Old, new, old), (Side::New, old, new)] {
        let relation = proof::relation(wide, narrow, policy);
        if relation == proof::Relation::Covered {
            continue;
        }
        if let (Some(accepts), Some(refuses)) =
            (proof::judge(narrow, policy), proof::judge(wide, policy))
        {
            let value = proof::candidates(narrow, wide, policy, TRIES)
                .into_iter()
                .find(|value| accepts.is_valid(value) && !refuses.is_valid(value));
            if let Some(value) = value {
                return Some(Apart::Told {
                    value,
                    accepted_by: side,
                });
            }
        }
        if relation == proof::Relation::Exceeded {
            return Some(Apart::Untold(side));
        }
        undecided = true;
    }
    undecided.then_some(Apart::Undecided)
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
