//! One change between two versions of a tool, and how grave it is.

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value};

/// How grave a change is, from the caller's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Class {
    /// Every call that worked works, and means the same.
    Compatible,
    /// Only words or defaults changed: the same calls are accepted, and a model may make others.
    Semantic,
    /// Risk, confirmation or a behaviour flag changed.
    Risk,
    /// A call that worked is refused, ignored or answered in another shape.
    Breaking,
}

impl Class {
    /// The word used in reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Compatible => "compatible",
            Self::Semantic => "semantic",
            Self::Risk => "risk",
            Self::Breaking => "breaking",
        }
    }

    /// What a command line exits with: 0 compatible, 3 semantic, 4 risk, 5 breaking.
    #[must_use]
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::Compatible => 0,
            Self::Semantic => 3,
            Self::Risk => 4,
            Self::Breaking => 5,
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One change: where it is, what it was, how grave it is, and the value that proves it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Change {
    /// The tool, by its old name; `*` where the list as a whole is meant.
    pub tool: String,
    /// JSON Pointer into the tool.
    pub path: String,
    /// What kind of change it is, such as `property_removed`.
    pub kind: Cow<'static, str>,
    /// How grave it is.
    pub class: Class,
    /// What stood there.
    pub old: Option<Value>,
    /// What stands there now.
    pub new: Option<Value>,
    /// A value that the two versions judge differently: arguments that worked and are refused now, or, below
    /// `/outputSchema`, an answer that may come now and was not promised.
    pub witness: Option<Value>,
    /// Marks that tell changes of one kind apart: `renamed-to:X`, `renamed-from:X`, `silently-ignored`, `required-with-default`,
    /// `declared-risk-lower`, `declared-risk-higher`, `declared-risk-unchanged`, `unproved`, `generator`.
    pub also: Vec<String>,
    /// What it means, in one sentence without the place.
    pub reason: String,
}

impl Change {
    pub(crate) fn new(
        tool: &str,
        path: impl Into<String>,
        kind: impl Into<Cow<'static, str>>,
        class: Class,
        reason: impl Into<String>,
    ) -> Self {
        Self {
            tool: tool.to_owned(),
            path: path.into(),
            kind: kind.into(),
            class,
            old: None,
            new: None,
            witness: None,
            also: Vec::new(),
            reason: reason.into(),
        }
    }

    pub(crate) fn with_values(mut self, old: Option<&Value>, new: Option<&Value>) -> Self {
        self.old = old.cloned();
        self.new = new.cloned();
        self
    }

    pub(crate) fn mark(mut self, mark: impl Into<String>) -> Self {
        self.also.push(mark.into());
        self
    }

    /// Whether the change carries this mark.
    #[must_use]
    pub fn is(&self, mark: &str) -> bool {
        self.also.iter().any(|one| one == mark)
    }

    /// Whether the tool asks less, or admits to less, than it did.
    #[must_use]
    pub fn lowers_risk(&self) -> bool {
        self.is("declared-risk-lower")
    }

    /// Whether the change is below the output schema.
    pub(crate) fn is_output(&self) -> bool {
        self.path.starts_with("/outputSchema")
    }

    /// The change as an object: absent parts are left out.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut out = Map::new();
        let mut put = |name: &str, value: Value| out.insert(name.to_owned(), value);
        put("tool", Value::from(self.tool.as_str()));
        put("path", Value::from(self.path.as_str()));
        put("kind", Value::from(self.kind.as_ref()));
        put("class", Value::from(self.class.as_str()));
        if !self.also.is_empty() {
            put("also", Value::from(self.also.clone()));
        }
        for (name, value) in [
            ("old", &self.old),
            ("new", &self.new),
            ("witness", &self.witness),
        ] {
            if let Some(value) = value {
                put(name, value.clone());
            }
        }
        put("reason", Value::from(self.reason.as_str()));
        Value::Object(out)
    }
}

/// `noun_added`, `noun_removed` or `noun_changed`, by which side is there.
pub(crate) fn kind_of(noun: &str, old: Option<&Value>, new: Option<&Value>) -> String {
    let verb = match (old, new) {
        (None, _) => "added",
        (_, None) => "removed",
        _ => "changed",
    };
    format!("{noun}_{verb}")
}
