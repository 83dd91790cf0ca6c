//! Three-way agreement: what a type takes its schema takes, what the schema takes the type takes, and the schema is the one
//! in the snapshot.
//!
//! Each type is asked through the real pipeline, three times a value: with its own schema, with a schema that takes
//! everything (so that the type alone decides), and with its own schema and nothing that reads it (so that the schema
//! alone decides). Where the two differ, an exception has to be stated, with its reason.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::num::{NonZeroI64, NonZeroU8, NonZeroU64};
use std::path::PathBuf;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tool_runtime::__private::{ArgType, Argument, Of, OfValue as _, Parameter, Run, StaticTool};
use tool_runtime::{Dispatcher, Registry, Repairs, Risk, ToolCall, ToolOutcome};

use crate::support::{READS, TOOL, arg, block_on, verdict};

/// Where the type and its schema may say different things, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Exception {
    /// serde passes over members it does not know; here they are an error, with a suggestion.
    Closed,
    /// serde takes a field's old names; the schema has room for one name, so the model is taught that one.
    Alias,
    /// A set takes an element twice and keeps it once; the schema says `uniqueItems`, so that the model sees it lose one.
    Repeats,
    /// serde reads a variant without content from a member that holds null as well; the schema has one spelling.
    NullForUnit,
    /// What serde buffers (untagged, internally tagged, flattened) it then also reads from an array, field by field.
    ArrayForStruct,
    /// What serde buffers it remembers as it was written, and `5.0` is then no integer. The default repairs write `5`.
    FloatInBuffer,
    /// The pattern of integer keys has no room for the range of the type, nor for the sign and the spellings Rust takes.
    IntegerKey,
    /// There is no JSON number for 2^128 - 1, nor for the bounds of an `i128`, so no bound stands in the schema.
    Wide,
    /// The bounds of an `f32` would be noise in every prompt, so only the type knows them; no infinity comes of it.
    FloatRange,
    /// schemars knows the keys of a map only where the enum's variants have no documentation of their own.
    DocumentedKey,
    /// serde_json's own map reads null as an empty map.
    NullMap,
    /// serde takes a flattened `Option` that does not fit for absent, and would drop what the model wrote there.
    DroppedOption,
    /// serde takes the first variant that fits; what fits two is not what the model was shown.
    FitsTwo,
    /// Any tag that is not listed is read as the variant for all others; the model is shown those that are listed.
    OtherTag,
    /// A check of the type's own code, in `try_from` or `with`, where its author has stated another schema.
    OwnCheck,
}

/// One value, asked of schema and type.
struct Asked<'a> {
    text: &'a str,
    schema: &'a ToolOutcome,
    typed: &'a ToolOutcome,
}

impl Exception {
    /// Whether the difference is of this kind.
    fn covers(self, asked: &Asked<'_>) -> bool {
        let strict = asked.typed.is_ok() && !asked.schema.is_ok();
        let rules: Vec<&str> = asked
            .schema
            .failure()
            .into_iter()
            .flat_map(|failure| &failure.errors)
            .map(|error| &*error.rule)
            .collect();
        let only = |rule: &str| rules.iter().all(|other| *other == rule);
        match self {
            // A union tells of an unknown member as of a value that fits no branch.
            Self::Closed => strict && (only("additionalProperties") || has_unknown(asked.text)),
            Self::Alias => strict && asked.text.contains("old_"),
            Self::Repeats => strict && only("uniqueItems"),
            Self::NullForUnit => strict && asked.text.contains(":null"),
            Self::ArrayForStruct => strict && asked.text.contains('['),
            Self::FloatInBuffer => !strict && integral_float(asked.text),
            Self::IntegerKey => asked.text.contains("\":"),
            Self::Wide => !strict && asked.text.len() > 38,
            Self::FloatRange => !strict && (asked.text.len() > 38 || asked.text == "1e300"),
            Self::DocumentedKey => !strict && asked.text.contains('{'),
            Self::NullMap => strict && asked.text == "null",
            Self::DroppedOption => strict && asked.text.contains("\"p\":"),
            Self::FitsTwo => strict && rules.iter().any(|rule| matches!(*rule, "oneOf" | "anyOf")),
            Self::OtherTag => strict,
            Self::OwnCheck => true,
        }
    }
}

/// The member that mutations add, or that belongs to another type.
fn has_unknown(text: &str) -> bool {
    text.contains("zz") || text.contains("\"a\":") || text.contains("\"k\":")
}

fn integral_float(text: &str) -> bool {
    text.contains(".0") || text.contains("-0")
}

/// The tools over one type.
struct Trio {
    off: Dispatcher,
    repairs: Dispatcher,
    schema: Value,
}

fn trio<T: Argument + Serialize + 'static>() -> Trio {
    fn leak(tool: StaticTool) -> &'static StaticTool {
        Box::leak(Box::new(tool))
    }
    let parameters: &'static [Parameter] = Box::leak(Box::new([arg::<T>("v")]));
    let any: &'static [Parameter] = Box::leak(Box::new([Parameter {
        ty: ArgType {
            schema: |_| true.into(),
            ..ArgType::of::<T>()
        },
        ..arg::<T>("v")
    }]));
    let base = || StaticTool {
        risk: Risk::Low,
        behaviour: READS,
        contexts: &[],
        run: Run::Inline(|call| {
            let v: T = call.arg(0)?;
            Of(v).answer()
        }),
        ..TOOL
    };
    let registry = Registry::of(&[
        leak(StaticTool {
            name: "both",
            parameters,
            ..base()
        }),
        leak(StaticTool {
            name: "typed",
            parameters: any,
            ..base()
        }),
        leak(StaticTool {
            name: "schema",
            parameters,
            run: Run::Inline(|_| Of(()).answer()),
            ..base()
        }),
    ]);
    let schema = registry
        .get("both")
        .unwrap()
        .definition()
        .unwrap_or_else(|error| panic!("{error}"))
        .input_schema
        .clone();
    let over = |repairs| {
        let builder = Dispatcher::builder().registry(registry.clone());
        builder.repairs(repairs).build().unwrap()
    };
    Trio {
        off: over(Repairs::NONE),
        repairs: over(Repairs::default()),
        schema,
    }
}

fn ask(dispatcher: &Dispatcher, tool: &str, text: &str) -> ToolOutcome {
    let arguments = format!(r#"{{"v":{text}}}"#);
    block_on(dispatcher.dispatch(ToolCall::new(tool, arguments)))
}

/// Whether the type refused what the schema had let through.
fn refused_by_type(outcome: &ToolOutcome) -> bool {
    outcome.failure().is_some_and(|failure| {
        failure
            .errors
            .iter()
            .any(|error| error.expected == "a value of the parameter's type")
    })
}

/// What models and attackers write, whatever the type.
const HOSTILE: &[&str] = &[
    "null",
    "true",
    "0",
    "-0",
    "0.0",
    "1",
    "1.0",
    "-1",
    "-1.0",
    "1.5",
    "1e2",
    "127",
    "128",
    "255",
    "256",
    "300",
    "300.0",
    "-129",
    "65536",
    "2147483648",
    "4294967296",
    "9007199254740992.0",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "18446744073709551615",
    "18446744073709551616",
    "1000000000000000000000000000000",
    "-1000000000000000000000000000000",
    "340282366920938463463374607431768211455",
    "340282366920938463463374607431768211456",
    "-170141183460469231731687303715884105729",
    "1e300",
    "\"\"",
    "\"5\"",
    "\"a\"",
    "\"ab\"",
    "\"\\u00e9\"",
    "\"e\\u0301\"",
    "\"\\ud83d\\ude00\"",
    "\"null\"",
    "\"127.0.0.1\"",
    "\"127.1\"",
    "\"::1\"",
    "\"1.2.3.4:80\"",
    "[]",
    "[1]",
    "[1,2]",
    "[1,1]",
    "[1,2,3]",
    "[1,2,3,4]",
    "[[]]",
    "[null]",
    "[\"a\"]",
    "[1,\"a\"]",
    "[\"a\",\"a\"]",
    "{}",
    "{\"a\":1}",
    "{\"a\":1,\"a\":1}",
    "{\"zz\":1}",
    "{\"5\":true}",
    "{\"300\":true}",
    "{\"-5\":true}",
    "{\"+5\":true}",
    "{\"05\":true}",
    "{\"C\":1,\"F\":2}",
    "{\"k\":null}",
];

/// Every place of the value with something else in it, without it, and with something beside it.
fn mutations(value: &Value) -> Vec<Value> {
    let mut out = Vec::new();
    for other in [
        json!(null),
        json!(true),
        json!(1.0),
        json!(-1),
        json!(300),
        json!(1.5),
        json!(u64::MAX),
        json!("5"),
        json!(""),
        json!([]),
        json!([1]),
        json!({}),
        json!([value]),
    ] {
        out.push(other);
    }
    match value {
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                let with = |change: &dyn Fn(&mut Vec<Value>)| {
                    let mut items = items.clone();
                    change(&mut items);
                    Value::Array(items)
                };
                out.push(with(&|items| drop(items.remove(i))));
                out.push(with(&|items| items.insert(i, item.clone())));
                for inner in mutations(item) {
                    out.push(with(&|items| items[i] = inner.clone()));
                }
            }
        }
        Value::Object(members) => {
            let mut more = members.clone();
            more.insert("zz".to_owned(), json!(1));
            out.push(Value::Object(more));
            for (name, member) in members {
                let mut less = members.clone();
                less.remove(name);
                out.push(Value::Object(less.clone()));
                // Another spelling of the name.
                less.insert(format!("{name}zz"), member.clone());
                out.push(Value::Object(less));
                for inner in mutations(member) {
                    let mut changed = members.clone();
                    changed.insert(name.clone(), inner);
                    out.push(Value::Object(changed));
                }
            }
            out.push(Value::Array(members.values().cloned().collect()));
        }
        Value::Number(number) => {
            if let Some(whole) = number.as_i64().filter(|n| n.unsigned_abs() < 1000) {
                #[allow(clippy::cast_precision_loss, reason = "a small number")]
                out.push(json!(whole as f64));
            }
        }
        _ => {}
    }
    out
}

#[derive(Default)]
struct Report {
    types: usize,
    values: usize,
    accepted: usize,
    differences: Vec<String>,
    used: BTreeMap<(&'static str, Exception), usize>,
    stated: Vec<(&'static str, Exception)>,
    schemas: String,
}

impl Report {
    fn check<T: Argument + Serialize + 'static>(
        &mut self,
        name: &'static str,
        samples: &[T],
        extra: &[&str],
        exceptions: &[Exception],
    ) {
        let trio = trio::<T>();
        self.types += 1;
        let line = format!("{name}: {}\n", compact(&trio.schema["properties"]["v"]));
        self.schemas.push_str(&line);
        if let Some(definitions) = trio.schema.get("$defs").and_then(Value::as_object) {
            let sorted: BTreeMap<_, _> = definitions.iter().collect();
            for (name, definition) in sorted {
                let line = format!("  {name}: {}\n", compact(definition));
                self.schemas.push_str(&line);
            }
        }
        let mut texts: BTreeSet<String> = HOSTILE.iter().map(|text| (*text).to_owned()).collect();
        texts.extend(extra.iter().map(|text| (*text).to_owned()));
        for sample in samples {
            let text = serde_json::to_string(sample).unwrap();
            let value: Value = serde_json::from_str(&text).unwrap();
            texts.extend(mutations(&value).iter().map(Value::to_string));
            // What a type writes it reads: schema and type both.
            let outcome = ask(&trio.off, "both", &text);
            assert!(outcome.is_ok(), "{name}: {text}: {}", outcome.to_json());
            texts.insert(text);
        }
        self.stated
            .extend(exceptions.iter().map(|exception| (name, *exception)));
        for text in &texts {
            self.values += 1;
            let schema = ask(&trio.off, "schema", text);
            let typed = ask(&trio.off, "typed", text);
            let both = ask(&trio.off, "both", text);
            assert_eq!(
                both.is_ok(),
                schema.is_ok() && typed.is_ok(),
                "{name}: {text}: with both, both decide"
            );
            self.accepted += usize::from(both.is_ok());
            // With the default repairs nothing that was taken is refused, and what is taken is taken by the type.
            let repaired = ask(&trio.repairs, "both", text);
            if both.is_ok() && !repaired.is_ok() {
                self.differences.push(format!(
                    "{name}: {text}: made worse: {}",
                    repaired.to_json()
                ));
            }
            let asked = Asked {
                text,
                schema: &schema,
                typed: &typed,
            };
            // A float that stands for an integer is one by then, so that is no exception here.
            let excused = exceptions
                .iter()
                .any(|e| *e != Exception::FloatInBuffer && e.covers(&asked));
            if refused_by_type(&repaired) && !excused {
                self.differences
                    .push(format!("{name}: {text}: repaired: {}", repaired.to_json()));
            }
            if schema.is_ok() == typed.is_ok() {
                continue;
            }
            match exceptions.iter().find(|exception| exception.covers(&asked)) {
                Some(exception) => *self.used.entry((name, *exception)).or_default() += 1,
                None => self.differences.push(format!(
                    "{name}: {text}: schema {}, type {}",
                    verdict(&schema),
                    typed.failure().map_or("ok", |failure| &failure.message)
                )),
            }
        }
    }
}

/// The schema with its members sorted, whichever features `serde_json` was built with.
fn compact(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let sorted: BTreeMap<_, _> = members.iter().collect();
            let members: Vec<String> = sorted
                .into_iter()
                .map(|(name, value)| format!("{}:{}", json!(name), compact(value)))
                .collect();
            format!("{{{}}}", members.join(","))
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(compact).collect();
            format!("[{}]", items.join(","))
        }
        other => other.to_string(),
    }
}

#[derive(
    Debug, Clone, Serialize, Deserialize, JsonSchema, PartialEq, Eq, Hash, PartialOrd, Ord,
)]
enum Unit {
    /// Metric.
    C,
    /// Imperial.
    F,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, PartialEq, Eq, PartialOrd, Ord)]
enum Bare {
    C,
    F,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Plain {
    a: u8,
    b: Option<String>,
    c: Vec<i16>,
}

fn plain() -> Plain {
    Plain {
        a: 1,
        b: Some("x".to_owned()),
        c: vec![1, -2],
    }
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Renamed {
    first_name: String,
    #[serde(rename = "the-id")]
    id: u64,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct Defaulted {
    on: bool,
    count: u16,
}

fn seven() -> u8 {
    7
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct SomeDefaults {
    must: u8,
    #[serde(default)]
    may: u8,
    #[serde(default = "seven")]
    seven: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    gone: Option<u8>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Aliased {
    #[serde(alias = "old_name")]
    name: String,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Skipped {
    kept: u8,
    #[serde(skip)]
    #[allow(dead_code, reason = "never on the wire")]
    hidden: u8,
    #[serde(skip_deserializing)]
    computed: u8,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Denying {
    a: u8,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Nested {
    inner: Plain,
    many: Vec<Denying>,
    maybe: Option<Denying>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Node {
    v: i32,
    next: Option<Box<Node>>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Newtype(u16);

/// outer
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
struct Transparent(/** inner */ u64);

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct TupleStruct(u8, String);

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Empty {}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Page<T> {
    items: Vec<T>,
    next: Option<u32>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "a/b~c d%")]
struct OddlyNamed {
    x: u8,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Odd {
    one: OddlyNamed,
    two: Option<OddlyNamed>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Part {
    p: u8,
    q: Option<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct FlatStruct {
    id: u32,
    #[serde(flatten)]
    part: Part,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct FlatOption {
    id: u32,
    #[serde(flatten)]
    part: Option<Denied>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Denied {
    p: u8,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct FlatMap {
    id: u32,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct FlatTyped {
    id: String,
    #[serde(flatten)]
    rest: HashMap<String, u8>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
enum Mode {
    Fast,
    Slow { retries: u8 },
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct FlatEnum {
    q: String,
    #[serde(flatten)]
    mode: Mode,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct FlatTagged {
    q: String,
    #[serde(flatten)]
    shape: Internal,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum External {
    None,
    One(u8),
    Two(u8, String),
    Named { p: Part, q: Option<u8> },
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all_fields = "camelCase")]
enum Fields {
    Both {
        first_name: String,
        last_name: String,
    },
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Internal {
    Nothing,
    Named { size: u8 },
    Wrapped(Part),
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Nothing,
    One(u8),
    Two(u8, String),
    Named { size: u8 },
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Untagged {
    N(i64),
    S(String),
    L(Vec<String>),
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum UntaggedStructs {
    ById { id: u32 },
    ByName { name: String, exact: Option<bool> },
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Number {
    Whole(u32),
    Real(f64),
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
enum Named {
    Red,
    #[serde(rename = "grün")]
    Green,
    #[serde(alias = "old_blue")]
    Blue,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum WithOther {
    Known {
        n: u8,
    },
    #[serde(other)]
    Other,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "u8", into = "u8")]
struct Even(u8);

impl TryFrom<u8> for Even {
    type Error = String;
    fn try_from(n: u8) -> Result<Self, String> {
        if n.is_multiple_of(2) {
            Ok(Self(n))
        } else {
            Err(format!("{n} is odd"))
        }
    }
}

impl From<Even> for u8 {
    fn from(even: Even) -> Self {
        even.0
    }
}

mod hex {
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(n: &u32, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&format!("{n:08x}"))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<u32, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(d)?;
        u32::from_str_radix(&text, 16).map_err(serde::de::Error::custom)
    }
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct With {
    #[serde(with = "hex")]
    #[schemars(with = "String", regex(pattern = "^[0-9a-f]{8}$"))]
    n: u32,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct Mixed {
    unit: Unit,
    when: Duration,
    at: (f64, f64),
    tags: BTreeSet<String>,
    by_unit: BTreeMap<Unit, Vec<Option<u8>>>,
    any: Value,
    letter: char,
    addr: Option<IpAddr>,
}

fn part() -> Part {
    Part {
        p: 1,
        q: Some("x".to_owned()),
    }
}

/// One line a type: its name, samples, further texts, and the exceptions that are stated for it.
macro_rules! table {
    ($report:ident: $($name:literal $ty:ty = [$($sample:expr),* $(,)?] + [$($text:literal),*] but [$($exception:ident),*];)*) => {
        $( $report.check::<$ty>($name, &[$($sample),*], &[$($text),*], &[$(Exception::$exception),*]); )*
    };
}

#[test]
fn type_schema_and_pipeline_take_the_same_values() {
    let mut report = Report::default();
    table! { report:
        "bool" bool = [true, false] + [] but [];
        "u8" u8 = [0, 255] + [] but [];
        "u16" u16 = [0, u16::MAX] + [] but [];
        "u32" u32 = [0, u32::MAX] + [] but [];
        "u64" u64 = [0, u64::MAX] + [] but [];
        "u128" u128 = [0, u128::MAX] + [] but [Wide];
        "usize" usize = [0, usize::MAX] + [] but [];
        "i8" i8 = [i8::MIN, i8::MAX] + [] but [];
        "i16" i16 = [i16::MIN, i16::MAX] + [] but [];
        "i32" i32 = [i32::MIN, i32::MAX] + [] but [];
        "i64" i64 = [i64::MIN, i64::MAX] + [] but [];
        "i128" i128 = [i128::MIN, i128::MAX] + [] but [Wide];
        "isize" isize = [isize::MIN, isize::MAX] + [] but [];
        "f32" f32 = [0.5, -1.0, f32::MAX] + [] but [FloatRange];
        "f64" f64 = [0.1, 1e300] + [] but [];
        "char" char = ['a', 'é', '\u{1f600}'] + [] but [];
        "String" String = [String::new(), "a\"\\\n\u{0}".to_owned()] + [] but [];
        "()" () = [()] + [] but [];
        "Option<u8>" Option<u8> = [None, Some(1)] + [] but [];
        "Option<Option<u8>>" Option<Option<u8>> = [None, Some(Some(1))] + [] but [];
        "Option<String>" Option<String> = [None, Some("x".to_owned())] + [] but [];
        "NonZeroU8" NonZeroU8 = [NonZeroU8::MAX] + [] but [];
        "NonZeroU64" NonZeroU64 = [NonZeroU64::MAX] + [] but [];
        "NonZeroI64" NonZeroI64 = [NonZeroI64::MIN] + [] but [];
        "Vec<u8>" Vec<u8> = [vec![], vec![1, 255]] + [] but [];
        "Vec<Option<u8>>" Vec<Option<u8>> = [vec![None, Some(1)]] + [] but [];
        "[u8; 3]" [u8; 3] = [[1, 2, 3]] + [] but [];
        "(u8, String)" (u8, String) = [(1, "a".to_owned())] + [] but [];
        "(i32,)" (i32,) = [(1,)] + [] but [];
        "BTreeSet<u8>" BTreeSet<u8> = [BTreeSet::from([1, 2])] + [] but [Repeats];
        "HashSet<String>" HashSet<String> = [HashSet::from(["a".to_owned()])] + [] but [Repeats];
        "BTreeMap<String, u8>" BTreeMap<String, u8> = [BTreeMap::from([("a/~".to_owned(), 1)])] + [] but [];
        "HashMap<String, Vec<i32>>" HashMap<String, Vec<i32>> = [HashMap::from([("a".to_owned(), vec![1])])] + [] but [];
        "BTreeMap<u8, bool>" BTreeMap<u8, bool> = [BTreeMap::from([(5, true), (255, false)])] + [] but [IntegerKey];
        "BTreeMap<i32, bool>" BTreeMap<i32, bool> = [BTreeMap::from([(-5, true)])] + [] but [IntegerKey];
        "BTreeMap<Unit, u8>" BTreeMap<Unit, u8> = [BTreeMap::from([(Unit::C, 1)])] + [] but [DocumentedKey];
        "BTreeMap<Bare, u8>" BTreeMap<Bare, u8> = [BTreeMap::from([(Bare::C, 1)])] + [] but [];
        "Value" Value = [json!({"a": [1, null]}), json!("x")] + [] but [];
        "Map" serde_json::Map<String, Value> = [serde_json::Map::new()] + [] but [NullMap];
        "Box<u8>" Box<u8> = [Box::new(1)] + [] but [];
        "Cow<str>" Cow<'static, str> = [Cow::Borrowed("x")] + [] but [];
        "Duration" Duration = [Duration::from_millis(1500)] + [r#"{"secs":1,"nanos":1999999999}"#] but [];
        "PathBuf" PathBuf = [PathBuf::from("/a b/c")] + [] but [];
        "IpAddr" IpAddr = [IpAddr::from([127, 0, 0, 1]), IpAddr::from(Ipv6Addr::LOCALHOST)] + [r#""fe80::1%eth0""#, r#""01.2.3.4""#] but [];
        "Ipv4Addr" Ipv4Addr = [Ipv4Addr::LOCALHOST] + [r#""01.2.3.4""#, r#""1.2.3""#] but [];
        "Ipv6Addr" Ipv6Addr = [Ipv6Addr::LOCALHOST] + [r#""fe80::1%eth0""#, r#""1::2::3""#, r#""::ffff:1.2.3.4""#] but [];
        "Range<u8>" std::ops::Range<u8> = [1..3] + [] but [];
        "Result<u8, String>" Result<u8, String> = [Ok(1), Err("x".to_owned())] + [] but [];
        "Unit" Unit = [Unit::C] + [r#"{"C":null}"#, r#""c""#] but [NullForUnit];
        "Named" Named = [Named::Red, Named::Green, Named::Blue] + [r#""old_blue""#, r#"{"RED":null}"#] but [Alias, NullForUnit];
        "Plain" Plain = [plain()] + [] but [Closed];
        "Renamed" Renamed = [Renamed { first_name: "x".to_owned(), id: 1 }] + [r#"{"first_name":"x","the-id":1}"#] but [Closed];
        "Defaulted" Defaulted = [Defaulted::default()] + [] but [Closed];
        "SomeDefaults" SomeDefaults = [SomeDefaults { must: 1, may: 2, seven: 3, gone: None }] + [r#"{"must":1,"gone":null}"#] but [Closed];
        "Aliased" Aliased = [Aliased { name: "x".to_owned() }] + [r#"{"old_name":"x"}"#, r#"{"name":"x","old_name":"x"}"#] but [Closed, Alias];
        "Skipped" Skipped = [] + [r#"{"kept":1}"#, r#"{"kept":1,"hidden":2}"#, r#"{"kept":1,"computed":2,"zz":1}"#] but [Closed];
        "Denying" Denying = [Denying { a: 1 }] + [] but [];
        "Nested" Nested = [Nested { inner: plain(), many: vec![Denying { a: 1 }], maybe: Some(Denying { a: 2 }) }] + [] but [Closed];
        "Node" Node = [Node { v: 1, next: Some(Box::new(Node { v: 2, next: None })) }] + [] but [Closed];
        "Newtype" Newtype = [Newtype(1)] + [] but [];
        "Transparent" Transparent = [Transparent(u64::MAX)] + [] but [];
        "TupleStruct" TupleStruct = [TupleStruct(1, "a".to_owned())] + [] but [];
        "Empty" Empty = [Empty {}] + [] but [];
        "Page<Part>" Page<Part> = [Page { items: vec![part()], next: Some(1) }] + [] but [Closed];
        "Page<Vec<Unit>>" Page<Vec<Unit>> = [Page { items: vec![vec![Unit::F]], next: None }] + [] but [Closed];
        "Odd" Odd = [Odd { one: OddlyNamed { x: 1 }, two: Some(OddlyNamed { x: 2 }) }] + [] but [Closed];
        "FlatStruct" FlatStruct = [FlatStruct { id: 1, part: part() }] + [] but [Closed, FloatInBuffer];
        "FlatOption" FlatOption = [FlatOption { id: 1, part: Some(Denied { p: 1 }) }, FlatOption { id: 1, part: None }] + [] but [Closed, DroppedOption];
        "FlatMap" FlatMap = [FlatMap { id: 1, rest: BTreeMap::from([("x".to_owned(), json!([1]))]) }] + [] but [];
        "FlatTyped" FlatTyped = [FlatTyped { id: "x".to_owned(), rest: HashMap::from([("n".to_owned(), 1)]) }] + [] but [FloatInBuffer];
        "FlatEnum" FlatEnum = [FlatEnum { q: "x".to_owned(), mode: Mode::Slow { retries: 1 } }] + [r#"{"q":"x","Fast":null}"#, r#"{"q":"x","Fast":null,"Slow":{"retries":1}}"#, r#"{"q":"x","Slow":{"retries":1}}"#] but [Closed, FloatInBuffer, ArrayForStruct, FitsTwo];
        "FlatTagged" FlatTagged = [FlatTagged { q: "x".to_owned(), shape: Internal::Named { size: 1 } }] + [r#"{"q":"x","kind":"nothing"}"#, r#"{"q":"x","kind":"wrapped","p":1}"#] but [Closed, FloatInBuffer];
        "External" External = [External::None, External::One(1), External::Two(1, "a".to_owned()), External::Named { p: part(), q: Some(1) }] + [r#"{"none":null}"#, r#"{"one":1,"two":[1,"a"]}"#, r#""one""#] but [Closed, NullForUnit];
        "Fields" Fields = [Fields::Both { first_name: "a".to_owned(), last_name: "b".to_owned() }] + [r#"{"Both":{"first_name":"a","last_name":"b"}}"#] but [Closed];
        "Internal" Internal = [Internal::Nothing, Internal::Named { size: 1 }, Internal::Wrapped(part())] + [r#"["named",1]"#, r#"["nothing"]"#] but [Closed, ArrayForStruct, FloatInBuffer];
        "Adjacent" Adjacent = [Adjacent::Nothing, Adjacent::One(1), Adjacent::Two(1, "a".to_owned()), Adjacent::Named { size: 1 }] + [r#"{"t":"Nothing","c":null}"#, r#"{"c":1,"t":"One"}"#, r#"["One",1]"#, r#"{"c":{"size":1.0},"t":"Named"}"#] but [Closed, FloatInBuffer];
        "Untagged" Untagged = [Untagged::N(1), Untagged::S("x".to_owned()), Untagged::L(vec!["x".to_owned()])] + [] but [FloatInBuffer];
        "UntaggedStructs" UntaggedStructs = [UntaggedStructs::ById { id: 1 }, UntaggedStructs::ByName { name: "x".to_owned(), exact: Some(true) }] + [r#"{"id":1,"name":"x"}"#] but [Closed, FloatInBuffer, FitsTwo];
        "Number" Number = [Number::Whole(1), Number::Real(0.5)] + [] but [];
        "WithOther" WithOther = [WithOther::Known { n: 1 }, WithOther::Other] + [r#"{"kind":"new"}"#] but [Closed, ArrayForStruct, FloatInBuffer, OtherTag];
        "Even" Even = [Even(2)] + ["3"] but [OwnCheck];
        "With" With = [With { n: 255 }] + [r#"{"n":"ff"}"#] but [Closed, OwnCheck];
        "Mixed" Mixed = [Mixed {
            unit: Unit::C,
            when: Duration::from_secs(1),
            at: (1.0, 2.5),
            tags: BTreeSet::from(["a".to_owned()]),
            by_unit: BTreeMap::from([(Unit::F, vec![Some(1), None])]),
            any: json!({"x": 1}),
            letter: 'x',
            addr: Some(IpAddr::from([1, 2, 3, 4])),
        }] + [] but [Closed, Repeats, DocumentedKey];
    }
    println!(
        "agreement: {} types, {} values, {} of them taken by type and schema alike",
        report.types, report.values, report.accepted
    );
    for ((name, exception), count) in &report.used {
        println!("  {name:24} {exception:?}: {count}");
    }
    assert!(
        report.differences.is_empty(),
        "{} differences:\n{}",
        report.differences.len(),
        report.differences.join("\n")
    );
    // An exception that is stated and not needed would hide the next difference.
    let idle: Vec<_> = report
        .stated
        .iter()
        .filter(|stated| !report.used.contains_key(stated))
        .collect();
    assert!(idle.is_empty(), "not needed: {idle:?}");
    expect_test::expect_file!["agreement.schemas.txt"].assert_eq(&report.schemas);
}
