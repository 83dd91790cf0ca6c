//! One tool at a time through the passes, and what comes out as one export.

use serde_json::{Value, json};

use super::parse::{Unreadable, parse};
use super::passes::{self, Counts, Log};
use super::report::{Export, ExportError, Loss};
use super::rules::{Empty, Root, Rules};
use super::schema::{Document, Kind, Node};
use crate::definition::ToolDefinition;

/// A tool's parts in a dialect.
#[derive(Debug)]
pub(crate) struct Exported {
    /// The schema of the arguments; none where the dialect leaves it out.
    pub(crate) schema: Option<Value>,
    pub(crate) description: String,
    /// The schema of the result, for dialects that show it.
    pub(crate) output: Option<Value>,
}

/// Exports tools by a table of rules. `define` builds one definition, `gather` the request's member `tools`.
pub(crate) fn export(
    rules: &Rules,
    tools: &[ToolDefinition],
    define: &dyn Fn(&ToolDefinition, Exported) -> Value,
    gather: &dyn Fn(&[Value]) -> Value,
) -> Result<Export, ExportError> {
    let mut out = Export {
        definitions: Vec::new(),
        tools: Value::Null,
        changes: Vec::new(),
        warnings: Vec::new(),
    };
    let mut findings = Vec::new();
    let mut counts: Vec<(String, Counts)> = Vec::new();
    for tool in tools {
        let mut log = Log::new(&tool.name, rules);
        let exported = one(tool, &mut log, &mut counts);
        findings.append(&mut log.findings);
        out.changes.append(&mut log.changes);
        out.warnings.append(&mut log.warnings);
        if let Some(exported) = exported {
            out.definitions.push(define(tool, exported));
        }
    }
    for (index, tool) in tools.iter().enumerate() {
        if tools
            .iter()
            .take(index)
            .any(|earlier| earlier.name == tool.name)
        {
            let mut log = Log::new(&tool.name, rules);
            log.refuse(
                "",
                "a second tool of this name",
                "a call could mean either",
                "rename one of the two",
            );
            findings.append(&mut log.findings);
        }
    }
    if !findings.is_empty() {
        return Err(ExportError { findings });
    }
    let mut log = Log::new("(all)", rules);
    passes::request(&counts, &mut log);
    out.warnings.append(&mut log.warnings);
    out.tools = gather(&out.definitions);
    Ok(out)
}

fn one(
    tool: &ToolDefinition,
    log: &mut Log<'_>,
    counts: &mut Vec<(String, Counts)>,
) -> Option<Exported> {
    let rules = log.rules;
    passes::tool_name(log);
    let mut document = read(&tool.input_schema, "", log)?;
    passes::run(&mut document, log);
    counts.push((tool.name.clone(), passes::counts(&document)));
    let mut description = tool.description.clone();
    if rules.root == Root::Bare {
        bare(&mut document, &mut description, log);
    }
    passes::description(&description, log);
    let omitted = rules.empty == Empty::Omitted
        && document.root.properties.as_ref().is_none_or(Vec::is_empty);
    let output = match (&tool.output_schema, rules.root) {
        (Some(schema), Root::ObjectWithUnions) => Some(output(schema, log)?),
        _ => None,
    };
    Some(Exported {
        schema: (!omitted).then(|| document.write()),
        description,
        output,
    })
}

fn read(schema: &Value, place: &str, log: &mut Log<'_>) -> Option<Document> {
    match parse(schema) {
        Ok(document) => Some(document),
        Err(problems) => {
            for Unreadable {
                at,
                construct,
                reason,
            } in problems
            {
                let way = "correct the schema";
                log.refuse(
                    &format!("{place}{at}"),
                    &format!("the {construct} of the {place}schema"),
                    &reason,
                    way,
                );
            }
            None
        }
    }
}

/// Leaves `type`, `properties` and `required` at the root; words go to the tool's description.
fn bare(document: &mut Document, description: &mut String, log: &mut Log<'_>) {
    let root = std::mem::take(&mut document.root);
    if let Some(words) = root
        .description
        .filter(|words| !description.contains(words.as_str()))
    {
        if !description.is_empty() {
            description.push_str("\n\n");
        }
        description.push_str(&words);
        log.change("", Loss::None, "the root's description moved to the tool's");
    }
    let open = root
        .additional
        .as_ref()
        .is_some_and(|rest| rest.boolean != Some(false))
        || !root.patterns.is_empty();
    if open {
        let reason = "the root has named properties only";
        log.refuse(
            "",
            "an open object at the root",
            reason,
            "put the map into a field",
        );
    } else if root.additional.is_some() {
        log.change(
            "",
            Loss::Intake,
            "additionalProperties: false removed at the root",
        );
    }
    for (keyword, value) in &root.keywords {
        log.change(
            "",
            Loss::Moved,
            format!("{keyword} told in the tool's description"),
        );
        description.push_str(&format!(" ({keyword}: {value})"));
    }
    document.root = Node {
        kinds: vec![Kind::Object],
        properties: Some(root.properties.unwrap_or_default()),
        required: root.required,
        ..Node::at("")
    };
}

/// The schema of a result, for MCP. Before 2026-07-28 its root is an object: other results are wrapped as `result`.
fn output(schema: &Value, log: &mut Log<'_>) -> Option<Value> {
    let mut document = read(schema, "output ", log)?;
    let rules = log.rules;
    let mut inner = Log::new(log.tool, rules);
    passes::output(&mut document, &mut inner);
    for change in inner.changes {
        log.change(&format!("output {}", change.path), change.loss, change.what);
    }
    if rules.untyped == super::rules::Untyped::Object && document.root.kinds != [Kind::Object] {
        let definitions = std::mem::take(&mut document.definitions);
        let mut wrapped = json!({"type": "object", "required": ["result"]});
        let root = document.root.write(&super::schema::spell);
        document.definitions = definitions;
        if let Value::Object(map) = &mut wrapped {
            map.insert("properties".into(), json!({"result": root}));
            if let Some(definitions) = document.write().get("$defs") {
                map.insert("$defs".into(), definitions.clone());
            }
        }
        log.change(
            "output ",
            Loss::None,
            "the result wrapped as {\"result\": …}, as its schema is no object",
        );
        return Some(wrapped);
    }
    Some(document.write())
}
