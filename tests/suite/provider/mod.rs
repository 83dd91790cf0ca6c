//! Providers: definitions out, calls in, results back.

/// Every case of the corpus of dialects, by id.
mod dialect_cases;

/// Every tool document of the corpus, in every dialect.
mod export_corpus;
/// Input that nobody promised to be sane.
mod hostile;
/// Replies recorded from a real model.
mod model_replies;
/// Exports accept what their reports say.
mod proofs;
/// The rules of every provider, apart from the passes.
mod rules_checker;
/// Chunks put together.
mod streams;
/// Responses in, results out.
mod wire_calls;

use std::path::PathBuf;

/// A file or folder of the shared corpus. Without the corpus there is nothing to test and the test passes, except where
/// CI promises that it is there.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let place = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared")).join(path);
    if place.exists() {
        return Some(place);
    }
    assert_ne!(
        std::env::var("CI").as_deref(),
        Ok("true"),
        "the corpus is missing: {}",
        place.display()
    );
    println!("skipped: {} is missing", place.display());
    None
}

/// A JSON file of the shared corpus.
pub(crate) fn shared_json(path: &str) -> Option<serde_json::Value> {
    let text = std::fs::read_to_string(shared(path)?).unwrap();
    Some(serde_json::from_str(&text).unwrap())
}
