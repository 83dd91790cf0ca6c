//! What a dialect accepts, as data: one dated table a dialect, read by the passes.
//!
//! Providers change their rules several times a year. A change is an edit of a table and of its date, never of a
//! pass. What sources dispute is a field here, so that it can be switched.

use serde_json::Value;

use super::schema::{Kind, Node};

/// One dialect's rules. `checked` is when the sources were last read.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) id: &'static str,
    pub(crate) checked: &'static str,
    pub(crate) tool_name: NameRule,
    pub(crate) property_name: PropertyRule,
    /// Longer descriptions draw a warning.
    pub(crate) description_warn: usize,
    /// More tools than this draw a warning.
    pub(crate) tools_warn: usize,
    pub(crate) root: Root,
    /// How a tool without parameters is written.
    pub(crate) empty: Empty,
    /// Nothing below the root is rewritten, whatever the fields below say.
    pub(crate) lenient: bool,
    /// Every object is closed.
    pub(crate) closed: bool,
    pub(crate) optional: Optional,
    pub(crate) refs: Refs,
    pub(crate) beside_ref: BesideRef,
    pub(crate) recursion: Recursion,
    /// Definition names that would need escaping in a reference are avoided.
    pub(crate) plain_ref_names: bool,
    /// `$ref: "#"` is understood.
    pub(crate) root_ref: bool,
    pub(crate) null: Null,
    /// `const` is understood. Otherwise it becomes an `enum` of one value.
    pub(crate) constant: bool,
    /// `const` and `enum` need a `type` beside them.
    pub(crate) typed_values: bool,
    /// `enum` holds text only; other values become a note.
    pub(crate) text_enums_only: bool,
    /// A union of documented constants becomes one `enum`, the words go to the description.
    pub(crate) fold_documented: bool,
    pub(crate) maps: Maps,
    /// `patternProperties` are understood as they are.
    pub(crate) pattern_properties: bool,
    /// `additionalProperties: false` has no spelling and may go, as intake refuses unknown members anyway.
    pub(crate) drops_closed: bool,
    pub(crate) tuples: Tuples,
    pub(crate) items: Items,
    pub(crate) untyped: Untyped,
    /// An object below the root needs at least one property.
    pub(crate) nested_objects_filled: bool,
    /// `required` may name listed properties only.
    pub(crate) required_checked: bool,
    pub(crate) keywords: &'static [(&'static str, Treatment)],
    /// What happens to a keyword the table does not name.
    pub(crate) other_keywords: Treatment,
    /// Formats of strings that are understood, if not all; the others become a note.
    pub(crate) formats: Option<&'static [&'static str]>,
    pub(crate) limits: Limits,
}

/// The alphabet and length of a tool's name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NameRule {
    pub(crate) first: fn(char) -> bool,
    pub(crate) rest: fn(char) -> bool,
    pub(crate) alphabet: &'static str,
    pub(crate) max: usize,
    /// Longer names are accepted, but not by everything that speaks this dialect.
    pub(crate) warn: usize,
    /// A name outside the rule is a warning, not an error.
    pub(crate) advisory: bool,
}

/// Which property names are refused, and where.
#[derive(Debug, Clone, Copy)]
pub(crate) enum PropertyRule {
    Free,
    /// On the top level only.
    Top {
        rest: fn(char) -> bool,
        alphabet: &'static str,
        max: usize,
    },
    /// Everywhere.
    All {
        first: fn(char) -> bool,
        rest: fn(char) -> bool,
        alphabet: &'static str,
        max: usize,
    },
    /// Everywhere, except for these.
    Reserved(&'static [&'static str]),
}

/// What the root has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Root {
    /// An object, without a combinator.
    Object,
    /// An object, with whatever beside it.
    ObjectWithUnions,
    /// An object with nothing but `type`, `properties` and `required`.
    Bare,
}

/// How the schema of a tool without parameters looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Empty {
    /// `{"type":"object"}`.
    Plain,
    /// `{"type":"object","properties":{}}`.
    Properties,
    /// `{"type":"object","additionalProperties":false}`.
    Closed,
    /// No schema at all.
    Omitted,
}

/// What becomes of a property that may be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Optional {
    AsIs,
    /// It is demanded and may be null; intake reads that null as absent.
    RequiredNullable,
    /// It stays optional and may no longer be null: leaving it out says the same.
    WithoutNull,
}

/// Where a reference may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refs {
    Kept,
    /// Written out everywhere.
    Inlined,
    /// Written out where it is a branch of `anyOf`.
    InlinedInUnions,
}

/// What may stand beside a reference that only has words beside it. Siblings that constrain are always merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BesideRef {
    Anything,
    /// These keywords; with others the target is written out.
    Only(&'static [&'static str]),
    /// A description, unless the target has one too; then the target is written out.
    DescriptionOnce,
    /// Nothing: the reference becomes the one branch of an `anyOf`.
    Wrapped,
    /// Nothing: the target is written out.
    Merged,
}

/// Which types may hold themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Recursion {
    Allowed,
    Refused,
    /// Only where some property on the way may be left out.
    ThroughOptional,
    /// Not where the reference is a branch of `anyOf`.
    NotThroughUnions,
}

/// How "or null" and several types at once are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Null {
    /// A list of types.
    TypeList,
    /// A list of types, as long as none of them is `array` or `object`; otherwise `anyOf`.
    ScalarList,
    /// `nullable: true`; several types are an `anyOf`.
    Flag,
}

/// What becomes of an object with unnamed members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Maps {
    Kept,
    Refused,
    /// Only words are left of it.
    Noted,
}

/// What becomes of `prefixItems` that are not all alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tuples {
    Kept,
    Refused,
    /// `items` takes any of the types, the order is told in words.
    Widened,
    Noted,
}

/// What an array needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Items {
    Optional,
    /// `items: {}` is added where it says nothing.
    Added,
    /// An array without the type of its elements is refused.
    Demanded,
}

/// What becomes of a node that takes any value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Untyped {
    Kept,
    /// `true` becomes `{}`.
    Object,
    Refused,
}

/// What becomes of a keyword.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Treatment {
    Keep,
    /// Removed; it never decided anything.
    Drop,
    /// Moved into the description.
    Note,
    /// An exclusive bound: the neighbour for integers, otherwise moved into the description.
    Neighbour,
    /// Kept where the test holds, otherwise moved into the description.
    KeepIf(fn(&Node, &Value) -> bool),
    /// Rewritten where the function finds another spelling, kept where it gives the same, otherwise moved.
    Rewrite(fn(&Value) -> Option<Value>),
}

/// Sizes beyond which a definition is refused. `usize::MAX` is no limit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Steps through `properties`; a reference is not followed.
    pub(crate) depth: usize,
    pub(crate) properties: usize,
    pub(crate) enum_values: usize,
    /// From this many values on, one enum's text may have no more than `long_enum_text` characters.
    pub(crate) long_enum: usize,
    pub(crate) long_enum_text: usize,
    /// Characters of all names and values.
    pub(crate) text: usize,
    pub(crate) branches: usize,
    /// Of one request: strict tools, optional parameters, parameters with a union.
    pub(crate) request_tools: usize,
    pub(crate) request_optional: usize,
    pub(crate) request_unions: usize,
}

/// No limit at all.
pub(crate) const UNLIMITED: Limits = Limits {
    depth: usize::MAX,
    properties: usize::MAX,
    enum_values: usize::MAX,
    long_enum: usize::MAX,
    long_enum_text: usize::MAX,
    text: usize::MAX,
    branches: usize::MAX,
    request_tools: usize::MAX,
    request_optional: usize::MAX,
    request_unions: usize::MAX,
};

fn word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

fn dotted(c: char) -> bool {
    word(c) || c == '.'
}

fn letter(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

/// `[a-zA-Z0-9_-]{1,64}`: OpenAI, Bedrock, Mistral, DeepSeek.
pub(crate) const WORD_64: NameRule = NameRule {
    first: word,
    rest: word,
    alphabet: "[a-zA-Z0-9_-]",
    max: 64,
    warn: 64,
    advisory: false,
};

/// The same up to 128, with a warning above 64, where Bedrock and older gateways stop: Anthropic.
pub(crate) const WORD_128: NameRule = NameRule {
    max: 128,
    ..WORD_64
};

/// Not starting with a digit: Moonshot.
pub(crate) const NO_DIGIT_64: NameRule = NameRule {
    first: |c| word(c) && !c.is_ascii_digit(),
    alphabet: "[a-zA-Z0-9_-], no digit first",
    ..WORD_64
};

/// Gemini's function names.
pub(crate) const GEMINI_NAME: NameRule = NameRule {
    first: letter,
    rest: |c| dotted(c) || c == ':',
    alphabet: "[a-zA-Z0-9_.:-], a letter or underscore first",
    max: 128,
    warn: 64,
    advisory: false,
};

/// MCP's names, which are a recommendation.
pub(crate) const MCP_NAME: NameRule = NameRule {
    first: dotted,
    rest: dotted,
    alphabet: "[a-zA-Z0-9_.-]",
    max: 128,
    warn: 64,
    advisory: true,
};

/// Anything that is not empty: Ollama and llama.cpp.
pub(crate) const ANY_NAME: NameRule = NameRule {
    first: |_| true,
    rest: |_| true,
    alphabet: "anything",
    max: usize::MAX,
    warn: usize::MAX,
    advisory: false,
};

/// Anthropic's rule for the top level, which Bedrock's Claude models share.
pub(crate) const ANTHROPIC_PROPERTY: PropertyRule = PropertyRule::Top {
    rest: dotted,
    alphabet: "[a-zA-Z0-9_.-]",
    max: 64,
};

/// The rule of Gemini's `parameters`.
pub(crate) const GEMINI_PROPERTY: PropertyRule = PropertyRule::All {
    first: letter,
    rest: |c| c.is_ascii_alphanumeric() || c == '_',
    alphabet: "[a-zA-Z0-9_], a letter or underscore first",
    max: 64,
};

/// Everything below the root as it is. Strict tables start from here and say what they do not take.
pub(crate) const LENIENT: Rules = Rules {
    id: "",
    checked: "2026-11-30",
    tool_name: WORD_64,
    property_name: PropertyRule::Free,
    description_warn: usize::MAX,
    tools_warn: 128,
    root: Root::Object,
    empty: Empty::Properties,
    lenient: true,
    closed: false,
    optional: Optional::AsIs,
    refs: Refs::Kept,
    beside_ref: BesideRef::Anything,
    recursion: Recursion::Allowed,
    plain_ref_names: false,
    root_ref: true,
    null: Null::TypeList,
    constant: true,
    typed_values: false,
    text_enums_only: false,
    fold_documented: false,
    maps: Maps::Kept,
    pattern_properties: true,
    drops_closed: false,
    tuples: Tuples::Kept,
    items: Items::Optional,
    untyped: Untyped::Kept,
    nested_objects_filled: false,
    required_checked: false,
    keywords: &[],
    other_keywords: Treatment::Keep,
    formats: None,
    limits: UNLIMITED,
};

/// Keywords that are words about a value, for tables that take none of them.
pub(crate) const NO_ANNOTATIONS: &[&str] = &[
    "$id",
    "$schema",
    "$comment",
    "title",
    "examples",
    "example",
    "deprecated",
    "readOnly",
    "writeOnly",
];

/// Whether a pattern is free of lookaround.
pub(crate) fn without_lookaround(_: &Node, value: &Value) -> bool {
    value.as_str().is_some_and(|pattern| {
        !["(?=", "(?!", "(?<=", "(?<!"]
            .iter()
            .any(|group| pattern.contains(group))
    })
}

/// Whether a pattern is free of lookaround and of references to its own groups.
pub(crate) fn regular(node: &Node, value: &Value) -> bool {
    let backreference = |pattern: &str| {
        let mut escaped = false;
        pattern.chars().any(|c| {
            let found = escaped && (c.is_ascii_digit() && c != '0' || c == 'k');
            escaped = c == '\\' && !escaped;
            found
        })
    };
    without_lookaround(node, value) && !value.as_str().is_some_and(backreference)
}

/// Whether a count is one of the two that grammars take: none or at least one.
pub(crate) fn zero_or_one(_: &Node, value: &Value) -> bool {
    matches!(value.as_u64(), Some(0 | 1))
}

/// Whether a bound stands on integers only.
pub(crate) fn on_integers(node: &Node, _: &Value) -> bool {
    node.kinds.contains(&Kind::Integer) && !node.kinds.contains(&Kind::Number)
}

/// Whether a default is a single value and not a list or an object.
pub(crate) fn primitive(_: &Node, value: &Value) -> bool {
    !value.is_array() && !value.is_object()
}
