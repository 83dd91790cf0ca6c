//! The whole story in a minute: what a model proposes, and what the gateway makes of it.

use std::error::Error;
use std::fmt::Display;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tool_runtime::journal::{Event, FileJournal, Record};
use tool_runtime::{Dispatcher, Output, Registry, ToolCall, ToolOutcome, TraceId};

use crate::shop::Shop;

/// How wide the story is.
const WIDTH: usize = 78;

/// Tells it, on a fresh shop that is gone afterwards.
pub(crate) fn tell() -> Result<(), Box<dyn Error>> {
    let folder = Folder::new();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(act(&folder.0))
}

/// A folder that goes when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        Self(std::env::temp_dir().join(format!("orders-{}", TraceId::new())))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

async fn act(data: &Path) -> Result<(), Box<dyn Error>> {
    let dispatcher = Dispatcher::builder()
        .registry(Registry::collect())
        .context(Shop::at(data.join("shop.redb")))
        .journal(FileJournal::open(data.join("journal.jsonl"))?)
        .build()?;

    say(
        "A model proposes calls; your code decides what becomes of them. The tools below are the functions of \
         examples/orders/src/tools.rs, each with `#[tool]` above it. The shop is a fresh one in a temporary folder.",
    );

    step(
        1,
        "The tools. Names, prompts and schemas come from the functions themselves.",
    );
    for tool in dispatcher.registry().iter() {
        let asks = if tool.confirms() { ", asks" } else { "" };
        let sentence = tool.description().split("\n\n").next().unwrap_or_default();
        line(format_args!("   {} ({}{asks})", tool.name(), tool.risk()));
        wrapped(&one_line(sentence), "      ");
    }

    step(
        2,
        "A good call. It is checked, run, and answered in one form.",
    );
    let call = |name: &str, arguments: &str| {
        line(format_args!("   > {name} {arguments}"));
        dispatcher.dispatch(ToolCall::new(name, arguments))
    };
    show(&call("get_order_status", r#"{"order_id":"A1002"}"#).await);

    step(
        3,
        "A wrong call. Every problem is told at once, so that the model can repair its call in one go; nothing has run.",
    );
    show(
        &call(
            "calculate_refund_estimate",
            r#"{"order":"A1001","reason":"whatever"}"#,
        )
        .await,
    );

    step(
        4,
        "An invented tool. It is neither guessed at nor swallowed; near names are offered.",
    );
    show(&call("search_file", r#"{"query":"returns"}"#).await);

    step(
        5,
        "A risky call. It is valid, and it still does not run: it waits for a person, with exactly these arguments.",
    );
    let asked = call(
        "cancel_order",
        r#"{"order_id":"A1002","reason":"user_request"}"#,
    )
    .await;
    show(&asked);
    let waiting = asked
        .failure()
        .and_then(|failure| failure.confirmation.as_ref());
    let Some(id) = waiting.map(|confirmation| confirmation.approval_id.clone()) else {
        return Err("cancel_order did not ask".into());
    };

    step(
        6,
        "The approval. A person says yes, by name, and the call runs once.",
    );
    line(format_args!("   $ orders approve {id}"));
    show(&dispatcher.approve(&id, "ada").await?);

    step(
        7,
        "A second approval of the same call changes nothing, and says so.",
    );
    line(format_args!("   $ orders approve {id}"));
    match dispatcher.approve(&id, "ada").await {
        Ok(_) => return Err("an approval was used twice".into()),
        Err(error) => show(&error.to_outcome()),
    }

    step(
        8,
        "The record. What was asked, who agreed, what ran and how it ended stands in journal.jsonl.",
    );
    if let Some(id) = TraceId::parse(&id) {
        for record in dispatcher.journal().read(id).await? {
            wrapped(&told(&record.event), &format!("   {}  ", clock(&record)));
        }
    }

    line("");
    say("Now you. What you change stays, in .tools/:");
    for command in [
        "cargo run -q -p orders -- list",
        "cargo run -q -p orders -- show cancel_order",
        r#"cargo run -q -p orders -- call get_order_status '{"order_id":"A1001"}'"#,
        "cargo run -q -p orders -- manifest --provider openai",
    ] {
        line(format_args!("   {command}"));
    }
    Ok(())
}

fn step(number: u8, sentence: &str) {
    line("");
    let mut lines = lines(sentence, WIDTH - 3).into_iter();
    line(format_args!(
        "{number}. {}",
        lines.next().unwrap_or_default()
    ));
    for text in lines {
        line(format_args!("   {text}"));
    }
}

/// One line of the story. A reader who goes away (`| head`) has heard enough.
fn line(text: impl Display) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

fn say(text: &str) {
    wrapped(text, "");
}

/// An outcome for people; the model gets the same as one line of JSON.
fn show(outcome: &ToolOutcome) {
    match &outcome.result {
        Ok(Output::Json(text)) => {
            line("   ok");
            match serde_json::from_str::<Value>(text) {
                Ok(data) => members(&data, "      "),
                Err(_) => wrapped(text, "      "),
            }
        }
        Ok(other) => wrapped(&other.to_json(), "      "),
        Err(failure) => {
            line(format_args!(
                "   {}, code {}, executed: {}",
                failure.error_type.as_str(),
                failure.code,
                failure.executed.as_str()
            ));
            // With a list of problems, the message is the same list in one sentence.
            if failure.errors.is_empty() {
                wrapped(&failure.message, "      ");
            }
            for error in &failure.errors {
                wrapped(&error.message, "      - ");
            }
            if let Some(confirmation) = &failure.confirmation {
                wrapped(&confirmation.question, "      ? ");
                members(&confirmation.arguments, "        ");
            }
        }
    }
}

fn members(value: &Value, indent: &str) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                wrapped(&format!("{name}: {value}"), indent);
            }
        }
        value => wrapped(&value.to_string(), indent),
    }
}

/// The time of day, UTC.
fn clock(record: &Record) -> String {
    let seconds = record.time / 1000;
    let (hours, minutes) = (seconds / 3600 % 24, seconds / 60 % 60);
    format!("{hours:02}:{minutes:02}:{:02}", seconds % 60)
}

/// One event in one line.
fn told(event: &Event) -> String {
    match event {
        Event::Asked(asked) => format!("asked {} {}", asked.tool, asked.arguments),
        Event::Approved { by } => format!("approved by {by}"),
        Event::Rejected { by, .. } => format!("rejected by {by}"),
        Event::Started { tool, .. } => format!("started {tool}"),
        Event::Finished { code, executed, .. } => {
            format!("finished {code}, executed: {}", executed.as_str())
        }
        other => format!("{other:?}"),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn wrapped(text: &str, indent: &str) {
    let hanging = " ".repeat(indent.len());
    for (i, text) in lines(text, WIDTH - indent.len()).iter().enumerate() {
        line(format_args!(
            "{}{text}",
            if i == 0 { indent } else { &hanging }
        ));
    }
}

/// Text in lines of at most `width`, broken at spaces; what has none is broken where the line ends.
fn lines(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let mut word: Vec<char> = word.chars().collect();
        loop {
            let line = lines.last_mut().map_or(0, |line| line.chars().count());
            let space = usize::from(line > 0);
            if line + space + word.len() <= width {
                break;
            }
            if line > 0 {
                lines.push(String::new());
                continue;
            }
            lines.push(String::new());
            let rest = word.split_off(width);
            let full = lines.len() - 2;
            lines[full] = word.into_iter().collect();
            word = rest;
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.extend(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_is_too_wide() {
        assert_eq!(lines("a bb ccc", 4), ["a bb", "ccc"]);
        assert_eq!(lines("abcdefgh x", 4), ["abcd", "efgh", "x"]);
        assert_eq!(lines("a bcdefg", 4), ["a", "bcde", "fg"]);
        assert_eq!(lines("", 4), [""]);
    }
}
