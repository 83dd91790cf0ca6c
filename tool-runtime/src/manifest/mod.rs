//! The contract: what a build's tools promise, and what of it changed.
//!
//! [`Manifest`] is the document, [`build`] writes it from a build script, [`diff`] compares two versions of it.

#[cfg(feature = "build")]
pub mod build;
pub mod canonical;
mod collect;
pub mod diff;
mod document;
mod lint;
mod lock;
mod read;

pub use diff::{Change, Class, Diff, Policy, diff};
pub use document::{Duplicate, MANIFEST_VERSION, Manifest, ManifestTool, SourcePlace};
pub use lint::{Finding, Level, Lint, LintLevels, lint};
pub use lock::{LOCK_VERSION, LockMode, LockReport, check_lock, lock_text};
pub use read::{Listing, ReadError};
