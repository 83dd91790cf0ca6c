//! Nulls that a strict form made the model write for a property it left out.

use serde_json::Value;

use super::parse::parse;
use super::passes::admits_null;
use super::schema::{Document, Kind, Node};

/// Removes nulls of optional members whose schema does not admit null: in a strict form they mean "left out".
///
/// `schema` is the tool's own schema, not an exported one. Returns where something was removed, as JSON Pointers. A null
/// that the schema admits stays, since it may mean something; so does every null where it is not plain which branch of
/// a union is meant.
pub fn absent_nulls(schema: &Value, arguments: &mut Value) -> Vec<String> {
    let mut removed = Vec::new();
    if let Ok(document) = parse(schema) {
        clean(
            arguments,
            &[&document.root],
            &document,
            &mut String::new(),
            0,
            &mut removed,
        );
    }
    removed
}

fn clean(
    value: &mut Value,
    schemas: &[&Node],
    document: &Document,
    at: &mut String,
    depth: usize,
    removed: &mut Vec<String>,
) {
    if depth > 64 || !(value.is_object() || value.is_array()) {
        return;
    }
    let mut open: Vec<&Node> = Vec::new();
    for schema in schemas {
        spread(schema, value, document, 0, &mut open);
    }
    let length = at.len();
    match value {
        Value::Object(members) => {
            let mut gone = Vec::new();
            for (name, member) in members.iter_mut() {
                let listing: Vec<(&Node, &Node)> = open
                    .iter()
                    .filter_map(|node| Some((*node, node.property(name)?)))
                    .collect();
                at.push('/');
                at.push_str(&super::schema::escape(name));
                let unwanted = |(node, property): &(&Node, &Node)| {
                    !node.is_required(name) && !admits_null(property, document, 0)
                };
                if member.is_null() && !listing.is_empty() && listing.iter().all(unwanted) {
                    gone.push(name.clone());
                    removed.push(at.clone());
                } else {
                    let inner: Vec<&Node> = listing.iter().map(|(_, property)| *property).collect();
                    clean(member, &inner, document, at, depth + 1, removed);
                }
                at.truncate(length);
            }
            members.retain(|name, _| !gone.contains(name));
        }
        Value::Array(elements) => {
            for (index, element) in elements.iter_mut().enumerate() {
                let inner: Vec<&Node> = open
                    .iter()
                    .filter_map(|node| {
                        node.prefix
                            .as_ref()
                            .and_then(|prefix| prefix.get(index))
                            .or(node.items.as_deref())
                    })
                    .collect();
                at.push_str(&format!("/{index}"));
                clean(element, &inner, document, at, depth + 1, removed);
                at.truncate(length);
            }
        }
        _ => {}
    }
}

/// The schemas that speak about a value: references followed, members of `allOf`, branches that the value may be meant for.
fn spread<'d>(
    node: &'d Node,
    value: &Value,
    document: &'d Document,
    depth: usize,
    out: &mut Vec<&'d Node>,
) {
    if depth > 16 || out.len() > 256 {
        return;
    }
    out.push(node);
    if let Some(target) = node
        .reference
        .as_ref()
        .and_then(|target| document.target(target))
    {
        spread(target, value, document, depth + 1, out);
    }
    for member in node.all_of.iter().flatten() {
        spread(member, value, document, depth + 1, out);
    }
    for branch in node.any_of.iter().chain(&node.one_of).flatten() {
        if may_mean(document.resolved(branch), value) {
            spread(branch, value, document, depth + 1, out);
        }
    }
}

/// Whether a value can be meant for a branch, going by its type and its tag.
fn may_mean(branch: &Node, value: &Value) -> bool {
    let kind = Kind::of(value);
    if !branch.kinds.is_empty() && !branch.kinds.iter().any(|known| known.admits(kind)) {
        return false;
    }
    let Value::Object(members) = value else {
        return true;
    };
    branch.properties.iter().flatten().all(|(name, property)| {
        match (&property.constant, members.get(name)) {
            (Some(constant), Some(member)) => constant == member,
            (Some(_), None) => !branch.is_required(name),
            (None, member) => member.is_some() || !branch.is_required(name),
        }
    })
}
