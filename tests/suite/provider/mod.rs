//! Providers: definitions out, calls in, results back.

/// The two commands.
mod commands;
/// Every case of the corpus of dialects, by id.
mod dialect_cases;
/// Every tool document of the corpus, in every dialect.
mod export_corpus;
/// Types that break other exporters.
mod hard_schemas;
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

pub(crate) use crate::support::shared;

/// A JSON file of the shared corpus.
pub(crate) fn shared_json(path: &str) -> Option<serde_json::Value> {
    let text = std::fs::read_to_string(shared(path)?).unwrap();
    Some(serde_json::from_str(&text).unwrap())
}
