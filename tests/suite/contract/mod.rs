//! The contract: the manifest's bytes, what a change does to callers, the lock.

mod corpus;
mod lock;
mod mutate;
mod properties;

pub(crate) use crate::support::shared;
