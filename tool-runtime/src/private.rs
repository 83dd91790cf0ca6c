//! All that generated code may touch. Not public API: no promises between versions.
//!
//! What an expansion looks like is pinned by the snapshots in `tool-macros/src/tests.rs`; this module is the list of the
//! names it uses.

pub use core::option::Option::{self, None, Some};
pub use core::result::Result::{self, Err, Ok};
pub use core::{cfg, concat, file, include_str, line, module_path};
pub use std::boxed::Box;
pub use std::primitive::{bool, str, u32, usize};
pub use std::string::String;
pub use std::time::Duration;
pub use std::vec::Vec;

pub use schemars::{Schema, SchemaGenerator};

pub use crate::arg::{Argument, Kind, KindOf, KindOfAny, Lent, Shown, arg, context, lent};
pub use crate::invocation::{Invocation, Reply, Running};
pub use crate::output::{
    Answer, Of, OfOther, OfValue, OutputOf, SchemaOfAny, SchemaOfResult, SchemaOfType,
    SchemaOfUnknown, Worded,
};
pub use crate::risk::{Behaviour, Risk};
pub use crate::tool::{
    ArgType, ConfirmRule, ContextType, PARAMETER, Parameter, Pinned, Place, READS, REFUSED, Run,
    StaticTool, TOOL, Tool, Toolbox,
};

#[cfg(feature = "collect")]
pub use inventory;

/// Stops the build where generated code stands, in our words, unless something holds.
#[track_caller]
pub const fn hold(holds: bool, message: &str) {
    assert!(holds, "{}", message);
}

/// Whether a description says nothing, for the check of descriptions that are expressions.
#[must_use]
pub const fn is_blank(text: &str) -> bool {
    text.trim_ascii().is_empty()
}

/// Whether a text that is only known as an expression has an `# Arguments` section, which cannot be split there.
#[must_use]
pub const fn has_arguments_section(text: &str) -> bool {
    const HEADING: &[u8] = b"# Arguments";
    let bytes = text.as_bytes();
    let mut i = 0;
    while i + HEADING.len() <= bytes.len() {
        if i == 0 || bytes[i - 1] == b'\n' {
            let mut j = 0;
            while j < HEADING.len() && bytes[i + j] == HEADING[j] {
                j += 1;
            }
            if j == HEADING.len() {
                return true;
            }
        }
        i += 1;
    }
    false
}

/// Runs a future that cannot be sent, from beginning to end, on the thread that asks. Tasks it spawns locally run with it.
pub fn block_on<F: Future<Output = Reply>>(future: F) -> Reply {
    let tasks = tokio::task::LocalSet::new();
    match tokio::runtime::Handle::try_current() {
        Ok(runtime) => runtime.block_on(tasks.run_until(future)),
        Err(_) => {
            let mut future = std::pin::pin!(tasks.run_until(future));
            let waker = std::task::Waker::from(std::sync::Arc::new(Awake(std::thread::current())));
            let mut context = std::task::Context::from_waker(&waker);
            loop {
                match future.as_mut().poll(&mut context) {
                    std::task::Poll::Ready(reply) => return reply,
                    std::task::Poll::Pending => std::thread::park(),
                }
            }
        }
    }
}

struct Awake(std::thread::Thread);

impl std::task::Wake for Awake {
    fn wake(self: std::sync::Arc<Self>) {
        self.0.unpark();
    }
}

/// A string literal for a parameter that owns its text.
#[must_use]
pub fn text(text: &str) -> String {
    String::from(text)
}

/// The JSON text of a default or an example.
///
/// # Errors
/// When the value cannot be written as JSON.
pub fn json_of<T: Shown + ?Sized>(value: &T) -> Result<String, String> {
    crate::encode::to_json(value).map_err(|error| error.to_string())
}

/// Where an expansion stands.
#[doc(hidden)]
#[macro_export]
macro_rules! __place {
    () => {
        $crate::__private::Place::new(
            $crate::__private::module_path!(),
            $crate::__private::file!(),
            $crate::__private::line!(),
        )
    };
}

pub use crate::__place as place;

/// Registers a tool for `Registry::collect()`.
#[cfg(feature = "collect")]
#[doc(hidden)]
#[macro_export]
macro_rules! __submit {
    ($tool:expr) => {
        $crate::__private::inventory::submit! { $crate::__private::Collected(&$tool) }
    };
}

/// Without the feature `collect` nothing is registered.
#[cfg(not(feature = "collect"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __submit {
    ($tool:expr) => {};
}

pub use crate::__submit as submit;

/// One collected tool.
#[derive(Debug)]
pub struct Collected(pub &'static StaticTool);

#[cfg(feature = "collect")]
inventory::collect!(Collected);
