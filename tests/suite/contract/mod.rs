//! The contract: the manifest's bytes, what a change does to callers, the lock.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod corpus;
mod document;
mod lock;
mod mutate;
mod properties;

pub(crate) use crate::support::shared;
