//! llama.cpp's server, which makes one grammar of all tools.

use serde_json::Value;

use super::report::{Export, ExportError};
use super::rules::{ANY_NAME, BesideRef, LENIENT, Rules, Treatment, Untyped, on_integers};
use super::turn::{CALL_IDS, ReadError, Turn};
use super::{Provider, chat, export, stream};
use crate::definition::ToolDefinition;
use crate::outcome::ToolOutcome;

/// What the grammar compiler reads. One pattern it cannot read fails every request.
pub(crate) const RULES: Rules = Rules {
    id: "llamacpp",
    checked: "2026-11-30",
    tool_name: ANY_NAME,
    tools_warn: usize::MAX,
    lenient: false,
    beside_ref: BesideRef::Merged,
    plain_ref_names: true,
    root_ref: false,
    pattern_properties: false,
    untyped: Untyped::Object,
    keywords: &[
        ("minimum", Treatment::KeepIf(on_integers)),
        ("maximum", Treatment::KeepIf(on_integers)),
        ("exclusiveMinimum", Treatment::KeepIf(on_integers)),
        ("exclusiveMaximum", Treatment::KeepIf(on_integers)),
        ("multipleOf", Treatment::Note),
        ("minItems", Treatment::Keep),
        ("maxItems", Treatment::Keep),
        ("uniqueItems", Treatment::Note),
        ("minLength", Treatment::Keep),
        ("maxLength", Treatment::Keep),
        ("pattern", Treatment::Rewrite(grammar)),
        ("format", Treatment::Keep),
        ("default", Treatment::Keep),
        ("minProperties", Treatment::Note),
        ("maxProperties", Treatment::Note),
        ("dependentRequired", Treatment::Note),
    ],
    other_keywords: Treatment::Drop,
    formats: Some(&["date", "time", "date-time", "uuid"]),
    ..LENIENT
};

/// A pattern in what the grammar compiler reads: anchored at both ends, no group modifiers, no classes by letter.
/// `\d` and `\w` are ASCII in JSON Schema and become what they stand for.
fn grammar(value: &Value) -> Option<Value> {
    let inner = value.as_str()?.strip_prefix('^')?.strip_suffix('$')?;
    let mut out = String::from("^");
    let mut in_class = false;
    let mut chars = inner.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match (chars.next()?, in_class) {
                ('d', true) => out.push_str("0-9"),
                ('d', false) => out.push_str("[0-9]"),
                ('w', true) => out.push_str("a-zA-Z0-9_"),
                ('w', false) => out.push_str("[a-zA-Z0-9_]"),
                (escaped, _) if escaped.is_ascii_punctuation() => {
                    out.push('\\');
                    out.push(escaped);
                }
                _ => return None,
            },
            // A `$` that was escaped has been taken off as if it were the end.
            '^' | '$' if !in_class => return None,
            '(' if !in_class && chars.peek() == Some(&'?') => return None,
            '[' if in_class => return None,
            '[' => {
                in_class = true;
                out.push(c);
                if chars.peek() == Some(&'^') {
                    out.extend(chars.next());
                }
            }
            ']' if in_class => {
                in_class = false;
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    // At the top, `^a|b$` is anchored on one side of each alternative only.
    if in_class || alternatives(inner) {
        return None;
    }
    out.push('$');
    Some(Value::from(out))
}

/// Whether there is a `|` outside groups and classes.
fn alternatives(pattern: &str) -> bool {
    let mut depth = 0usize;
    let mut in_class = false;
    let mut escaped = false;
    for c in pattern.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' if !in_class => in_class = true,
            ']' if in_class => in_class = false,
            '(' if !in_class => depth += 1,
            ')' if !in_class => depth = depth.saturating_sub(1),
            '|' if !in_class && depth == 0 => return true,
            _ => {}
        }
    }
    false
}

/// llama.cpp's chat completion.
#[derive(Debug)]
pub struct LlamaCpp;

/// llama.cpp's chat completion.
pub static LLAMACPP: LlamaCpp = LlamaCpp;

impl Provider for LlamaCpp {
    fn id(&self) -> &'static str {
        RULES.id
    }

    fn checked(&self) -> &'static str {
        RULES.checked
    }

    fn export(&self, tools: &[ToolDefinition]) -> Result<Export, ExportError> {
        // Some builds need the description to be there.
        export::export(
            &RULES,
            tools,
            &|tool, exported| chat::function(tool, exported, None, true),
            &super::list,
        )
    }

    fn calls(&self, response: &Value) -> Result<Turn, ReadError> {
        chat::calls(RULES.id, response, CALL_IDS)
    }

    fn results(&self, turn: &Turn, outcomes: &[ToolOutcome]) -> Vec<Value> {
        chat::results(turn, outcomes, &|_| None)
    }

    fn assemble(&self, chunks: &[Value]) -> Value {
        stream::chat(chunks)
    }
}

#[cfg(test)]
mod tests {
    use super::grammar;

    #[test]
    fn patterns() {
        let check = |pattern: &str| {
            grammar(&pattern.into()).and_then(|value| value.as_str().map(str::to_owned))
        };
        assert_eq!(check(r"^A\d+$").as_deref(), Some("^A[0-9]+$"));
        assert_eq!(check(r"^[\d.]+$").as_deref(), Some("^[0-9.]+$"));
        assert_eq!(check("^(a|b)$").as_deref(), Some("^(a|b)$"));
        assert_eq!(check(r"^a\.b$").as_deref(), Some(r"^a\.b$"));
        for refused in [
            "A[0-9]+", "^a|b$", r"^\p{L}$", r"^a\$", "^(?:a)$", r"^\s$", "^[a", "^", "",
        ] {
            assert_eq!(check(refused), None, "{refused}");
        }
    }
}
