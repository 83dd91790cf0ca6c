//! Tools and approvals, written for people and for scripts.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::{Value, json};

use super::Failed;
use super::terminal;
use crate::definition::ToolDefinition;
use crate::dispatch::confirm::Approval;
use crate::journal::ApprovalState;
use crate::manifest::Manifest;
use crate::registry::{RegisteredTool, Registry, RegistryError};
use crate::text::{nearest, shown};

/// How wide a line of the list gets.
const WIDTH: usize = 80;

/// One line a tool: name, risk, whether it asks, summary.
pub(super) fn list(tools: &Registry) -> String {
    let longest = tools
        .iter()
        .map(|tool| tool.name().len())
        .max()
        .unwrap_or(0);
    let mut out = String::new();
    for tool in tools.iter() {
        let asks = if tool.confirms() { "asks" } else { "" };
        let head = format!(
            "{:longest$}  {:6} {asks:4}  ",
            tool.name(),
            tool.risk().as_str()
        );
        let room = WIDTH.saturating_sub(head.len()).max(20);
        out.push_str(&head);
        out.push_str(&shortened(summary(tool.description()), room));
        out.push('\n');
    }
    if out.is_empty() {
        out.push_str("no tools\n");
    }
    out
}

/// The same for scripts.
pub(super) fn list_json(tools: &Registry) -> Result<String, Failed> {
    let tools: Vec<Value> = tools
        .iter()
        .map(|tool| {
            json!({"name": tool.name(), "risk": tool.risk(), "confirms": tool.confirms(), "description": tool.description()})
        })
        .collect();
    pretty(&tools)
}

/// Everything about one tool: what the model reads, and what people should know before they let it run.
pub(super) fn tool(tool: &RegisteredTool) -> Result<String, Failed> {
    let definition = tool.definition()?;
    let mut out = tool.name().to_owned();
    if let Some(title) = tool.title() {
        let _ = write!(out, " ({title})");
    }
    let _ = write!(out, "\nrisk: {}", tool.risk());
    match tool.question() {
        Some(question) => {
            let _ = write!(
                out,
                ", asks before every run: {}",
                shown(&question, usize::MAX)
            );
        }
        None => out.push_str(", runs without asking"),
    }
    let behaviour = tool.behaviour();
    let facts = [
        (behaviour.read_only, "changes nothing"),
        (
            !behaviour.read_only && behaviour.destructive,
            "may overwrite or remove",
        ),
        (
            !behaviour.read_only && behaviour.idempotent,
            "twice has the effect of once",
        ),
        (behaviour.open_world, "reaches other systems"),
        (behaviour.exclusive, "never overlaps another call"),
    ];
    let facts: Vec<&str> = facts
        .into_iter()
        .filter(|(is, _)| *is)
        .map(|(_, fact)| fact)
        .collect();
    if !facts.is_empty() {
        let _ = write!(out, "\nbehaviour: {}", facts.join(", "));
    }
    let _ = write!(out, "\nversion: {}", tool.version());
    if !tool.aliases().is_empty() {
        let _ = write!(out, "\nalso called: {}", tool.aliases().join(", "));
    }
    if let Some(place) = tool.place() {
        let _ = write!(out, "\nwritten at: {place}");
    }
    let _ = write!(
        out,
        "\n\n{}\n\nArguments:\n{}\n",
        tool.description(),
        pretty(&definition.input_schema)?
    );
    if let Some(schema) = &definition.output_schema {
        let _ = write!(out, "\nResult:\n{}\n", pretty(schema)?);
    }
    Ok(out)
}

/// The manifest of the tools.
pub(super) fn manifest(tools: &Registry) -> Result<Manifest, Failed> {
    Manifest::of(tools).map_err(|problems| all(&problems))
}

/// Everything that is wrong, a line each.
fn all(problems: &[RegistryError]) -> Failed {
    let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
    problems.join("\n").into()
}

/// What the model is shown of the tools, before any dialect.
pub(super) fn definitions(tools: &Registry) -> Result<Vec<ToolDefinition>, Failed> {
    tools.definitions().map_err(|problems| all(&problems))
}

/// What is said about a name that no tool has.
pub(super) fn no_such_tool(name: &str, tools: &Registry) -> String {
    let near = nearest(name, tools.iter().map(RegisteredTool::name));
    let hint = match near.first() {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`list` shows them all".to_owned(),
    };
    format!("there is no tool called `{}`; {hint}", shown(name, 64))
}

/// Every approval with where it stands and all its arguments.
pub(super) fn approvals(approvals: &[Approval]) -> Result<String, Failed> {
    let mut out = String::new();
    for approval in approvals {
        let state = match &approval.state {
            ApprovalState::Pending => format!("pending until {}", approval.expires_at),
            ApprovalState::Expired => format!("expired at {}", approval.expires_at),
            ApprovalState::Approved { by } => format!("approved by {}, not run yet", shown(by, 64)),
            ApprovalState::Rejected { by, why } => {
                let why = why.as_ref().map(|why| format!(": {}", shown(why, 500)));
                format!("rejected by {}{}", shown(by, 64), why.unwrap_or_default())
            }
            ApprovalState::Started => "started; how it ended is not recorded".to_owned(),
            ApprovalState::Finished { code, .. } => format!("used; it ended with {code}"),
        };
        let _ = write!(
            out,
            "{}  {state}\n  {} (risk: {})\n",
            approval.approval_id, approval.tool_name, approval.risk
        );
        for line in approval.question.lines() {
            let _ = writeln!(out, "  {}", shown(line, usize::MAX));
        }
        out.push_str(&terminal::arguments(&approval.arguments, "    "));
    }
    if out.is_empty() {
        out.push_str("nothing was ever asked\n");
    }
    Ok(out)
}

/// JSON for people.
pub(super) fn pretty(value: &(impl Serialize + ?Sized)) -> Result<String, Failed> {
    Ok(serde_json::to_string_pretty(value)?)
}

/// The word that a plain enum is on the wire.
pub(super) fn word(value: &impl Serialize) -> Result<String, Failed> {
    let word = serde_json::to_value(value)?;
    Ok(word.as_str().unwrap_or_default().to_owned())
}

/// A description's first sentence.
fn summary(description: &str) -> &str {
    let paragraph = description.split("\n\n").next().unwrap_or_default();
    match paragraph.find(". ") {
        Some(end) => &paragraph[..=end],
        None => paragraph,
    }
}

fn shortened(text: &str, room: usize) -> String {
    let line: Vec<&str> = text.split_whitespace().collect();
    let line = line.join(" ");
    if line.chars().count() <= room {
        return shown(&line, usize::MAX);
    }
    let head: String = line.chars().take(room - 1).collect();
    let head = head.rsplit_once(' ').map_or(&*head, |(head, _)| head);
    format!("{}…", shown(head, usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries() {
        for (description, expected) in [
            ("Cancel an order.", "Cancel an order."),
            (
                "Cancel an order. It must be open.\n\nMore.",
                "Cancel an order.",
            ),
            (
                "Cancel an order\nthat is open.\n\nMore.",
                "Cancel an order\nthat is open.",
            ),
            ("", ""),
        ] {
            assert_eq!(summary(description), expected);
        }
        assert_eq!(shortened("one two three", 9), "one two…");
        assert_eq!(shortened("one\ntwo", 20), "one two");
    }
}
