//! The contract: what a build's tools promise, and what of it changed.
//!
//! [`Manifest`] is the document, [`build`] writes it from a build script, [`diff()`] compares two versions of it.
#![doc = ""]
#![doc = include_str!("../../docs/contract.md")]

use std::path::{Path, PathBuf};
use std::{fs, io};

#[cfg(feature = "build")]
pub mod build;
pub mod canonical;
mod collect;
mod command;
pub mod diff;
mod document;
mod lint;
mod lock;
#[cfg(feature = "build")]
mod pinned;
mod read;

pub use command::{
    DiffFormat, Said, assert_locked, diff_command, lint_command, lock_command, manifest_command,
};
pub use diff::{Change, Class, Diff, Policy, diff};
pub use document::{Duplicate, MANIFEST_VERSION, Manifest, ManifestTool, SourcePlace};
pub use lint::{Finding, Level, Lint, LintLevels, lint};
pub use lock::{LOCK_VERSION, LockMode, LockReport, check_lock, lock_text};
pub use read::{Listing, ReadError};

/// The JSON Schema of the manifest, as text: what a reader in another language can rely on.
pub const MANIFEST_SCHEMA: &str = include_str!("../../schemas/manifest.schema.json");

/// The manifest that this package's build script wrote, as text.
///
/// ```ignore
/// const TOOLS: &str = tool_runtime::manifest!();
/// ```
#[macro_export]
macro_rules! manifest {
    () => {
        ::core::include_str!(::core::concat!(::core::env!("OUT_DIR"), "/tools.json"))
    };
}

/// Writes `text` unless the file has it already. Another process may do the same at the same time, so the text goes to
/// a file of its own first and takes the name in one step.
pub(crate) fn write_if_changed(path: &Path, text: &str) -> io::Result<()> {
    if fs::read(path).is_ok_and(|old| old == text.as_bytes()) {
        return Ok(());
    }
    if let Some(folder) = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        fs::create_dir_all(folder)?;
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}.tmp", std::process::id()));
    let beside = PathBuf::from(beside);
    fs::write(&beside, text)?;
    fs::rename(&beside, path).inspect_err(|_| {
        // The name could not be taken; what is left would only confuse.
        let _ = fs::remove_file(&beside);
    })
}
