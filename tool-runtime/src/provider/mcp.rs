//! MCP: a tool in a `tools/list`, a `tools/call` in, its answer out. The revisions 2025-11-25 and 2026-07-28.

use serde_json::{Value, json};

use super::reply::{Answer, answers, parts, plain};
use super::report::{Export, ExportError};
use super::rules::{Empty, LENIENT, MCP_NAME, Root, Rules, Untyped};
use super::turn::{Found, Habits, ReadError, Stop, Turn};
use super::{Provider, export};
use crate::content::Content;
use crate::definition::ToolDefinition;
use crate::outcome::{ErrorType, Failure, Output, ToolOutcome, code};

/// Revision 2026-07-28: all of 2020-12.
pub(crate) const RULES_2026: Rules = Rules {
    id: "mcp_2026_07_28",
    checked: "2026-11-30",
    tool_name: MCP_NAME,
    tools_warn: usize::MAX,
    root: Root::ObjectWithUnions,
    empty: Empty::Closed,
    ..LENIENT
};

/// Revision 2025-11-25: its clients take a property's schema for an object, and the root of a result's too.
pub(crate) const RULES_2025: Rules = Rules {
    id: "mcp_2025_11_25",
    untyped: Untyped::Object,
    ..RULES_2026
};

const HABITS: Habits = Habits {
    plain_names: false,
    id_prefix: "call_",
    id_length: 24,
};

/// The Model Context Protocol.
#[derive(Debug)]
pub struct Mcp {
    rules: &'static Rules,
    /// Whether results say `resultType`, and any value may be structured.
    current: bool,
}

/// Revision 2026-07-28.
pub static MCP_2026_07_28: Mcp = Mcp {
    rules: &RULES_2026,
    current: true,
};
/// Revision 2025-11-25.
pub static MCP_2025_11_25: Mcp = Mcp {
    rules: &RULES_2025,
    current: false,
};

impl Provider for Mcp {
    fn id(&self) -> &'static str {
        self.rules.id
    }

    fn checked(&self) -> &'static str {
        self.rules.checked
    }

    fn export(&self, tools: &[ToolDefinition]) -> Result<Export, ExportError> {
        let define = |tool: &ToolDefinition, exported: export::Exported| {
            let mut out = json!({"name": tool.name});
            let Value::Object(map) = &mut out else {
                return out;
            };
            if let Some(title) = &tool.title {
                map.insert("title".into(), Value::from(title.as_str()));
            }
            if !exported.description.is_empty() {
                map.insert("description".into(), Value::from(exported.description));
            }
            map.insert(
                "inputSchema".into(),
                exported.schema.unwrap_or_else(|| json!({"type": "object"})),
            );
            if let Some(output) = exported.output {
                map.insert("outputSchema".into(), output);
            }
            // All four are written: what is missing means the worst.
            let behaviour = tool.behaviour;
            let mut annotations = json!({
                "readOnlyHint": behaviour.read_only,
                "destructiveHint": behaviour.destructive && !behaviour.read_only,
                "idempotentHint": behaviour.idempotent || behaviour.read_only,
                "openWorldHint": behaviour.open_world,
            });
            if let (Value::Object(hints), Some(title)) = (&mut annotations, &tool.title) {
                hints.insert("title".into(), Value::from(title.as_str()));
            }
            map.insert("annotations".into(), annotations);
            out
        };
        export::export(self.rules, tools, &define, &super::list)
    }

    /// Reads one request, or a list of them. Requests of other methods hold no call.
    fn calls(&self, response: &Value) -> Result<Turn, ReadError> {
        let (requests, listed) = match response {
            Value::Array(requests) => (requests.as_slice(), true),
            request => (std::slice::from_ref(request), false),
        };
        if !requests
            .iter()
            .any(|request| request.get("method").is_some())
        {
            return Err(ReadError::OtherShape {
                dialect: self.id(),
                expected: "method",
            });
        }
        let mut found = Vec::new();
        for (index, request) in requests.iter().enumerate() {
            if request.get("method").and_then(Value::as_str) != Some("tools/call") {
                continue;
            }
            let parameters = request.get("params").unwrap_or(&Value::Null);
            let base = if listed {
                format!("/{index}")
            } else {
                String::new()
            };
            found.push(Found {
                id: request.get("id").cloned(),
                name: parameters
                    .get("name")
                    .and_then(Value::as_str)
                    .unwrap_or_default()
                    .to_owned(),
                arguments: parameters.get("arguments").cloned(),
                at: format!("{base}/params/arguments"),
                truncated: false,
            });
        }
        let stop = if found.is_empty() {
            Stop::End
        } else {
            Stop::Calls
        };
        Ok(Turn::new(response, found, String::new(), stop, HABITS))
    }

    /// One JSON-RPC answer a call. Whether a tool has a schema for its result is not known here: objects, and since
    /// 2026-07-28 lists, are structured. [`Mcp::result`] knows better where it is told the schema.
    fn results(&self, turn: &Turn, outcomes: &[ToolOutcome]) -> Vec<Value> {
        let replies = answers(turn, outcomes).map(|answer| {
            let id = turn.given_id(answer.index).cloned().unwrap_or_default();
            let unknown = answer
                .outcome
                .and_then(ToolOutcome::failure)
                .filter(|failure| failure.error_type == ErrorType::UnknownTool);
            match unknown {
                Some(failure) => {
                    json!({"jsonrpc": "2.0", "id": id, "error": unknown_tool(answer.name, failure)})
                }
                None => json!({"jsonrpc": "2.0", "id": id, "result": self.answer(&answer, None)}),
            }
        });
        replies.collect()
    }

    fn assemble(&self, chunks: &[Value]) -> Value {
        Value::Array(chunks.to_vec())
    }
}

impl Mcp {
    /// The `CallToolResult` of an outcome, for a tool whose result has the schema `output`, if it has one.
    ///
    /// With a schema the result is structured, wrapped as `{"result": …}` where the exported schema is. A failure is
    /// never structured: clients would check it against the schema of success.
    #[must_use]
    pub fn result(&self, outcome: &ToolOutcome, output: Option<&Value>) -> Value {
        let answer = Answer {
            index: 0,
            name: &outcome.tool_name,
            outcome: Some(outcome),
        };
        self.answer(&answer, Some(output))
    }

    /// `output` is None where nobody knows whether there is a schema.
    fn answer(&self, answer: &Answer<'_>, output: Option<Option<&Value>>) -> Value {
        let mut result = json!({});
        let Value::Object(map) = &mut result else {
            return result;
        };
        if self.current {
            map.insert("resultType".into(), Value::from("complete"));
        }
        map.insert("content".into(), content(answer));
        if answer.failure().is_some() {
            // A call that waits for a person has not happened, and the client has to be told so.
            let pending = answer
                .outcome
                .and_then(ToolOutcome::failure)
                .is_some_and(|failure| failure.code == code::PENDING);
            if answer.is_error() || pending {
                map.insert("isError".into(), Value::Bool(true));
            }
            return result;
        }
        let value = match answer.output() {
            Some(Output::Json(text)) => serde_json::from_str::<Value>(text).ok(),
            Some(Output::Content(parts)) => match parts.as_slice() {
                [Content::Json(value)] => Some(value.clone()),
                _ => None,
            },
            None => None,
        };
        let structured = match (value, output) {
            (Some(value), Some(Some(schema))) => {
                let object = schema.get("type").and_then(Value::as_str) == Some("object");
                Some(if self.current || object {
                    value
                } else {
                    json!({"result": value})
                })
            }
            (Some(value @ Value::Object(_)), None) => Some(value),
            (Some(value @ Value::Array(_)), None) if self.current => Some(value),
            _ => None,
        };
        if let Some(structured) = structured {
            map.insert("structuredContent".into(), structured);
        }
        result
    }
}

fn content(answer: &Answer<'_>) -> Value {
    match (answer.failure(), parts(answer.output())) {
        (None, Some(parts)) => parts.iter().map(block).collect(),
        _ => json!([{"type": "text", "text": answer.text()}]),
    }
}

fn block(part: &Content) -> Value {
    let with_type = |mut block: Value, at: &str, mime_type: &Option<String>| {
        if let (Some(Value::Object(map)), Some(mime_type)) = (block.pointer_mut(at), mime_type) {
            map.insert("mimeType".into(), Value::from(mime_type.as_str()));
        }
        block
    };
    match part {
        Content::Text(text) => json!({"type": "text", "text": text}),
        Content::Json(value) => json!({"type": "text", "text": plain(&value.to_string())}),
        Content::Image { data, mime_type } => {
            json!({"type": "image", "data": data, "mimeType": mime_type})
        }
        Content::Audio { data, mime_type } => {
            json!({"type": "audio", "data": data, "mimeType": mime_type})
        }
        Content::ResourceLink {
            uri,
            name,
            mime_type,
        } => with_type(
            json!({"type": "resource_link", "uri": uri, "name": name}),
            "",
            mime_type,
        ),
        Content::Resource {
            uri,
            text,
            mime_type,
        } => with_type(
            json!({"type": "resource", "resource": {"uri": uri, "text": text}}),
            "/resource",
            mime_type,
        ),
    }
}

/// A tool that does not exist is an error of the protocol.
fn unknown_tool(name: &str, failure: &Failure) -> Value {
    let message = if failure.message.contains(name) {
        failure.message.clone()
    } else {
        format!("unknown tool `{name}`: {}", failure.message)
    };
    json!({"code": -32602, "message": message})
}
