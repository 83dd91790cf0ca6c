//! The schema passes that dialects share. Which of them a dialect needs, and how, is said by its table of rules.
//!
//! Order matters and is fixed in [`run`]: what later passes look at, earlier ones have brought into one form.

mod arrays;
mod limits;
mod merge;
mod names;
mod notes;
mod objects;
mod optional;
mod refs;
mod root;
mod tidy;
mod unions;
mod values;

use super::report::{Change, Finding, Loss};
use super::rules::Rules;
use super::schema::{Document, MAX_NODES, Node};

pub(crate) use limits::{Counts, counts, request};
pub(crate) use names::{description, tool_name};
pub(crate) use optional::admits_null;

/// What a run over one tool reports: what it changed, what it warns of and what it refuses.
#[derive(Debug)]
pub(crate) struct Log<'a> {
    pub(crate) tool: &'a str,
    pub(crate) rules: &'a Rules,
    pub(crate) findings: Vec<Finding>,
    pub(crate) changes: Vec<Change>,
    pub(crate) warnings: Vec<Change>,
    budget: usize,
}

impl<'a> Log<'a> {
    pub(crate) fn new(tool: &'a str, rules: &'a Rules) -> Self {
        let budget = MAX_NODES;
        Self {
            tool,
            rules,
            findings: Vec::new(),
            changes: Vec::new(),
            warnings: Vec::new(),
            budget,
        }
    }

    /// Refuses the tool. The same place is refused once for one construct.
    pub(crate) fn refuse(&mut self, at: &str, construct: &str, reason: &str, way_out: &str) {
        let strict = if self.rules.id.ends_with("_strict") {
            ", or export this tool without strict"
        } else {
            ""
        };
        let finding = Finding {
            tool: self.tool.to_owned(),
            dialect: self.rules.id,
            path: at.to_owned(),
            construct: construct.to_owned(),
            reason: reason.to_owned(),
            way_out: format!("{way_out}{strict}"),
        };
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }

    pub(crate) fn change(&mut self, at: &str, loss: Loss, what: impl Into<String>) {
        let change = Change {
            tool: self.tool.to_owned(),
            path: at.to_owned(),
            what: what.into(),
            loss,
        };
        if !self.changes.contains(&change) {
            self.changes.push(change);
        }
    }

    pub(crate) fn warn(&mut self, at: &str, what: impl Into<String>) {
        let warning = Change {
            tool: self.tool.to_owned(),
            path: at.to_owned(),
            what: what.into(),
            loss: Loss::None,
        };
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// Takes the cost of a copy from what a document may grow to. Says no, and refuses the tool, when it is used up.
    fn afford(&mut self, node: &Node) -> bool {
        let mut cost = 0;
        node.visit(&mut |_| cost += 1);
        if cost > self.budget {
            self.budget = 0;
            self.refuse(
                &node.at,
                "a schema of this size",
                "it grows beyond all use when its references are written out",
                "share fewer nested types",
            );
            return false;
        }
        self.budget -= cost;
        true
    }
}

/// Brings a document into the dialect of `log.rules`, in place.
pub(crate) fn run(document: &mut Document, log: &mut Log<'_>) {
    tidy::unused(document);
    root::settle(document, log);
    tidy::titles(document, log);
    tidy::formats(document, log);
    if !log.rules.lenient {
        unions::one_of_to_any_of(document, log);
        unions::merge_all_of(document, log);
        optional::without_null(document, log);
        refs::recursion(document, log);
        refs::settle(document, log);
        tidy::unused(document);
        unions::distribute(document, log);
        tidy::unused(document);
        unions::fold_documented(document, log);
        tidy::irrelevant(document, log);
        arrays::tuples(document, log);
        values::constants(document, log);
        optional::properties(document, log);
        refs::inline_in_unions(document, log);
        tidy::unused(document);
        unions::split_types(document, log);
        objects::close(document, log);
        values::types(document, log);
        arrays::items(document, log);
        values::untyped(document, log);
        notes::keywords(document, log);
        refs::words_once(document, log);
    } else {
        arrays::items(document, log);
        values::untyped(document, log);
    }
    root::check(document, log);
    objects::required(document, log);
    names::properties(document, log);
    limits::check(document, log);
}

/// Brings the schema of a result into the form MCP shows it in: nothing is refused, little is touched.
pub(crate) fn output(document: &mut Document, log: &mut Log<'_>) {
    tidy::unused(document);
    tidy::titles(document, log);
    tidy::formats(document, log);
    values::untyped(document, log);
}
