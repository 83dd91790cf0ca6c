//! TEMP: just enough to compile the providers alone.

mod call;
mod content;
mod definition;
mod outcome;
pub mod provider;
mod risk;

mod intake {
    /// TEMP
    #[derive(Debug, Clone)]
    pub struct Repaired;
}

pub use call::{Arguments, ToolCall};
pub use content::Content;
pub use definition::ToolDefinition;
pub use outcome::{Confirmation, ErrorType, Executed, Failure, FieldError, Output, Source, ToolOutcome, code};
pub use risk::{Behaviour, Risk};

/// TEMP: outcomes for tests of the providers.
pub fn outcome(name: &str, id: Option<&str>, result: Result<Output, Failure>) -> ToolOutcome {
    ToolOutcome {
        tool_name: name.to_owned(),
        call_id: id.map(str::to_owned),
        trace_id: "trace-1".to_owned(),
        result,
        repairs: Vec::new(),
    }
}
