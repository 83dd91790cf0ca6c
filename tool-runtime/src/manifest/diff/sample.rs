//! Values that a schema is likely to accept. A sample proves nothing; whoever uses one checks it.

use std::collections::BTreeSet;

use serde_json::{Map, Number, Value, json};

use super::position::local_pointer;

/// How deep a value may grow before only the least is added.
const DEPTH: usize = 8;
/// How many references and choices in place one value may pass.
const STEPS: usize = 48;
/// The longest text or list worth making.
const LENGTH: u64 = 4096;

/// Makes values for a schema. The same seed makes the same values, so a report is the same on every machine.
#[derive(Debug)]
pub(crate) struct Sampler<'a> {
    document: &'a Value,
    state: u64,
    least: bool,
}

impl<'a> Sampler<'a> {
    /// A sampler that keeps to what is required and takes the first choice everywhere.
    pub(crate) fn least(document: &'a Value) -> Self {
        Self {
            document,
            state: 1,
            least: true,
        }
    }

    /// A sampler that takes its choices from a seed.
    pub(crate) fn seeded(document: &'a Value, seed: u64) -> Self {
        Self {
            document,
            state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1,
            least: false,
        }
    }

    /// A value for the document's root.
    pub(crate) fn root(&mut self) -> Option<Value> {
        self.of(self.document)
    }

    /// A value for a schema of the document.
    pub(crate) fn of(&mut self, schema: &Value) -> Option<Value> {
        let mut steps = STEPS;
        self.value(schema, 0, &mut steps)
    }

    fn next(&mut self) -> u64 {
        // xorshift64*: small, and good enough to visit every branch.
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        self.state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    /// A number below `end`; always zero for the least value.
    pub(super) fn below(&mut self, end: usize) -> usize {
        if self.least || end < 2 {
            return 0;
        }
        usize::try_from(self.next() % end as u64).unwrap_or(0)
    }

    fn chance(&mut self, percent: u64) -> bool {
        !self.least && self.next() % 100 < percent
    }

    fn value(&mut self, schema: &Value, depth: usize, steps: &mut usize) -> Option<Value> {
        let members = match schema {
            Value::Bool(false) => return None,
            Value::Object(members) => members,
            _ => return Some(self.anything()),
        };
        let flat = self.flatten(members, steps)?;
        if let Some(constant) = flat.get("const") {
            return Some(constant.clone());
        }
        if let Some(Value::Array(values)) = flat.get("enum") {
            return values.get(self.below(values.len())).cloned();
        }
        let kind = self.kind(&flat);
        match kind.as_str() {
            "null" => Some(Value::Null),
            "boolean" => Some(Value::Bool(self.chance(50))),
            "integer" => self.number(&flat, true),
            "number" => {
                let whole = self.least || self.chance(50);
                self.number(&flat, whole)
            }
            "string" => self.string(&flat),
            "array" => self.array(&flat, depth, steps),
            _ => self.object(&flat, depth, steps),
        }
    }

    /// The schema with references, `allOf` and one branch of each choice folded into it.
    fn flatten(
        &mut self,
        members: &Map<String, Value>,
        steps: &mut usize,
    ) -> Option<Map<String, Value>> {
        *steps = steps.checked_sub(1)?;
        let mut parts: Vec<Value> = Vec::new();
        let mut flat = members.clone();
        if let Some(Value::String(reference)) = flat.remove("$ref") {
            parts.push(self.document.pointer(&local_pointer(&reference)?)?.clone());
        }
        if let Some(Value::Array(all)) = flat.remove("allOf") {
            parts.extend(all);
        }
        for choice in ["anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = flat.remove(choice) {
                parts.push(branches.get(self.below(branches.len()))?.clone());
            }
        }
        for part in parts {
            match part {
                Value::Bool(false) => return None,
                Value::Object(part) => {
                    let part = self.flatten(&part, steps)?;
                    merge(&mut flat, part);
                }
                _ => {}
            }
        }
        Some(flat)
    }

    fn kind(&mut self, schema: &Map<String, Value>) -> String {
        let named = match schema.get("type") {
            Some(Value::String(kind)) => return kind.clone(),
            Some(Value::Array(kinds)) => kinds.get(self.below(kinds.len())).and_then(Value::as_str),
            _ => None,
        };
        if let Some(kind) = named {
            return kind.to_owned();
        }
        let says = |keywords: &[&str]| keywords.iter().any(|keyword| schema.contains_key(*keyword));
        let guess = if says(&[
            "properties",
            "required",
            "additionalProperties",
            "minProperties",
            "propertyNames",
        ]) {
            "object"
        } else if says(&["items", "prefixItems", "minItems", "contains"]) {
            "array"
        } else if says(&["minLength", "maxLength", "pattern", "format"]) {
            "string"
        } else if says(&[
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
        ]) {
            "number"
        } else {
            ["string", "integer", "null", "boolean", "object", "array"][self.below(6)]
        };
        guess.to_owned()
    }

    fn anything(&mut self) -> Value {
        match self.below(7) {
            0 => json!("x"),
            1 => json!(1),
            2 => Value::Null,
            3 => json!(true),
            4 => json!({"x": 1}),
            5 => json!([1]),
            _ => json!(-0.5),
        }
    }

    fn number(&mut self, schema: &Map<String, Value>, whole: bool) -> Option<Value> {
        let get = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
        let step = if whole { 1.0 } else { 0.25 };
        let low = max(
            get("minimum"),
            get("exclusiveMinimum").map(|limit| limit + step),
        );
        let high = min(
            get("maximum"),
            get("exclusiveMaximum").map(|limit| limit - step),
        );
        let (low, high) = if whole {
            (low.map(f64::ceil), high.map(f64::floor))
        } else {
            (low, high)
        };
        if low.zip(high).is_some_and(|(low, high)| low > high) {
            return None;
        }
        let near = match (low, high) {
            // Zero is the least surprising number where it is allowed.
            _ if self.least || self.chance(20) => 0.0_f64
                .max(low.unwrap_or(f64::MIN))
                .min(high.unwrap_or(f64::MAX)),
            // The ends are where versions differ.
            (Some(low), _) if self.chance(40) => low,
            (_, Some(high)) if self.chance(60) => high,
            (low, high) => {
                let from = low.unwrap_or_else(|| {
                    high.unwrap_or(0.0) - if high.is_some() { 1000.0 } else { 500.0 }
                });
                let to = high.unwrap_or(from + 1000.0);
                let part = self.below(1001) as f64 / 1000.0;
                let value = from + (to - from) * part;
                if whole {
                    value.round()
                } else {
                    (value * 4.0).round() / 4.0
                }
            }
        };
        let value = match get("multipleOf") {
            Some(step) if step > 0.0 => {
                let down = (near / step).floor() * step;
                if low.is_some_and(|low| down < low) {
                    (near / step).ceil() * step
                } else {
                    down
                }
            }
            _ => near,
        };
        number(value)
    }

    fn string(&mut self, schema: &Map<String, Value>) -> Option<Value> {
        let length = |keyword: &str| {
            schema
                .get(keyword)
                .and_then(Value::as_f64)
                .map(|length| length.max(0.0) as u64)
        };
        let low = length("minLength").unwrap_or(0);
        let high = length("maxLength");
        if low > LENGTH || high.is_some_and(|high| high < low) {
            return None;
        }
        if let Some(pattern) = schema.get("pattern").and_then(Value::as_str) {
            return self.matching(pattern, low).map(Value::from);
        }
        if let Some(text) = schema
            .get("format")
            .and_then(Value::as_str)
            .and_then(example_of)
        {
            return Some(Value::from(text));
        }
        let wanted = if self.least || self.chance(25) {
            low
        } else {
            let most = high.unwrap_or(low + 12).min(LENGTH);
            if self.chance(30) {
                most
            } else {
                low + self.next() % (most - low + 1)
            }
        };
        let letters = ["a", "b", "x", "0", " ", "\u{e9}"];
        let text: String = (0..wanted)
            .map(|_| letters[self.below(letters.len())])
            .collect();
        Some(Value::from(text))
    }

    fn array(
        &mut self,
        schema: &Map<String, Value>,
        depth: usize,
        steps: &mut usize,
    ) -> Option<Value> {
        let count = |keyword: &str| {
            schema
                .get(keyword)
                .and_then(Value::as_f64)
                .map(|count| count.max(0.0) as u64)
        };
        let low = count("minItems").unwrap_or(0);
        let high = count("maxItems").unwrap_or(u64::MAX);
        let prefix = schema
            .get("prefixItems")
            .and_then(Value::as_array)
            .map(Vec::as_slice)
            .unwrap_or_default();
        let wanted = if self.least || depth >= DEPTH {
            low
        } else {
            let most = high
                .min(low.saturating_add(3).max(prefix.len() as u64))
                .min(LENGTH);
            low + self.next() % (most.saturating_sub(low) + 1)
        };
        if wanted > 256 || low > high {
            return None;
        }
        let distinct = schema.get("uniqueItems") == Some(&Value::Bool(true));
        let mut items: Vec<Value> = Vec::new();
        if let Some(inner) = schema.get("contains") {
            items.extend(self.value(inner, depth + 1, steps));
        }
        let mut misses = 0;
        while (items.len() as u64) < wanted {
            let any = Value::Bool(true);
            let inner = prefix
                .get(items.len())
                .or_else(|| schema.get("items"))
                .unwrap_or(&any)
                .clone();
            let Some(item) = self.value(&inner, depth + 1, steps) else {
                // A list may end where it has enough.
                return (items.len() as u64 >= low).then_some(Value::Array(items));
            };
            if distinct && items.contains(&item) {
                misses += 1;
                self.least = false;
                if misses > 16 {
                    return (items.len() as u64 >= low).then_some(Value::Array(items));
                }
                continue;
            }
            items.push(item);
        }
        Some(Value::Array(items))
    }

    fn object(
        &mut self,
        schema: &Map<String, Value>,
        depth: usize,
        steps: &mut usize,
    ) -> Option<Value> {
        let empty = Map::new();
        let properties = schema
            .get("properties")
            .and_then(Value::as_object)
            .unwrap_or(&empty);
        let required: BTreeSet<&str> = crate::manifest::read::strings(schema.get("required"))
            .into_iter()
            .collect();
        let rest = schema
            .get("additionalProperties")
            .unwrap_or(&Value::Bool(true))
            .clone();
        let mut out = Map::new();
        for name in &required {
            let inner = properties
                .get(*name)
                .cloned()
                .unwrap_or_else(|| rest.clone());
            out.insert((*name).to_owned(), self.value(&inner, depth + 1, steps)?);
        }
        for (name, inner) in properties {
            if !required.contains(name.as_str()) && depth < DEPTH && self.chance(50) {
                // What is optional may turn out impossible.
                if let Some(value) = self.value(inner, depth + 1, steps) {
                    out.insert(name.clone(), value);
                }
            }
        }
        let names = schema
            .get("propertyNames")
            .and_then(|names| names.get("enum"))
            .and_then(Value::as_array);
        let least = schema
            .get("minProperties")
            .and_then(Value::as_u64)
            .unwrap_or(0);
        let more = if rest != Value::Bool(false) && self.chance(15) {
            1
        } else {
            0
        };
        let wanted = least.max(out.len() as u64 + more).min(64);
        let mut index = 0;
        while (out.len() as u64) < wanted && index < 128 {
            let name = match names {
                Some(names) => names.get(index).and_then(Value::as_str).map(str::to_owned),
                None => Some(if index == 0 {
                    "extra".to_owned()
                } else {
                    format!("extra{index}")
                }),
            };
            index += 1;
            let Some(name) = name else { break };
            if out.contains_key(&name) {
                continue;
            }
            let inner = properties.get(&name).unwrap_or(&rest).clone();
            if let Some(value) = self.value(&inner, depth + 1, steps) {
                out.insert(name, value);
            }
        }
        Some(Value::Object(out))
    }
}

/// `part` folded into `flat`: what both demand.
fn merge(flat: &mut Map<String, Value>, part: Map<String, Value>) {
    for (keyword, value) in part {
        let Some(present) = flat.get_mut(&keyword) else {
            flat.insert(keyword, value);
            continue;
        };
        match (keyword.as_str(), present, value) {
            ("properties" | "patternProperties", Value::Object(present), Value::Object(more)) => {
                for (name, schema) in more {
                    match present.get_mut(&name) {
                        Some(both) => *both = json!({"allOf": [both.clone(), schema]}),
                        None => {
                            present.insert(name, schema);
                        }
                    }
                }
            }
            ("required", Value::Array(present), Value::Array(more)) => present.extend(more),
            ("enum", Value::Array(present), Value::Array(other)) => {
                present.retain(|value| other.contains(value))
            }
            ("type", present, other) => {
                let other: Vec<String> = kinds(&other);
                let both: Vec<String> = kinds(present)
                    .into_iter()
                    .filter(|kind| other.contains(kind))
                    .collect();
                if !both.is_empty() {
                    *present = json!(both);
                }
            }
            (
                "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties",
                present,
                value,
            ) if value.as_f64() > present.as_f64() => {
                *present = value;
            }
            (
                "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties",
                present,
                value,
            ) if value.as_f64() < present.as_f64() => {
                *present = value;
            }
            ("additionalProperties" | "items" | "uniqueItems", present, value)
                if present == &Value::Bool(true) || value == Value::Bool(false) =>
            {
                *present = value;
            }
            _ => {}
        }
    }
}

fn kinds(value: &Value) -> Vec<String> {
    match value {
        Value::String(kind) => vec![kind.clone()],
        other => crate::manifest::read::strings(Some(other))
            .into_iter()
            .map(str::to_owned)
            .collect(),
    }
}

fn max(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    }
}

fn min(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// A float as JSON, whole where it is whole.
fn number(value: f64) -> Option<Value> {
    let whole = value.fract() == 0.0;
    if whole && value.abs() < 9.0e18 {
        return Some(Value::from(value as i64));
    }
    if whole && value > 0.0 && value < 1.8e19 {
        return Some(Value::from(value as u64));
    }
    Number::from_f64(value).map(Value::Number)
}

/// A text of a format, where the format is one that readers check.
fn example_of(format: &str) -> Option<&'static str> {
    Some(match format {
        "date-time" => "2025-01-31T12:00:00Z",
        "date" => "2025-01-31",
        "time" => "12:00:00Z",
        "duration" => "P1D",
        "email" | "idn-email" => "a@example.com",
        "hostname" | "idn-hostname" => "example.com",
        "ipv4" | "ip" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        "uri" | "iri" | "url" => "https://example.com/",
        "uri-reference" | "iri-reference" => "/a",
        "uri-template" => "/{a}",
        "json-pointer" => "/a",
        "relative-json-pointer" => "0",
        "regex" => "a",
        "uuid" => "00000000-0000-4000-8000-000000000000",
        _ => return None,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
mod tests {
    use super::*;

    #[test]
    fn samples_are_accepted_by_their_schema() {
        let check = |schema: Value| {
            let validator = jsonschema::options()
                .should_validate_formats(true)
                .build(&schema)
                .unwrap();
            let mut made = 0;
            for seed in 0..200 {
                let mut sampler = if seed == 0 {
                    Sampler::least(&schema)
                } else {
                    Sampler::seeded(&schema, seed)
                };
                if let Some(value) = sampler.root() {
                    assert!(validator.is_valid(&value), "{value} for {schema}");
                    made += 1;
                }
            }
            assert!(made > 150, "only {made} samples for {schema}");
        };
        check(json!({"type": "string", "pattern": r"^A\d{4}$"}));
        check(json!({"type": "string", "minLength": 3, "maxLength": 5}));
        check(json!({"type": "string", "format": "uuid"}));
        check(json!({"type": "integer", "minimum": 3, "exclusiveMaximum": 9, "multipleOf": 3}));
        check(json!({"type": "number", "exclusiveMinimum": -1, "maximum": 0.5}));
        check(json!({"enum": [1, "a", null]}));
        check(json!({"type": ["string", "null"]}));
        check(json!({"type": "array", "items": {"type": "boolean"}, "minItems": 2, "maxItems": 4}));
        check(
            json!({"type": "array", "prefixItems": [{"const": 1}, {"const": 2}], "items": false, "minItems": 1}),
        );
        check(
            json!({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}},
            "required": ["b"], "additionalProperties": false}),
        );
        check(
            json!({"$defs": {"Node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}},
            "required": ["name"], "additionalProperties": {"type": "string"}}}, "$ref": "#/$defs/Node"}),
        );
        check(
            json!({"allOf": [{"type": "object", "required": ["a"]}, {"properties": {"a": {"const": 1}}}],
            "type": "object"}),
        );
    }
}
