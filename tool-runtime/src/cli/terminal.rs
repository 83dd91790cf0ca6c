//! The question before a risky call, put to the person at the terminal.

use std::future::Future;
use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::pin::Pin;

use serde_json::Value;

use crate::canonical;
use crate::dispatch::confirm::{Answer, Confirm};
use crate::outcome::Confirmation;
use crate::text::shown;

/// How many characters of one argument are shown; how many more there are is always said.
const SHOWN: usize = 2000;

/// Asks at the terminal: shows tool, risk, question and every argument, and waits for `yes` or `no`.
///
/// Characters that cannot be seen, or that change how others look, are shown as escapes. The question goes to stderr and the answer
/// comes from stdin. Where one of them is no terminal nobody is asked, and the call waits.
#[derive(Debug, Clone)]
pub struct Terminal {
    by: String,
    assent: bool,
}

impl Terminal {
    /// Asks whoever sits at the terminal; `by` is the name that goes on record.
    pub fn new(by: impl Into<String>) -> Self {
        Self {
            by: by.into(),
            assent: false,
        }
    }

    /// Says yes without waiting for an answer, after showing what it says yes to.
    #[must_use]
    pub fn assenting(mut self) -> Self {
        self.assent = true;
        self
    }
}

impl Confirm for Terminal {
    fn ask<'a>(
        &'a self,
        confirmation: &'a Confirmation,
    ) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>> {
        Box::pin(async move {
            if !io::stdin().is_terminal() {
                return Answer::Later;
            }
            let text = question(confirmation);
            if self.assent {
                let _ = io::stderr().write_all(text.as_bytes());
                return Answer::Yes {
                    by: self.by.clone(),
                };
            }
            // Nobody can agree to what they are not shown.
            if !io::stderr().is_terminal() {
                return Answer::Later;
            }
            let by = self.by.clone();
            if tokio::runtime::Handle::try_current().is_err() {
                return put(&text, by);
            }
            // A person takes their time, so they are not waited for on the executor.
            let asked = tokio::task::spawn_blocking(move || put(&text, by));
            asked.await.unwrap_or(Answer::Later)
        })
    }
}

/// Puts the question and reads one line.
fn put(text: &str, by: String) -> Answer {
    let mut err = io::stderr().lock();
    let shown = err
        .write_all(text.as_bytes())
        .and_then(|()| {
            err.write_all(b"Run it? `yes` runs it, `no` refuses, anything else leaves it open: ")
        })
        .and_then(|()| err.flush());
    let mut line = String::new();
    if shown.is_err() || io::stdin().lock().read_line(&mut line).is_err() {
        return Answer::Later;
    }
    answer(&line, by)
}

/// What a line says. Only the whole word runs anything.
fn answer(line: &str, by: String) -> Answer {
    match line.trim().to_ascii_lowercase().as_str() {
        "yes" => Answer::Yes { by },
        "no" | "n" => Answer::No { by, why: None },
        _ => Answer::Later,
    }
}

/// All that somebody has to see before they decide.
fn question(confirmation: &Confirmation) -> String {
    let mut out = format!(
        "{} (risk: {})\n",
        shown(&confirmation.tool_name, usize::MAX),
        confirmation.risk
    );
    for line in confirmation.question.lines() {
        out.push_str(&format!("  {}\n", shown(line, usize::MAX)));
    }
    out.push_str(&arguments(&confirmation.arguments, "  "));
    out
}

/// One argument a line, nothing hidden.
pub(super) fn arguments(arguments: &Value, indent: &str) -> String {
    let Value::Object(members) = arguments else {
        return format!("{indent}{}\n", value(arguments));
    };
    if members.is_empty() {
        return format!("{indent}(no arguments)\n");
    }
    let mut out = String::new();
    for (name, argument) in members {
        let mark = if name.is_ascii() {
            ""
        } else {
            " (the name is not ASCII)"
        };
        let name = shown(name, usize::MAX);
        out.push_str(&format!("{indent}{name}{mark}: {}\n", value(argument)));
    }
    out
}

/// A value as JSON, what cannot be seen as escapes. A long one is cut, and says so.
fn value(value: &Value) -> String {
    let text = value.to_string();
    let length = text.chars().count();
    if length <= SHOWN {
        return shown(&text, usize::MAX);
    }
    let head: String = text.chars().take(SHOWN).collect();
    format!(
        "{} … + {} more characters, SHA-256 of the whole: {}",
        shown(&head, usize::MAX),
        length - SHOWN,
        canonical::sha256_hex(text.as_bytes())
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::risk::Risk;

    fn confirmation(arguments: Value) -> Confirmation {
        Confirmation {
            approval_id: String::new(),
            tool_name: "cancel_order".to_owned(),
            question: "Cancel the order?\nThe rule \u{202e}says so.".to_owned(),
            risk: Risk::High,
            arguments,
            expires_at: String::new(),
        }
    }

    #[test]
    fn everything_is_shown_and_nothing_is_invisible() {
        let text = question(&confirmation(
            json!({"order_id": "A1002\u{200b}\u{202e}", "note": "a\u{1b}[2Jb", "n\u{f6}": 1}),
        ));
        assert!(text.starts_with("cancel_order (risk: high)\n  Cancel the order?\n"));
        for part in [
            "The rule \\u{202e}says so.",
            "  order_id: \"A1002\\u{200b}\\u{202e}\"\n",
            "  note: \"a\\u001b[2Jb\"\n",
            "(the name is not ASCII): 1\n",
        ] {
            assert!(text.contains(part), "{part} is missing in:\n{text}");
        }
        assert!(question(&confirmation(json!({}))).contains("(no arguments)"));
    }

    #[test]
    fn what_is_cut_says_so() {
        let text = question(&confirmation(json!({"note": "x".repeat(SHOWN + 98)})));
        assert!(
            text.contains("… + 100 more characters, SHA-256 of the whole: "),
            "{text}"
        );
    }

    #[test]
    fn only_yes_runs() {
        let by = || "ada".to_owned();
        assert_eq!(answer(" YES\n", by()), Answer::Yes { by: by() });
        assert_eq!(
            answer("no\n", by()),
            Answer::No {
                by: by(),
                why: None
            }
        );
        for open in ["", "\n", "y\n", "yes please\n", "ja\n"] {
            assert_eq!(answer(open, by()), Answer::Later, "{open:?}");
        }
    }
}
