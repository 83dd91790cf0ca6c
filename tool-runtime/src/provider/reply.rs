//! Outcomes as text and parts, in what all dialects share.
//!
//! Success is the data itself: a string as it is, anything else as JSON. A failure is the envelope of
//! [`ToolOutcome::to_json`], which says what it is even where a dialect has no mark for errors.

use std::borrow::Cow;

use serde_json::Value;

use super::turn::Turn;
use crate::content::Content;
use crate::outcome::{ErrorType, Failure, Output, ToolOutcome, code};

/// A call and what became of it.
pub(crate) struct Answer<'a> {
    pub(crate) index: usize,
    /// The name the model called.
    pub(crate) name: &'a str,
    /// None where nobody recorded an outcome; the model still gets an answer.
    pub(crate) outcome: Option<&'a ToolOutcome>,
}

/// One answer a call, in the model's order. Outcomes belong to calls by position: ids may repeat.
pub(crate) fn answers<'a>(
    turn: &'a Turn,
    outcomes: &'a [ToolOutcome],
) -> impl Iterator<Item = Answer<'a>> {
    turn.calls.iter().enumerate().map(|(index, call)| Answer {
        index,
        name: call.name(),
        outcome: outcomes.get(index),
    })
}

impl Answer<'_> {
    /// Whether the result is to be marked as an error where there is a mark.
    pub(crate) fn is_error(&self) -> bool {
        self.outcome.is_none_or(ToolOutcome::is_error)
    }

    /// The answer of a call that succeeded.
    pub(crate) fn output(&self) -> Option<&Output> {
        self.outcome
            .and_then(|outcome| outcome.result.as_ref().ok())
    }

    /// The envelope of a call that failed.
    pub(crate) fn failure(&self) -> Option<String> {
        match self.outcome {
            Some(outcome) => outcome.failure().map(|_| outcome.to_json()),
            None => {
                let failure = Failure::new(
                    ErrorType::ToolError,
                    code::OUTCOME_UNKNOWN,
                    "no outcome was recorded",
                );
                let mut envelope = serde_json::json!({"ok": false, "toolName": self.name});
                if let (Value::Object(map), Ok(Value::Object(more))) =
                    (&mut envelope, serde_json::to_value(&failure))
                {
                    map.extend(more);
                }
                Some(envelope.to_string())
            }
        }
    }

    /// The whole answer as text that is never blank.
    pub(crate) fn text(&self) -> String {
        match (self.failure(), self.output()) {
            (Some(envelope), _) => envelope,
            (None, Some(Output::Json(text))) => plain(text).into_owned(),
            (None, Some(Output::Content(parts))) => {
                let texts: Vec<String> = parts.iter().map(part_text).collect();
                match texts.join("\n") {
                    text if text.trim().is_empty() => "(no content)".to_owned(),
                    text => text,
                }
            }
            (None, None) => "(no content)".to_owned(),
        }
    }
}

/// JSON text as a model reads it: a string without its quotes, unless nothing would be left.
pub(crate) fn plain(json: &str) -> Cow<'_, str> {
    match serde_json::from_str::<String>(json) {
        Ok(text) if !text.trim().is_empty() => Cow::Owned(text),
        _ if json.trim().is_empty() => Cow::Borrowed("null"),
        _ => Cow::Borrowed(json),
    }
}

/// A part where only text is taken: what cannot be shown is named.
pub(crate) fn part_text(part: &Content) -> String {
    match part {
        Content::Text(text) => text.clone(),
        Content::Json(value) => plain(&value.to_string()).into_owned(),
        Content::Image { data, mime_type } => unshown("image", mime_type, data),
        Content::Audio { data, mime_type } => unshown("audio", mime_type, data),
        Content::ResourceLink { uri, name, .. } => format!("{name}: {uri}"),
        Content::Resource { text, .. } => text.clone(),
    }
}

fn unshown(what: &str, mime_type: &str, data: &str) -> String {
    format!(
        "[{what}, {mime_type}, {} bytes: cannot be shown here]",
        data.len() / 4 * 3
    )
}

/// The parts of an output, where it has some.
pub(crate) fn parts(output: Option<&Output>) -> Option<&[Content]> {
    match output {
        Some(Output::Content(parts)) if !parts.is_empty() => Some(parts),
        _ => None,
    }
}
