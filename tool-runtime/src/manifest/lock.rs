//! `tools.lock.json`: the published contract, kept in version control and held against each build.
//!
//! A build fails where it breaks a caller or admits to less risk than was published. Raising the tool's `version` lets
//! its changes through; `TOOLS_LOCK=accept` rewrites the lock, on a machine with a person at it: under CI nothing is
//! ever accepted.

use std::collections::BTreeMap;

use super::diff::{Change, Class, Policy, block, diff, headline};
use super::document::{Manifest, ManifestTool, write_document};
use super::read::{Lines, ListedTool, Listing};

/// The version of the lock's form. It is raised when a reader of the old form would be misled.
pub const LOCK_VERSION: u32 = 1;

/// How the lock is used: what the surroundings of a build say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LockMode {
    /// Whether a person asked to accept every change: `TOOLS_LOCK=accept`.
    pub accept: bool,
    /// Whether nobody is there to ask: `CI`.
    pub ci: bool,
}

impl LockMode {
    /// Reads `TOOLS_LOCK` and `CI`.
    ///
    /// # Errors
    /// When `TOOLS_LOCK` says something that is not understood.
    pub fn from_env() -> Result<Self, String> {
        let get = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        Self::read(get("TOOLS_LOCK").as_deref(), get("CI").as_deref())
    }

    fn read(lock: Option<&str>, ci: Option<&str>) -> Result<Self, String> {
        let accept = match lock {
            None => false,
            Some("accept") => true,
            Some(other) => {
                return Err(format!(
                    "TOOLS_LOCK is `{other}`; expected `accept`, or no such variable"
                ));
            }
        };
        Ok(Self {
            accept,
            ci: ci.is_some_and(|ci| ci != "false"),
        })
    }
}

/// What holding a build against its lock came to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct LockReport {
    /// What fails the build: one block of lines each.
    pub errors: Vec<String>,
    /// What does not fail it and should be read.
    pub warnings: Vec<String>,
    /// The lock's new text, where it is to be written.
    pub write: Option<String>,
}

/// The text of the lock: what every tool promises, without the places where they are written.
#[must_use]
pub fn lock_text(manifest: &Manifest) -> String {
    let tools = manifest.tools().iter().map(|tool| {
        let mut members = tool.contract();
        members.push(("fingerprint", tool.fingerprint().into()));
        members
    });
    write_document("lockVersion", LOCK_VERSION, tools)
}

/// Holds a build against the text of its lock. `path` is the lock's name in messages; a lock that is missing has no text.
#[must_use]
pub fn check_lock(
    manifest: &Manifest,
    lock: Option<&str>,
    path: &str,
    mode: LockMode,
) -> LockReport {
    let mut report = LockReport::default();
    let fresh = lock_text(manifest);
    let accepts = mode.accept && !mode.ci;
    let Some(lock) = lock else {
        let help = "TOOLS_LOCK=accept cargo build";
        if accepts {
            report.warnings.push(format!(
                "{path} was created: {} tools; commit it",
                manifest.tools().len()
            ));
            report.write = Some(fresh);
        } else if mode.ci {
            report.errors.push(format!(
                "there is no lock at {path}, so nothing says what was published\n  help: create it where a person can \
                 read it, and commit it: {help}"
            ));
        } else {
            report
                .warnings
                .push(format!("there is no lock at {path} yet; create it: {help}"));
        }
        return report;
    };
    if lock == fresh {
        return report;
    }
    let old = match Listing::read(lock) {
        Ok(old) => old,
        Err(error) => {
            report.errors.push(format!(
                "cannot read the lock {path}: {error}\n  help: restore it from version control; where it is beyond \
                 repair, delete it and create it anew: TOOLS_LOCK=accept cargo build"
            ));
            return report;
        }
    };
    let comparison = Comparison {
        manifest,
        published: old
            .tools
            .iter()
            .enumerate()
            .map(|(index, tool)| (tool.name.as_str(), (index, tool)))
            .collect(),
        answers: answers(manifest),
        lines: Lines::of(lock, "/tools"),
        old: &old,
        path,
        mode,
    };
    comparison.judge(&mut report, fresh);
    report
}

struct Comparison<'a> {
    manifest: &'a Manifest,
    old: &'a Listing,
    /// The published tools by name, with their places in the lock.
    published: BTreeMap<&'a str, (usize, &'a ListedTool)>,
    /// The tools of the build by every name they answer to.
    answers: BTreeMap<&'a str, &'a ManifestTool>,
    lines: Lines<'a>,
    path: &'a str,
    mode: LockMode,
}

impl Comparison<'_> {
    fn judge(&self, report: &mut LockReport, fresh: String) {
        let diff = diff(self.old, &Listing::from(self.manifest), Policy::ENFORCED);
        let mut counts = [0_usize; 4];
        let mut refused: Vec<&Change> = Vec::new();
        let mut raised: Vec<&str> = Vec::new();
        for change in diff.changes() {
            counts[change.class as usize] += 1;
            if !fails(change) {
                continue;
            }
            if self.is_raised(change) {
                if !raised.contains(&change.tool.as_str()) {
                    raised.push(&change.tool);
                }
            } else {
                refused.push(change);
            }
        }
        let mut said: Vec<String> = Vec::new();
        for class in [
            Class::Breaking,
            Class::Risk,
            Class::Semantic,
            Class::Compatible,
        ] {
            let count = counts[class as usize];
            if count > 0 {
                said.push(format!("{count} {class}"));
            }
        }
        let said = if said.is_empty() {
            "its form only".to_owned()
        } else {
            said.join(", ")
        };
        if self.mode.accept && !self.mode.ci {
            report.warnings.push(format!(
                "{} was rewritten: {said}{}",
                self.path,
                listing(diff.changes())
            ));
            report.write = Some(fresh);
            return;
        }
        for change in refused {
            // One rename is one mistake, told at the name that is gone.
            if change
                .also
                .iter()
                .any(|mark| mark.starts_with("renamed-from:"))
            {
                continue;
            }
            report
                .errors
                .push(block(change, &self.places(change), &self.help(change)));
        }
        if !report.errors.is_empty() {
            return;
        }
        for tool in raised {
            report.warnings.push(format!(
                "`{tool}` breaks what was published under its old version; the raised version lets it through"
            ));
        }
        let help = if self.mode.ci {
            "record it where a person can read it, and commit the lock: TOOLS_LOCK=accept cargo build"
        } else {
            "record it: TOOLS_LOCK=accept cargo build"
        };
        report.warnings.push(format!(
            "{} is behind the build ({said}); {help}{}",
            self.path,
            listing(diff.changes())
        ));
    }

    /// Whether the author raised the version of the changed tool.
    fn is_raised(&self, change: &Change) -> bool {
        let old = self
            .published
            .get(change.tool.as_str())
            .map_or(1, |(_, tool)| tool.version());
        self.new_tool(&change.tool)
            .is_some_and(|new| u64::from(new.version) > old)
    }

    /// The tool that answers to a published name now.
    fn new_tool(&self, name: &str) -> Option<&ManifestTool> {
        self.answers.get(name).copied()
    }

    fn places(&self, change: &Change) -> String {
        let index = self
            .published
            .get(change.tool.as_str())
            .map_or(0, |(index, _)| *index);
        let line = self.lines.line(index, &change.path);
        let published = format!("published: {}:{line}", self.path);
        match self.new_tool(&change.tool) {
            Some(tool) => format!("{published}   now: {}", tool.place()),
            None => format!("{published}   now: nowhere"),
        }
    }

    fn help(&self, change: &Change) -> String {
        let renamed = change
            .also
            .iter()
            .find_map(|mark| mark.strip_prefix("renamed-to:"));
        let keep = match (change.kind.as_ref(), renamed) {
            ("tool_removed", Some(heir)) => {
                format!(
                    "let `{heir}` answer to it still: `alias = \"{}\"`",
                    change.tool
                )
            }
            ("tool_removed", None) => "keep the tool".to_owned(),
            ("alias_removed", _) => "keep the alias".to_owned(),
            ("property_removed", Some(heir)) if !change.is_output() => {
                let old = change.path.rsplit('/').next().unwrap_or_default();
                format!("keep its name on the wire, `#[arg(name = \"{old}\")]` on `{heir}`")
            }
            ("property_removed", None) if !change.is_output() => "keep taking it".to_owned(),
            ("property_added" | "optional_to_required", _) if !change.is_output() => {
                "let it be left out, by a default or an `Option`".to_owned()
            }
            ("version_lowered", _) => "put the version back".to_owned(),
            _ if change.class == Class::Risk => "declare it as before".to_owned(),
            _ if change.is_output() => "keep what was promised".to_owned(),
            _ => "keep accepting it".to_owned(),
        };
        let raise = if self.new_tool(&change.tool).is_some() {
            ", raise `version`,"
        } else {
            ","
        };
        if self.mode.ci {
            format!(
                "{keep}{raise} or accept the change where a person can read it, and commit the lock: TOOLS_LOCK=accept \
                 cargo build"
            )
        } else {
            format!("{keep}{raise} or accept the change: TOOLS_LOCK=accept cargo build")
        }
    }
}

/// The tools by every name they answer to; a name goes before an alias.
fn answers(manifest: &Manifest) -> BTreeMap<&str, &ManifestTool> {
    let aliases = manifest
        .tools()
        .iter()
        .flat_map(|tool| tool.aliases.iter().map(move |alias| (alias.as_str(), tool)));
    let names = manifest
        .tools()
        .iter()
        .map(|tool| (tool.name.as_str(), tool));
    aliases.chain(names).collect()
}

/// How many changes a build that passes shows.
const TOLD: usize = 12;

/// The changes of a build that passes, a line each, the gravest first.
fn listing(changes: &[Change]) -> String {
    let mut changes: Vec<&Change> = changes.iter().collect();
    changes.sort_by_key(|change| std::cmp::Reverse(change.class));
    let mut out = String::new();
    for change in changes.iter().take(TOLD) {
        out.push_str(&format!("\n  {}: {}", change.class, headline(change)));
    }
    if changes.len() > TOLD {
        out.push_str(&format!("\n  and {} more", changes.len() - TOLD));
    }
    out
}

/// Whether a change must not pass unseen: it breaks a caller, or the tool admits to less risk.
fn fails(change: &Change) -> bool {
    change.class == Class::Breaking || (change.class == Class::Risk && change.lowers_risk())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
mod tests {
    use super::*;

    #[test]
    fn only_a_person_accepts() {
        let check = |lock: Option<&str>, ci: Option<&str>, accept: bool, in_ci: bool| {
            assert_eq!(
                LockMode::read(lock, ci),
                Ok(LockMode { accept, ci: in_ci }),
                "{lock:?} {ci:?}"
            );
        };
        check(None, None, false, false);
        check(Some("accept"), None, true, false);
        check(Some("accept"), Some("true"), true, true);
        check(None, Some("1"), false, true);
        check(None, Some("false"), false, false);
        assert!(LockMode::read(Some("yes"), None).is_err());
    }
}
