//! For build scripts: writes the manifest, holds it against the lock, and says what is wrong in one report.
//!
//! ```no_run
//! # use tool_runtime::manifest::build::Manifest;
//! # let tools = Vec::new();
//! Manifest::from_tools(tools).emit();
//! ```

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use super::document;

/// The manifest of a build, on its way to `OUT_DIR`.
///
/// [`emit`](Self::emit) writes it and ends the build where something is wrong.
#[derive(Debug)]
#[must_use = "nothing is written before `emit()`"]
pub struct Manifest {
    manifest: document::Manifest,
    extra: Vec<PathBuf>,
}

impl Manifest {
    /// The manifest of these tools.
    pub fn from_tools(tools: Vec<document::ManifestTool>) -> Self {
        Self {
            manifest: document::Manifest::from_tools(tools),
            extra: Vec::new(),
        }
    }

    /// Also writes the manifest to this path, relative to the package.
    pub fn write_to(mut self, path: impl Into<PathBuf>) -> Self {
        self.extra.push(path.into());
        self
    }

    /// Writes `tools.json` to `OUT_DIR` and tells cargo what the result depends on; fails the build, with one report,
    /// where something is wrong.
    pub fn emit(self) {
        let report = self.run(&Surroundings::from_env());
        for line in &report.directives {
            println!("{line}");
        }
    }

    /// What [`emit`](Self::emit) does, as a value.
    fn run(&self, at: &Surroundings) -> Report {
        let mut report = Report::default();
        report
            .directives
            .push("cargo::rerun-if-changed=build.rs".to_owned());
        for duplicate in self.manifest.duplicates() {
            report.error(&duplicate.to_string());
        }
        let text = self.manifest.to_json_string();
        let targets = at.out_dir.iter().map(|dir| dir.join("tools.json"));
        for path in targets.chain(self.extra.iter().map(|path| at.package.join(path))) {
            if let Err(error) = write_if_changed(&path, &text) {
                report.error(&format!(
                    "cannot write the manifest to {}: {error}",
                    path.display()
                ));
            }
        }
        if at.out_dir.is_none() {
            report.error("`emit()` belongs into a build script: cargo did not set OUT_DIR");
        }
        report
    }
}

/// What a build script is told by cargo.
#[derive(Debug, Clone, Default)]
struct Surroundings {
    out_dir: Option<PathBuf>,
    package: PathBuf,
}

impl Surroundings {
    fn from_env() -> Self {
        Self {
            out_dir: env::var_os("OUT_DIR").map(PathBuf::from),
            package: env::var_os("CARGO_MANIFEST_DIR")
                .map(PathBuf::from)
                .unwrap_or_default(),
        }
    }
}

/// What a build script tells cargo.
#[derive(Debug, Default)]
struct Report {
    directives: Vec<String>,
}

impl Report {
    /// An error of the build. Cargo reads one line at a time, so a block becomes a line each. One `cargo::error` is
    /// enough to fail the build, and unlike an exit code it keeps cargo from printing the script's whole output.
    fn error(&mut self, text: &str) {
        self.directives
            .extend(text.lines().map(|line| format!("cargo::error={line}")));
    }
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
