//! Two versions of one schema, node by node: what differs, where, and how grave it is.
//!
//! The walk finds the differences; the prover judges them. Where all that was accepted is still accepted, no single
//! difference can break a caller, and the walk only names them. Elsewhere each difference is judged on its own, as the
//! old node with nothing but that difference applied.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use jsonschema::Validator;
use serde_json::{Map, Value, json};

use super::change::{Change, Class};
use super::listed::{Listed, both_list};
use super::local::{Edit, Local, locals};
use super::position::{
    self, ANNOTATIONS, bare_reference, has_reference, is_monotone, join, resolve, without_words,
};
use super::prepare::{Bundle, Side, modern};
use super::proof::{self, Relation};
use super::surround::{Step, surround};
use super::{Policy, words};

/// The deepest place the walk goes. Below it only the proof about the whole is left.
const DEEPEST: usize = 64;
/// How many values are tried before a difference is left without one.
const TRIES: u64 = 96;

/// Who must not be surprised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// Arguments: what the old version accepted, the new one must.
    Input,
    /// Results: what the new version may answer, the old one must have promised.
    Output,
}

/// What a comparison of schemas is about.
#[derive(Debug, Clone, Copy)]
pub(super) struct Subject<'a> {
    pub(super) tool: &'a str,
    pub(super) direction: Direction,
    pub(super) policy: Policy,
    /// The order of names below `properties`, where it is known.
    pub(super) orders: [&'a BTreeMap<String, Vec<String>>; 2],
}

impl Subject<'_> {
    pub(super) fn base(&self) -> &'static str {
        match self.direction {
            Direction::Input => "/inputSchema",
            Direction::Output => "/outputSchema",
        }
    }
}

/// Every difference between two versions of a schema.
pub(super) fn compare(subject: Subject<'_>, old: &Value, new: &Value) -> Vec<Change> {
    if old == new {
        return reordered_only(subject, old);
    }
    if position::depth(old) > 128 || position::depth(new) > 128 {
        let reason =
            "the schema changed and is nested too deep to compare; could not be proved harmless";
        let change = Change::new(
            subject.tool,
            subject.base(),
            "schema_replaced",
            Class::Breaking,
            reason,
        );
        return vec![change.mark("unproved")];
    }
    let (old, new) = (modern(old), modern(new));
    let mut walk = Walk::new(subject, &old, &new);
    let whole = walk.whole();
    let place = Place {
        path: subject.base().to_owned(),
        steps: Vec::new(),
    };
    walk.node(&old, &new, &place, whole == Relation::Covered, 0);
    walk.finish(whole)
}

/// The order of names is the only thing that equal schemas can differ in.
fn reordered_only(subject: Subject<'_>, schema: &Value) -> Vec<Change> {
    let [old, new] = subject.orders;
    let changes = old.iter().filter(|(pointer, names)| {
        pointer.starts_with(subject.base())
            && new.get(*pointer).is_some_and(|now| now != *names)
            && schema
                .pointer(pointer.strip_prefix(subject.base()).unwrap_or_default())
                .is_some()
    });
    changes
        .filter_map(|(pointer, names)| {
            words::reordered(subject.tool, pointer, names, new.get(pointer)?)
        })
        .collect()
}

/// Where the walk stands: in the tool, and in a value.
#[derive(Debug, Clone)]
struct Place {
    path: String,
    steps: Vec<Step>,
}

struct Walk<'a> {
    subject: Subject<'a>,
    old: &'a Value,
    new: &'a Value,
    bundle: Bundle<'a>,
    /// Whether references of one text mean one thing in both versions.
    same_definitions: bool,
    accepts: Option<Validator>,
    refuses: Option<Validator>,
    visited: BTreeSet<(String, String, bool)>,
    /// Whether something lies below the deepest place.
    cut: bool,
    out: Vec<Change>,
}

impl<'a> Walk<'a> {
    fn new(subject: Subject<'a>, old: &'a Value, new: &'a Value) -> Self {
        let definitions = |root: &Value| {
            ["$defs", "definitions"]
                .map(|keyword| root.get(keyword).cloned().unwrap_or(Value::Null))
        };
        Self {
            subject,
            old,
            new,
            bundle: Bundle::new(old, new, subject.policy),
            same_definitions: definitions(old) == definitions(new),
            accepts: None,
            refuses: None,
            visited: BTreeSet::new(),
            cut: false,
            out: Vec::new(),
        }
    }

    /// The version whose values matter: what callers send, or what the tool answers.
    fn from(&self) -> Side {
        match self.subject.direction {
            Direction::Input => Side::Old,
            Direction::Output => Side::New,
        }
    }

    /// Puts two nodes into the order of proof: the one whose values matter, and the one that judges them.
    fn oriented<T>(&self, old: T, new: T) -> (T, T) {
        match self.subject.direction {
            Direction::Input => (old, new),
            Direction::Output => (new, old),
        }
    }

    /// The relation of the two schemas as a whole. Prepares the judges of values on the way.
    fn whole(&mut self) -> Relation {
        let nodes = (
            self.bundle.node(Side::Old, self.old),
            self.bundle.node(Side::New, self.new),
        );
        let (from, to) = self.oriented(nodes.0, nodes.1);
        self.accepts = proof::judge(&self.bundle.document(&from), self.subject.policy);
        self.refuses = proof::judge(&self.bundle.document(&to), self.subject.policy);
        if without_words(self.old) == without_words(self.new) {
            return Relation::Covered;
        }
        let narrow = self.bundle.document(&self.bundle.closed_root(&from));
        proof::relation(&self.bundle.document(&to), &narrow, self.subject.policy)
    }

    fn node(&mut self, old: &Value, new: &Value, at: &Place, proven: bool, depth: usize) {
        if old == new && (self.same_definitions || !has_reference(old)) {
            self.order(at);
            return;
        }
        if depth > DEEPEST {
            self.cut = true;
            return;
        }
        match (bare_reference(old), bare_reference(new)) {
            (Some(was), Some(is)) => self.targets(old, new, (was, is), at, proven, depth),
            (None, None) => self.objects(&as_object(old), &as_object(new), at, proven, depth),
            _ => {
                // What was written here moved into a definition, or out of one: the words at the reference come first.
                let (old, new) = (self.inlined(Side::Old, old), self.inlined(Side::New, new));
                self.objects(&old, &new, at, proven, depth);
            }
        }
    }

    fn targets(
        &mut self,
        old: &Value,
        new: &Value,
        names: (&str, &str),
        at: &Place,
        proven: bool,
        depth: usize,
    ) {
        self.words(&as_object(old), &as_object(new), at);
        match (resolve(self.old, names.0), resolve(self.new, names.1)) {
            (Some((was, old)), Some((is, new))) => {
                if !self.visited.insert((was.clone(), is.clone(), proven)) {
                    return;
                }
                let path = if was == is {
                    format!("{}{was}", self.subject.base())
                } else {
                    at.path.clone()
                };
                self.node(
                    old,
                    new,
                    &Place {
                        path,
                        steps: at.steps.clone(),
                    },
                    proven,
                    depth + 1,
                );
            }
            _ if names.0 == names.1 => {}
            _ => {
                let local = Local::structural(
                    "$ref",
                    Some(&json!(names.0)),
                    Some(&json!(names.1)),
                    at.path.clone(),
                );
                self.judge(&as_object(old), &as_object(new), vec![local], at, proven);
            }
        }
    }

    /// A reference as the schema it names, with the words that stand at the reference.
    fn inlined<'v>(&self, side: Side, schema: &'v Value) -> Cow<'v, Map<String, Value>> {
        let root = if side == Side::Old {
            self.old
        } else {
            self.new
        };
        let target = bare_reference(schema).and_then(|reference| resolve(root, reference));
        let Some((_, target)) = target else {
            return as_object(schema);
        };
        let mut merged = as_object(target).into_owned();
        if let Value::Object(members) = schema {
            let words = members.iter().filter(|(keyword, _)| *keyword != "$ref");
            merged.extend(words.map(|(keyword, value)| (keyword.clone(), value.clone())));
        }
        Cow::Owned(merged)
    }

    fn objects(
        &mut self,
        old: &Map<String, Value>,
        new: &Map<String, Value>,
        at: &Place,
        proven: bool,
        depth: usize,
    ) {
        self.words(old, new, at);
        let mut found = locals(old, new, &at.path, self.subject.direction);
        // A choice or a negation whose text is the same may still mean something else through its references.
        if !self.same_definitions {
            for keyword in position::STRUCTURAL
                .iter()
                .filter(|keyword| !is_monotone(keyword))
            {
                if let (Some(was), Some(is)) = (old.get(*keyword), new.get(*keyword))
                    && without_words(was) == without_words(is)
                    && has_reference(&json!({ *keyword: was }))
                {
                    found.push(Local::structural(
                        keyword,
                        Some(was),
                        Some(is),
                        at.path.clone(),
                    ));
                }
            }
        }
        let proven = self.judge(old, new, found, at, proven);
        self.children(old, new, at, proven, depth);
    }

    fn children(
        &mut self,
        old: &Map<String, Value>,
        new: &Map<String, Value>,
        at: &Place,
        proven: bool,
        depth: usize,
    ) {
        let from = if self.from() == Side::Old { old } else { new };
        let parent = {
            let node = self.bundle.node(self.from(), &Value::Object(from.clone()));
            self.bundle.document(&node)
        };
        let step_down = |steps: &[Step], step: Option<Step>| {
            let mut steps = steps.to_vec();
            steps.extend(step);
            steps
        };
        for keyword in ["properties", "patternProperties", "dependentSchemas"] {
            let (Some(Value::Object(was)), Some(Value::Object(is))) =
                (old.get(keyword), new.get(keyword))
            else {
                continue;
            };
            for (name, was) in was {
                let Some(is) = is.get(name) else { continue };
                let step = (keyword == "properties").then(|| Step::Member {
                    parent: parent.clone(),
                    name: name.clone(),
                });
                let place = Place {
                    path: join(&at.path, &[keyword, name]),
                    steps: step_down(&at.steps, step),
                };
                self.node(was, is, &place, proven, depth + 1);
            }
        }
        for keyword in [
            "items",
            "additionalProperties",
            "contains",
            "propertyNames",
            "then",
            "else",
            "not",
            "if",
        ] {
            let (Some(was), Some(is)) = (old.get(keyword), new.get(keyword)) else {
                continue;
            };
            if !was.is_object() || !is.is_object() {
                continue;
            }
            let same = without_words(was) == without_words(is);
            let nested = matches!(keyword, "items" | "additionalProperties");
            if !nested && !same {
                continue;
            }
            let step = match keyword {
                "items" => {
                    let index = from
                        .get("prefixItems")
                        .and_then(Value::as_array)
                        .map_or(0, Vec::len);
                    Some(Step::Item {
                        parent: parent.clone(),
                        index,
                    })
                }
                "additionalProperties" => Some(Step::Member {
                    parent: parent.clone(),
                    name: unused_name(from),
                }),
                _ => None,
            };
            let proven = proven || (same && !is_monotone(keyword));
            let place = Place {
                path: join(&at.path, &[keyword]),
                steps: step_down(&at.steps, step),
            };
            self.node(was, is, &place, proven, depth + 1);
        }
        let listed = both_list(old, new);
        if let Some([was, is]) = &listed {
            self.words_of_values(was, is, at);
        }
        for keyword in ["allOf", "anyOf", "oneOf", "prefixItems"] {
            if listed.is_some() && matches!(keyword, "anyOf" | "oneOf") {
                continue;
            }
            let (Some(Value::Array(was)), Some(Value::Array(is))) =
                (old.get(keyword), new.get(keyword))
            else {
                continue;
            };
            let same = was.len() == is.len()
                && was
                    .iter()
                    .zip(is)
                    .all(|(was, is)| without_words(was) == without_words(is));
            if !same && keyword != "prefixItems" {
                continue;
            }
            let proven = proven || !is_monotone(keyword);
            for (index, (was, is)) in was.iter().zip(is).enumerate() {
                let step = (keyword == "prefixItems").then(|| Step::Item {
                    parent: parent.clone(),
                    index,
                });
                let place = Place {
                    path: join(&at.path, &[keyword, &index.to_string()]),
                    steps: step_down(&at.steps, step),
                };
                self.node(was, is, &place, proven, depth + 1);
            }
        }
        if let (Some(Value::String(was)), Some(Value::String(is))) =
            (old.get("$ref"), new.get("$ref"))
        {
            let (was, is) = (json!({"$ref": was}), json!({"$ref": is}));
            self.node(&was, &is, at, proven, depth + 1);
        }
    }

    fn words(&mut self, old: &Map<String, Value>, new: &Map<String, Value>, at: &Place) {
        words::compare(self.subject.tool, old, new, &at.path, &mut self.out);
        self.order(at);
    }

    /// What is said about each value that both versions list.
    fn words_of_values(&mut self, old: &Listed<'_>, new: &Listed<'_>, at: &Place) {
        let none = Map::new();
        let mut told = BTreeSet::new();
        for value in new.values() {
            if !old.values().contains(&value) {
                continue;
            }
            let (was, is) = (old.holder(value), new.holder(value));
            let place = is.map_or(was.map(|(index, _)| (old.keyword, index)), |(index, _)| {
                Some((new.keyword, index))
            });
            let Some((Some(keyword), index)) = place else {
                continue;
            };
            // An alternative may hold several values; its words are told once.
            if !told.insert(index) {
                continue;
            }
            let words = |holder: Option<(usize, &'_ Map<String, Value>)>| {
                holder.map_or_else(|| none.clone(), |(_, words)| words.clone())
            };
            let path = join(&at.path, &[keyword, &index.to_string()]);
            words::compare(
                self.subject.tool,
                &words(was),
                &words(is),
                &path,
                &mut self.out,
            );
        }
    }

    fn order(&mut self, at: &Place) {
        let pointer = format!("{}/properties", at.path);
        let [old, new] = self.subject.orders;
        if let (Some(was), Some(is)) = (old.get(&pointer), new.get(&pointer)) {
            self.out
                .extend(words::reordered(self.subject.tool, &pointer, was, is));
        }
    }

    /// Judges the differences of one node. Returns whether the node as a whole is proved harmless.
    fn judge(
        &mut self,
        old: &Map<String, Value>,
        new: &Map<String, Value>,
        found: Vec<Local>,
        at: &Place,
        proven: bool,
    ) -> bool {
        if found.is_empty() {
            return proven;
        }
        let is_root = at.path == self.subject.base();
        let was = self.bundle.node(Side::Old, &Value::Object(old.clone()));
        let is = self.bundle.node(Side::New, &Value::Object(new.clone()));
        let relation = if proven {
            Relation::Covered
        } else {
            let (from, to) = self.oriented(&was, &is);
            self.relation(from, to, is_root)
        };
        let covered = relation == Relation::Covered;
        let as_group = !covered && found.iter().any(|local| local.is_structural());
        let mut group_witness = None;
        if as_group {
            let (from, to) = self.oriented(&was, &is);
            group_witness = self.witness(from, to, at, is_root);
        }
        let mut taken = BTreeSet::new();
        for local in found {
            let mut change = local.change(self.subject.tool);
            if as_group {
                self.break_it(&mut change, relation, group_witness.clone());
            } else if !covered {
                self.alone(&mut change, &local, [&was, &is], at, is_root);
            }
            self.ignored(&mut change, &local, &is);
            self.remark(&mut change, &local);
            // A bound and its exclusive twin may be told once each, never twice.
            if taken.insert((change.path.clone(), change.kind.clone())) {
                self.out.push(change);
            }
        }
        covered
    }

    /// Judges one difference as the old node with nothing else changed.
    fn alone(
        &mut self,
        change: &mut Change,
        local: &Local,
        [was, is]: [&Value; 2],
        at: &Place,
        is_root: bool,
    ) {
        let edited = local.edit.apply(was, is);
        let (from, to) = self.oriented(was, &edited);
        let relation = self.relation(from, to, is_root);
        if relation != Relation::Covered {
            let witness = self.witness(from, to, at, is_root);
            self.break_it(change, relation, witness);
        }
    }

    fn relation(&self, from: &Value, to: &Value, is_root: bool) -> Relation {
        let narrow = if is_root {
            self.bundle.closed_root(from)
        } else {
            self.bundle.closed(from)
        };
        proof::relation(
            &self.bundle.document(to),
            &self.bundle.document(&narrow),
            self.subject.policy,
        )
    }

    fn break_it(&self, change: &mut Change, relation: Relation, witness: Option<Value>) {
        change.class = Class::Breaking;
        if relation == Relation::Undecided && witness.is_none() {
            change.also.push("unproved".to_owned());
            change.reason.push_str("; could not be proved harmless");
        }
        change.witness = witness;
    }

    /// A whole value that the old and the new schema judge differently because of this node.
    fn witness(&self, from: &Value, to: &Value, at: &Place, is_root: bool) -> Option<Value> {
        let policy = self.subject.policy;
        let narrow = if is_root {
            self.bundle.closed_root(from)
        } else {
            self.bundle.closed(from)
        };
        let (narrow, wide) = (self.bundle.document(&narrow), self.bundle.document(to));
        let refuses = proof::judge(&wide, policy)?;
        proof::candidates(&narrow, &wide, policy, TRIES)
            .into_iter()
            .filter(|candidate| !refuses.is_valid(candidate))
            .filter_map(|candidate| surround(candidate, &at.steps))
            .find(|value| self.tells_apart(value))
    }

    /// Whether the value is accepted by the side it comes from and refused by the other.
    fn tells_apart(&self, value: &Value) -> bool {
        let (Some(accepts), Some(refuses)) = (&self.accepts, &self.refuses) else {
            return false;
        };
        accepts.is_valid(value) && !refuses.is_valid(value)
    }

    /// An argument that is gone from an open object is accepted and lost, which no schema can tell.
    fn ignored(&self, change: &mut Change, local: &Local, is: &Value) {
        let Edit::PropertyRemoved { name } = &local.edit else {
            return;
        };
        if self.subject.direction == Direction::Output || change.class == Class::Breaking {
            return;
        }
        let mut names = BTreeSet::new();
        let listed = self.bundle.declared(is, &mut names, &mut BTreeSet::new());
        if names.contains(name) {
            change.reason =
                "moved into one of the alternatives, and is still accepted there".to_owned();
        } else if listed {
            change.class = Class::Breaking;
            change.also.push("silently-ignored".to_owned());
            change.reason =
                "removed from an open object: a call that still sends it is accepted, and the value is lost".to_owned();
        }
    }

    /// Marks and wordings that depend on the verdict.
    fn remark(&self, change: &mut Change, local: &Local) {
        match local.keyword() {
            Some("format") if change.class == Class::Compatible => {
                change.class = Class::Semantic;
            }
            Some("maximum" | "minimum") if change.class == Class::Compatible => {
                let safe = change
                    .new
                    .as_ref()
                    .and_then(Value::as_f64)
                    .is_some_and(|limit| (limit.abs() - 9_007_199_254_740_991.0).abs() < 0.5);
                if safe {
                    change.also.push("generator".to_owned());
                    change.reason =
                        "the bound of exact integers, written by a schema generator: no caller could send more".to_owned();
                }
            }
            _ => {}
        }
    }

    /// What only the whole shows, and the changes in a fixed order.
    fn finish(mut self, whole: Relation) -> Vec<Change> {
        let broken = self
            .out
            .iter()
            .any(|change| change.class == Class::Breaking);
        if !broken && (whole == Relation::Exceeded || (whole == Relation::Undecided && self.cut)) {
            let nodes = (
                self.bundle.node(Side::Old, self.old),
                self.bundle.node(Side::New, self.new),
            );
            let (from, to) = self.oriented(&nodes.0, &nodes.1);
            let at = Place {
                path: self.subject.base().to_owned(),
                steps: Vec::new(),
            };
            let witness = self.witness(from, to, &at, true);
            let reason = "the changes are harmless one by one and not together";
            let mut change = Change::new(
                self.subject.tool,
                self.subject.base(),
                "combination_changed",
                Class::Breaking,
                reason,
            );
            self.break_it(&mut change, whole, witness);
            self.out.push(change);
        }
        // A definition that is reached twice is told once, by its gravest use.
        let mut told: BTreeMap<(String, String), usize> = BTreeMap::new();
        let mut out: Vec<Change> = Vec::with_capacity(self.out.len());
        for change in self.out {
            let key = (change.path.clone(), change.kind.to_string());
            match told.get(&key).and_then(|index| out.get_mut(*index)) {
                Some(earlier) => {
                    if change.class > earlier.class {
                        *earlier = change;
                    }
                }
                None => {
                    told.insert(key, out.len());
                    out.push(change);
                }
            }
        }
        out
    }
}

/// A schema as an object: `true` says nothing, `false` refuses all.
fn as_object(schema: &Value) -> Cow<'_, Map<String, Value>> {
    match schema {
        Value::Object(members) => Cow::Borrowed(members),
        Value::Bool(false) => Cow::Owned(Map::from_iter([("not".to_owned(), json!({}))])),
        _ => Cow::Owned(Map::new()),
    }
}

/// A member's name that the object does not declare.
fn unused_name(schema: &Map<String, Value>) -> String {
    let declared = schema.get("properties").and_then(Value::as_object);
    let mut name = "extra".to_owned();
    while declared.is_some_and(|declared| declared.contains_key(&name)) {
        name.push('_');
    }
    name
}

/// Words are compared by `words`; everything else that is known is compared by `locals`. What is left is said here.
pub(super) fn is_unknown(keyword: &str, value: &Value) -> bool {
    position::holds(keyword, value).is_none()
        && !ANNOTATIONS.contains(&keyword)
        && !position::CONSTRAINTS.contains(&keyword)
        && !position::STRUCTURAL.contains(&keyword)
        && !matches!(
            keyword,
            "type" | "enum" | "required" | "$ref" | "$defs" | "definitions"
        )
}
