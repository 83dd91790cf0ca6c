//! Changes as a person reads them: one block each.

use std::fmt::Write as _;

use super::change::{Change, Class};
use super::position::readable;
use super::{Diff, change};
use crate::manifest::canonical;

/// The longest value a report shows. A longer one is cut: it proves the same.
const LONGEST: usize = 400;

impl Diff {
    /// The changes as text, the gravest first, and a last line with the verdict and the counts.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        for class in [
            Class::Breaking,
            Class::Risk,
            Class::Semantic,
            Class::Compatible,
        ] {
            for change in self.changes().iter().filter(|change| change.class == class) {
                out.push_str(&format!("{class}: {}\n", headline(change)));
                for line in details(change) {
                    out.push_str(&format!("  {line}\n"));
                }
            }
        }
        let _ = write!(out, "verdict: {}", self.verdict_str());
        let counts: Vec<String> = [
            Class::Breaking,
            Class::Risk,
            Class::Semantic,
            Class::Compatible,
        ]
        .into_iter()
        .filter_map(|class| {
            let count = self
                .changes()
                .iter()
                .filter(|change| change.class == class)
                .count();
            (count > 0).then(|| format!("{count} {class}"))
        })
        .collect();
        if !counts.is_empty() {
            let _ = write!(out, " ({})", counts.join(", "));
        }
        out.push('\n');
        out
    }
}

/// The lines of one change for a build's report: what changed, the proof, the places, what to do.
pub(crate) fn block(change: &Change, places: &str, help: &str) -> String {
    let mut out = match change.class {
        Class::Breaking => format!("the published contract of `{}` is broken\n", change.tool),
        Class::Risk => format!("the declared risk of `{}` changed\n", change.tool),
        Class::Semantic | Class::Compatible => format!("`{}` changed\n", change.tool),
    };
    let _ = writeln!(out, "  {}", sentence(change));
    for line in details(change) {
        let _ = writeln!(out, "  {line}");
    }
    let _ = writeln!(out, "  {places}");
    let _ = write!(out, "  help: {help}");
    out
}

/// One change in one line: tool, place and reason.
pub(crate) fn headline(change: &Change) -> String {
    let tool = if change.tool == "*" {
        String::new()
    } else {
        format!("`{}` ", change.tool)
    };
    format!("{tool}{}", sentence(change))
}

/// The place and the reason: ``argument `reason`: no longer accepts "wrong_address"``.
fn sentence(change: &change::Change) -> String {
    let place = place_of(&change.path);
    if place.is_empty() {
        change.reason.clone()
    } else {
        format!("{place}: {}", change.reason)
    }
}

fn place_of(path: &str) -> String {
    let (what, inside) = if let Some(inside) = path.strip_prefix("/inputSchema") {
        (("argument", "arguments"), inside)
    } else if let Some(inside) = path.strip_prefix("/outputSchema") {
        (("result's", "result"), inside)
    } else {
        // The reasons of the other members name them.
        return match path {
            "/description" | "/title" => path.trim_start_matches('/').to_owned(),
            _ => String::new(),
        };
    };
    let name = readable(inside);
    if inside.starts_with("/$defs/") || inside.starts_with("/definitions/") {
        return format!("type `{name}` of the {}", what.1);
    }
    if name.is_empty() {
        what.1.to_owned()
    } else {
        format!("{} `{name}`", what.0)
    }
}

fn details(change: &Change) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(witness) = &change.witness {
        let value = shortened(&canonical::to_line(witness));
        lines.push(if change.is_output() {
            format!("an answer that may come now and was not promised: {value}")
        } else {
            format!("a call that worked and would now be refused: {value}")
        });
    }
    lines
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    let mut out: String = text.chars().take(LONGEST).collect();
    out.push('\u{2026}');
    out
}
