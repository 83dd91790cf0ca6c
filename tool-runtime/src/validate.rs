//! Arguments against schema. The only file that knows the validator.

use std::borrow::Cow;

use jsonschema::error::{TypeKind, ValidationError, ValidationErrorKind};
use jsonschema::json::{Array, Json as Representation, JsonNumber, Node, NodeIdentity, Object};
use jsonschema::{JsonType, JsonTypeSet};
use serde_json::{Number, Value};

use crate::outcome::FieldError;
use crate::text;
use crate::tree::{Items, Json, Kind, Members, Num, NumValue, Tree, push_token, write_string};

/// A compiled schema.
#[derive(Debug)]
pub(crate) struct Validator {
    compiled: jsonschema::Validator<Form>,
    /// The schema again, to say what would have been right.
    schema: Value,
}

/// One problem, with what a repair has to know.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) error: FieldError,
    /// The types that would have been right, where the type was wrong.
    pub(crate) wants: Option<JsonTypeSet>,
    /// Whether the value is a member that the schema lists by its name.
    pub(crate) of_named_member: bool,
}

impl Problem {
    /// A problem that only the type could see.
    pub(crate) fn of_type(error: FieldError) -> Self {
        Self {
            error,
            wants: None,
            of_named_member: false,
        }
    }

    pub(crate) fn wants(&self, ty: JsonType) -> bool {
        self.wants.is_some_and(|wants| wants.contains(ty))
    }
}

impl Validator {
    /// Compiles a schema of JSON Schema 2020-12, offline.
    ///
    /// `assert_formats`: whether `format` refuses values (so that a typed argument such as an `IpAddr` is judged
    /// together with all others), or only tells the model, as 2020-12 has it by default.
    ///
    /// # Errors
    /// What is wrong with the schema.
    pub(crate) fn new(schema: &Value, assert_formats: bool) -> Result<Self, String> {
        let compiled = jsonschema::options_for::<Form>()
            .with_draft(jsonschema::Draft::Draft202012)
            .offline()
            .should_validate_formats(assert_formats)
            .with_format("ip", |text: &str| text.parse::<std::net::IpAddr>().is_ok())
            .build(schema)
            .map_err(|error| format!("{} at `{}`", error, error.instance_path()))?;
        Ok(Self {
            compiled,
            schema: schema.clone(),
        })
    }

    pub(crate) fn is_valid(&self, tree: &Tree) -> bool {
        self.compiled.is_valid(tree.root())
    }

    /// Every problem, in the order of the paths. `secret` tells which paths must not be quoted.
    pub(crate) fn problems(&self, tree: &Tree, secret: &dyn Fn(&str) -> bool) -> Vec<Problem> {
        let mut out = Vec::new();
        for error in self.compiled.iter_errors(tree.root()) {
            self.tell(&error, tree, secret, &mut out);
        }
        // The validator's order follows the schema's own, which one crate's feature can change for a whole build.
        out.sort_by(|a, b| (&a.error.path, &a.error.rule).cmp(&(&b.error.path, &b.error.rule)));
        out.dedup_by(|a, b| a.error.path == b.error.path && a.error.rule == b.error.rule);
        out
    }

    fn tell(
        &self,
        error: &ValidationError<'_>,
        tree: &Tree,
        secret: &dyn Fn(&str) -> bool,
        out: &mut Vec<Problem>,
    ) {
        use ValidationErrorKind as K;
        let path = error.instance_path().as_str();
        match error.kind() {
            K::AnyOf { context } | K::OneOfNotValid { context } => {
                if let Some(branch) = likely_branch(path, context) {
                    for inner in branch {
                        self.tell(inner, tree, secret, out);
                    }
                    return;
                }
                let wants = context
                    .iter()
                    .flatten()
                    .filter(|inner| inner.instance_path().as_str() == path);
                let wants = wants.filter_map(wanted).reduce(JsonTypeSet::union);
                let named = is_named_member(error);
                let (expected, got) = match (wants, alternatives(context, path)) {
                    (_, Some(values)) => (values, value_got(tree, path, secret)),
                    (Some(types), None) => (types_text(types), got(tree, path, secret)),
                    (None, None) => (
                        format!("one of {} alternatives", context.len()),
                        got(tree, path, secret),
                    ),
                };
                out.push(Problem {
                    wants,
                    of_named_member: named,
                    ..problem(path.to_owned(), error.kind().keyword(), expected, got)
                });
            }
            K::Required { property } => {
                let name = property.as_str().unwrap_or_default();
                let mut at = path.to_owned();
                push_token(&mut at, name);
                let expected = self.subschema_of_member(error, name).map_or_else(
                    || "a value".to_owned(),
                    |schema| describe(schema, &self.schema),
                );
                out.push(problem(at, "required", expected, "nothing".to_owned()));
            }
            K::AdditionalProperties { unexpected } | K::UnevaluatedProperties { unexpected } => {
                let allowed = self.members_beside(error);
                for name in unexpected {
                    let mut at = path.to_owned();
                    push_token(&mut at, name);
                    let given = tree.root().at(path);
                    let free = allowed.iter().copied().filter(|allowed| {
                        given
                            .and_then(Json::as_object)
                            .is_none_or(|members| members.get(allowed).is_none())
                    });
                    let expected = match text::nearest(name, free).first() {
                        Some(near) => format!("no such member; did you mean `{near}`?"),
                        None if allowed.is_empty() => "no members".to_owned(),
                        None => format!("one of {}", list(&allowed)),
                    };
                    // What it was meant for is not known, so neither is whether it is secret.
                    let got = given
                        .and_then(Json::as_object)
                        .and_then(|members| members.get(name))
                        .map_or_else(
                            || "nothing".to_owned(),
                            |value| with_article(value.type_name()),
                        );
                    out.push(problem(at, "additionalProperties", expected, got));
                }
            }
            kind => {
                let expected = expected(kind);
                let got = got_for(kind, tree, path, secret);
                out.push(Problem {
                    wants: wanted(error),
                    of_named_member: is_named_member(error),
                    ..problem(path.to_owned(), kind.keyword(), expected, got)
                });
            }
        }
    }

    /// The schema object that holds the keyword which failed.
    fn parent(&self, error: &ValidationError<'_>) -> Option<&Value> {
        let path = error.schema_path().as_str();
        self.schema
            .pointer(path.rsplit_once('/').map_or("", |(parent, _)| parent))
    }

    fn members_beside(&self, error: &ValidationError<'_>) -> Vec<&str> {
        self.parent(error)
            .and_then(|parent| parent.get("properties"))
            .and_then(Value::as_object)
            .map(|members| members.keys().map(String::as_str).collect())
            .unwrap_or_default()
    }

    fn subschema_of_member(&self, error: &ValidationError<'_>, name: &str) -> Option<&Value> {
        self.parent(error)?.get("properties")?.get(name)
    }
}

fn wanted(error: &ValidationError<'_>) -> Option<JsonTypeSet> {
    match error.kind() {
        ValidationErrorKind::Type {
            kind: TypeKind::Single(ty),
        } => Some(JsonTypeSet::empty().insert(*ty)),
        ValidationErrorKind::Type {
            kind: TypeKind::Multiple(types),
        } => Some(*types),
        _ => None,
    }
}

/// Whether the value that is wrong is a member that the schema lists by name, and not one of a map or a list.
fn is_named_member(error: &ValidationError<'_>) -> bool {
    let Some((_, name)) = error.instance_path().as_str().rsplit_once('/') else {
        return false;
    };
    let way = error.evaluation_path().as_str();
    let Some((_, rest)) = way.rsplit_once(&format!("/properties/{name}/")) else {
        return false;
    };
    !rest.split('/').any(|keyword| {
        matches!(
            keyword,
            "additionalProperties"
                | "patternProperties"
                | "unevaluatedProperties"
                | "items"
                | "prefixItems"
                | "unevaluatedItems"
                | "contains"
        )
    })
}

/// The one branch of a union that the value was meant for: the only one that does not already refuse the value's own
/// type, constant or tag, or else the only one of these whose member names fit.
fn likely_branch<'e>(
    path: &str,
    context: &'e [Vec<ValidationError<'static>>],
) -> Option<&'e [ValidationError<'static>]> {
    let meant = |branch: &&Vec<ValidationError<'static>>| {
        !branch.iter().any(|error| {
            let here = error.instance_path().as_str();
            match error.kind() {
                ValidationErrorKind::Type { .. } => here == path,
                // A tag is a constant one level down.
                ValidationErrorKind::Constant { .. } => {
                    here == path
                        || here
                            .strip_prefix(path)
                            .is_some_and(|rest| rest[1..].find('/').is_none())
                }
                ValidationErrorKind::Enum { .. } => here == path,
                _ => false,
            }
        })
    };
    let named = |branch: &&Vec<ValidationError<'static>>| {
        !branch.iter().any(|error| {
            error.instance_path().as_str() == path
                && matches!(
                    error.kind(),
                    ValidationErrorKind::Required { .. }
                        | ValidationErrorKind::AdditionalProperties { .. }
                        | ValidationErrorKind::UnevaluatedProperties { .. }
                )
        })
    };
    let candidates: Vec<&Vec<ValidationError<'static>>> = context.iter().filter(meant).collect();
    if let [branch] = candidates[..] {
        return Some(branch);
    }
    let mut fitting = candidates.into_iter().filter(named);
    match (fitting.next(), fitting.next()) {
        (Some(branch), None) => Some(branch),
        _ => None,
    }
}

/// The values of a union that is made of constants, such as an enum with documented variants.
fn alternatives(context: &[Vec<ValidationError<'static>>], path: &str) -> Option<String> {
    let mut values = Vec::new();
    for error in context
        .iter()
        .flatten()
        .filter(|error| error.instance_path().as_str() == path)
    {
        match error.kind() {
            ValidationErrorKind::Constant { expected_value } => {
                values.push(expected_value.to_string())
            }
            ValidationErrorKind::Enum { options } => {
                values.extend(
                    options
                        .as_array()
                        .into_iter()
                        .flatten()
                        .map(Value::to_string),
                );
            }
            _ => {}
        }
    }
    (!values.is_empty()).then(|| format!("one of {}", values.join(", ")))
}

fn problem(path: String, rule: &str, expected: String, got: String) -> Problem {
    let place = if path.is_empty() {
        "the arguments".to_owned()
    } else {
        format!("`{}`", text::shown(&path, 120))
    };
    let message = match rule {
        "required" => format!("{place} is missing; expected {expected}"),
        "additionalProperties" => format!("{place} is unknown: {expected}"),
        _ => format!("{place}: expected {expected}, got {got}"),
    };
    let error = FieldError {
        path,
        rule: Cow::Owned(rule.to_owned()),
        expected,
        got,
        message,
    };
    Problem::of_type(error)
}

fn expected(kind: &ValidationErrorKind) -> String {
    use ValidationErrorKind as K;
    match kind {
        K::Type {
            kind: TypeKind::Single(ty),
        } => with_article(ty.as_str()),
        K::Type {
            kind: TypeKind::Multiple(types),
        } => types_text(*types),
        K::Enum { options } => match options.as_array() {
            Some(options) => {
                format!(
                    "one of {}",
                    options
                        .iter()
                        .map(Value::to_string)
                        .collect::<Vec<_>>()
                        .join(", ")
                )
            }
            None => options.to_string(),
        },
        K::Constant { expected_value } => expected_value.to_string(),
        K::Minimum { limit } => format!("at least {limit}"),
        K::Maximum { limit } => format!("at most {limit}"),
        K::ExclusiveMinimum { limit } => format!("more than {limit}"),
        K::ExclusiveMaximum { limit } => format!("less than {limit}"),
        K::MultipleOf { multiple_of } => format!("a multiple of {multiple_of}"),
        K::MinLength { limit } => format!("at least {limit} characters"),
        K::MaxLength { limit } => format!("at most {limit} characters"),
        K::MinItems { limit } => format!("at least {limit} items"),
        K::MaxItems { limit } => format!("at most {limit} items"),
        K::AdditionalItems { limit } => format!("at most {limit} items"),
        K::MinProperties { limit } => format!("at least {limit} members"),
        K::MaxProperties { limit } => format!("at most {limit} members"),
        K::UniqueItems => "items that are all different".to_owned(),
        K::Pattern { pattern } => format!("text that matches {pattern}"),
        K::Format { format } => format!("text in the format {format}"),
        K::Not { .. } => "a value that the schema does not exclude".to_owned(),
        K::FalseSchema => "no value here".to_owned(),
        K::PropertyNames { error } => {
            format!("member names that are valid: {}", expected(error.kind()))
        }
        K::OneOfMultipleValid { .. } => "a value that fits exactly one alternative".to_owned(),
        K::Contains => "an array that contains the required item".to_owned(),
        other => format!("a value that satisfies `{}`", other.keyword()),
    }
}

fn types_text(types: JsonTypeSet) -> String {
    let mut names: Vec<String> = types.iter().map(|ty| with_article(ty.as_str())).collect();
    // "A string or null" reads as it is said.
    names.sort_by_key(|name| name == "null");
    names.join(" or ")
}

fn with_article(ty: &str) -> String {
    match ty {
        "null" => "null".to_owned(),
        "integer" | "array" | "object" => format!("an {ty}"),
        ty => format!("a {ty}"),
    }
}

fn list(names: &[&str]) -> String {
    names
        .iter()
        .map(|name| format!("`{name}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// What came, as a type. A number that should be another number is told by its value, since the type says nothing.
fn got(tree: &Tree, path: &str, secret: &dyn Fn(&str) -> bool) -> String {
    match tree.root().at(path) {
        None => "nothing".to_owned(),
        Some(value) => match value.as_number() {
            Some(number) if !secret(path) => format!("the number {}", text::shown(number.text, 40)),
            _ => with_article(value.type_name()),
        },
    }
}

/// What came, quoted if it is a text that is short and not secret.
fn value_got(tree: &Tree, path: &str, secret: &dyn Fn(&str) -> bool) -> String {
    const SHORT: usize = 60;
    match tree.root().at(path).and_then(Json::as_str) {
        Some(value) if !secret(path) && value.len() <= SHORT => {
            let mut quoted = String::new();
            write_string(&text::shown(value, SHORT), &mut quoted);
            quoted
        }
        _ => got(tree, path, secret),
    }
}

/// What came, quoted where the value itself is the problem.
fn got_for(
    kind: &ValidationErrorKind,
    tree: &Tree,
    path: &str,
    secret: &dyn Fn(&str) -> bool,
) -> String {
    use ValidationErrorKind as K;
    if matches!(
        kind,
        K::Enum { .. }
            | K::Constant { .. }
            | K::Pattern { .. }
            | K::Format { .. }
            | K::MinLength { .. }
    ) {
        return value_got(tree, path, secret);
    }
    match tree.root().at(path).and_then(Json::as_str) {
        Some(value) if matches!(kind, K::MaxLength { .. }) => {
            format!("{} characters", value.chars().count())
        }
        _ => match (kind, tree.root().at(path).and_then(Json::as_array)) {
            (K::MaxItems { .. } | K::MinItems { .. }, Some(items)) => {
                format!("{} items", items.count())
            }
            _ => got(tree, path, secret),
        },
    }
}

/// One subschema in a few words, for a member that is missing.
fn describe(schema: &Value, root: &Value) -> String {
    let schema = schema
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|target| target.strip_prefix('#'))
        .and_then(|pointer| root.pointer(pointer))
        .unwrap_or(schema);
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return format!(
            "one of {}",
            values
                .iter()
                .map(Value::to_string)
                .collect::<Vec<_>>()
                .join(", ")
        );
    }
    match schema.get("type") {
        Some(Value::String(ty)) => with_article(ty),
        Some(Value::Array(types)) => types
            .iter()
            .filter_map(Value::as_str)
            .map(with_article)
            .collect::<Vec<_>>()
            .join(" or "),
        _ => "a value".to_owned(),
    }
}

/// Our tree, as the validator sees it.
#[derive(Debug)]
pub(crate) struct Form;

impl Representation for Form {
    type Node<'a> = Json<'a>;
    type PreparedKey = Box<str>;
    type StringBuffer = Option<Tree>;
    const ACYCLIC: bool = true;

    fn prepare_key(key: &str) -> Box<str> {
        key.into()
    }

    fn with_string_node<T>(
        buffer: &mut Option<Tree>,
        string: &str,
        f: impl for<'x> FnOnce(Json<'x>) -> T,
    ) -> T {
        f(buffer.insert(Tree::of_string(string)).root())
    }
}

impl<'a> Node<'a, Form> for Json<'a> {
    type Object = Members<'a>;
    type Array = Items<'a>;
    type Number = Num<'a>;

    #[inline]
    fn as_object(&self) -> Option<Members<'a>> {
        Json::as_object(*self)
    }

    #[inline]
    fn as_array(&self) -> Option<Items<'a>> {
        Json::as_array(*self)
    }

    #[inline]
    fn as_string(&self) -> Option<Cow<'a, str>> {
        Json::as_str(*self).map(Cow::Borrowed)
    }

    #[inline]
    fn as_number(&self) -> Option<Num<'a>> {
        Json::as_number(*self)
    }

    #[inline]
    fn as_boolean(&self) -> Option<bool> {
        Json::as_bool(*self)
    }

    #[inline]
    fn is_null(&self) -> bool {
        Json::is_null(*self)
    }

    #[inline]
    fn json_type(&self) -> JsonType {
        match self.kind() {
            Kind::Null => JsonType::Null,
            Kind::False | Kind::True => JsonType::Boolean,
            Kind::Unsigned | Kind::Signed | Kind::Float | Kind::Big => JsonType::Number,
            Kind::String | Kind::Escaped => JsonType::String,
            Kind::Array => JsonType::Array,
            Kind::Object => JsonType::Object,
        }
    }

    #[inline]
    fn string_length_within(&self, min: u64, max: u64) -> Option<bool> {
        let text = Json::as_str(*self)?;
        // A character takes one to four bytes, which mostly decides it without counting.
        let (fewest, most) = ((text.len() as u64).div_ceil(4), text.len() as u64);
        if most < min || fewest > max {
            return Some(false);
        }
        if min <= fewest && most <= max {
            return Some(true);
        }
        Some((min..=max).contains(&(text.chars().count() as u64)))
    }

    #[inline]
    fn equals_value(&self, expected: &Value) -> bool {
        match (Json::as_str(*self), expected) {
            (Some(text), Value::String(expected)) => text == expected,
            (Some(_), _) | (_, Value::String(_)) => false,
            _ => jsonschema::json::cmp::equal(&Json::to_value(*self), expected),
        }
    }

    #[inline]
    fn to_value(&self) -> Cow<'a, Value> {
        Cow::Owned(Json::to_value(*self))
    }

    #[inline]
    fn identity(&self) -> Option<NodeIdentity> {
        let (tree, index) = Json::identity(*self);
        Some(NodeIdentity::tagged(tree, index))
    }
}

impl<'a> Object<'a, Form> for Members<'a> {
    type Node = Json<'a>;
    type MemberName = &'a str;
    type MembersIter = Self;

    #[inline]
    fn len(&self) -> usize {
        ExactSizeIterator::len(self)
    }

    #[allow(clippy::borrowed_box, reason = "the trait's signature")]
    #[inline]
    fn get(&self, key: &Box<str>) -> Option<Json<'a>> {
        self.clone().get(key)
    }

    #[inline]
    fn members(&self) -> Self {
        self.clone()
    }
}

impl<'a> Array<'a, Form> for Items<'a> {
    type Node = Json<'a>;
    type ElementsIter = Self;

    #[inline]
    fn len(&self) -> usize {
        ExactSizeIterator::len(self)
    }

    #[inline]
    fn elements(&self) -> Self {
        self.clone()
    }
}

impl JsonNumber for Num<'_> {
    #[inline]
    fn as_u64(&self) -> Option<u64> {
        match self.value {
            NumValue::Unsigned(value) => Some(value),
            _ => None,
        }
    }

    #[inline]
    fn as_i64(&self) -> Option<i64> {
        match self.value {
            NumValue::Unsigned(value) => i64::try_from(value).ok(),
            NumValue::Signed(value) => Some(value),
            _ => None,
        }
    }

    #[allow(
        clippy::cast_precision_loss,
        reason = "the nearest float is what is asked for"
    )]
    #[inline]
    fn as_f64(&self) -> Option<f64> {
        Some(match self.value {
            NumValue::Unsigned(value) => value as f64,
            NumValue::Signed(value) => value as f64,
            NumValue::Float(value) => value,
            // Away from zero: -2^63 - 1 must not pass for -2^63, which is a bound.
            NumValue::Big(value) if format!("{value:.0}") == self.text => value,
            NumValue::Big(value) if value < 0.0 => value.next_down(),
            NumValue::Big(value) => value.next_up(),
        })
    }

    #[inline]
    fn as_str(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.text)
    }

    #[inline]
    fn to_number(&self) -> Cow<'_, Number> {
        Cow::Owned(Num::to_number(*self))
    }

    #[inline]
    fn is_integer(&self) -> bool {
        match self.value {
            NumValue::Unsigned(_) | NumValue::Signed(_) | NumValue::Big(_) => true,
            NumValue::Float(_) => self.counts_as_integer && self.integral().is_some(),
        }
    }

    #[inline]
    fn is_written_as_integer(&self) -> bool {
        !matches!(self.value, NumValue::Float(_))
    }
}
