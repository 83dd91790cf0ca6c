//! Advice about tools that work and that a model will misread.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde_json::Value;

use super::diff::rename::name_words;
use super::document::{Manifest, ManifestTool};
use crate::risk::Risk;

/// What becomes of a lint's findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Nothing.
    Allow,
    /// A warning of the build.
    Warn,
    /// An error of the build.
    Deny,
}

impl Level {
    /// Reads `allow`, `warn` or `deny`.
    ///
    /// # Errors
    /// When it is another word.
    pub fn parse(word: &str) -> Result<Self, String> {
        match word {
            "allow" => Ok(Self::Allow),
            "warn" => Ok(Self::Warn),
            "deny" => Ok(Self::Deny),
            other => Err(format!(
                "unknown lint level `{other}`; expected `allow`, `warn` or `deny`"
            )),
        }
    }
}

/// One thing that can be said about a tool's words and declarations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Lint {
    /// The name says that something is done, and not what: `handle_order`, `process_data`.
    VagueName,
    /// The description has no "do not use for".
    NoDoNotUseFor,
    /// The description is too short to decide by.
    ShortDescription,
    /// The description is longer than every provider takes.
    LongDescription,
    /// A parameter has no description.
    UndescribedParameter,
    /// Two tools read alike, so a model will take the one for the other.
    SimilarTools,
    /// The name is a verb of change, and the risk is `low`.
    ChangeAtLowRisk,
    /// The author declared no risk.
    UndeclaredRisk,
}

/// The longest description that every provider takes.
const LONGEST_DESCRIPTION: usize = 1024;
/// Fewer words than this say nothing that the name does not say.
const FEWEST_WORDS: usize = 4;
/// Descriptions more alike than this read as one.
const ALIKE: f64 = 0.9;

impl Lint {
    /// All lints.
    pub const ALL: &'static [Self] = &[
        Self::VagueName,
        Self::NoDoNotUseFor,
        Self::ShortDescription,
        Self::LongDescription,
        Self::UndescribedParameter,
        Self::SimilarTools,
        Self::ChangeAtLowRisk,
        Self::UndeclaredRisk,
    ];

    /// The name it is configured by.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::VagueName => "vague_name",
            Self::NoDoNotUseFor => "no_do_not_use_for",
            Self::ShortDescription => "short_description",
            Self::LongDescription => "long_description",
            Self::UndescribedParameter => "undescribed_parameter",
            Self::SimilarTools => "similar_tools",
            Self::ChangeAtLowRisk => "change_at_low_risk",
            Self::UndeclaredRisk => "undeclared_risk",
        }
    }

    /// The lint of this name; `-` and `_` are one.
    ///
    /// # Errors
    /// When there is none, with the nearest one that there is.
    pub fn parse(name: &str) -> Result<Self, String> {
        let wanted = name.replace('-', "_");
        if let Some(lint) = Self::ALL.iter().find(|lint| lint.name() == wanted) {
            return Ok(*lint);
        }
        let nearest = Self::ALL
            .iter()
            .map(|lint| (strsim::jaro_winkler(lint.name(), &wanted), lint.name()));
        let nearest = nearest
            .filter(|(score, _)| *score > 0.8)
            .max_by(|a, b| a.0.total_cmp(&b.0));
        let known: Vec<String> = Self::ALL
            .iter()
            .map(|lint| format!("`{}`", lint.name()))
            .collect();
        let help = nearest.map_or_else(
            || format!("the lints are {}", known.join(", ")),
            |(_, name)| format!("did you mean `{name}`?"),
        );
        Err(format!("unknown lint `{name}`; {help}"))
    }
}

/// The level of each lint. All of them warn until told otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LintLevels(BTreeMap<Lint, Level>);

impl LintLevels {
    /// Sets the level of a lint.
    pub fn set(&mut self, lint: Lint, level: Level) {
        self.0.insert(lint, level);
    }

    /// The level of a lint.
    #[must_use]
    pub fn level(&self, lint: Lint) -> Level {
        self.0.get(&lint).copied().unwrap_or(Level::Warn)
    }
}

/// What a lint found: where, what, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The lint.
    pub lint: Lint,
    /// How it is to be taken.
    pub level: Level,
    /// The tool.
    pub tool: String,
    /// What is wrong and how to put it right.
    pub message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}`: {} ({})",
            self.tool,
            self.message,
            self.lint.name()
        )
    }
}

/// Everything the lints find in a manifest, tool by tool; what is allowed is left out.
#[must_use]
pub fn lint(manifest: &Manifest, levels: &LintLevels) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut say = |lint: Lint, tool: &ManifestTool, message: String| {
        let level = levels.level(lint);
        if level > Level::Allow {
            let place = tool
                .source
                .as_ref()
                .map(|source| format!(" [{source}]"))
                .unwrap_or_default();
            found.push(Finding {
                lint,
                level,
                tool: tool.name.clone(),
                message: format!("{message}{place}"),
            });
        }
    };
    for tool in manifest.tools() {
        vague_name(tool, &mut say);
        description(tool, &mut say);
        parameters(tool, &mut say);
        risk(tool, &mut say);
    }
    if levels.level(Lint::SimilarTools) > Level::Allow {
        similar(manifest.tools(), &mut say);
    }
    found.sort_by(|a, b| (&a.tool, a.lint, &a.message).cmp(&(&b.tool, b.lint, &b.message)));
    found
}

type Say<'a> = dyn FnMut(Lint, &ManifestTool, String) + 'a;

// `handle_order`, `process_data`, `do_it`: a verb that fits everything.
fn vague_name(tool: &ManifestTool, say: &mut Say<'_>) {
    const VERBS: &[&str] = &[
        "handle", "process", "manage", "do", "perform", "deal", "work", "execute", "operate",
    ];
    const NOUNS: &[&str] = &[
        "data",
        "info",
        "information",
        "item",
        "items",
        "thing",
        "things",
        "stuff",
        "object",
        "objects",
        "request",
        "action",
        "task",
        "tool",
        "function",
        "helper",
        "util",
        "utils",
        "misc",
        "main",
        "run",
        "get",
        "set",
        "it",
    ];
    let words = name_words(&tool.name);
    let is_in = |list: &[&str], word: &String| list.contains(&word.as_str());
    let vague = words.first().is_some_and(|verb| is_in(VERBS, verb))
        || words
            .iter()
            .all(|word| is_in(NOUNS, word) || is_in(VERBS, word));
    if vague {
        say(
            Lint::VagueName,
            tool,
            "the name does not say what a call does; name the act and its object, such as `cancel_order`".to_owned(),
        );
    }
}

fn description(tool: &ManifestTool, say: &mut Say<'_>) {
    let text = tool.description.trim();
    let words = text.split_whitespace().count();
    let length = text.chars().count();
    if words < FEWEST_WORDS {
        say(
            Lint::ShortDescription,
            tool,
            format!(
                "the description has {words} {}, and a model decides by nothing else; say what a call does, when to \
                 use it and when not",
                if words == 1 { "word" } else { "words" }
            ),
        );
    }
    if length > LONGEST_DESCRIPTION {
        say(
            Lint::LongDescription,
            tool,
            format!(
                "the description has {length} characters, and not every provider takes more than \
                 {LONGEST_DESCRIPTION}; move what concerns one argument to that argument"
            ),
        );
    }
    let lower = text.to_lowercase().replace('\u{2019}', "'");
    if !["do not use", "don't use", "not for ", "never use"]
        .iter()
        .any(|phrase| lower.contains(phrase))
    {
        say(
            Lint::NoDoNotUseFor,
            tool,
            "the description does not say what the tool is not for; add a section `# Do not use for`".to_owned(),
        );
    }
}

fn parameters(tool: &ManifestTool, say: &mut Say<'_>) {
    let Some(Value::Object(properties)) = tool.input_schema.get("properties") else {
        return;
    };
    let mut names: Vec<&String> = properties
        .iter()
        .filter(|(_, schema)| !is_described(schema))
        .map(|one| one.0)
        .collect();
    names.sort_unstable();
    for name in names {
        say(
            Lint::UndescribedParameter,
            tool,
            format!("argument `{name}` has no description; put a doc comment on the parameter"),
        );
    }
}

/// A description at the parameter. One at the type says what the type is, not what the argument is for.
fn is_described(schema: &Value) -> bool {
    schema
        .get("description")
        .and_then(Value::as_str)
        .is_some_and(|text| !text.trim().is_empty())
}

fn risk(tool: &ManifestTool, say: &mut Say<'_>) {
    // What cannot be taken back, costs money, or reaches other people. Words that are things as often as acts, such as
    // `order` and `email`, are left out.
    const CHANGES: &[&str] = &[
        "cancel",
        "delete",
        "remove",
        "drop",
        "erase",
        "purge",
        "wipe",
        "refund",
        "send",
        "pay",
        "charge",
        "transfer",
        "grant",
        "revoke",
        "publish",
        "deploy",
        "merge",
        "terminate",
        "disable",
        "buy",
    ];
    const READS: &[&str] = &[
        "get",
        "list",
        "find",
        "search",
        "show",
        "count",
        "read",
        "fetch",
        "check",
        "describe",
        "preview",
        "estimate",
        "lookup",
        "look",
        "is",
        "has",
        "can",
        "view",
        "query",
        "validate",
        "draft",
        "calculate",
        "compute",
        "compare",
        "explain",
        "suggest",
        "simulate",
        "quote",
    ];
    let words = name_words(&tool.name);
    let first = words.first().map(String::as_str).unwrap_or_default();
    let verb = words.iter().find(|word| CHANGES.contains(&word.as_str()));
    if let Some(verb) = verb
        && tool.risk == Risk::Low
        && !READS.contains(&first)
    {
        say(
            Lint::ChangeAtLowRisk,
            tool,
            format!(
                "`{verb}` changes something, and the risk is `low`, so nobody is asked; declare `risk = \"high\"`, or \
                 `medium` where it can be put right"
            ),
        );
    }
    if !tool.risk_declared {
        say(
            Lint::UndeclaredRisk,
            tool,
            format!(
                "no risk is declared, so it counts as `{}`; write `risk = \"\u{2026}\"`, or `read_only`",
                tool.risk
            ),
        );
    }
}

/// How many neighbours a tool is compared with for each phrase it shares. Without an end the work would grow with the
/// square of the tools.
const NEIGHBOURS: usize = 8;

// Two tools whose descriptions differ in a word: a model takes the one for the other.
fn similar(tools: &[ManifestTool], say: &mut Say<'_>) {
    let texts: Vec<String> = tools.iter().map(|tool| normal(&tool.description)).collect();
    // Only tools that share a phrase of three words can be that much alike.
    let mut sharing: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, text) in texts.iter().enumerate() {
        for phrase in phrases(text) {
            sharing.entry(phrase).or_default().push(index);
        }
    }
    let mut compared: BTreeSet<(usize, usize)> = BTreeSet::new();
    for together in sharing.values() {
        for (from, first) in together.iter().enumerate() {
            for second in together.iter().skip(from + 1).take(NEIGHBOURS) {
                if first == second || !compared.insert((*first, *second)) {
                    continue;
                }
                let (Some(one), Some(other)) = (tools.get(*first), tools.get(*second)) else {
                    continue;
                };
                let (Some(a), Some(b)) = (texts.get(*first), texts.get(*second)) else {
                    continue;
                };
                // Texts of very different length cannot be that much alike.
                let (short, long) = (a.len().min(b.len()) as f64, a.len().max(b.len()) as f64);
                if short * 2.0 / (short + long) < ALIKE {
                    continue;
                }
                let score = strsim::sorensen_dice(a, b);
                if score >= ALIKE {
                    let percent = (score * 100.0).floor();
                    say(
                        Lint::SimilarTools,
                        one,
                        format!(
                            "reads like `{}` ({percent}% alike); say in each what it does that the other does not, or \
                             make them one",
                            other.name
                        ),
                    );
                }
            }
        }
    }
}

fn normal(text: &str) -> String {
    text.to_lowercase()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// Every three words in a row; a shorter text is one phrase.
fn phrases(text: &str) -> BTreeSet<&str> {
    let starts: Vec<usize> = std::iter::once(0)
        .chain(text.match_indices(' ').map(|(at, _)| at + 1))
        .collect();
    let ends: Vec<usize> = text
        .match_indices(' ')
        .map(|(at, _)| at)
        .chain(std::iter::once(text.len()))
        .collect();
    let mut phrases: BTreeSet<&str> = starts
        .iter()
        .zip(ends.iter().skip(2))
        .filter_map(|(start, end)| text.get(*start..*end))
        .collect();
    if phrases.is_empty() && !text.is_empty() {
        phrases.insert(text);
    }
    phrases
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
mod tests {
    use super::*;
    use serde_json::json;

    const GOOD: &str = "Cancels an order that has not shipped yet. Do not use for refunds.";

    fn tool(name: &str, description: &str) -> ManifestTool {
        ManifestTool {
            risk_declared: true,
            risk: Risk::High,
            ..ManifestTool::new(
                name,
                description,
                json!({"type": "object", "properties": {"id": {"description": "The order."}}}),
            )
        }
    }

    fn found(tools: Vec<ManifestTool>) -> Vec<(String, &'static str)> {
        let found = lint(&Manifest::from_tools(tools), &LintLevels::default());
        found
            .into_iter()
            .map(|finding| (finding.tool, finding.lint.name()))
            .collect()
    }

    #[test]
    fn a_good_tool_is_left_alone() {
        assert_eq!(found(vec![tool("cancel_order", GOOD)]), []);
    }

    #[test]
    fn each_lint_finds_its_own() {
        let check = |tool: ManifestTool, lint: &str| {
            assert_eq!(found(vec![tool.clone()]), [(tool.name.clone(), lint)]);
        };
        check(tool("handle_order", GOOD), "vague_name");
        check(tool("processData", GOOD), "vague_name");
        check(tool("run", GOOD), "vague_name");
        check(
            tool("cancel_order", "Cancels an order that has not shipped yet."),
            "no_do_not_use_for",
        );
        check(tool("cancel_order", "Do not use!"), "short_description");
        check(
            tool("cancel_order", &format!("{GOOD}{}", " more".repeat(300))),
            "long_description",
        );
        let undescribed = json!({"properties": {"id": {"type": "string"}}});
        check(
            ManifestTool {
                input_schema: undescribed,
                ..tool("cancel_order", GOOD)
            },
            "undescribed_parameter",
        );
        check(
            ManifestTool {
                risk: Risk::Low,
                ..tool("cancel_order", GOOD)
            },
            "change_at_low_risk",
        );
        check(
            ManifestTool {
                risk_declared: false,
                ..tool("cancel_order", GOOD)
            },
            "undeclared_risk",
        );
        check(
            ManifestTool {
                risk: Risk::Low,
                ..tool("bulk_refund", GOOD)
            },
            "change_at_low_risk",
        );
    }

    #[test]
    fn reading_about_a_change_is_reading() {
        let low = |name: &str| ManifestTool {
            risk: Risk::Low,
            ..tool(name, GOOD)
        };
        assert_eq!(found(vec![low("get_refund_status")]), []);
        assert_eq!(found(vec![low("calculate_refund_estimate")]), []);
        assert_eq!(found(vec![low("order_status")]), []);
    }

    #[test]
    fn tools_that_read_alike_are_told() {
        let one = "Reads the order of a customer by its number. Do not use for refunds.";
        let other = "Reads the order of a customer by his number. Do not use for refunds.";
        assert_eq!(
            found(vec![tool("read_order", one), tool("read_purchase", other)]),
            [("read_order".into(), "similar_tools")]
        );
        assert_eq!(
            found(vec![tool("read_order", one), tool("cancel_order", GOOD)]),
            []
        );
    }

    #[test]
    fn levels_go_by_name() {
        assert_eq!(Lint::parse("vague-name"), Ok(Lint::VagueName));
        assert_eq!(
            Lint::parse("vague_nam"),
            Err("unknown lint `vague_nam`; did you mean `vague_name`?".into())
        );
        assert!(Lint::parse("x").unwrap_err().contains("the lints are"));
        assert!(Level::parse("forbid").unwrap_err().contains("`deny`"));
        let mut levels = LintLevels::default();
        levels.set(Lint::VagueName, Level::Allow);
        assert!(lint(&Manifest::from_tools(vec![tool("run", GOOD)]), &levels).is_empty());
    }
}
