//! The manifest: what every tool of a build promises, as one document.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::canonical;
use crate::definition::ToolDefinition;
use crate::risk::{Behaviour, Risk};

/// The version of the document's form. It is raised when a reader of the old form would be misled.
pub const MANIFEST_VERSION: u32 = 1;

/// What every tool of a build promises, sorted by name: the same tools give the same bytes.
///
/// ```
/// use tool_runtime::manifest::{Manifest, ManifestTool};
/// use serde_json::json;
///
/// let tool = ManifestTool::new("get_order", "Reads one order.", json!({"type": "object"}));
/// let manifest = Manifest::from_tools(vec![tool]);
/// assert!(manifest.to_json_string().starts_with("{\n  \"manifestVersion\": 1,"));
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Manifest {
    tools: Vec<ManifestTool>,
}

impl Manifest {
    /// The manifest of these tools. They are sorted by name; a name that stands twice is kept twice, and
    /// [`duplicates`](Self::duplicates) tells.
    #[must_use]
    pub fn from_tools(mut tools: Vec<ManifestTool>) -> Self {
        // The place decides between two tools of one name, so that even a broken build reads the same everywhere.
        tools.sort_by(|a, b| (&a.name, &a.source).cmp(&(&b.name, &b.source)));
        Self { tools }
    }

    /// The tools, sorted by name.
    #[must_use]
    pub fn tools(&self) -> &[ManifestTool] {
        &self.tools
    }

    /// The tool of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&ManifestTool> {
        self.tools.iter().find(|tool| tool.name == name)
    }

    /// Every pair of tools that answer to one name, by name or by alias.
    #[must_use]
    pub fn duplicates(&self) -> Vec<Duplicate<'_>> {
        let mut taken: BTreeMap<&str, &ManifestTool> = BTreeMap::new();
        let mut found = Vec::new();
        let names = self.tools.iter().map(|tool| (tool.name.as_str(), tool));
        let aliases = self
            .tools
            .iter()
            .flat_map(|tool| tool.aliases.iter().map(move |alias| (alias.as_str(), tool)));
        for (name, tool) in names.chain(aliases) {
            match taken.get(name) {
                Some(first) => found.push(Duplicate {
                    name,
                    first,
                    second: tool,
                }),
                None => {
                    taken.insert(name, tool);
                }
            }
        }
        found
    }

    /// The document: JSON with two-space indents and a line break at the end, the same bytes on every machine.
    #[must_use]
    pub fn to_json_string(&self) -> String {
        let tools = self.tools.iter().map(ManifestTool::members);
        write_document("manifestVersion", MANIFEST_VERSION, tools)
    }
}

/// Writes a document of tools: the version's member, then the tools in the order they come.
pub(crate) fn write_document(
    version_name: &str,
    version: u32,
    tools: impl Iterator<Item = Vec<(&'static str, Value)>>,
) -> String {
    let mut out = format!("{{\n  \"{version_name}\": {version},\n  \"tools\": [");
    let mut any = false;
    for members in tools {
        if any {
            out.push(',');
        }
        any = true;
        canonical::break_line(2, &mut out);
        out.push('{');
        for (index, (name, value)) in members.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            canonical::break_line(3, &mut out);
            out.push_str(&canonical::quoted(name));
            out.push_str(": ");
            canonical::write_pretty(value, 3, &mut out);
        }
        canonical::break_line(2, &mut out);
        out.push('}');
    }
    if any {
        canonical::break_line(1, &mut out);
    }
    out.push_str("]\n}\n");
    out
}

/// Two tools that answer to one name.
#[derive(Debug, Clone, Copy)]
pub struct Duplicate<'a> {
    /// The name.
    pub name: &'a str,
    /// The tool that has it.
    pub first: &'a ManifestTool,
    /// The tool that takes it too.
    pub second: &'a ManifestTool,
}

impl fmt::Display for Duplicate<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            first,
            second,
        } = self;
        write!(
            f,
            "two tools are called `{name}`: {} and {}; ",
            first.place(),
            second.place()
        )?;
        if first.name == second.name {
            f.write_str("rename one or give `name = \"\u{2026}\"`")
        } else {
            f.write_str("rename one or drop the alias")
        }
    }
}

/// One tool of a manifest: everything a caller, a reviewer or an exporter needs to know of it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ManifestTool {
    /// The name a model calls it by.
    pub name: String,
    /// A short name for people.
    #[serde(default)]
    pub title: Option<String>,
    /// The contract's version, raised by the author when old calls need not work any more.
    #[serde(default = "first_version")]
    pub version: u32,
    /// Other names it is still called by.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// The prompt that steers the model's choice.
    #[serde(default)]
    pub description: String,
    /// How much harm a call can do.
    #[serde(default = "undeclared_risk")]
    pub risk: Risk,
    /// Whether the author declared the risk. Not part of the document: it is a matter between author and lint.
    #[serde(skip, default = "yes")]
    pub risk_declared: bool,
    /// Whether a person is asked before a call runs.
    #[serde(default)]
    pub confirm: bool,
    /// The question they are asked.
    #[serde(default)]
    pub confirm_question: Option<String>,
    /// What a call does to the world outside. MCP's `annotations` are read as this too, with MCP's defaults.
    #[serde(default, alias = "annotations", deserialize_with = "read_behaviour")]
    pub behaviour: Behaviour,
    /// JSON Schema 2020-12 of the arguments.
    #[serde(default = "any_object")]
    pub input_schema: Value,
    /// JSON Schema 2020-12 of a successful result, where the type has one.
    #[serde(default)]
    pub output_schema: Option<Value>,
    /// The arguments that are secret, by their names on the wire.
    #[serde(default)]
    pub secrets: Vec<String>,
    /// For an argument, the other names it is still accepted by.
    #[serde(default)]
    pub argument_aliases: BTreeMap<String, Vec<String>>,
    /// Where the tool is written.
    #[serde(default)]
    pub source: Option<SourcePlace>,
}

fn first_version() -> u32 {
    1
}

fn undeclared_risk() -> Risk {
    Risk::Medium
}

fn yes() -> bool {
    true
}

fn any_object() -> Value {
    serde_json::json!({"type": "object"})
}

impl ManifestTool {
    /// A tool with a name, a description and an input schema; everything else as an author who declares nothing has it.
    pub fn new(
        name: impl Into<String>,
        description: impl Into<String>,
        input_schema: Value,
    ) -> Self {
        Self {
            name: name.into(),
            title: None,
            version: first_version(),
            aliases: Vec::new(),
            description: description.into(),
            risk: undeclared_risk(),
            risk_declared: false,
            confirm: false,
            confirm_question: None,
            behaviour: Behaviour::default(),
            input_schema,
            output_schema: None,
            secrets: Vec::new(),
            argument_aliases: BTreeMap::new(),
            source: None,
        }
    }

    /// What the model is shown, before any provider's dialect.
    #[must_use]
    pub fn definition(&self) -> ToolDefinition {
        ToolDefinition {
            title: self.title.clone(),
            output_schema: self.output_schema.clone(),
            behaviour: self.behaviour,
            ..ToolDefinition::new(
                self.name.as_str(),
                self.description.as_str(),
                self.input_schema.clone(),
            )
        }
    }

    /// SHA-256 over what the tool promises: everything but the place where it is written.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let contract: Map<String, Value> = self
            .contract()
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        canonical::fingerprint(&Value::Object(contract))
    }

    /// Where the tool is written, for messages.
    #[must_use]
    pub fn place(&self) -> String {
        self.source
            .as_ref()
            .map_or_else(|| "an unknown place".to_owned(), SourcePlace::to_string)
    }

    /// What the tool promises, in the order a person reads it. Members that say nothing are left out.
    pub(crate) fn contract(&self) -> Vec<(&'static str, Value)> {
        let mut members = vec![("name", Value::from(self.name.as_str()))];
        if let Some(title) = &self.title {
            members.push(("title", Value::from(title.as_str())));
        }
        members.push(("version", Value::from(self.version)));
        if !self.aliases.is_empty() {
            members.push(("aliases", sorted(&self.aliases)));
        }
        members.push(("description", Value::from(self.description.as_str())));
        members.push(("risk", Value::from(self.risk.as_str())));
        members.push(("confirm", Value::from(self.confirm)));
        if let Some(question) = &self.confirm_question {
            members.push(("confirmQuestion", Value::from(question.as_str())));
        }
        members.push(("behaviour", behaviour_value(self.behaviour)));
        members.push(("inputSchema", self.input_schema.clone()));
        if let Some(schema) = &self.output_schema {
            members.push(("outputSchema", schema.clone()));
        }
        if !self.argument_aliases.is_empty() {
            let aliases = self
                .argument_aliases
                .iter()
                .map(|(name, aliases)| (name.clone(), sorted(aliases)));
            members.push(("argumentAliases", Value::Object(aliases.collect())));
        }
        if !self.secrets.is_empty() {
            members.push(("secrets", sorted(&self.secrets)));
        }
        members
    }

    /// All members of the document.
    fn members(&self) -> Vec<(&'static str, Value)> {
        let mut members = self.contract();
        if let Some(source) = &self.source {
            members.push(("source", source.to_value()));
        }
        members.push(("fingerprint", Value::from(self.fingerprint())));
        members
    }
}

/// The document's form of one tool.
impl Serialize for ManifestTool {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.members())
    }
}

fn sorted(names: &[String]) -> Value {
    let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
    names.sort_unstable();
    Value::from(names)
}

fn behaviour_value(behaviour: Behaviour) -> Value {
    serde_json::json!({
        "readOnly": behaviour.read_only,
        "destructive": behaviour.destructive,
        "idempotent": behaviour.idempotent,
        "openWorld": behaviour.open_world,
        "exclusive": behaviour.exclusive,
    })
}

/// Our own five flags, or MCP's four hints. Both may be partial; what is absent has the default of its vocabulary.
fn read_behaviour<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Behaviour, D::Error> {
    let members = Option::<Map<String, Value>>::deserialize(deserializer)?.unwrap_or_default();
    let flag = |name: &str| members.get(name).and_then(Value::as_bool);
    let is_mcp = members.keys().any(|name| name.ends_with("Hint"));
    let default = Behaviour {
        open_world: is_mcp,
        ..Behaviour::default()
    };
    let pick = |ours: &str, theirs: &str, default: bool| {
        flag(ours).or_else(|| flag(theirs)).unwrap_or(default)
    };
    Ok(Behaviour {
        read_only: pick("readOnly", "readOnlyHint", default.read_only),
        destructive: pick("destructive", "destructiveHint", default.destructive),
        idempotent: pick("idempotent", "idempotentHint", default.idempotent),
        open_world: pick("openWorld", "openWorldHint", default.open_world),
        exclusive: flag("exclusive").unwrap_or(default.exclusive),
    })
}

/// Where a tool is written, relative to the folder the build ran in: never an absolute path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub struct SourcePlace {
    /// The file.
    pub file: String,
    /// The line of the `#[tool]`.
    pub line: u32,
    /// The module's path.
    #[serde(default)]
    pub module: String,
}

impl SourcePlace {
    /// The place of a function as the compiler names it: `file!()`, `line!()`, `module_path!()`.
    ///
    /// A dependency's file comes as an absolute path, which differs from machine to machine; of it only what follows
    /// the package's folder is kept.
    #[must_use]
    pub fn new(file: &str, line: u32, module: &str) -> Self {
        Self {
            file: relative(file),
            line,
            module: module.to_owned(),
        }
    }

    fn to_value(&self) -> Value {
        serde_json::json!({"file": self.file, "line": self.line, "module": self.module})
    }
}

impl fmt::Display for SourcePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// `file` without the part that only this machine has.
fn relative(file: &str) -> String {
    let file = file.replace('\\', "/");
    let absolute = file.starts_with('/') || file.get(1..3) == Some(":/");
    if !absolute {
        return file.trim_start_matches("./").to_owned();
    }
    let parts: Vec<&str> = file.split('/').filter(|part| !part.is_empty()).collect();
    // A package keeps its code under `src`, `tests` or `examples`, and the folder above is the package's own name.
    let code = parts
        .iter()
        .rposition(|part| matches!(*part, "src" | "tests" | "examples" | "benches"));
    let from = code.map_or(parts.len().saturating_sub(1), |code| code.saturating_sub(1));
    parts.get(from..).unwrap_or_default().join("/")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_place_is_never_absolute() {
        let check =
            |file: &str, expected: &str| assert_eq!(SourcePlace::new(file, 1, "m").file, expected);
        check("src/tools.rs", "src/tools.rs");
        check("./src/tools.rs", "src/tools.rs");
        check(
            "examples\\orders\\src\\tools.rs",
            "examples/orders/src/tools.rs",
        );
        check(
            "/home/someone/shop-1.0.0/src/tools.rs",
            "shop-1.0.0/src/tools.rs",
        );
        check("C:\\work\\shop\\src\\a\\b.rs", "shop/src/a/b.rs");
        check("/tools.rs", "tools.rs");
        check("/", "");
    }

    #[test]
    fn a_fingerprint_ignores_the_place_and_nothing_else() {
        let tool = ManifestTool::new(
            "a",
            "Does a.",
            json!({"type": "object", "properties": {"x": {"minimum": 1.0}}}),
        );
        let moved = ManifestTool {
            source: Some(SourcePlace::new("src/a.rs", 3, "a")),
            ..tool.clone()
        };
        assert_eq!(tool.fingerprint(), moved.fingerprint());
        let reworded = ManifestTool {
            description: "Does a. ".into(),
            ..tool.clone()
        };
        assert_ne!(tool.fingerprint(), reworded.fingerprint());
    }

    #[test]
    fn annotations_are_read_as_behaviour_with_their_own_defaults() {
        let read = |value: Value| {
            serde_json::from_value::<ManifestTool>(value)
                .unwrap()
                .behaviour
        };
        assert!(read(json!({"name": "a", "annotations": {"readOnlyHint": true}})).open_world);
        assert!(!read(json!({"name": "a", "behaviour": {"readOnly": true}})).open_world);
        assert!(!read(json!({"name": "a", "annotations": {"openWorldHint": false}})).open_world);
        assert_eq!(read(json!({"name": "a"})), Behaviour::default());
    }

    #[test]
    fn duplicates_name_both_places() {
        let at = |name: &str, line| ManifestTool {
            source: Some(SourcePlace::new("src/a.rs", line, "a")),
            ..ManifestTool::new(name, "Does it.", json!({}))
        };
        let manifest = Manifest::from_tools(vec![at("search", 22), at("b", 5), at("search", 10)]);
        let found: Vec<String> = manifest
            .duplicates()
            .iter()
            .map(Duplicate::to_string)
            .collect();
        assert_eq!(
            found,
            [
                "two tools are called `search`: src/a.rs:10 and src/a.rs:22; rename one or give `name = \"\u{2026}\"`"
            ]
        );
    }
}
