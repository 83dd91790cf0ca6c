//! What `#[tool]` makes of a function, seen from outside. Cases are numbered as in `tests/README.md`.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tool_runtime::{
    CallContext, Content, Dispatcher, Registry, Risk, ToolCall, ToolError, tool, tools,
};

struct Shop {
    name: String,
}

/// One call through the whole pipeline, as its wire form. Tools that ask are not asked here.
async fn call(
    registry: Registry,
    name: &str,
    arguments: impl Into<tool_runtime::Arguments>,
) -> Value {
    let dispatcher = Dispatcher::builder()
        .registry(registry)
        .context(Shop {
            name: "corner".to_owned(),
        })
        .build()
        .expect("a dispatcher");
    let outcome = dispatcher.dispatch(ToolCall::new(name, arguments)).await;
    serde_json::from_str(&outcome.to_json()).expect("an outcome is JSON")
}

fn schema(registry: &Registry, name: &str) -> Value {
    let tool = registry.get(name).expect("the tool is there");
    tool.definition()
        .expect("it has a schema")
        .input_schema
        .clone()
}

fn output_schema(registry: &Registry, name: &str) -> Option<Value> {
    let tool = registry.get(name).expect("the tool is there");
    tool.definition()
        .expect("it has a schema")
        .output_schema
        .clone()
}

fn description(registry: &Registry, name: &str) -> String {
    registry
        .get(name)
        .expect("the tool is there")
        .description()
        .to_owned()
}

#[track_caller]
fn paths(outcome: &Value) -> Vec<&str> {
    let errors = outcome["errors"]
        .as_array()
        .unwrap_or_else(|| panic!("no errors: {outcome}"));
    errors
        .iter()
        .filter_map(|error| error["path"].as_str())
        .collect()
}

/// macro case 7, macro case 85: a `Result` is known by its type, whatever it is called.
#[tokio::test]
async fn results_are_known_by_type() {
    type Result<T> = ::core::result::Result<T, String>;
    /// Divides.
    #[tool]
    fn div(a: i64, b: i64) -> Result<i64> {
        a.checked_div(b)
            .ok_or_else(|| "division by zero".to_owned())
    }
    /// Divides slowly.
    #[tool]
    async fn div_io(a: i64, b: i64) -> std::io::Result<i64> {
        a.checked_div(b)
            .ok_or_else(|| std::io::Error::other("division by zero"))
    }
    /// Divides in a box.
    #[tool]
    fn div_box(a: i64, b: i64) -> Box<Result<i64>> {
        Box::new(div(a, b))
    }
    for (registry, name) in [(tools![div], "div"), (tools![div_io], "div_io")] {
        let good = call(registry.clone(), name, json!({"a": 6, "b": 2})).await;
        assert_eq!(
            (&good["ok"], &good["data"]),
            (&json!(true), &json!(3)),
            "{good}"
        );
        let bad = call(registry, name, json!({"a": 6, "b": 0})).await;
        assert_eq!(bad["ok"], false, "{bad}");
        assert_eq!(bad["errorType"], "tool_error", "{bad}");
        assert!(
            bad["message"].to_string().contains("division by zero"),
            "{bad}"
        );
    }
    // A `Result` inside another type is data: only what is returned itself is seen through.
    let boxed = call(tools![div_box], "div_box", json!({"a": 6, "b": 0})).await;
    assert_eq!(boxed["data"], json!({"Err": "division by zero"}), "{boxed}");
}

/// macro case 18: any error that has words.
#[tokio::test]
async fn errors_that_have_words() {
    #[derive(Debug)]
    struct Own;
    impl fmt::Display for Own {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("my own words")
        }
    }
    /// Fails with text.
    #[tool]
    fn text() -> Result<u8, String> {
        Err("my own words".to_owned())
    }
    /// Fails with a type.
    #[tool]
    fn own() -> Result<u8, Own> {
        Err(Own)
    }
    /// Fails with anything.
    #[tool]
    async fn any() -> Result<u8, Box<dyn std::error::Error + Send + Sync>> {
        Err("my own words".into())
    }
    /// Fails with a code.
    #[tool]
    fn coded() -> Result<u8, ToolError> {
        Err(ToolError::new("my own words").with_code("mine"))
    }
    /// Never fails.
    #[tool]
    fn never() -> Result<u8, std::convert::Infallible> {
        Ok(1)
    }
    for (registry, name) in [
        (tools![text], "text"),
        (tools![own], "own"),
        (tools![any], "any"),
        (tools![coded], "coded"),
    ] {
        let outcome = call(registry, name, "{}").await;
        assert_eq!(outcome["message"], "my own words", "{outcome}");
    }
    assert_eq!(call(tools![coded], "coded", "{}").await["code"], "mine");
    assert_eq!(call(tools![never], "never", "{}").await["data"], 1);
}

/// macro case 9, macro case 84: raw names are plain on the wire.
#[tokio::test]
async fn raw_names() {
    /// Moves.
    #[tool]
    fn r#move(r#type: String, r#gen: u8) -> String {
        format!("{} {}", r#type, r#gen)
    }
    let registry = tools![r#move];
    assert_eq!(
        schema(&registry, "move")["required"],
        json!(["type", "gen"])
    );
    assert_eq!(
        call(registry, "move", json!({"type": "x", "gen": 1})).await["data"],
        "x 1"
    );
}

/// macro case 10: the text of a file.
#[test]
fn a_file_as_description() {
    #[doc = include_str!("../ui/tool.md")]
    #[tool]
    fn file() {}
    /// First line.
    #[doc = concat!("Second ", "line.")]
    #[tool]
    fn mixed() {}
    assert_eq!(
        description(&tools![file], "file").trim_end(),
        include_str!("../ui/tool.md").trim_end()
    );
    assert_eq!(
        description(&tools![mixed], "mixed"),
        "First line.\nSecond line."
    );
}

/// macro case 11: any const expression.
#[test]
fn an_expression_as_description() {
    const D: &str = "Counts.";
    #[tool(description = D)]
    fn a() {}
    #[tool(description = concat!("Ver ", env!("CARGO_PKG_VERSION")))]
    fn b() {}
    /// Takes words.
    #[tool]
    fn c(#[arg(description = D)] x: u8, #[doc = concat!("y", "z")] y: u8) -> u8 {
        x + y
    }
    assert_eq!(description(&tools![a], "a"), "Counts.");
    assert_eq!(
        description(&tools![b], "b"),
        concat!("Ver ", env!("CARGO_PKG_VERSION"))
    );
    let schema = schema(&tools![c], "c");
    assert_eq!(schema["properties"]["x"]["description"], "Counts.");
    assert_eq!(schema["properties"]["y"]["description"], "yz");
}

/// macro case 12: attributes between the lines, and blank lines.
#[test]
fn attributes_between_doc_lines() {
    /// Deletes a file.
    #[allow(clippy::needless_return)]
    #[cfg_attr(all(), must_use)]
    ///
    /// Second paragraph.
    #[tool]
    fn rm() -> u8 {
        return 1;
    }
    assert_eq!(
        description(&tools![rm], "rm"),
        "Deletes a file.\n\nSecond paragraph."
    );
}

/// macro case 13, macro case 107: tools that a macro makes, whose types come in groups.
#[tokio::test]
async fn tools_made_by_macros() {
    macro_rules! mk {
        ($($n:ident $d:literal $t:ty),*) => {
            $(
                #[doc = $d]
                #[tool]
                fn $n(x: $t, #[arg(default = 1)] y: i32) -> $t {
                    let _ = y;
                    x
                }
            )*
        };
    }
    mk!(one "First." i32, two "Second." Option<u8>, three "Third." Vec<String>);
    let registry = tools![one, two, three];
    assert_eq!(description(&registry, "two"), "Second.");
    assert_eq!(schema(&registry, "one")["required"], json!(["x"]));
    assert_eq!(
        schema(&registry, "two")
            .get("required")
            .cloned()
            .unwrap_or(json!([])),
        json!([])
    );
    assert_eq!(
        call(registry, "three", json!({"x": ["a"]})).await["data"],
        json!(["a"])
    );

    // A name, a type behind a reference, and a whole item from outside.
    macro_rules! whole {
        ($item:item) => {
            #[tool]
            $item
        };
    }
    whole! {
        /// Whole.
        fn whole(text: &str) -> usize { text.len() }
    }
    assert_eq!(
        call(tools![whole], "whole", json!({"text": "abc"})).await["data"],
        3
    );
    macro_rules! borrowed {
        ($t:ty) => {
            /// Borrows.
            #[tool]
            fn borrowed(text: &$t) -> usize {
                text.len()
            }
        };
    }
    borrowed!(str);
    assert_eq!(
        call(tools![borrowed], "borrowed", json!({"text": "abc"})).await["data"],
        3
    );
}

/// macro case 16: a future that stays on one thread.
#[tokio::test(flavor = "multi_thread")]
async fn futures_that_cannot_be_sent() {
    /// Waits.
    #[tool(local)]
    async fn wait(#[context] shop: &Shop, text: &str) -> usize {
        let one = std::rc::Rc::new(1);
        tokio::time::sleep(std::time::Duration::from_millis(1)).await;
        let more = std::rc::Rc::clone(&one);
        let spawned = tokio::task::spawn_local(async move { *more })
            .await
            .expect("it ends");
        *one + spawned + text.len() + shop.name.len()
    }
    assert_eq!(
        call(tools![wait], "wait", json!({"text": "abc"})).await["data"],
        11
    );
}

/// macro case 17: the item is as visible as its function.
#[test]
fn items_follow_their_function() {
    #[allow(unreachable_pub, reason = "the visibility is what is tested")]
    mod t {
        use tool_runtime::tool;
        /// A.
        #[tool]
        pub fn a() {}
        /// B.
        #[tool]
        pub(crate) fn b(#[context] hidden: &Hidden) {
            let _ = hidden;
        }
        /// C.
        #[tool]
        fn c() {}
        pub(crate) struct Hidden;
        pub fn registry() -> tool_runtime::Registry {
            tool_runtime::tools![c]
        }
    }
    use t::a;
    a();
    assert_eq!(tools![a, t::b].len(), 2);
    assert_eq!(t::registry().len(), 1);
}

/// macro case 22: our helpers are removed, `#[cfg]` decides what is there, other attributes stay.
#[tokio::test]
async fn parameters_under_cfg() {
    /// Adds.
    #[tool]
    fn add(
        #[arg(minimum = 1)] n: u8,
        #[cfg(any())] gone: u8,
        #[cfg(all())]
        #[cfg(not(any()))]
        here: u8,
        #[allow(unused)] last: u8,
        #[cfg(any())]
        #[context]
        gone_too: &Shop,
        #[context] shop: &Shop,
    ) -> u8 {
        assert_eq!(shop.name, "corner");
        n + here * 10 + last * 100
    }
    let registry = tools![add];
    let schema = schema(&registry, "add");
    assert_eq!(schema["required"], json!(["n", "here", "last"]));
    let outcome = call(registry, "add", json!({"n": 1, "here": 2, "last": 1})).await;
    assert_eq!(outcome["data"], 121, "{outcome}");
}

/// macro case 23: nothing collides, and functions inside functions are tools.
#[test]
fn equal_names_in_different_places() {
    mod a {
        /// Runs.
        #[tool_runtime::tool]
        pub(super) fn run() {}
    }
    mod b {
        /// Runs.
        #[tool_runtime::tool(name = "run_b")]
        pub(super) fn run() {}
    }
    fn outer1() -> Registry {
        /// Helps.
        #[tool]
        fn helper() {}
        tools![helper]
    }
    fn outer2() -> Registry {
        /// Helps.
        #[tool(name = "h2")]
        fn helper() {}
        tools![helper]
    }
    let registry = tools![a::run, b::run].merge(outer1()).merge(outer2());
    let names: Vec<_> = registry
        .iter()
        .map(tool_runtime::RegisteredTool::name)
        .collect();
    assert_eq!(names, ["h2", "helper", "run", "run_b"]);
}

/// macro case 31: no parameters at all.
#[tokio::test]
async fn without_parameters() {
    /// Tells the time.
    #[tool(read_only)]
    fn now() -> String {
        "now".to_owned()
    }
    let registry = tools![now];
    let schema = schema(&registry, "now");
    assert_eq!(
        (&schema["type"], &schema["properties"]),
        (&json!("object"), &json!({}))
    );
    assert_eq!(schema["additionalProperties"], false);
    for arguments in ["", "null", "{}"] {
        assert_eq!(
            call(registry.clone(), "now", arguments).await["data"],
            "now"
        );
    }
}

#[derive(Debug, Deserialize, Serialize, JsonSchema, PartialEq, Eq, PartialOrd, Ord)]
enum Unit {
    /// metric
    C,
    /// imperial
    F,
}

/// macro case 42, macro case 51: no names of Rust types, and the variants' own words.
#[test]
fn types_do_not_leak() {
    /// Measures.
    #[tool]
    fn temp(u: Unit, o: Option<Unit>) -> Unit {
        o.unwrap_or(u)
    }
    let schema = schema(&tools![temp], "temp").to_string();
    assert!(!schema.contains("\"title\""), "{schema}");
    assert!(
        schema.contains("metric") && schema.contains("imperial"),
        "{schema}"
    );
}

/// macro case 45: what is written is not what is read.
#[test]
fn the_output_schema_is_the_writers() {
    #[derive(Serialize, Deserialize, JsonSchema)]
    struct R {
        a: Option<u8>,
        #[serde(default)]
        b: Vec<u8>,
        #[serde(skip_serializing_if = "Option::is_none")]
        c: Option<u8>,
    }
    /// Echoes.
    #[tool]
    fn echo(r: R) -> R {
        r
    }
    let registry = tools![echo];
    let input = schema(&registry, "echo");
    let input = serde_json::to_string(&input).expect("JSON");
    assert!(!input.contains(r#""required":["a"#), "{input}");
    let output = output_schema(&registry, "echo").expect("it has one");
    let required = output["required"].as_array().cloned().unwrap_or_default();
    assert!(
        required.contains(&json!("a")) && required.contains(&json!("b")),
        "{output}"
    );
    assert!(!required.contains(&json!("c")), "{output}");
}

/// macro case 47, macro case 54: who is required follows the type, for every combination.
#[tokio::test]
async fn required_follows_the_type() {
    type Maybe = Option<u8>;
    /// Adds.
    #[tool]
    fn f(a: u8, b: Maybe, #[arg(default = 3)] c: u8, #[arg(default = None)] d: Option<u8>) -> u32 {
        u32::from(a)
            + u32::from(b.unwrap_or(0)) * 10
            + u32::from(c) * 100
            + u32::from(d.unwrap_or(0)) * 1000
    }
    let registry = tools![f];
    let schema = schema(&registry, "f");
    assert_eq!(schema["required"], json!(["a"]));
    assert_eq!(schema["properties"]["c"]["default"], 3);
    assert_eq!(schema["properties"]["d"]["default"], Value::Null);
    assert!(
        schema["properties"]["d"]
            .as_object()
            .is_some_and(|d| d.contains_key("default"))
    );
    for present in 0..16 {
        let mut arguments = serde_json::Map::new();
        for (bit, name) in ["a", "b", "c", "d"].iter().enumerate() {
            if present & (1 << bit) != 0 {
                arguments.insert((*name).to_owned(), json!(1));
            }
        }
        let outcome = call(registry.clone(), "f", Value::Object(arguments)).await;
        assert_eq!(outcome["ok"], present & 1 == 1, "{present:04b}: {outcome}");
    }
    assert_eq!(call(registry, "f", json!({"a": 1})).await["data"], 301);
}

/// macro case 48, macro case 89, macro case 90: objects are closed, and every problem is told.
#[tokio::test]
async fn every_problem_at_once() {
    /// Greets.
    #[tool]
    fn greet(name: String, age: u8) -> String {
        format!("{name} {age}")
    }
    let outcome = call(tools![greet], "greet", json!({"name": 3, "zz": 1})).await;
    assert_eq!(outcome["errorType"], "invalid_arguments");
    let mut found = paths(&outcome);
    found.sort_unstable();
    assert_eq!(found, ["/age", "/name", "/zz"], "{outcome}");
    let outcome = call(
        tools![greet],
        "greet",
        json!({"name": "x", "age": 1, "Age": 2}),
    )
    .await;
    assert!(outcome.to_string().contains("`age`"), "{outcome}");
}

/// macro case 49: the words at the parameter win over the section, the attribute over both.
#[test]
fn words_for_parameters() {
    /// Says.
    ///
    /// # Arguments
    /// * `a` - from the section
    /// * `b` - from the section
    /// * `c` - from the section
    /// * `shop` - the model never sees this
    #[tool]
    fn say(
        a: u8,
        /// from the comment
        b: u8,
        /// from the comment
        #[arg(description = "from the attribute")]
        c: u8,
        d: u8,
        #[context] shop: &Shop,
    ) -> u8 {
        let _ = shop;
        a + b + c + d
    }
    let registry = tools![say];
    assert_eq!(description(&registry, "say"), "Says.");
    let schema = schema(&registry, "say");
    let said = |name: &str| {
        schema["properties"][name]["description"]
            .as_str()
            .map(str::to_owned)
    };
    assert_eq!(said("a").as_deref(), Some("from the section"));
    assert_eq!(said("b").as_deref(), Some("from the comment"));
    assert_eq!(said("c").as_deref(), Some("from the attribute"));
    assert_eq!(said("d"), None);
    assert!(schema["properties"].get("shop").is_none());
}

/// macro case 52, macro case 112: what is flattened is not closed, and what is accepted runs.
#[tokio::test]
async fn flattened_types() {
    #[derive(Deserialize, JsonSchema)]
    struct Q {
        q: String,
        #[serde(flatten)]
        mode: Mode,
    }
    #[derive(Deserialize, JsonSchema)]
    enum Mode {
        Fast,
        Slow { retries: u8 },
    }
    #[derive(Deserialize, JsonSchema)]
    struct Open {
        a: u8,
        #[serde(flatten)]
        rest: HashMap<String, Value>,
    }
    /// Goes.
    #[tool]
    fn go(q: Q) -> String {
        match q.mode {
            Mode::Fast => q.q,
            Mode::Slow { retries } => format!("{} {retries}", q.q),
        }
    }
    /// Opens.
    #[tool]
    fn open(o: Open) -> usize {
        usize::from(o.a) + o.rest.len()
    }
    let outcome = call(
        tools![go],
        "go",
        json!({"q": {"q": "x", "Slow": {"retries": 1}}}),
    )
    .await;
    assert_eq!(outcome["data"], "x 1", "{outcome}");
    let outcome = call(
        tools![open],
        "open",
        json!({"o": {"a": 1, "b": 2, "c": {}}}),
    )
    .await;
    assert_eq!(outcome["data"], 3, "{outcome}");
}

/// macro case 53: recursion goes to the type, not to the arguments.
#[tokio::test]
async fn recursive_types() {
    #[derive(Deserialize, JsonSchema)]
    struct Node {
        v: i32,
        next: Option<Box<Node>>,
    }
    /// Sums.
    #[tool]
    fn sum(list: Node) -> i32 {
        list.v + list.next.map_or(0, |next| sum(*next))
    }
    let registry = tools![sum];
    let schema = schema(&registry, "sum").to_string();
    assert!(
        schema.contains("#/$defs/") && !schema.contains(r##""$ref":"#""##),
        "{schema}"
    );
    let outcome = call(registry, "sum", json!({"list": {"v": 1, "next": {"v": 2}}})).await;
    assert_eq!(outcome["data"], 3, "{outcome}");
}

/// macro case 55: the parameter's own words win, and a transparent type is what is in it.
#[tokio::test]
async fn transparent_types() {
    /// outer
    #[derive(Deserialize, JsonSchema)]
    #[serde(transparent)]
    struct Id(
        /// inner
        u64,
    );
    /// Finds.
    #[tool]
    fn find(
        /// which
        id: Id,
    ) -> u64 {
        id.0
    }
    let registry = tools![find];
    let schema = schema(&registry, "find");
    assert_eq!(
        schema["properties"]["id"]["description"], "which",
        "{schema}"
    );
    assert_eq!(call(registry, "find", json!({"id": 7})).await["data"], 7);
}

/// macro case 57, macro case 91: ranges and whole numbers, told by the schema and not by serde.
#[tokio::test]
async fn small_numbers() {
    /// Adds.
    #[tool]
    fn add(x: u8, y: i16) -> i32 {
        i32::from(x) + i32::from(y)
    }
    let outcome = call(tools![add], "add", json!({"x": 300, "y": 1})).await;
    assert_eq!(paths(&outcome), ["/x"], "{outcome}");
    assert!(outcome.to_string().contains("255"), "{outcome}");
    let outcome = call(tools![add], "add", r#"{"x": 1.0, "y": 100.0}"#).await;
    assert_eq!(outcome["data"], 101, "{outcome}");
    assert_eq!(
        call(tools![add], "add", r#"{"x": -0, "y": 0}"#).await["data"],
        0
    );
    assert_eq!(
        call(tools![add], "add", r#"{"x": 1.5, "y": 0}"#).await["ok"],
        false
    );
}

/// macro case 58, macro case 87, macro case 113: serde's attributes inside a parameter's type.
#[tokio::test]
async fn serde_inside() {
    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
    enum Query {
        MaxRows { row_count: u8 },
        Other,
    }
    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    struct Options {
        max_rows: u8,
        #[serde(alias = "old")]
        new: Option<u8>,
        #[serde(skip)]
        hidden: u8,
        #[serde(default = "seven")]
        seven: u8,
    }
    fn seven() -> u8 {
        7
    }
    /// Asks.
    #[tool]
    fn ask(query: Query, options: Options) -> u32 {
        let rows = match query {
            Query::MaxRows { row_count } => row_count,
            Query::Other => 0,
        };
        u32::from(rows)
            + u32::from(
                options.max_rows + options.new.unwrap_or(0) + options.hidden + options.seven,
            )
    }
    let registry = tools![ask];
    let schema = schema(&registry, "ask").to_string();
    assert!(
        schema.contains("maxRows") && schema.contains("rowCount") && !schema.contains("hidden"),
        "{schema}"
    );
    let outcome = call(
        registry,
        "ask",
        json!({"query": {"maxRows": {"rowCount": 1}}, "options": {"maxRows": 2}}),
    )
    .await;
    assert_eq!(outcome["data"], 10, "{outcome}");
    let outcome = call(
        tools![ask],
        "ask",
        json!({"query": "other", "options": {"maxRows": 2, "seven": 1}}),
    )
    .await;
    assert_eq!(outcome["data"], 3, "{outcome}");
}

/// macro case 59: references survive odd names.
#[tokio::test]
async fn odd_schema_names() {
    #[derive(Deserialize, JsonSchema)]
    #[schemars(rename = "a/b~c d")]
    struct Odd {
        n: u8,
    }
    #[derive(Deserialize, JsonSchema)]
    struct Page<T> {
        items: T,
    }
    /// Turns.
    #[tool]
    fn turn(page: Page<Vec<Odd>>, other: Odd) -> usize {
        page.items
            .iter()
            .map(|odd| usize::from(odd.n))
            .sum::<usize>()
            + usize::from(other.n)
    }
    let outcome = call(
        tools![turn],
        "turn",
        json!({"page": {"items": [{"n": 1}]}, "other": {"n": 2}}),
    )
    .await;
    assert_eq!(outcome["data"], 3, "{outcome}");
    let outcome = call(
        tools![turn],
        "turn",
        json!({"page": {"items": [{"n": "x"}]}, "other": {"n": 2}}),
    )
    .await;
    assert_eq!(paths(&outcome), ["/page/items/0/n"], "{outcome}");
}

/// macro case 60: keys from an enum.
#[tokio::test]
async fn maps_with_enum_keys() {
    /// Maps.
    #[tool]
    fn map(m: BTreeMap<Unit, u8>) -> usize {
        m.len()
    }
    assert_eq!(
        call(tools![map], "map", json!({"m": {"C": 1, "F": 2}})).await["data"],
        2
    );
    assert_eq!(
        call(tools![map], "map", json!({"m": {"K": 1}})).await["errorType"],
        "invalid_arguments"
    );
}

/// macro case 61: untagged enums.
#[tokio::test]
async fn untagged_enums() {
    #[derive(Deserialize, JsonSchema)]
    #[serde(untagged)]
    enum V {
        N(i64),
        S(String),
        L(Vec<String>),
    }
    /// Takes.
    #[tool]
    fn take(v: V) -> String {
        match v {
            V::N(n) => n.to_string(),
            V::S(s) => s,
            V::L(l) => l.join("+"),
        }
    }
    for (value, expected) in [
        (json!(1), "1"),
        (json!("x"), "x"),
        (json!(["a", "b"]), "a+b"),
    ] {
        assert_eq!(
            call(tools![take], "take", json!({"v": value})).await["data"],
            expected
        );
    }
    let outcome = call(tools![take], "take", json!({"v": {}})).await;
    assert_eq!(paths(&outcome), ["/v"], "{outcome}");
}

/// macro case 93: every digit survives.
#[tokio::test]
async fn large_numbers() {
    /// Echoes.
    #[tool]
    fn echo(x: u64, y: Option<u128>) -> String {
        format!("{x} {y:?}")
    }
    let outcome = call(tools![echo], "echo", r#"{"x": 18446744073709551615}"#).await;
    assert_eq!(outcome["data"], "18446744073709551615 None", "{outcome}");
    let outcome = call(
        tools![echo],
        "echo",
        r#"{"x": 1, "y": 340282366920938463463374607431768211455}"#,
    )
    .await;
    assert_eq!(
        outcome["data"], "1 Some(340282366920938463463374607431768211455)",
        "{outcome}"
    );
    let outcome = call(tools![echo], "echo", r#"{"x": 18446744073709551616}"#).await;
    assert_eq!(outcome["errorType"], "invalid_arguments", "{outcome}");
}

/// macro case 94, macro case 95: duplicate keys, and lists for structs.
#[tokio::test]
async fn what_serde_would_let_through() {
    #[derive(Deserialize, JsonSchema)]
    struct Point {
        x: u8,
    }
    /// Draws.
    #[tool]
    fn draw(p: Point) -> u8 {
        p.x
    }
    for arguments in [
        r#"{"p": {"x": 1, "x": 2}}"#,
        r#"{"p": [5]}"#,
        r#"[{"x": 1}]"#,
        r#"{"p": {"x": 1}, "p": {"x": 2}}"#,
    ] {
        let outcome = call(tools![draw], "draw", arguments).await;
        assert_eq!(
            outcome["errorType"], "invalid_arguments",
            "{arguments}: {outcome}"
        );
    }
}

/// macro case 100
#[tokio::test]
async fn borrowed_arguments() {
    /// Joins.
    #[tool]
    async fn join<'a>(
        text: &'a str,
        list: &[String],
        path: &Path,
        cow: Cow<'_, str>,
        value: &Value,
        owned: PathBuf,
        maybe: &Option<String>,
        #[context] shop: &Shop,
        #[context] call: &CallContext,
    ) -> String {
        tokio::task::yield_now().await;
        assert!(!call.trace_id().to_string().is_empty());
        format!(
            "{text} {} {} {cow} {value} {} {maybe:?} {}",
            list.join("+"),
            path.display(),
            owned.display(),
            shop.name
        )
    }
    /// Echoes.
    #[tool]
    fn echo<'a>(s: &'a str) -> &'a str {
        s
    }
    let arguments = json!({"text": "t", "list": ["a", "b"], "path": "/p", "cow": "c", "value": 1, "owned": "/o"});
    let outcome = call(tools![join], "join", arguments).await;
    assert_eq!(outcome["data"], "t a+b /p c 1 /o None corner", "{outcome}");
    assert_eq!(
        call(tools![echo], "echo", json!({"s": "x"})).await["data"],
        "x"
    );
}

/// macro case 101: `mut` is the body's business, and a pattern is named by its attribute.
#[tokio::test]
async fn patterns() {
    /// Adds.
    #[tool]
    fn add(
        mut n: u8,
        #[arg(name = "pair")] (a, b): (u8, u8),
        #[arg(name = "ignored")] _: Option<u8>,
    ) -> u8 {
        n += 1;
        n + a + b
    }
    let registry = tools![add];
    assert!(!schema(&registry, "add").to_string().contains("mut"));
    assert_eq!(
        call(registry, "add", json!({"n": 1, "pair": [2, 3]})).await["data"],
        7
    );
}

/// macro case 102, macro case 103: names of ours and names of constants.
#[tokio::test]
async fn names_that_meet() {
    #![allow(non_upper_case_globals, unused)]
    const result: u8 = 1;
    static answer: u8 = 2;
    const arguments_: u8 = 3;
    /// Limits.
    #[tool]
    fn limited(x: u8, limit: u8, #[arg(default = arguments_)] other: u8) -> u8 {
        x + limit + other
    }
    /// Takes every name.
    #[tool]
    async fn args(
        args: u8,
        __args: u8,
        ctx: u8,
        self_: u8,
        value: u8,
        result_: u8,
        e: u8,
        it: u8,
        registry: u8,
        err: u8,
        __tool: u8,
        __tool_call: u8,
        call: u8,
        run: u8,
        output: u8,
    ) -> u32 {
        [
            args,
            __args,
            ctx,
            self_,
            value,
            result_,
            e,
            it,
            registry,
            err,
            __tool,
            __tool_call,
            call,
            run,
            output,
        ]
        .iter()
        .map(|n| u32::from(*n))
        .sum()
    }
    /// Calls itself.
    #[tool(name = "call_itself")]
    fn call_(n: u8) -> u8 {
        if n == 0 { 0 } else { 1 + call_(n - 1) }
    }
    mod named {
        /// Is called so.
        #[tool_runtime::tool]
        pub(super) fn schema() -> u8 {
            1
        }
        /// Is called so.
        #[tool_runtime::tool]
        pub(super) fn main() -> u8 {
            2
        }
    }
    let outcome = call(tools![limited], "limited", json!({"x": 10, "limit": 20})).await;
    assert_eq!(outcome["data"], 33, "{outcome}");
    let arguments: serde_json::Map<String, Value> = schema(&tools![args], "args")["required"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|name| (name.as_str().expect("a name").to_owned(), json!(1)))
        .collect();
    assert_eq!(
        call(tools![args], "args", Value::Object(arguments)).await["data"],
        15
    );
    assert_eq!(
        call(tools![call_], "call_itself", json!({"n": 3})).await["data"],
        3
    );
    assert_eq!(
        call(tools![named::schema, named::main], "main", "{}").await["data"],
        2
    );
}

/// macro case 107: what is generic in lifetimes only has one schema, and a `where` clause may say what is so.
#[tokio::test]
async fn legal_generics() {
    /// Measures.
    #[tool]
    fn measure<'a, 'b: 'a>(a: &'a str, b: &'b str) -> usize
    where
        String: Clone,
        'b: 'a,
    {
        a.len() + b.len()
    }
    assert_eq!(
        call(tools![measure], "measure", json!({"a": "x", "b": "yz"})).await["data"],
        3
    );
}

/// macro case 109: what a tool may return.
#[tokio::test]
async fn results() {
    /// Nothing.
    #[tool]
    fn nothing() {}
    /// Something.
    #[tool]
    fn opaque() -> impl Serialize {
        vec![1, 2]
    }
    /// Fixed.
    #[tool]
    fn fixed() -> &'static str {
        "fixed"
    }
    /// Maybe.
    #[tool]
    fn maybe(n: u8) -> Option<u8> {
        (n > 0).then_some(n)
    }
    /// Bytes.
    #[tool]
    fn bytes() -> Vec<u8> {
        vec![1, 2]
    }
    /// Done.
    #[tool]
    async fn done() -> Result<(), String> {
        Ok(())
    }
    /// Twice.
    #[tool]
    fn twice() -> Result<Result<u8, String>, String> {
        Ok(Err("inner".to_owned()))
    }
    /// Shows.
    #[tool]
    fn shows() -> Result<Vec<Content>, String> {
        Ok(vec![Content::text("seen")])
    }
    assert_eq!(
        call(tools![nothing], "nothing", "{}").await["data"],
        Value::Null
    );
    assert_eq!(
        call(tools![opaque], "opaque", "{}").await["data"],
        json!([1, 2])
    );
    assert_eq!(call(tools![fixed], "fixed", "{}").await["data"], "fixed");
    assert_eq!(
        call(tools![maybe], "maybe", json!({"n": 0})).await["data"],
        Value::Null
    );
    assert_eq!(
        call(tools![bytes], "bytes", "{}").await["data"],
        json!([1, 2])
    );
    assert_eq!(call(tools![done], "done", "{}").await["ok"], true);
    // Only the outer one says whether the tool failed; the inner one is data.
    assert_eq!(
        call(tools![twice], "twice", "{}").await["data"],
        json!({"Err": "inner"})
    );
    assert!(
        call(tools![shows], "shows", "{}").await["data"]
            .to_string()
            .contains("seen")
    );
    assert_eq!(output_schema(&tools![opaque], "opaque"), None);
    assert!(output_schema(&tools![maybe], "maybe").is_some());
}

/// macro case 111: types of the standard library, where schema and deserialiser must agree.
#[tokio::test]
async fn types_of_the_standard_library() {
    /// Takes.
    #[tool]
    fn take(
        c: char,
        n: std::num::NonZeroU8,
        ip: std::net::IpAddr,
        path: PathBuf,
        bytes: [u8; 2],
    ) -> String {
        format!("{c} {n} {ip} {} {bytes:?}", path.display())
    }
    let good = json!({"c": "a", "n": 1, "ip": "::1", "path": "/x", "bytes": [1, 2]});
    assert_eq!(
        call(tools![take], "take", good.clone()).await["data"],
        "a 1 ::1 /x [1, 2]"
    );
    for (name, bad) in [
        ("c", json!("ab")),
        ("n", json!(0)),
        ("bytes", json!([1])),
        ("path", json!(1)),
    ] {
        let mut arguments = good.clone();
        arguments[name] = bad;
        let outcome = call(tools![take], "take", arguments).await;
        assert_eq!(
            outcome["errorType"], "invalid_arguments",
            "{name}: {outcome}"
        );
        assert!(
            paths(&outcome)[0].starts_with(&format!("/{name}")),
            "{name}: {outcome}"
        );
    }
}

static TESTED: AtomicUsize = AtomicUsize::new(0);

/// Counts. macro case 117: a test that is a tool.
#[tool]
#[test]
fn tested() {
    TESTED.fetch_add(1, Ordering::SeqCst);
}

/// macro case 117: other attributes, above and below.
#[tokio::test]
async fn other_attributes() {
    /// Old.
    #[deprecated = "use another"]
    #[tool]
    fn old() -> u8 {
        1
    }
    /// Old, the other way round.
    #[tool]
    #[deprecated]
    #[must_use]
    #[inline]
    #[track_caller]
    #[cold]
    fn older() -> u8 {
        2
    }
    /// Driven.
    #[tool]
    #[tokio::main(flavor = "current_thread")]
    async fn driven() -> u8 {
        tokio::task::yield_now().await;
        3
    }
    /// Driven, the other way round.
    #[tokio::main(flavor = "current_thread")]
    #[tool(name = "driven_too")]
    async fn driven_too() -> u8 {
        4
    }
    /// Gone.
    #[tool]
    #[cfg(any())]
    fn gone() -> Missing {}
    /// Gone, the other way round.
    #[cfg(any())]
    #[tool]
    fn gone_too() -> Missing {}
    assert_eq!(call(tools![old], "old", "{}").await["data"], 1);
    assert_eq!(call(tools![older], "older", "{}").await["data"], 2);
    assert_eq!(call(tools![driven], "driven", "{}").await["data"], 3);
    assert_eq!(
        call(tools![driven_too], "driven_too", "{}").await["data"],
        4
    );
    assert_eq!(call(tools![tested], "tested", "{}").await["ok"], true);
    assert!(TESTED.load(Ordering::SeqCst) > 0);
}

/// macro case 120, macro case 121: what is said once, in any order, with and without commas.
#[test]
fn what_may_be_written() {
    /// Reads.
    #[tool(read_only, risk = "medium", confirm = false)]
    fn reads() {}
    /// Asks.
    #[tool(confirm)]
    fn asks() {}
    /// Says nothing.
    #[tool()]
    fn says_nothing() {}
    let registry = tools![reads, asks, says_nothing];
    let get = |name: &str| registry.get(name).expect("it is there");
    assert_eq!(get("reads").risk(), Risk::Medium);
    assert!(get("reads").behaviour().idempotent && !get("reads").behaviour().destructive);
    assert!(get("reads").question().is_none());
    assert!(get("asks").question().is_some());
    assert_eq!(get("says_nothing").risk(), Risk::Medium);
    assert!(!get("says_nothing").risk_declared());
}

/// Every spelling of serde's, and names of one's own.
#[tokio::test]
async fn spellings() {
    /// Spells.
    #[tool(rename_all = "camelCase")]
    fn camel(
        order_id: u8,
        #[arg(name = "own-name")] other_name: u8,
        #[arg(alias = "old")] new_name: u8,
    ) -> u8 {
        order_id + other_name + new_name
    }
    /// Spells.
    #[tool(rename_all = "SCREAMING-KEBAB-CASE")]
    fn screaming(order_id: u8) -> u8 {
        order_id
    }
    assert_eq!(
        schema(&tools![camel], "camel")["required"],
        json!(["orderId", "own-name", "newName"])
    );
    assert_eq!(
        schema(&tools![screaming], "screaming")["required"],
        json!(["ORDER-ID"])
    );
    let outcome = call(
        tools![camel],
        "camel",
        json!({"orderId": 1, "own-name": 2, "old": 3}),
    )
    .await;
    assert_eq!(outcome["data"], 6, "{outcome}");
}
