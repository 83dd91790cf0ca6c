//! For build scripts: writes the manifest, holds it against the lock, and says what is wrong in one report.
//!
//! ```no_run
//! use tool_runtime::build::Manifest;
//!
//! Manifest::collect().lock("tools.lock.json").emit();
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use super::document::{self, ManifestTool};
use super::lint::{Level, Lint, LintLevels, lint};
use super::lock::{LockMode, check_lock};
use super::write_if_changed;
use crate::definition::ToolDefinition;
use crate::provider;
use crate::registry::Registry;

/// The manifest of a build, on its way to `OUT_DIR`.
///
/// [`emit`](Self::emit) writes it and ends the build where something is wrong.
#[derive(Debug)]
#[must_use = "nothing is written before `emit()`"]
pub struct Manifest {
    manifest: document::Manifest,
    /// What is wrong with the tools before anything is compared.
    problems: Vec<String>,
    lock: Option<PathBuf>,
    levels: Vec<(String, Level)>,
    extra: Vec<PathBuf>,
    providers: Vec<String>,
}

impl Manifest {
    /// The manifest of every `#[tool]` that is compiled into the build script: of the modules it includes by their paths,
    /// and of the crates it uses.
    #[cfg(feature = "collect")]
    pub fn collect() -> Self {
        Self::of(&Registry::collect())
    }

    /// The manifest of a registry's tools.
    pub fn of(registry: &Registry) -> Self {
        let (mut tools, problems) = super::collect::tools_of(registry);
        let package = env::var("CARGO_PKG_NAME").unwrap_or_default();
        for source in tools.iter_mut().filter_map(|tool| tool.source.as_mut()) {
            source.module = module_in(&package, &source.module);
        }
        let problems = registry.problems().iter().chain(&problems);
        Self {
            problems: problems
                .map(ToString::to_string)
                .chain(registry.iter().filter_map(super::pinned::problem))
                .collect(),
            ..Self::from_tools(tools)
        }
    }

    /// The manifest of these tools.
    pub fn from_tools(tools: Vec<document::ManifestTool>) -> Self {
        Self {
            manifest: document::Manifest::from_tools(tools),
            problems: Vec::new(),
            lock: None,
            levels: Vec::new(),
            extra: Vec::new(),
            providers: Vec::new(),
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

    /// Makes an error of what this lint finds. The name is one of [`Lint::ALL`]'s.
    ///
    /// Levels can also stand in `Cargo.toml`, below `[package.metadata.tools.lints]`: `vague_name = "deny"`. What the
    /// build script says comes later and counts.
    pub fn deny(self, lint: &str) -> Self {
        self.level(lint, Level::Deny)
    }

    /// Makes a warning of what this lint finds.
    pub fn warn(self, lint: &str) -> Self {
        self.level(lint, Level::Warn)
    }

    /// Keeps this lint quiet.
    pub fn allow(self, lint: &str) -> Self {
        self.level(lint, Level::Allow)
    }

    fn level(mut self, lint: &str, level: Level) -> Self {
        self.levels.push((lint.to_owned(), level));
        self
    }

    /// Also writes the definitions in a provider's dialect to `OUT_DIR`, as `tools.DIALECT.json`, and fails the build where
    /// some tool cannot be expressed in it. The name is one of [`provider::names`].
    pub fn provider(mut self, name: &str) -> Self {
        self.providers.push(name.to_owned());
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
        for problem in &self.problems {
            report.error(problem);
        }
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
        self.export(at, &mut report);
        self.lint(at, &mut report);
        if let Some(lock) = &self.lock {
            self.hold_against(lock, at, &mut report);
        }
        report
    }

    fn export(&self, at: &Surroundings, report: &mut Report) {
        let tools: Vec<ToolDefinition> = self
            .manifest
            .tools()
            .iter()
            .map(ManifestTool::definition)
            .collect();
        for name in &self.providers {
            let exported = provider::export_command(name, false, None, &tools);
            let written = match (exported, &at.out_dir, provider::by_name(name)) {
                (Err(error), _, _) => Err(error.to_string()),
                (Ok(exported), Some(dir), Some(provider)) => {
                    let path = dir.join(format!("tools.{}.json", provider.id()));
                    write_if_changed(&path, &exported.stdout)
                        .map_err(|error| format!("cannot write {}: {error}", path.display()))
                }
                _ => Ok(()),
            };
            if let Err(error) = written {
                report.error(&error);
            }
        }
    }

    fn lint(&self, at: &Surroundings, report: &mut Report) {
        let mut levels = LintLevels::default();
        match levels_of_package(&at.package) {
            Ok(found) => found
                .into_iter()
                .for_each(|(lint, level)| levels.set(lint, level)),
            Err(error) => report.error(&error),
        }
        for (name, level) in &self.levels {
            match Lint::parse(name) {
                Ok(lint) => levels.set(lint, *level),
                Err(error) => report.error(&format!("in the build script: {error}")),
            }
        }
        // A lint that finds something in every tool would bury the rest.
        let mut told: BTreeMap<Lint, usize> = BTreeMap::new();
        for finding in lint(&self.manifest, &levels) {
            let count = told.entry(finding.lint).or_default();
            *count += 1;
            match finding.level {
                Level::Deny => report.error(&finding.to_string()),
                _ if *count <= TOLD => report.warning(&finding.to_string()),
                _ => {}
            }
        }
        for (lint, count) in told {
            if levels.level(lint) == Level::Warn && count > TOLD {
                report.warning(&format!(
                    "{} more findings of `{}` are not shown",
                    count - TOLD,
                    lint.name()
                ));
            }
        }
    }

    /// The lock as the tools' places are written: in a workspace, from its root.
    fn seen(&self, lock: &Path, package: &Path) -> String {
        let mut files = self
            .manifest
            .tools()
            .iter()
            .filter_map(|tool| Some(Path::new(&tool.source.as_ref()?.file)));
        let root = files.find_map(|file| {
            package
                .ancestors()
                .find(|folder| folder.join(file).is_file())
        });
        let inside = root.and_then(|root| package.strip_prefix(root).ok());
        let seen = inside.map_or_else(|| lock.to_owned(), |inside| inside.join(lock));
        seen.display().to_string().replace('\\', "/")
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
        if self.problems.is_empty() && self.manifest.duplicates().is_empty() {
            let name = self.seen(lock, &at.package);
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

/// How many warnings of one lint a build shows.
const TOLD: usize = 20;

/// The levels below `[package.metadata.tools.lints]`.
fn levels_of_package(package: &Path) -> Result<Vec<(Lint, Level)>, String> {
    // Without a `Cargo.toml` there is nobody to have written levels; cargo itself never runs a script without one.
    let Ok(text) = fs::read_to_string(package.join("Cargo.toml")) else {
        return Ok(Vec::new());
    };
    let table: toml::Table = text
        .parse()
        .map_err(|error| format!("cannot read Cargo.toml: {error}"))?;
    let lints = ["package", "metadata", "tools", "lints"]
        .iter()
        .try_fold(&toml::Value::Table(table), |value, name| value.get(name))
        .cloned();
    let Some(lints) = lints else {
        return Ok(Vec::new());
    };
    let at = "in Cargo.toml, [package.metadata.tools.lints]";
    let toml::Value::Table(lints) = lints else {
        return Err(format!("{at}: expected `lint_name = \"level\"`"));
    };
    lints
        .iter()
        .map(|(name, level)| {
            let level = level
                .as_str()
                .ok_or_else(|| format!("{at}: expected a level in quotes for `{name}`"))?;
            let lint = Lint::parse(name).map_err(|error| format!("{at}: {error}"))?;
            Ok((
                lint,
                Level::parse(level).map_err(|error| format!("{at}, {name}: {error}"))?,
            ))
        })
        .collect()
}

/// A module that the build script includes by its path is the package's own, whatever crate it is compiled into here.
fn module_in(package: &str, module: &str) -> String {
    let (root, rest) = module.split_at(module.find("::").unwrap_or(module.len()));
    if package.is_empty() || !root.starts_with("build_script_") {
        return module.to_owned();
    }
    package.replace('-', "_") + rest
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

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
mod tests {
    use super::*;

    #[test]
    fn a_module_is_the_packages_own() {
        for (module, expected) in [
            ("build_script_build::tools", "my_shop::tools"),
            ("build_script_build", "my_shop"),
            ("build_script_main::a::b", "my_shop::a::b"),
            ("shop_tools::tools", "shop_tools::tools"),
        ] {
            assert_eq!(module_in("my-shop", module), expected);
        }
        assert_eq!(module_in("", "build_script_build"), "build_script_build");
    }
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

    /// What the lock has to say; the lints have words of their own.
    fn warned(directives: &[String]) -> Vec<String> {
        said(directives, "warning")
            .into_iter()
            .filter(|line| !line.ends_with(')') || line.contains("lock"))
            .collect()
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
        assert_eq!(warned(&first).len(), 1);
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
        assert!(warned(&same).is_empty() && said(&same, "error").is_empty());
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
        // What the raised version lets through, and the lock that is behind, with both changes.
        assert_eq!(warned(&through).len(), 4);

        // Accepted.
        let accepted = package.build(new(), accept);
        assert!(said(&accepted, "error").is_empty());
        assert_ne!(package.lock().unwrap(), published);
        assert!(warned(&package.build(new(), ci)).is_empty());
    }

    #[test]
    fn the_lock_is_named_like_the_places_of_the_tools() {
        let workspace = Package::new("named");
        let package = workspace.0.join("shop");
        fs::create_dir_all(package.join("src")).unwrap();
        fs::write(package.join("src/tools.rs"), "").unwrap();
        let named = |file: &str| {
            let place = SourcePlace::new(file, 12, "shop::tools");
            let tool = ManifestTool {
                source: Some(place),
                ..tool("cancel", json!({}))
            };
            Manifest::from_tools(vec![tool]).seen(Path::new("tools.lock.json"), &package)
        };
        assert_eq!(named("shop/src/tools.rs"), "shop/tools.lock.json");
        assert_eq!(named("src/tools.rs"), "tools.lock.json");
        assert_eq!(named("elsewhere/lib.rs"), "tools.lock.json");
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
    fn a_provider_that_cannot_have_a_tool_fails_the_build() {
        let package = Package::new("providers");
        let at = Surroundings {
            out_dir: Some(package.0.join("out")),
            package: package.0.clone(),
            mode: Ok(LockMode::default()),
        };
        let run = |name: &str| {
            let map =
                json!({"labels": {"type": "object", "additionalProperties": {"type": "string"}}});
            let script = Manifest::from_tools(vec![tool("tag_order", map)]);
            said(&script.provider(name).run(&at).directives, "error")
        };
        assert!(run("openai").is_empty());
        let written = fs::read_to_string(package.0.join("out/tools.openai_chat.json")).unwrap();
        assert!(written.contains("tag_order"), "{written}");
        let refused = run("openai_chat_strict").join("\n");
        assert!(
            refused.contains("tag_order") && refused.contains("/properties/labels"),
            "{refused}"
        );
        assert!(run("opnai")[0].contains("did you mean `openai`?"));
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

    #[test]
    fn lints_go_by_the_package_and_the_script() {
        let package = Package::new("lints");
        let at = Surroundings {
            out_dir: Some(package.0.join("out")),
            package: package.0.clone(),
            mode: Ok(LockMode::default()),
        };
        let run = |cargo: &str, script: Manifest| {
            fs::write(package.0.join("Cargo.toml"), cargo).unwrap();
            script.run(&at).directives
        };
        let script = || Manifest::from_tools(vec![tool("handle_it", json!({}))]);
        let section = "[package]\nname = \"x\"\n[package.metadata.tools.lints]\n";
        let errors = |directives: &[String]| said(directives, "error");
        assert!(errors(&run("[package]\nname = \"x\"\n", script())).is_empty());
        let denied = run(&format!("{section}vague-name = \"deny\"\n"), script());
        assert!(
            errors(&denied)[0].starts_with("`handle_it`: the name does not say what a call does"),
            "{denied:?}"
        );
        assert!(
            errors(&run(
                &format!("{section}vague-name = \"deny\"\n"),
                script().allow("vague_name")
            ))
            .is_empty()
        );
        let wrong = run(
            &format!("{section}vage_name = \"deny\"\n"),
            script().deny("x"),
        );
        assert!(
            errors(&wrong)[0].contains("did you mean `vague_name`?"),
            "{wrong:?}"
        );
        assert!(
            errors(&wrong)[1].starts_with("in the build script: unknown lint `x`"),
            "{wrong:?}"
        );
        assert!(
            errors(&run(&format!("{section}vague_name = 1\n"), script()))[0]
                .contains("a level in quotes")
        );
    }
}
