//! The contract: what a build's tools promise, and what of it changed.
//!
//! [`Manifest`] is the document, [`build`] writes it from a build script.

pub mod build;
pub mod canonical;
mod document;

pub use document::{Duplicate, MANIFEST_VERSION, Manifest, ManifestTool, SourcePlace};
