//! For build scripts: writes the manifest, holds it against the lock, and says what is wrong in one report.
//!
//! ```no_run
//! # use tool_runtime::manifest::build::Manifest;
//! # let tools = Vec::new();
//! Manifest::from_tools(tools).lock("tools.lock.json").emit();
//! ```

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use super::document;
use super::lock::{LockMode, check_lock};

/// The manifest of a build, on its way to `OUT_DIR`.
///
/// [`emit`](Self::emit) writes it and ends the build where something is wrong.
#[derive(Debug)]
#[must_use = "nothing is written before `emit()`"]
pub struct Manifest {
    manifest: document::Manifest,
    lock: Option<PathBuf>,
    extra: Vec<PathBuf>,
}

impl Manifest {
    /// The manifest of these tools.
    pub fn from_tools(tools: Vec<document::ManifestTool>) -> Self {
        Self {
            manifest: document::Manifest::from_tools(tools),
            lock: None,
            extra: Vec::new(),
        }
    }

    /// Holds the build against the published contract at this path, relative to the package.
    ///
    /// The build fails where a caller would be broken or a tool admits to less risk. `TOOLS_LOCK=accept cargo build`
    /// creates and rewrites the lock; under CI nothing is accepted, and a lock that is missing is an error.
    pub fn lock(mut self, path: impl Into<PathBuf>) -> Self {
        self.lock = Some(path.into());
        self
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
        // Any directive of this kind keeps cargo from watching the whole package. The script itself, and the modules it
        // includes, are watched anyway, because they are compiled into it.
        report
            .directives
            .push("cargo::rerun-if-changed=Cargo.toml".to_owned());
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
        if let Some(lock) = &self.lock {
            self.hold_against(lock, at, &mut report);
        }
        report
    }

    fn hold_against(&self, lock: &Path, at: &Surroundings, report: &mut Report) {
        for variable in ["TOOLS_LOCK", "CI"] {
            report
                .directives
                .push(format!("cargo::rerun-if-env-changed={variable}"));
        }
        let mode = match &at.mode {
            Ok(mode) => *mode,
            Err(error) => return report.error(error),
        };
        let path = at.package.join(lock);
        let text = match fs::read_to_string(&path) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                return report.error(&format!("cannot read the lock {}: {error}", lock.display()));
            }
        };
        // Two tools of one name have no contract that could be compared, and the build has been told.
        if self.manifest.duplicates().is_empty() {
            let name = lock.display().to_string().replace('\\', "/");
            let verdict = check_lock(&self.manifest, text.as_deref(), &name, mode);
            verdict.errors.iter().for_each(|error| report.error(error));
            verdict
                .warnings
                .iter()
                .for_each(|warning| report.warning(warning));
            if let Some(text) = verdict.write
                && let Err(error) = write_if_changed(&path, &text)
            {
                report.error(&format!(
                    "cannot write the lock {}: {error}",
                    lock.display()
                ));
            }
        }
        // A file that is not there would make cargo run the script at every build.
        if path.exists() {
            report
                .directives
                .push(format!("cargo::rerun-if-changed={}", lock.display()));
        }
    }
}

/// What a build script is told by cargo and by whoever builds.
#[derive(Debug, Clone)]
struct Surroundings {
    out_dir: Option<PathBuf>,
    package: PathBuf,
    mode: Result<LockMode, String>,
}

impl Surroundings {
    fn from_env() -> Self {
        Self {
            out_dir: env::var_os("OUT_DIR").map(PathBuf::from),
            package: env::var_os("CARGO_MANIFEST_DIR")
                .map(PathBuf::from)
                .unwrap_or_default(),
            mode: LockMode::from_env(),
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

    fn warning(&mut self, text: &str) {
        self.directives
            .extend(text.lines().map(|line| format!("cargo::warning={line}")));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::{ManifestTool, SourcePlace};
    use serde_json::json;

    fn tool(name: &str, properties: serde_json::Value) -> ManifestTool {
        ManifestTool {
            source: Some(SourcePlace::new("src/tools.rs", 12, "shop::tools")),
            ..ManifestTool::new(
                name,
                "Does it.",
                json!({"type": "object", "properties": properties, "additionalProperties": false}),
            )
        }
    }

    struct Package(PathBuf);

    impl Package {
        fn new(name: &str) -> Self {
            let folder =
                env::temp_dir().join(format!("tool-runtime-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir_all(folder.join("out")).unwrap();
            Self(folder)
        }

        fn build(&self, tools: Vec<ManifestTool>, mode: LockMode) -> Vec<String> {
            let at = Surroundings {
                out_dir: Some(self.0.join("out")),
                package: self.0.clone(),
                mode: Ok(mode),
            };
            Manifest::from_tools(tools)
                .lock("tools.lock.json")
                .run(&at)
                .directives
        }

        fn lock(&self) -> Option<String> {
            fs::read_to_string(self.0.join("tools.lock.json")).ok()
        }
    }

    impl Drop for Package {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn said(directives: &[String], kind: &str) -> Vec<String> {
        let prefix = format!("cargo::{kind}=");
        directives
            .iter()
            .filter_map(|line| line.strip_prefix(&prefix))
            .map(str::to_owned)
            .collect()
    }

    #[test]
    fn a_lock_lives_through_its_life() {
        let package = Package::new("lock");
        let (plain, accept) = (
            LockMode::default(),
            LockMode {
                accept: true,
                ci: false,
            },
        );
        let (ci, ci_accept) = (
            LockMode {
                accept: false,
                ci: true,
            },
            LockMode {
                accept: true,
                ci: true,
            },
        );
        let old = || {
            vec![tool(
                "cancel",
                json!({"reason": {"enum": ["late", "wrong_address"]}}),
            )]
        };
        let new = || vec![tool("cancel", json!({"reason": {"enum": ["late"]}}))];

        // Missing: said, created only when asked for, and never under CI.
        let first = package.build(old(), plain);
        assert!(said(&first, "error").is_empty() && package.lock().is_none());
        assert_eq!(said(&first, "warning").len(), 1);
        assert!(
            !first
                .iter()
                .any(|line| line.contains("rerun-if-changed=tools.lock.json"))
        );
        assert!(
            !said(&package.build(old(), ci_accept), "error").is_empty() && package.lock().is_none()
        );
        package.build(old(), accept);
        let published = package.lock().unwrap();

        // Unchanged: not a word, and nothing but what to watch.
        let same = package.build(old(), ci);
        assert!(said(&same, "warning").is_empty() && said(&same, "error").is_empty());
        assert_eq!(
            said(&same, "rerun-if-changed"),
            ["Cargo.toml", "tools.lock.json"]
        );
        assert_eq!(said(&same, "rerun-if-env-changed"), ["TOOLS_LOCK", "CI"]);

        // Broken: one block, with places and proof.
        assert_eq!(
            said(&package.build(new(), plain), "error"),
            [
                "the published contract of `cancel` is broken",
                "  argument `reason`: no longer accepts \"wrong_address\"",
                "  a call that worked and would now be refused: {\"reason\":\"wrong_address\"}",
                "  published: tools.lock.json:20   now: src/tools.rs:12",
                "  help: keep accepting it, raise `version`, or accept the change: TOOLS_LOCK=accept cargo build",
            ]
        );
        assert!(!said(&package.build(new(), ci_accept), "error").is_empty());
        assert_eq!(package.lock().unwrap(), published);

        // Raised: let through, and still to be recorded.
        let mut raised = new();
        raised[0].version = 2;
        let through = package.build(raised, ci);
        assert!(said(&through, "error").is_empty());
        assert_eq!(said(&through, "warning").len(), 2);

        // Accepted.
        let accepted = package.build(new(), accept);
        assert!(said(&accepted, "error").is_empty());
        assert_ne!(package.lock().unwrap(), published);
        assert!(said(&package.build(new(), ci), "warning").is_empty());
    }

    #[test]
    fn the_manifest_is_written_once_and_only_when_it_changed() {
        let package = Package::new("write");
        let tools = || vec![tool("b", json!({})), tool("a", json!({}))];
        package.build(tools(), LockMode::default());
        let path = package.0.join("out/tools.json");
        let before = fs::metadata(&path).unwrap().modified().unwrap();
        package.build(tools(), LockMode::default());
        assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), before);
        assert_eq!(fs::read_dir(package.0.join("out")).unwrap().count(), 1);
        let manifest: crate::manifest::Manifest = crate::manifest::Manifest::from_tools(tools());
        assert_eq!(fs::read_to_string(path).unwrap(), manifest.to_json_string());
    }

    #[test]
    fn two_tools_of_one_name_fail_the_build() {
        let package = Package::new("twice");
        let errors = said(
            &package.build(
                vec![tool("a", json!({})), tool("a", json!({}))],
                LockMode::default(),
            ),
            "error",
        );
        assert_eq!(errors.len(), 1);
        assert!(
            errors[0].contains("two tools are called `a`: src/tools.rs:12 and src/tools.rs:12")
        );
    }
}
