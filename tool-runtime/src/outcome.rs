//! What goes back: one outcome a call, always.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;
use serde_json::json;

use crate::content::Content;
use crate::risk::Risk;
use crate::trace::TraceId;
use crate::tree::write_string;

/// What became of one call: whether it failed and why are two fields, always.
///
/// [`to_json`](Self::to_json) is the wire form; providers wrap it in their own message shapes.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ToolOutcome {
    /// The tool that was called, as the gateway knows it; for an unknown tool, the name as it came, cleaned and cut.
    pub tool_name: Cow<'static, str>,
    /// The provider's id of the call, echoed.
    pub call_id: Option<String>,
    /// The trace of this call in the journal and in telemetry.
    pub trace_id: TraceId,
    /// The answer, or why there is none.
    pub result: Result<Output, Box<Failure>>,
    /// What intake repaired before the arguments were judged, in order.
    pub repairs: Vec<crate::intake::Repaired>,
}

/// The answer of a call that succeeded.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Output {
    /// JSON text, every digit as the tool wrote it.
    Json(String),
    /// Parts, from a tool that returned [`Content`].
    Content(Vec<Content>),
}

impl Output {
    /// The answer as JSON text: the data itself, or the parts as a list of MCP content blocks.
    #[must_use]
    pub fn to_json(&self) -> Cow<'_, str> {
        match self {
            Self::Json(text) => Cow::Borrowed(text),
            Self::Content(parts) => {
                Cow::Owned(Value::Array(parts.iter().map(content_block).collect()).to_string())
            }
        }
    }
}

/// One part as MCP writes it.
fn content_block(part: &Content) -> Value {
    match part {
        Content::Text(text) => json!({"type": "text", "text": text}),
        Content::Json(value) => json!({"type": "text", "text": value.to_string()}),
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
        } => {
            let mut block = json!({"type": "resource_link", "uri": uri, "name": name});
            if let Some(mime_type) = mime_type {
                block["mimeType"] = json!(mime_type);
            }
            block
        }
        Content::Resource {
            uri,
            text,
            mime_type,
        } => {
            let mut resource = json!({"uri": uri, "text": text});
            if let Some(mime_type) = mime_type {
                resource["mimeType"] = json!(mime_type);
            }
            json!({"type": "resource", "resource": resource})
        }
    }
}

/// Why a call has no answer.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Failure {
    /// The coarse class: four values, for hosts that branch.
    pub error_type: ErrorType,
    /// The fine class, see [`code`]; a tool's author may put a code of their own here.
    pub code: Cow<'static, str>,
    /// What happened and what to do, for the model.
    pub message: String,
    /// Every problem of the arguments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldError>,
    /// Whether the tool ran.
    pub executed: Executed,
    /// Whether the model may try again.
    pub retryable: bool,
    /// When it may try again, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
    /// Names that are near the one that was called.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<String>,
    /// What has to be approved first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirmation: Option<Confirmation>,
    /// Who wrote `message`.
    pub source: Source,
}

impl Failure {
    /// A failure with nothing but its class and a message; the other fields at their cautious values
    /// (not executed, not retryable, written by the gateway).
    pub fn new(
        error_type: ErrorType,
        code: impl Into<Cow<'static, str>>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            error_type,
            code: code.into(),
            message: message.into(),
            errors: Vec::new(),
            executed: Executed::No,
            retryable: false,
            retry_after_ms: None,
            suggestions: Vec::new(),
            confirmation: None,
            source: Source::Gateway,
        }
    }

    /// Whether a provider that has an error flag on results should set it. Waiting for a person, a person's no and
    /// a call that had already been answered are not errors.
    #[must_use]
    pub fn is_error(&self) -> bool {
        !matches!(
            &*self.code,
            code::PENDING
                | code::DENIED
                | code::APPROVAL_EXPIRED
                | code::CANCELLED
                | code::DUPLICATE_CALL
        )
    }
}

/// The coarse class of a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorType {
    /// No visible tool has that name.
    UnknownTool,
    /// The arguments break the tool's schema; nothing ran.
    InvalidArguments,
    /// A person, or a policy, has to agree first; nothing ran.
    ConfirmationRequired,
    /// The tool, or the gateway around it, failed.
    ToolError,
}

impl ErrorType {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UnknownTool => "unknown_tool",
            Self::InvalidArguments => "invalid_arguments",
            Self::ConfirmationRequired => "confirmation_required",
            Self::ToolError => "tool_error",
        }
    }
}

/// The fine classes of a failure.
pub mod code {
    #![allow(missing_docs, reason = "each name is its own text")]
    pub const NOT_FOUND: &str = "not_found";
    pub const NOT_AVAILABLE: &str = "not_available";
    pub const PARSE_ERROR: &str = "parse_error";
    pub const SCHEMA: &str = "schema";
    pub const TOO_LARGE: &str = "too_large";
    pub const TOO_DEEP: &str = "too_deep";
    pub const DUPLICATE_KEY: &str = "duplicate_key";
    pub const BAD_UNICODE: &str = "bad_unicode";
    pub const TRUNCATED_CALL: &str = "truncated_call";
    pub const PENDING: &str = "pending";
    pub const DENIED: &str = "denied";
    pub const APPROVAL_EXPIRED: &str = "approval_expired";
    pub const POLICY_UNAVAILABLE: &str = "policy_unavailable";
    pub const FAILED: &str = "failed";
    pub const TIMEOUT: &str = "timeout";
    pub const CANCELLED: &str = "cancelled";
    pub const RATE_LIMITED: &str = "rate_limited";
    pub const UNAVAILABLE: &str = "unavailable";
    pub const OUTPUT_TOO_LARGE: &str = "output_too_large";
    pub const OUTPUT_INVALID: &str = "output_invalid";
    pub const INTERNAL: &str = "internal";
    pub const OUTCOME_UNKNOWN: &str = "outcome_unknown";
    pub const DUPLICATE_CALL: &str = "duplicate_call";
}

/// Whether the tool ran, which decides whether a repeat is safe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Executed {
    /// It ran to its end.
    Yes,
    /// It did not start.
    No,
    /// It started, and nobody knows how far it came.
    Unknown,
}

impl Executed {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Unknown => "unknown",
        }
    }
}

/// Who wrote a message that the model reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// This library.
    Gateway,
    /// The tool, or something the tool called.
    Tool,
    /// A person who decided.
    Human,
}

/// One problem of the arguments, told so that the model can repair it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FieldError {
    /// JSON Pointer (RFC 6901) into the arguments: the value, or the place where a missing or unexpected member stands.
    pub path: String,
    /// The JSON Schema keyword that was broken.
    pub rule: Cow<'static, str>,
    /// What would be right.
    pub expected: String,
    /// What came: a type, or a short value where that helps and is not secret.
    pub got: String,
    /// All of it in one sentence.
    pub message: String,
}

/// A question that has to be answered before the call runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Confirmation {
    /// What `Dispatcher::approve` and `reject` take.
    pub approval_id: String,
    /// The tool, for whoever asks; on the wire the outcome around it has the name already.
    #[serde(skip)]
    pub tool_name: String,
    /// The question for a person.
    pub question: String,
    /// The tool's risk.
    pub risk: Risk,
    /// The arguments as they will run, secrets masked.
    pub arguments: Value,
    /// When the question lapses: RFC 3339, UTC.
    pub expires_at: String,
}

impl ToolOutcome {
    /// An outcome without a call id and repairs. Outcomes come from a dispatcher; this is for hosts that answer calls they
    /// never dispatched, and for tests.
    pub fn new(
        tool_name: impl Into<Cow<'static, str>>,
        trace_id: TraceId,
        result: Result<Output, Box<Failure>>,
    ) -> Self {
        Self {
            tool_name: tool_name.into(),
            call_id: None,
            trace_id,
            result,
            repairs: Vec::new(),
        }
    }

    /// Whether the call succeeded.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.result.is_ok()
    }

    /// Why the call failed, if it did.
    #[must_use]
    pub fn failure(&self) -> Option<&Failure> {
        self.result.as_ref().err().map(|failure| &**failure)
    }

    /// Whether a provider that has an error flag on results should set it.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.failure().is_some_and(Failure::is_error)
    }

    /// The outcome on the wire: one JSON object, `ok` first.
    #[must_use]
    pub fn to_json(&self) -> String {
        // The members around name and answer take less than a hundred bytes.
        let mut out = String::with_capacity(match &self.result {
            Ok(Output::Json(text)) => 100 + self.tool_name.len() + text.len(),
            _ => 512,
        });
        out.push_str(if self.is_ok() {
            r#"{"ok":true,"toolName":"#
        } else {
            r#"{"ok":false,"toolName":"#
        });
        write_string(&self.tool_name, &mut out);
        match &self.result {
            Ok(output) => {
                out.push_str(r#","data":"#);
                out.push_str(&output.to_json());
            }
            Err(failure) => {
                // A failure is a record of strings, so it always has a JSON form.
                let text = serde_json::to_string(failure).unwrap_or_default();
                out.push(',');
                out.push_str(
                    text.strip_prefix('{')
                        .and_then(|text| text.strip_suffix('}'))
                        .unwrap_or_default(),
                );
            }
        }
        out.push_str(r#","traceId":""#);
        self.trace_id.write(&mut out);
        out.push_str("\"}");
        out
    }
}
