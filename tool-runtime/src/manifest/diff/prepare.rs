//! Schemas made ready for proof: one dialect, the policy applied, references into one document, calls without surprises.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::Policy;
use super::position::{self, bare_reference, each_child, local_pointer, map_children};

/// The largest integer that every JSON reader carries exactly, 2^53 - 1.
const SAFE: f64 = 9_007_199_254_740_991.0;

/// The schema in the terms of draft 2020-12, whichever dialect it declares. Every node stays where it is.
pub(super) fn modern(schema: &Value) -> Value {
    let dialect = Dialect::of(schema);
    to_modern(schema, dialect)
}

/// Which rules a schema follows, where they differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dialect {
    /// Up to draft 7: a reference hides its neighbours, `dependencies` is known.
    Early,
    /// From 2019-09 on, and where nothing is said: MCP's default is 2020-12.
    Current,
}

impl Dialect {
    fn of(schema: &Value) -> Self {
        let named = schema
            .get("$schema")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let early = ["draft-03", "draft-04", "draft-05", "draft-06", "draft-07"];
        if early.iter().any(|name| named.contains(name)) {
            Self::Early
        } else {
            Self::Current
        }
    }
}

fn to_modern(schema: &Value, dialect: Dialect) -> Value {
    let Value::Object(members) = schema else {
        return schema.clone();
    };
    let mut out = map_children(members, &mut |_, inner| to_modern(inner, dialect));
    if dialect == Dialect::Early && out.get("$ref").is_some_and(Value::is_string) {
        out.retain(|keyword, value| {
            keyword.starts_with('$')
                || position::ANNOTATIONS.contains(&keyword.as_str())
                || position::holds(keyword, value) == Some(position::Holds::Named)
        });
        out.remove("properties");
        out.remove("patternProperties");
    }
    // A list of `items` has no other meaning in any dialect.
    if out.get("items").is_some_and(Value::is_array)
        && let Some(prefix) = out.remove("items")
    {
        out.insert("prefixItems".to_owned(), prefix);
        if let Some(rest) = out.remove("additionalItems") {
            out.insert("items".to_owned(), rest);
        }
    }
    // Draft 4 marked a bound as exclusive by a flag beside it.
    for (flag, bound) in [
        ("exclusiveMinimum", "minimum"),
        ("exclusiveMaximum", "maximum"),
    ] {
        match out.get(flag).and_then(Value::as_bool) {
            Some(true) => {
                out.remove(flag);
                if let Some(limit) = out.remove(bound) {
                    out.insert(flag.to_owned(), limit);
                }
            }
            Some(false) => {
                out.remove(flag);
            }
            None => {}
        }
    }
    if dialect == Dialect::Early
        && let Some(Value::Object(dependencies)) = out.remove("dependencies")
    {
        let (lists, schemas): (Vec<_>, Vec<_>) = dependencies
            .into_iter()
            .partition(|(_, value)| value.is_array());
        if !lists.is_empty() {
            out.insert(
                "dependentRequired".to_owned(),
                Value::Object(lists.into_iter().collect()),
            );
        }
        if !schemas.is_empty() {
            let schemas = schemas
                .into_iter()
                .map(|(name, schema)| (name, to_modern(&schema, dialect)));
            out.insert(
                "dependentSchemas".to_owned(),
                Value::Object(schemas.collect()),
            );
        }
    }
    Value::Object(out)
}

/// Which of the two versions a node comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Side {
    Old,
    New,
}

/// The definitions of both versions in one document, so that nodes of either, and mixtures, can be judged together.
///
/// Every reference is renamed to a definition of its own: `#/$defs/old:/$defs/Order`. The two documents' roots become
/// definitions too, so `#` never means two things at once.
#[derive(Debug)]
pub(super) struct Bundle<'a> {
    old: &'a Value,
    new: &'a Value,
    policy: Policy,
    definitions: BTreeMap<String, Value>,
}

/// The member that stands for all that an open object does not declare.
const UNDECLARED: &str = "undeclared_member";
/// The end of a definition's name whose objects admit only what they declare.
const CLOSED: &str = ":closed";

impl<'a> Bundle<'a> {
    pub(super) fn new(old: &'a Value, new: &'a Value, policy: Policy) -> Self {
        Self {
            old,
            new,
            policy,
            definitions: BTreeMap::new(),
        }
    }

    fn root(&self, side: Side) -> &'a Value {
        match side {
            Side::Old => self.old,
            Side::New => self.new,
        }
    }

    /// A node of one version in the bundle's terms.
    pub(super) fn node(&mut self, side: Side, schema: &Value) -> Value {
        let mut wanted = Vec::new();
        let node = self.translate(side, schema, &mut wanted);
        while let Some(pointer) = wanted.pop() {
            let name = name_of(side, &pointer);
            if self.definitions.contains_key(&name) {
                continue;
            }
            // A reference to nothing stays a reference to nothing, and the proof will say so.
            let Some(target) = self.root(side).pointer(&pointer) else {
                continue;
            };
            let body = self.translate(side, target, &mut wanted);
            self.definitions.insert(name, body);
        }
        node
    }

    fn translate(&self, side: Side, schema: &Value, wanted: &mut Vec<String>) -> Value {
        let Value::Object(members) = schema else {
            return schema.clone();
        };
        let mut out = Map::new();
        for (keyword, value) in members {
            let skip = matches!(
                keyword.as_str(),
                "$defs" | "definitions" | "$schema" | "$id" | "id"
            );
            if !skip && !position::ANNOTATIONS.contains(&keyword.as_str()) {
                out.insert(keyword.clone(), value.clone());
            }
        }
        let mut out = map_children(&out, &mut |_, inner| self.translate(side, inner, wanted));
        if let Some(pointer) = out
            .get("$ref")
            .and_then(Value::as_str)
            .and_then(local_pointer)
        {
            out.insert(
                "$ref".to_owned(),
                Value::from(reference_to(&name_of(side, &pointer))),
            );
            wanted.push(pointer);
        }
        self.apply_policy(&mut out);
        Value::Object(out)
    }

    fn apply_policy(&self, members: &mut Map<String, Value>) {
        if self.policy.exact_integers {
            let range = members
                .get("format")
                .and_then(Value::as_str)
                .and_then(integer_range);
            if let Some((low, high)) = range {
                for (keyword, limit, tighter) in [
                    ("minimum", low, f64::max as fn(f64, f64) -> f64),
                    ("maximum", high, f64::min),
                ] {
                    if let Some(limit) = limit {
                        narrow(members, keyword, &json!(limit), tighter);
                    }
                }
            }
            // The bounds say all that the format says, and the prover knows no formats of numbers.
            let of_numbers = |format: &str| {
                integer_range(format).is_some() || matches!(format, "float" | "double")
            };
            if members
                .get("format")
                .and_then(Value::as_str)
                .is_some_and(of_numbers)
            {
                members.remove("format");
            }
        } else {
            // Generators write the bound of exact integers where the author wrote none. Nobody could send more.
            let is = |keyword: &str, limit: f64| {
                members
                    .get(keyword)
                    .and_then(Value::as_f64)
                    .is_some_and(|value| (value - limit).abs() < 0.5)
            };
            let artefacts = [("maximum", SAFE), ("minimum", -SAFE)]
                .map(|(keyword, limit)| is(keyword, limit).then_some(keyword));
            for keyword in artefacts.into_iter().flatten() {
                members.remove(keyword);
            }
        }
    }

    /// `node` as a document: with the definitions it reaches.
    pub(super) fn document(&self, node: &Value) -> Value {
        let Value::Object(members) = node else {
            return node.clone();
        };
        let mut needed: BTreeMap<String, Value> = BTreeMap::new();
        let mut open: Vec<String> = Vec::new();
        references(node, &mut open);
        while let Some(name) = open.pop() {
            if needed.contains_key(&name) {
                continue;
            }
            let body = match name.strip_suffix(CLOSED) {
                Some(plain) => self.definitions.get(plain).map(|body| self.closed(body)),
                None => self.definitions.get(&name).cloned(),
            };
            if let Some(body) = body {
                references(&body, &mut open);
                needed.insert(name, body);
            }
        }
        let mut document = members.clone();
        if !needed.is_empty() {
            document.insert(
                "$defs".to_owned(),
                Value::Object(needed.into_iter().collect()),
            );
        }
        Value::Object(document)
    }

    /// The schema with every open object that declares its members closed to all others but one.
    ///
    /// An open object accepts any other member, and ignores it. Nobody was promised anything for such a member, so a
    /// later version may give it a meaning; what it may not do is refuse all of them. The one name that is left, which
    /// nobody declares, stands for them. Maps, which declare no members, keep accepting everything.
    pub(super) fn closed(&self, node: &Value) -> Value {
        self.close(node, false)
    }

    /// The same for the arguments or the result as a whole, whose root declares its members even when there are none.
    pub(super) fn closed_root(&self, node: &Value) -> Value {
        self.close(node, true)
    }

    fn close(&self, node: &Value, root: bool) -> Value {
        let Value::Object(members) = node else {
            // The schema that accepts all promised nothing in particular.
            return if root && node == &Value::Bool(true) {
                json!({"properties": {UNDECLARED: true}, "additionalProperties": false})
            } else {
                node.clone()
            };
        };
        if let Some(reference) = bare_reference(node) {
            return match reference.strip_prefix("#/$defs/") {
                Some(name) if !name.ends_with(CLOSED) => {
                    json!({"$ref": format!("#/$defs/{name}{CLOSED}")})
                }
                _ => node.clone(),
            };
        }
        let alternatives = |keyword: &str| matches!(keyword, "anyOf" | "oneOf");
        let declares =
            members.contains_key("properties") || members.contains_key("patternProperties");
        let in_place = [
            "allOf",
            "anyOf",
            "oneOf",
            "$ref",
            "not",
            "if",
            "then",
            "else",
            "dependentSchemas",
        ];
        let mixed = in_place
            .iter()
            .any(|keyword| members.contains_key(*keyword));
        let mut out = map_children(members, &mut |keyword, inner| match keyword {
            "properties"
            | "patternProperties"
            | "additionalProperties"
            | "items"
            | "prefixItems" => self.close(inner, false),
            _ if alternatives(keyword) && !declares => self.close(inner, false),
            _ => inner.clone(),
        });
        let open = members
            .get("additionalProperties")
            .is_none_or(|rest| rest == &Value::Bool(true))
            && !members.contains_key("unevaluatedProperties")
            // An object that has to hold more than it declares is meant to be filled with other members.
            && !needs_more_than_it_declares(members);
        if open && (declares || root) {
            if !mixed {
                // What has to be there is expected, declared or not; and one member stands for all that nobody declares.
                let names = expected(members).into_iter().chain([UNDECLARED.to_owned()]);
                if let Value::Object(all) = out.entry("properties").or_insert_with(|| json!({})) {
                    for name in names.filter(|name| !members_declare(members, name)) {
                        all.insert(name, Value::Bool(true));
                    }
                }
                out.insert("additionalProperties".to_owned(), Value::Bool(false));
            } else if declares && !members.contains_key("patternProperties") {
                // Neighbours declare members too, so the object is closed to all names that none of them declares.
                let mut names = BTreeSet::from([UNDECLARED.to_owned()]);
                if self.declared(node, &mut names, &mut BTreeSet::new())
                    && !members.contains_key("propertyNames")
                {
                    out.insert("propertyNames".to_owned(), json!({"enum": names}));
                }
            }
        }
        Value::Object(out)
    }

    /// The names that a schema declares for the object it stands for, here and through its in-place neighbours. False
    /// where they cannot be listed.
    pub(super) fn declared(
        &self,
        node: &Value,
        names: &mut BTreeSet<String>,
        seen: &mut BTreeSet<String>,
    ) -> bool {
        let Value::Object(members) = node else {
            return true;
        };
        if members.contains_key("patternProperties")
            || members
                .get("additionalProperties")
                .is_some_and(Value::is_object)
        {
            return false;
        }
        if let Some(Value::Object(properties)) = members.get("properties") {
            names.extend(properties.keys().cloned());
        }
        if let Some(Value::Array(required)) = members.get("required") {
            names.extend(required.iter().filter_map(Value::as_str).map(str::to_owned));
        }
        if let Some(name) = members
            .get("$ref")
            .and_then(Value::as_str)
            .and_then(definition_name)
            && seen.insert(name.clone())
            && self
                .definitions
                .get(&name)
                .is_none_or(|target| !self.declared(target, names, seen))
        {
            return false;
        }
        let mut listed = true;
        each_child(members, &mut |keyword, inner| {
            if matches!(
                keyword,
                "allOf" | "anyOf" | "oneOf" | "if" | "then" | "else" | "dependentSchemas"
            ) {
                listed = listed && self.declared(inner, names, seen);
            }
        });
        listed
    }
}

/// The names that an object speaks of without describing them.
fn expected(members: &Map<String, Value>) -> BTreeSet<String> {
    let listed = |value: &Value| -> Vec<String> {
        crate::manifest::read::strings(Some(value))
            .into_iter()
            .map(str::to_owned)
            .collect()
    };
    let mut names: BTreeSet<String> = members
        .get("required")
        .map(listed)
        .unwrap_or_default()
        .into_iter()
        .collect();
    if let Some(Value::Object(dependent)) = members.get("dependentRequired") {
        for (name, others) in dependent {
            names.insert(name.clone());
            names.extend(listed(others));
        }
    }
    names
}

fn members_declare(members: &Map<String, Value>, name: &str) -> bool {
    members
        .get("properties")
        .is_some_and(|all| all.get(name).is_some())
}

fn needs_more_than_it_declares(members: &Map<String, Value>) -> bool {
    let declared = members
        .get("properties")
        .and_then(Value::as_object)
        .map_or(0, Map::len);
    members
        .get("minProperties")
        .and_then(Value::as_f64)
        .is_some_and(|least| least > declared as f64)
}

fn name_of(side: Side, pointer: &str) -> String {
    match side {
        Side::Old => format!("old:{pointer}"),
        Side::New => format!("new:{pointer}"),
    }
}

fn reference_to(name: &str) -> String {
    let escaped = crate::manifest::read::escape(name);
    let mut out = String::from("#/$defs/");
    for byte in escaped.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~:$".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

fn definition_name(reference: &str) -> Option<String> {
    let pointer = local_pointer(reference)?;
    pointer
        .strip_prefix("/$defs/")
        .map(crate::manifest::read::unescape)
}

/// The names of the definitions that a node refers to.
fn references(node: &Value, into: &mut Vec<String>) {
    let Value::Object(members) = node else { return };
    into.extend(
        members
            .get("$ref")
            .and_then(Value::as_str)
            .and_then(definition_name),
    );
    each_child(members, &mut |_, inner| references(inner, into));
}

/// The values an integer format stands for: what the deserialiser will accept, though the schema only names it.
///
/// The prover's numbers end with `i64`, so the upper end of `u64` is left open: no other format reaches beyond it.
fn integer_range(format: &str) -> Option<(Option<i64>, Option<i64>)> {
    Some(match format {
        "uint8" => (Some(0), Some(i64::from(u8::MAX))),
        "uint16" => (Some(0), Some(i64::from(u16::MAX))),
        "uint32" => (Some(0), Some(i64::from(u32::MAX))),
        "uint64" | "uint" => (Some(0), None),
        "int8" => (Some(i64::from(i8::MIN)), Some(i64::from(i8::MAX))),
        "int16" => (Some(i64::from(i16::MIN)), Some(i64::from(i16::MAX))),
        "int32" => (Some(i64::from(i32::MIN)), Some(i64::from(i32::MAX))),
        "int64" | "int" => (Some(i64::MIN), Some(i64::MAX)),
        _ => return None,
    })
}

/// Sets a bound unless a tighter one stands there.
fn narrow(
    members: &mut Map<String, Value>,
    keyword: &str,
    limit: &Value,
    tighter: fn(f64, f64) -> f64,
) {
    let keep = match (members.get(keyword).and_then(Value::as_f64), limit.as_f64()) {
        (Some(present), Some(limit)) => (tighter(present, limit) - present).abs() < f64::EPSILON,
        _ => false,
    };
    if !keep {
        members.insert(keyword.to_owned(), limit.clone());
    }
}
