//! What the command line says about contracts: text, and the code to exit with.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use super::canonical;
use super::diff::{Policy, diff};
use super::document::Manifest;
use super::lint::{Level, LintLevels, lint};
use super::lock::{LockMode, check_lock};
use super::read::Listing;

/// The outcome of a command: what to print, and what to exit with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Said {
    /// For standard output.
    pub out: String,
    /// For standard error.
    pub err: String,
    /// The exit code.
    pub code: u8,
}

impl Said {
    fn usage(err: String) -> Self {
        Self {
            out: String::new(),
            err,
            code: 2,
        }
    }
}

/// How `diff` writes its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DiffFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object: `{"verdict", "changes"}`.
    Json,
}

/// `manifest`: the document itself.
#[must_use]
pub fn manifest_command(manifest: &Manifest) -> Said {
    Said {
        out: manifest.to_json_string(),
        ..Said::default()
    }
}

/// `diff OLD NEW`: two lists of tools held against each other. Exits with 0 where they are identical or compatible,
/// 3 semantic, 4 risk, 5 breaking; 2 where one cannot be read. `-` is standard input.
#[must_use]
pub fn diff_command(old: &Path, new: &Path, format: DiffFormat) -> Said {
    let (old, new) = match (read(old), read(new)) {
        (Ok(old), Ok(new)) => (old, new),
        (old, new) => {
            let errors: Vec<String> = [old.err(), new.err()].into_iter().flatten().collect();
            return Said::usage(format!("{}\n", errors.join("\n")));
        }
    };
    let diff = diff(&old, &new, Policy::of(&old, &new));
    let out = match format {
        DiffFormat::Text => diff.to_text(),
        DiffFormat::Json => format!("{}\n", canonical::to_pretty(&diff.to_value())),
    };
    Said {
        out,
        err: String::new(),
        code: diff.exit_code(),
    }
}

fn read(path: &Path) -> Result<Listing, String> {
    let text = if path == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        fs::read_to_string(path)
    };
    let text = text.map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    Listing::read(&text).map_err(|error| format!("{}: {error}", path.display()))
}

/// `lock`: the tools held against their lock. Exits with 1 where a build would fail.
#[must_use]
pub fn lock_command(manifest: &Manifest, path: &Path, mode: LockMode) -> Said {
    let text = match fs::read_to_string(path) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => {
            return Said::usage(format!(
                "cannot read the lock {}: {error}\n",
                path.display()
            ));
        }
    };
    let report = check_lock(manifest, text.as_deref(), &path.display().to_string(), mode);
    let mut said = Said::default();
    for warning in &report.warnings {
        said.err.push_str(&format!("warning: {warning}\n"));
    }
    for error in &report.errors {
        said.err.push_str(&format!("error: {error}\n"));
        said.code = 1;
    }
    if let Some(text) = report.write {
        match super::write_if_changed(path, &text) {
            Ok(()) => said.out = format!("{} written\n", path.display()),
            Err(error) => {
                return Said::usage(format!(
                    "cannot write the lock {}: {error}\n",
                    path.display()
                ));
            }
        }
    } else if said.err.is_empty() {
        said.out = format!("{} is what the tools promise\n", path.display());
    }
    said
}

/// `lint`: advice about the tools. Exits with 1 where a lint is denied.
#[must_use]
pub fn lint_command(manifest: &Manifest, levels: &LintLevels) -> Said {
    let mut said = Said::default();
    for finding in lint(manifest, levels) {
        let word = if finding.level == Level::Deny {
            "error"
        } else {
            "warning"
        };
        said.out.push_str(&format!("{word}: {finding}\n"));
        if finding.level == Level::Deny {
            said.code = 1;
        }
    }
    said
}

/// Holds the tools against their lock inside a test, for packages without a build script.
///
/// `TOOLS_LOCK=accept cargo test` creates and rewrites the lock, and never under CI.
///
/// ```no_run
/// # use tool_runtime::manifest::{Manifest, assert_locked};
/// # let tools = Vec::new();
/// // In a `#[test]`, with the manifest of all tools:
/// assert_locked(&Manifest::from_tools(tools), "tools.lock.json");
/// ```
///
/// # Panics
/// Where a build would fail: with the same report.
#[track_caller]
pub fn assert_locked(manifest: &Manifest, path: impl AsRef<Path>) {
    let duplicates: Vec<String> = manifest
        .duplicates()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert!(duplicates.is_empty(), "{}", duplicates.join("\n"));
    let mode = match LockMode::from_env() {
        Ok(mode) => mode,
        Err(error) => panic!("{error}"),
    };
    let said = lock_command(manifest, path.as_ref(), mode);
    assert!(
        said.code == 0,
        "\n{}",
        said.err.replace("cargo build", "cargo test")
    );
    if !said.err.is_empty() {
        println!("{}", said.err.replace("cargo build", "cargo test"));
    }
}
