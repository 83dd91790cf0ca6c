//! The contract: the manifest's bytes, what a change does to callers, the lock.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod corpus;
mod document;
mod lock;
mod mutate;
mod properties;

use std::path::PathBuf;

/// A path in the folder of shared cases beside the workspace. Where the folder is missing a test has nothing to hold
/// itself against: it says so and passes, but not in CI.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared")).join(path);
    if path.exists() {
        return Some(path);
    }
    assert!(
        std::env::var("CI").as_deref() != Ok("true"),
        "{} is missing, and CI has to have it",
        path.display()
    );
    println!("skipped: {} is missing", path.display());
    None
}
