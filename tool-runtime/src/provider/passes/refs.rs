//! References: what may stand beside one, where one may stand, and which types may hold themselves.

use std::collections::BTreeSet;

use super::super::report::Loss;
use super::super::rules::{BesideRef, Recursion, Refs, Treatment};
use super::super::schema::{Document, MAX_DEPTH, Node, Target, spell};
use super::merge::opened;
use super::{Log, notes};

/// One reference, seen from the definition it stands in.
struct Edge {
    to: Target,
    /// Some property on the way may be left out.
    optional: bool,
    /// The reference is itself a branch of a union.
    branch: bool,
}

fn edges(node: &Node) -> Vec<Edge> {
    fn walk(node: &Node, optional: bool, branch: bool, out: &mut Vec<Edge>) {
        if let Some(to) = &node.reference {
            out.push(Edge {
                to: to.clone(),
                optional,
                branch,
            });
        }
        for (name, child) in node.properties.iter().flatten() {
            walk(child, optional || !node.is_required(name), false, out);
        }
        for child in [&node.any_of, &node.one_of].into_iter().flatten().flatten() {
            walk(child, optional, true, out);
        }
        let mut rest = node.clone();
        rest.properties = None;
        rest.any_of = None;
        rest.one_of = None;
        for child in rest.children() {
            walk(child, optional, false, out);
        }
    }
    let mut out = Vec::new();
    // A definition that is only a reference is opened together with the reference that leads to it.
    walk(node, false, true, &mut out);
    out
}

/// The places from which a chain of such references comes back to itself.
fn cycles(document: &Document, counts: impl Fn(&Edge) -> bool) -> Vec<Target> {
    let mut places = vec![Target::Root];
    places.extend(
        document
            .definitions
            .iter()
            .map(|(name, _)| Target::Definition(name.clone())),
    );
    let graph: Vec<(Target, Vec<Target>)> = places
        .into_iter()
        .map(|place| {
            let node = document.target(&place);
            let to = node
                .map(edges)
                .unwrap_or_default()
                .into_iter()
                .filter(&counts)
                .map(|edge| edge.to)
                .collect();
            (place, to)
        })
        .collect();
    let next = |place: &Target| {
        graph
            .iter()
            .find(|(from, _)| from == place)
            .map_or(&[][..], |(_, to)| to.as_slice())
    };
    let mut out = Vec::new();
    for (start, _) in &graph {
        let mut seen: BTreeSet<&Target> = BTreeSet::new();
        let mut waiting: Vec<&Target> = next(start).iter().collect();
        while let Some(place) = waiting.pop() {
            if seen.insert(place) {
                waiting.extend(next(place));
            }
        }
        if seen.contains(start) {
            out.push(start.clone());
        }
    }
    out
}

/// Refuses types that hold themselves. Needed by Anthropic strict, Bedrock strict and Nova, Gemini `parameters` and
/// Ollama for every such type; by Gemini's JSON form where every step is demanded; by DeepSeek strict, later, for
/// steps through `anyOf`, where the reference would have to be written out without end.
pub(crate) fn recursion(document: &Document, log: &mut Log<'_>) {
    circles(document, log);
    let found = match log.rules.recursion {
        Recursion::Allowed | Recursion::NotThroughUnions => return,
        Recursion::Refused => cycles(document, |_| true),
        Recursion::ThroughOptional => cycles(document, |edge| !edge.optional),
    };
    let reason = match log.rules.recursion {
        Recursion::ThroughOptional => {
            "a type may only hold itself through a property that can be left out"
        }
        _ => "a type that holds itself has no finite spelling here",
    };
    report(document, &found, reason, log);
}

/// Refuses definitions that are nothing but a reference and lead to themselves: they describe no value.
fn circles(document: &Document, log: &mut Log<'_>) {
    for (name, node) in &document.definitions {
        let mut current = node;
        for _ in 0..=document.definitions.len() {
            let Some(target) = &current.reference else {
                break;
            };
            if *target == Target::Definition(name.clone()) {
                let reason = "it leads to itself and describes nothing";
                log.refuse(
                    &node.at,
                    "a reference in a circle",
                    reason,
                    "say what the value is",
                );
                break;
            }
            let Some(next) = document.target(target) else {
                break;
            };
            current = next;
        }
    }
}

fn report(document: &Document, found: &[Target], reason: &str, log: &mut Log<'_>) {
    for place in found {
        let at = document
            .target(place)
            .map_or_else(String::new, |node| node.at.clone());
        log.refuse(
            &at,
            "a recursive type",
            reason,
            "pass the parts as a flat list that refers to each other by id",
        );
    }
}

/// Brings references into the form the dialect takes:
/// - siblings that constrain are merged with the target. Needed by everyone who is not lenient: schemars writes an
///   internally tagged newtype variant as a tag beside a `$ref`, and dropping either half loses the tag or the payload;
/// - words beside a reference are kept, wrapped (OpenAI strict) or merged (Anthropic and Bedrock strict, llama.cpp,
///   Moonshot where the target has words of its own);
/// - references are written out where there are none (Gemini `parameters`, Nova, Ollama).
pub(crate) fn settle(document: &mut Document, log: &mut Log<'_>) {
    let source = document.clone();
    let recursive: BTreeSet<Target> = cycles(&source, |_| true).into_iter().collect();
    let mut pass = Settling {
        source: &source,
        recursive,
        log,
    };
    pass.node(&mut document.root, &mut Vec::new(), 0);
    for (_, node) in &mut document.definitions {
        pass.node(node, &mut Vec::new(), 0);
    }
    root_reference(document, log);
    plain_names(document, log);
}

struct Settling<'s, 'l, 'r> {
    source: &'s Document,
    recursive: BTreeSet<Target>,
    log: &'l mut Log<'r>,
}

impl Settling<'_, '_, '_> {
    fn node(&mut self, node: &mut Node, open: &mut Vec<Target>, depth: usize) {
        if depth > 2 * MAX_DEPTH {
            self.too_deep(node);
            return;
        }
        alone_in_all_of(node);
        let mut opened_here = 0;
        while let Some(target) = node.reference.clone() {
            if !self.must_open(node, &target) {
                self.words(node, &target);
                break;
            }
            if open.contains(&target) || open.len() > MAX_DEPTH {
                if self.log.rules.recursion != Recursion::Refused {
                    self.too_deep(node);
                }
                return;
            }
            let constrained = node.constrains_beside_reference();
            let one_step = self
                .source
                .target(&target)
                .filter(|_| !constrained)
                .cloned();
            let merged = match one_step {
                Some(mut next) => {
                    next.description = node.description.clone().or(next.description);
                    for (key, value) in &node.keywords {
                        next.set_keyword(key, value.clone());
                    }
                    Ok(next)
                }
                None => opened(node, self.source, 0),
            };
            match merged {
                Ok(next) => {
                    if !self.log.afford(&next) {
                        return;
                    }
                    let what = if constrained {
                        "merged with what stands beside it"
                    } else {
                        "written out"
                    };
                    self.log
                        .change(&node.at, Loss::None, format!("{} {what}", spell(&target)));
                    *node = next;
                    alone_in_all_of(node);
                    open.push(target);
                    opened_here += 1;
                }
                Err(conflict) => {
                    let reason = format!("the two cannot be one schema: {}", conflict.why());
                    let way = "rename one of the two members";
                    self.log.refuse(
                        &node.at,
                        "a reference with constraints beside it",
                        &reason,
                        way,
                    );
                    break;
                }
            }
        }
        for child in node.children_mut() {
            self.node(child, open, depth + 1);
        }
        open.truncate(open.len() - opened_here);
    }

    fn too_deep(&mut self, node: &Node) {
        let reason = "it would have to be written out without end";
        self.log.refuse(
            &node.at,
            "a recursive type",
            reason,
            "give the inner use a type of its own",
        );
    }

    /// Whether the reference has to go.
    fn must_open(&self, node: &Node, target: &Target) -> bool {
        let rules = self.log.rules;
        if node.constrains_beside_reference() || rules.refs == Refs::Inlined {
            return true;
        }
        if self.recursive.contains(target) {
            return false;
        }
        if rules.plain_ref_names && awkward(target) {
            return true;
        }
        let words: Vec<&str> = self.words_beside(node);
        let target_has_words = || {
            self.source
                .target(target)
                .is_some_and(|node| node.description.is_some())
        };
        match rules.beside_ref {
            _ if words.is_empty() => false,
            BesideRef::Anything | BesideRef::Wrapped => false,
            BesideRef::Only(allowed) => words.iter().any(|word| !allowed.contains(word)),
            BesideRef::DescriptionOnce => words != ["description"] || target_has_words(),
            BesideRef::Merged => true,
        }
    }

    /// The words beside a reference that will still be there in the end.
    fn words_beside<'n>(&self, node: &'n Node) -> Vec<&'n str> {
        let kept = |(key, _): &&(String, serde_json::Value)| {
            !matches!(notes::treatment(self.log.rules, key), Treatment::Drop)
        };
        let mut words: Vec<&str> = node
            .keywords
            .iter()
            .filter(kept)
            .map(|(key, _)| key.as_str())
            .collect();
        if node.description.is_some() {
            words.insert(0, "description");
        }
        words
    }

    /// Puts the reference of a node with words into an `anyOf` of one, where it may have no siblings.
    fn words(&mut self, node: &mut Node, target: &Target) {
        let words = self.words_beside(node);
        let allowed = match self.log.rules.beside_ref {
            BesideRef::Anything => true,
            BesideRef::Only(allowed) => words.iter().all(|word| allowed.contains(word)),
            BesideRef::DescriptionOnce => {
                words == ["description"]
                    && self
                        .source
                        .target(target)
                        .is_some_and(|target| target.description.is_none())
            }
            BesideRef::Wrapped | BesideRef::Merged => false,
        };
        if !words.is_empty() && !allowed {
            let inner = Node {
                reference: node.reference.take(),
                ..Node::at(&node.at)
            };
            node.any_of = Some(vec![inner]);
            self.log.change(
                &node.at,
                Loss::None,
                "the reference put into an anyOf of one, apart from its description",
            );
        }
    }
}

/// Wraps references whose target was only now given words, by a note. Needed by Moonshot.
pub(crate) fn words_once(document: &mut Document, log: &mut Log<'_>) {
    if log.rules.beside_ref != BesideRef::DescriptionOnce {
        return;
    }
    let source = document.clone();
    document.visit_mut(&mut |node| {
        let described = |target: &Target| {
            source
                .target(target)
                .is_some_and(|target| target.description.is_some())
        };
        if node.description.is_some() && node.reference.as_ref().is_some_and(described) {
            let inner = Node {
                reference: node.reference.take(),
                ..Node::at(&node.at)
            };
            node.any_of = Some(vec![inner]);
            log.change(
                &node.at,
                Loss::None,
                "the reference put into an anyOf of one, apart from its description",
            );
        }
    });
}

/// `allOf` with nothing but one reference is how older drafts put words beside a reference.
fn alone_in_all_of(node: &mut Node) {
    let only = node.all_of.as_ref().is_some_and(|members| {
        matches!(members.as_slice(), [member] if member.reference.is_some() && !member.constrains_beside_reference())
    });
    if only && node.reference.is_none() {
        let mut bare = node.clone();
        bare.all_of = None;
        if !bare.has_structure() {
            let member = node.all_of.take().into_iter().flatten().next();
            if let Some(member) = member {
                node.description = node.description.take().or(member.description);
                node.reference = member.reference;
            }
        }
    }
}

/// Whether a definition's name would need escapes in a reference.
fn awkward(target: &Target) -> bool {
    match target {
        Target::Root => false,
        Target::Definition(name) => {
            name.is_empty()
                || !name
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
        }
    }
}

/// Renames definitions whose names need escapes. Needed by Moonshot and llama.cpp, for recursive types only: others have
/// been written out by now.
fn plain_names(document: &mut Document, log: &mut Log<'_>) {
    if !log.rules.plain_ref_names {
        return;
    }
    let mut renamed: Vec<(String, String)> = Vec::new();
    for (name, _) in &document.definitions {
        if awkward(&Target::Definition(name.clone())) {
            let plain: String = name
                .chars()
                .map(|c| {
                    if c.is_ascii_alphanumeric() || "_-.".contains(c) {
                        c
                    } else {
                        '_'
                    }
                })
                .collect();
            let plain = if plain.is_empty() {
                "Part".to_owned()
            } else {
                plain
            };
            let taken = |candidate: &str| {
                document.definition(candidate).is_some()
                    || renamed.iter().any(|(_, new)| new == candidate)
            };
            let mut new = plain.clone();
            let mut number = 2;
            while taken(&new) {
                new = format!("{plain}{number}");
                number += 1;
            }
            renamed.push((name.clone(), new));
        }
    }
    for (old, new) in renamed {
        for (name, node) in &mut document.definitions {
            if *name == old {
                log.change(
                    &node.at,
                    Loss::None,
                    format!("definition renamed to {new:?}"),
                );
                name.clone_from(&new);
            }
        }
        document.visit_mut(&mut |node| {
            if node.reference == Some(Target::Definition(old.clone())) {
                node.reference = Some(Target::Definition(new.clone()));
            }
        });
    }
}

/// Gives a root that holds itself a definition to refer to. Needed by llama.cpp, whose grammar has no rule for `#`.
fn root_reference(document: &mut Document, log: &mut Log<'_>) {
    if log.rules.root_ref {
        return;
    }
    let mut used = false;
    document.visit(&mut |node| used |= node.reference == Some(Target::Root));
    if !used {
        return;
    }
    let mut name = "Root".to_owned();
    let mut number = 2;
    while document.definition(&name).is_some() {
        name = format!("Root{number}");
        number += 1;
    }
    let mut copy = document.root.clone();
    copy.description = None;
    document.definitions.push((name.clone(), copy));
    document.visit_mut(&mut |node| {
        if node.reference == Some(Target::Root) {
            node.reference = Some(Target::Definition(name.clone()));
        }
    });
    log.change(
        "",
        Loss::None,
        format!("references to the root lead to the definition {name:?}"),
    );
}

/// Writes references out where they are branches of a union. Needed by DeepSeek strict.
pub(crate) fn inline_in_unions(document: &mut Document, log: &mut Log<'_>) {
    if log.rules.refs != Refs::InlinedInUnions {
        return;
    }
    let found = cycles(document, |edge| edge.branch);
    if !found.is_empty() {
        let reason = "a reference has to be written out inside anyOf, and this one never ends";
        report(document, &found, reason, log);
        return;
    }
    fn walk(node: &mut Node, source: &Document, log: &mut Log<'_>, depth: usize) {
        if depth > 2 * MAX_DEPTH {
            let reason = "it would have to be written out without end";
            log.refuse(
                &node.at,
                "a recursive type",
                reason,
                "give the inner use a type of its own",
            );
            return;
        }
        for branch in node.any_of.iter_mut().flatten() {
            if let Some(target) = branch.reference.clone()
                && let Ok(open) = opened(branch, source, 0)
            {
                if !log.afford(&open) {
                    return;
                }
                log.change(
                    &branch.at,
                    Loss::None,
                    format!("{} written out", spell(&target)),
                );
                *branch = open;
            }
        }
        for child in node.children_mut() {
            walk(child, source, log, depth + 1);
        }
    }
    let source = document.clone();
    walk(&mut document.root, &source, log, 0);
    for (_, node) in &mut document.definitions {
        walk(node, &source, log, 0);
    }
}
