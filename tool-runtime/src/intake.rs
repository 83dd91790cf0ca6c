//! From a model's bytes to frozen arguments: bounds, parsing, repairs, judgement, defaults.
//!
//! What arrives is untrusted. It is bounded before anything is built from it, repaired only in ways that are on a closed list
//! (each with a name, a switch and a record), judged against the schema with every problem told, and then never changed
//! again: policy, people and the tool see the same arguments.

use std::borrow::Cow;
use std::sync::Arc;

use jsonschema::JsonType;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::arg::Absent;
use crate::canonical;
use crate::compiled::Compiled;
use crate::outcome::{ErrorType, Failure, FieldError, code};
use crate::parse::{FaultKind, Limits, ParseFault};
use crate::text::shown;
use crate::tree::{Edit, Json, Tree, View, push_token, write_string};
use crate::validate::Problem;

/// The most problems one answer lists.
const MAX_PROBLEMS: usize = 20;

/// Repairs can uncover problems behind problems; this many times they are looked for.
const MAX_ROUNDS: usize = 8;

/// One way to put right what models often write wrongly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Repair {
    /// Blank, `null` or missing arguments become `{}`. On by default.
    EmptyArguments,
    /// One Markdown fence around the whole text is taken off; what is inside has to parse whole. On by default.
    MarkdownFence,
    /// The whole arguments are a JSON string that holds an object: it is unwrapped, one level. On by default.
    DoubleEncoded,
    /// `5.0` becomes `5` where the schema says integer: up to 2^53, no exponent. On by default.
    IntegralFloat,
    /// `null` for an optional member whose schema does not admit null becomes absent. On by default.
    NullForAbsent,
    /// A string that should be an array or object and holds one as JSON is unwrapped. Off by default.
    NestedJson,
    /// A string that should be a number and is one, whole and in JSON's grammar, becomes the number. Off by default.
    NumberInString,
    /// `"true"` or `"false"` becomes the boolean where one is due. Off by default.
    BooleanInString,
    /// A comma before a closing bracket is removed. Off by default.
    TrailingComma,
}

impl Repair {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::EmptyArguments,
        Self::MarkdownFence,
        Self::DoubleEncoded,
        Self::IntegralFloat,
        Self::NullForAbsent,
        Self::NestedJson,
        Self::NumberInString,
        Self::BooleanInString,
        Self::TrailingComma,
    ];
}

/// The repairs that are switched on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repairs(u16);

impl Repairs {
    /// No repair at all: the arguments are judged as they come.
    pub const NONE: Self = Self(0);

    /// With one more.
    #[must_use]
    pub const fn with(self, repair: Repair) -> Self {
        Self(self.0 | (1 << repair as u16))
    }

    /// With one less.
    #[must_use]
    pub const fn without(self, repair: Repair) -> Self {
        Self(self.0 & !(1 << repair as u16))
    }

    /// Whether it is switched on.
    #[must_use]
    pub const fn has(self, repair: Repair) -> bool {
        self.0 & (1 << repair as u16) != 0
    }
}

/// The five that cannot change what a call means.
impl Default for Repairs {
    fn default() -> Self {
        Self::NONE
            .with(Repair::EmptyArguments)
            .with(Repair::MarkdownFence)
            .with(Repair::DoubleEncoded)
            .with(Repair::IntegralFloat)
            .with(Repair::NullForAbsent)
    }
}

/// One repair that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Repaired {
    /// Which.
    pub repair: Repair,
    /// JSON Pointer of the value that was repaired; empty for the arguments as a whole.
    pub path: String,
}

/// Arguments that will not change any more, with what is read for those that are absent.
#[derive(Debug, Clone)]
pub(crate) struct Frozen {
    tree: Tree,
    compiled: Arc<Compiled>,
}

impl Frozen {
    /// Reads the argument of one parameter: what was given, its default, or nothing where the type takes nothing.
    pub(crate) fn read<T: DeserializeOwned>(&self, index: usize) -> Result<T, FieldError> {
        let Some(parameter) = self.compiled.parameters.get(index) else {
            return Err(refused(String::new(), "no such parameter"));
        };
        // Models mostly write arguments in the order of the signature.
        let members = self.tree.root().as_object();
        let given = members.and_then(|members| members.get_near(index, parameter.name));
        let result = match given.or_else(|| parameter.default.as_ref().map(Tree::root)) {
            Some(json) => T::deserialize(json).map_err(|error| {
                let error = error.into_inner();
                (error.path(), error.message)
            }),
            None => T::deserialize(Absent).map_err(|missing| (String::new(), missing.to_string())),
        };
        result.map_err(|(below, message)| {
            let mut path = String::new();
            push_token(&mut path, parameter.name);
            path.push_str(&below);
            let message = if self.compiled.is_secret(&path) {
                "not a value of its type"
            } else {
                &message
            };
            refused(path, message)
        })
    }

    /// The members as they will run: those given, then the defaults of those that were not.
    fn members(&self) -> impl Iterator<Item = (&str, Json<'_>)> {
        let given = self.tree.root().as_object();
        let defaults = self
            .compiled
            .parameters
            .iter()
            .filter_map(move |parameter| {
                let absent = self
                    .tree
                    .root()
                    .as_object()
                    .is_none_or(|members| members.get(parameter.name).is_none());
                let default = parameter.default.as_ref().filter(|_| absent)?;
                Some((parameter.name, default.root()))
            });
        given.into_iter().flatten().chain(defaults)
    }

    /// The text that is hashed and stored: defaults filled in, members sorted.
    pub(crate) fn canonical(&self) -> String {
        let mut members: Vec<_> = self.members().collect();
        members.sort_by(|a, b| a.0.encode_utf16().cmp(b.0.encode_utf16()));
        let mut out = String::new();
        canonical::write_members(members.into_iter(), &mut out);
        out
    }

    /// The arguments as people and journals see them: defaults filled in, secrets masked.
    pub(crate) fn display(&self) -> serde_json::Value {
        let masked = |name: &str| {
            self.compiled
                .parameters
                .iter()
                .any(|parameter| parameter.secret && parameter.name == name)
        };
        self.members()
            .map(|(name, value)| {
                let value = if masked(name) {
                    "[secret]".into()
                } else {
                    value.to_value()
                };
                (name.to_owned(), value)
            })
            .collect::<serde_json::Map<_, _>>()
            .into()
    }

    /// The arguments as `serde_json` holds them, defaults filled in.
    pub(crate) fn to_value(&self) -> serde_json::Value {
        self.members()
            .map(|(name, value)| (name.to_owned(), value.to_value()))
            .collect::<serde_json::Map<_, _>>()
            .into()
    }
}

#[cold]
fn refused(path: String, message: &str) -> FieldError {
    let message = shown(message, 200);
    FieldError {
        message: format!("`{path}`: {message}"),
        path,
        rule: Cow::Borrowed("type"),
        expected: "a value of the parameter's type".to_owned(),
        got: message,
    }
}

/// The bounds on bytes, before anything else is looked at.
pub(crate) fn admit(bytes: Vec<u8>, limits: &Limits) -> Result<String, Box<Failure>> {
    if bytes.len() > limits.max_bytes {
        let message = format!(
            "the arguments take {} bytes; at most {} are taken",
            bytes.len(),
            limits.max_bytes
        );
        return Err(invalid(code::TOO_LARGE, message));
    }
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        invalid(
            code::BAD_UNICODE,
            format!("the arguments are not UTF-8 from byte {offset} on; send UTF-8 JSON text"),
        )
    })
}

/// Parses, repairs and judges.
pub(crate) fn read(
    text: String,
    compiled: &Arc<Compiled>,
    limits: &Limits,
    repairs: Repairs,
) -> Result<(Frozen, Vec<Repaired>), Box<Failure>> {
    let mut done = Vec::new();
    let mut tree = parse(text, limits, repairs, &mut done)?;
    if repairs.has(Repair::IntegralFloat) {
        // Then the validator points at `5.0`, and it becomes `5` before anybody sees it.
        tree.floats_count_as_integers = false;
    }
    tree = rename_aliases(tree, compiled, limits)?;
    if !compiled.validator.is_valid(&tree) {
        tree = repair(tree, compiled, limits, repairs, &mut done)?;
    }
    Ok((
        Frozen {
            tree,
            compiled: Arc::clone(compiled),
        },
        done,
    ))
}

fn invalid(code: &'static str, message: String) -> Box<Failure> {
    Box::new(Failure {
        retryable: true,
        ..Failure::new(ErrorType::InvalidArguments, code, message)
    })
}

fn parse(
    text: String,
    limits: &Limits,
    repairs: Repairs,
    done: &mut Vec<Repaired>,
) -> Result<Tree, Box<Failure>> {
    let whole = |repair| Repaired {
        repair,
        path: String::new(),
    };
    let mut text = text;
    if repairs.has(Repair::EmptyArguments) && text.trim().is_empty() {
        done.push(whole(Repair::EmptyArguments));
        text = "{}".to_owned();
    }
    let mut parsed = Tree::parse(text, limits);
    if let Err((text, fault)) = parsed {
        parsed = match mended(&text, &fault, limits, repairs) {
            Some((tree, repair)) => {
                done.push(whole(repair));
                Ok(tree)
            }
            None => Err((text, fault)),
        };
    }
    let tree = parsed.map_err(|(text, fault)| unparsable(&text, &fault))?;
    match tree.root().view() {
        View::Null if repairs.has(Repair::EmptyArguments) => {
            done.push(whole(Repair::EmptyArguments));
            Tree::parse("{}".to_owned(), limits).map_err(|(text, fault)| unparsable(&text, &fault))
        }
        View::String(inner) if repairs.has(Repair::DoubleEncoded) => {
            match Tree::parse(inner.to_owned(), limits) {
                Ok(inside) if inside.root().as_object().is_some() => {
                    done.push(whole(Repair::DoubleEncoded));
                    Ok(inside)
                }
                // What is inside the string was meant as the arguments, so its bounds count like theirs.
                Err((text, fault)) if fault.kind != FaultKind::Syntax => {
                    Err(unparsable(&text, &fault))
                }
                _ => Ok(tree),
            }
        }
        _ => Ok(tree),
    }
}

/// The text again, after a repair of the text itself.
fn mended(
    text: &str,
    fault: &ParseFault,
    limits: &Limits,
    repairs: Repairs,
) -> Option<(Tree, Repair)> {
    if fault.kind != FaultKind::Syntax {
        return None;
    }
    if repairs.has(Repair::MarkdownFence)
        && let Some(inside) = inside_fence(text)
    {
        return Tree::parse(inside.to_owned(), limits)
            .ok()
            .map(|tree| (tree, Repair::MarkdownFence));
    }
    if repairs.has(Repair::TrailingComma) {
        let without = without_trailing_commas(text);
        return Tree::parse(without, limits)
            .ok()
            .map(|tree| (tree, Repair::TrailingComma));
    }
    None
}

/// What stands between the fences, if the whole text is one fenced block.
fn inside_fence(text: &str) -> Option<&str> {
    let text = text.trim();
    let rest = text.strip_prefix("```")?;
    let (info, rest) = rest.split_once('\n')?;
    if !matches!(info.trim(), "" | "json" | "JSON" | "jsonc" | "json5") {
        return None;
    }
    rest.strip_suffix("```")
}

fn without_trailing_commas(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut in_string, mut escaped) = (false, false);
    // Whether a value stands just before: only behind one is a comma a trailing one.
    let mut behind_value = false;
    for (i, c) in text.char_indices() {
        if in_string {
            in_string = escaped || c != '"';
            escaped = c == '\\' && !escaped;
        } else if c == '"' {
            in_string = true;
        } else if c == ',' && behind_value && text[i + 1..].trim_start().starts_with(['}', ']']) {
            behind_value = false;
            continue;
        }
        if !c.is_whitespace() {
            behind_value = in_string || !matches!(c, ',' | ':' | '[' | '{');
        }
        out.push(c);
    }
    out
}

#[cold]
fn unparsable(text: &str, fault: &ParseFault) -> Box<Failure> {
    let place = if fault.path.is_empty() {
        String::new()
    } else {
        format!(" in `{}`", shown(&fault.path, 120))
    };
    let ends = fault.offset >= text.trim_end().len() && !text.trim().is_empty();
    match fault.kind {
        FaultKind::TooLarge => invalid(
            code::TOO_LARGE,
            format!("the arguments are too large: {}", fault.message),
        ),
        FaultKind::TooDeep => invalid(
            code::TOO_DEEP,
            format!("the arguments are {}", fault.message),
        ),
        FaultKind::DuplicateKey => {
            let mut failure = invalid(
                code::DUPLICATE_KEY,
                format!(
                    "`{}` is given twice; give each argument once",
                    shown(&fault.path, 120)
                ),
            );
            failure.errors.push(FieldError {
                path: fault.path.clone(),
                rule: Cow::Borrowed("duplicateKey"),
                expected: "each member once".to_owned(),
                got: "the same member again".to_owned(),
                message: failure.message.clone(),
            });
            failure
        }
        FaultKind::BadUnicode => invalid(
            code::BAD_UNICODE,
            format!("{}{place}, at byte {}", fault.message, fault.offset),
        ),
        FaultKind::Syntax if ends => invalid(
            code::PARSE_ERROR,
            format!(
                "the arguments are cut off at byte {}{place}: {}; send the whole JSON object again, shorter if need be",
                fault.offset, fault.message
            ),
        ),
        FaultKind::Syntax => invalid(
            code::PARSE_ERROR,
            format!(
                "the arguments are not JSON at byte {}{place}: {}; send one JSON object and nothing else",
                fault.offset, fault.message
            ),
        ),
    }
}

/// Arguments under an older name get the name of today; both at once is a contradiction.
fn rename_aliases(tree: Tree, compiled: &Compiled, limits: &Limits) -> Result<Tree, Box<Failure>> {
    let mut edits = Vec::new();
    for parameter in &compiled.parameters {
        for alias in parameter.aliases {
            let Some(members) = tree.root().as_object() else {
                return Ok(tree);
            };
            let Some(value) = members.clone().get(alias) else {
                continue;
            };
            let renamed_already = edits
                .iter()
                .any(|edit| matches!(edit, Edit::Rename(_, name) if name == parameter.name));
            if renamed_already || members.get(parameter.name).is_some() {
                return Err(invalid(
                    code::DUPLICATE_KEY,
                    format!(
                        "`{alias}` is another name of `{}`; give one of them",
                        parameter.name
                    ),
                ));
            }
            edits.push(Edit::Rename(value.index(), parameter.name.to_owned()));
        }
    }
    if edits.is_empty() {
        Ok(tree)
    } else {
        edited(&tree, &edits, limits)
    }
}

fn edited(tree: &Tree, edits: &[Edit], limits: &Limits) -> Result<Tree, Box<Failure>> {
    let mut edited = Tree::parse(tree.rewrite(edits), limits)
        .map_err(|(text, fault)| unparsable(&text, &fault))?;
    edited.floats_count_as_integers = tree.floats_count_as_integers;
    Ok(edited)
}

/// Repairs what the validator points at, until nothing is wrong or nothing more can be repaired.
fn repair(
    tree: Tree,
    compiled: &Compiled,
    limits: &Limits,
    repairs: Repairs,
    done: &mut Vec<Repaired>,
) -> Result<Tree, Box<Failure>> {
    let secret = |path: &str| compiled.is_secret(path);
    let mut tree = tree;
    // Nulls that turned out to be required: they stay, and are told as what they are.
    let mut needed: Vec<String> = Vec::new();
    let mut problems = compiled.validator.problems(&tree, &secret);
    for _ in 0..MAX_ROUNDS {
        let proposed: Vec<(Repaired, Edit)> = problems
            .iter()
            .filter_map(|problem| propose(problem, &tree, repairs, &needed))
            .collect();
        if proposed.is_empty() {
            break;
        }
        let edits: Vec<Edit> = proposed.iter().map(|(_, edit)| edit.clone()).collect();
        let next = edited(&tree, &edits, limits)?;
        let after = compiled.validator.problems(&next, &secret);
        let removed_in_vain: Vec<String> = proposed
            .iter()
            .filter(|(made, _)| {
                made.repair == Repair::NullForAbsent
                    && after.iter().any(|problem| {
                        problem.error.rule == "required" && problem.error.path == made.path
                    })
            })
            .map(|(made, _)| made.path.clone())
            .collect();
        if !removed_in_vain.is_empty() {
            needed.extend(removed_in_vain);
            continue;
        }
        done.extend(proposed.into_iter().map(|(made, _)| made));
        tree = next;
        problems = after;
        if problems.is_empty() {
            return Ok(tree);
        }
    }
    if repairs.has(Repair::IntegralFloat) {
        // 2020-12 counts `5.0` as an integer. Where a union hid it from the repair, it is one all the same.
        tree.floats_count_as_integers = true;
        problems = compiled.validator.problems(&tree, &secret);
        if problems.is_empty() {
            return Ok(tree);
        }
    }
    Err(schema_failure(problems))
}

/// The one repair that would answer this problem, if its switch is on.
fn propose(
    problem: &Problem,
    tree: &Tree,
    repairs: Repairs,
    needed: &[String],
) -> Option<(Repaired, Edit)> {
    // The value is not what is wrong there.
    if matches!(&*problem.error.rule, "required" | "additionalProperties") {
        return None;
    }
    let path = &problem.error.path;
    let json = tree.root().at(path)?;
    let made = |repair, edit| {
        Some((
            Repaired {
                repair,
                path: path.clone(),
            },
            edit,
        ))
    };
    let replace = |repair, text: String| made(repair, Edit::Replace(json.index(), text));
    match json.view() {
        // A null in a map or in a list is a value like the others there.
        View::Null
            if repairs.has(Repair::NullForAbsent)
                && problem.of_named_member
                && !needed.contains(path) =>
        {
            made(Repair::NullForAbsent, Edit::Remove(json.index()))
        }
        View::Number(number)
            if repairs.has(Repair::IntegralFloat) && problem.wants(JsonType::Integer) =>
        {
            replace(Repair::IntegralFloat, number.integral()?.to_string())
        }
        View::String(text) => {
            let number = problem.wants(JsonType::Number) || problem.wants(JsonType::Integer);
            if repairs.has(Repair::BooleanInString)
                && problem.wants(JsonType::Boolean)
                && matches!(text, "true" | "false")
            {
                return replace(Repair::BooleanInString, text.to_owned());
            }
            let inside = Tree::parse(text.to_owned(), &Limits::default()).ok()?;
            if repairs.has(Repair::NumberInString) && number {
                let value = inside.root().as_number()?;
                // The whole string is the number, and an integer has no exponent.
                let whole = value.text.len() == text.len();
                let fits = problem.wants(JsonType::Number) || !value.text.contains(['.', 'e', 'E']);
                return (whole && fits)
                    .then(|| replace(Repair::NumberInString, text.to_owned()))
                    .flatten();
            }
            let container = match inside.root().view() {
                View::Array(_) => JsonType::Array,
                View::Object(_) => JsonType::Object,
                _ => return None,
            };
            if repairs.has(Repair::NestedJson) && problem.wants(container) {
                let mut text = String::new();
                inside.root().write(&mut text);
                return replace(Repair::NestedJson, text);
            }
            None
        }
        _ => None,
    }
}

/// Every problem, in the order of the paths, in one answer.
pub(crate) fn schema_failure(problems: Vec<Problem>) -> Box<Failure> {
    let count = problems.len();
    let mut errors: Vec<FieldError> = problems.into_iter().map(|problem| problem.error).collect();
    errors.truncate(MAX_PROBLEMS);
    let mut message = match count {
        1 => "1 problem with the arguments; nothing was run: ".to_owned(),
        count => format!("{count} problems with the arguments; nothing was run: "),
    };
    for (i, error) in errors.iter().enumerate() {
        if i > 0 {
            message.push_str("; ");
        }
        message.push_str(&error.message);
    }
    if count > MAX_PROBLEMS {
        message.push_str(&format!("; and {} more", count - MAX_PROBLEMS));
    }
    let mut failure = invalid(code::SCHEMA, message);
    failure.errors = errors;
    failure
}

/// One problem that only the type itself could see.
pub(crate) fn type_failure(error: FieldError) -> Box<Failure> {
    schema_failure(vec![Problem::of_type(error)])
}

/// Writes a JSON string literal into a new string.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    write_string(text, &mut out);
    out
}
