//! The root, where every provider is strictest.

use super::super::report::Loss;
use super::super::rules::{Empty, Root};
use super::super::schema::{Document, Kind, Node};
use super::Log;
use super::merge::{both, opened};

const WAY_OUT: &str = "wrap the type in a field of a struct";

/// Makes the root an object where it is one in other words: a reference to an object, an object "or null", properties
/// without a type, the unit type. Needed by everyone: all of them demand `type: object`.
pub(crate) fn settle(document: &mut Document, log: &mut Log<'_>) {
    if document.root.reference.is_some() {
        match opened(&document.root, document, 0) {
            Ok(mut root) => {
                root.at = String::new();
                document.root = root;
                log.change("", Loss::None, "the referenced schema written out");
            }
            Err(conflict) => {
                log.refuse(
                    "",
                    "a root that is a reference",
                    conflict.why(),
                    "write the root out",
                );
                return;
            }
        }
    }
    if log.rules.root != Root::ObjectWithUnions && document.root.all_of.is_some() {
        merge_all_of(document);
    }
    let objects_only = only_objects(document);
    let root = &mut document.root;
    match root.kinds.as_slice() {
        [Kind::Object] => {}
        [Kind::Null] => {
            // Arguments are always an object; the unit type takes none.
            *root = Node {
                kinds: vec![Kind::Object],
                description: root.description.take(),
                ..Node::at("")
            };
            log.change(
                "",
                Loss::Intake,
                "the unit type written as an object without properties",
            );
        }
        kinds if kinds.contains(&Kind::Object) => {
            root.kinds = vec![Kind::Object];
            log.change(
                "",
                Loss::Narrower,
                "only objects left: arguments are nothing else",
            );
        }
        [] if root.properties.is_some() => {
            root.kinds = vec![Kind::Object];
            log.change(
                "",
                Loss::Narrower,
                "type: object added, as arguments are nothing else",
            );
        }
        [] if log.rules.root == Root::ObjectWithUnions && objects_only => {
            root.kinds = vec![Kind::Object];
            log.change("", Loss::None, "type: object added, as every branch is one");
        }
        _ => {}
    }
    empty(&mut document.root, log);
}

/// Members of a root `allOf`, one after the other. What cannot be merged stays and is refused as a combinator.
fn merge_all_of(document: &mut Document) {
    let mut root = document.root.clone();
    let mut merged = Node {
        all_of: None,
        ..root.clone()
    };
    for member in root.all_of.take().into_iter().flatten() {
        match both(&merged, &member, document, 0) {
            Ok(node) => merged = node,
            Err(_) => return,
        }
    }
    document.root = merged;
}

/// Writes a schema without properties the way the dialect wants a tool without parameters.
fn empty(root: &mut Node, log: &mut Log<'_>) {
    let unsaid = root.properties.as_ref().is_none_or(Vec::is_empty) && root.patterns.is_empty();
    let open = root
        .additional
        .as_ref()
        .is_some_and(|node| node.boolean != Some(false));
    let unions = root.any_of.is_some()
        || root.one_of.is_some()
        || root.all_of.is_some()
        || !root.applied.is_empty();
    if root.kinds != [Kind::Object] || !unsaid || unions {
        return;
    }
    match log.rules.empty {
        Empty::Properties if root.properties.is_none() => {
            root.properties = Some(Vec::new());
            log.change("", Loss::None, "properties: {} added");
        }
        Empty::Closed if !open && root.additional.is_none() => {
            root.additional = Some(Box::new(Node {
                boolean: Some(false),
                ..Node::at("")
            }));
            log.change("", Loss::Narrower, "closed, as the tool has no parameters");
        }
        _ => {}
    }
}

/// Whether every value that fits the root is an object.
fn only_objects(document: &Document) -> bool {
    fn holds(node: &Node, document: &Document, depth: usize) -> bool {
        let node = document.resolved(node);
        let all = |nodes: &Option<Vec<Node>>| {
            nodes.as_ref().is_some_and(|list| {
                !list.is_empty() && list.iter().all(|each| holds(each, document, depth + 1))
            })
        };
        let any = node
            .all_of
            .as_ref()
            .is_some_and(|list| list.iter().any(|each| holds(each, document, depth + 1)));
        depth < 16
            && (node.kinds == [Kind::Object] || all(&node.any_of) || all(&node.one_of) || any)
    }
    holds(&document.root, document, 0)
}

/// Refuses a root that is no plain object. Everyone but MCP names the combinator even beside `type: object`, strict
/// or not.
pub(crate) fn check(document: &Document, log: &mut Log<'_>) {
    let root = &document.root;
    if root.kinds != [Kind::Object] {
        log.refuse(
            "",
            "a root that is not an object",
            "a model's arguments are always an object",
            WAY_OUT,
        );
        return;
    }
    if log.rules.root == Root::ObjectWithUnions {
        return;
    }
    let found = [
        ("oneOf", root.one_of.is_some()),
        ("anyOf", root.any_of.is_some()),
        ("allOf", root.all_of.is_some()),
        ("enum", root.choices.is_some()),
        ("const", root.constant.is_some()),
        ("not", root.not.is_some()),
    ];
    for (keyword, there) in found {
        if there {
            let construct = format!("a root with `{keyword}`");
            log.refuse("", &construct, "the root must be a plain object", WAY_OUT);
        }
    }
}
