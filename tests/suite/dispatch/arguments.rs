//! Bytes to frozen arguments: bounds, repairs, every problem told.

use serde_json::{Value, json};
use tool_runtime::__private::{Of, OfValue as _, Parameter, Run, StaticTool};
use tool_runtime::{
    Arguments, Dispatcher, DynamicTool, Limits, Registry, Repair, Repairs, Risk, ToolCall,
};

use crate::support::{Effects, READS, TOOL, arg, block_on, code, data, message, shop, verdict};

const ALL_REPAIRS: Repairs = Repairs::NONE
    .with(Repair::EmptyArguments)
    .with(Repair::MarkdownFence)
    .with(Repair::DoubleEncoded)
    .with(Repair::IntegralFloat)
    .with(Repair::NullForAbsent)
    .with(Repair::NestedJson)
    .with(Repair::NumberInString)
    .with(Repair::BooleanInString)
    .with(Repair::TrailingComma);

/// A dispatcher over the shop, and over what only this file calls.
fn dispatcher(repairs: Repairs) -> (Dispatcher, Effects) {
    let effects = Effects::default();
    let dispatcher = Dispatcher::builder()
        .registry(shop())
        .registry(Registry::of(&[&LOGIN, &TREE, &BIG]))
        .context(effects.clone())
        .repairs(repairs)
        .build()
        .unwrap();
    (dispatcher, effects)
}

/// One line a case: the tool, what the model writes, the verdict. Refused calls have no effect.
#[track_caller]
fn check(repairs: Repairs, cases: &[(&str, &str, &str)]) {
    let (dispatcher, effects) = dispatcher(repairs);
    for (tool, arguments, expected) in cases {
        let before = effects.count();
        let outcome = block_on(dispatcher.dispatch(ToolCall::new(*tool, *arguments)));
        assert_eq!(verdict(&outcome), *expected, "{tool}: {arguments}");
        let ran = usize::from(outcome.is_ok());
        assert_eq!(effects.count() - before, ran, "{tool}: {arguments}");
    }
}

static LOGIN: StaticTool = StaticTool {
    name: "login",
    risk: Risk::Low,
    behaviour: READS,
    parameters: &[
        arg::<String>("user"),
        Parameter {
            secret: true,
            constraints: r#""minLength":12,"pattern":"^[a-z]+$""#,
            ..arg::<String>("token")
        },
        Parameter {
            secret: true,
            aliases: &["personal_number"],
            ..arg::<Option<u32>>("pin")
        },
    ],
    run: Run::Inline(|call| {
        call.context::<Effects>(0).happened("login");
        Of(()).answer()
    }),
    ..TOOL
};

/// A list that holds itself, so that nesting has somewhere to go.
#[derive(Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
struct Chain {
    next: Option<Box<Chain>>,
}

static TREE: StaticTool = StaticTool {
    name: "tree",
    risk: Risk::Low,
    behaviour: READS,
    parameters: &[arg::<Option<Chain>>("chain"), arg::<Option<Value>>("any")],
    run: Run::Inline(|call| {
        let _chain: Option<Chain> = call.arg(0)?;
        let _any: Option<Value> = call.arg(1)?;
        call.context::<Effects>(0).happened("tree");
        Of(()).answer()
    }),
    ..TOOL
};

static BIG: StaticTool = StaticTool {
    name: "big",
    risk: Risk::Low,
    behaviour: READS,
    parameters: &[
        arg::<Option<u64>>("u"),
        arg::<Option<i64>>("i"),
        arg::<Option<u128>>("w"),
    ],
    run: Run::Inline(|call| {
        let u: Option<u64> = call.arg(0)?;
        let i: Option<i64> = call.arg(1)?;
        let w: Option<u128> = call.arg(2)?;
        call.context::<Effects>(0).happened("big");
        Of((u, i, w.map(|w| w.to_string()))).answer()
    }),
    ..TOOL
};

#[test]
fn c01_blank_null_and_missing_arguments_are_no_arguments() {
    check(
        Repairs::default(),
        &[
            ("ping", "", "ok empty_arguments:"),
            ("ping", "   \n", "ok empty_arguments:"),
            ("ping", "null", "ok empty_arguments:"),
            ("ping", "{}", "ok"),
            ("search", "", "schema required:/query"),
            ("search", " null ", "schema required:/query"),
        ],
    );
    check(
        Repairs::NONE,
        &[
            ("ping", "", "parse_error"),
            ("ping", "null", "schema type:"),
        ],
    );
}

#[test]
fn c02_absent_arguments_ask_no_approval() {
    let (dispatcher, effects) = dispatcher(Repairs::default());
    let outcome = block_on(dispatcher.dispatch(ToolCall::new("ping", Arguments::absent())));
    assert_eq!(verdict(&outcome), "ok empty_arguments:");
    let outcome = block_on(dispatcher.dispatch(ToolCall::new("refund", Arguments::absent())));
    assert_eq!(verdict(&outcome), "schema required:/cents required:/order");
    assert!(block_on(dispatcher.approvals()).unwrap().is_empty());
    assert_eq!(effects.count(), 1);
}

#[test]
fn c04_c05_text_that_holds_json_is_text_unless_switched_on() {
    let text = r#"{"query":"x","tags":"[\"a\"]"}"#;
    check(
        Repairs::default(),
        &[
            ("search", text, "schema type:/tags"),
            ("either", r#"{"v":"[\"a\"]"}"#, "ok"),
        ],
    );
    let on = Repairs::default().with(Repair::NestedJson);
    check(
        on,
        &[
            ("search", text, "ok nested_json:/tags"),
            // A union that takes text keeps text.
            ("either", r#"{"v":"[\"a\"]"}"#, "ok"),
            // The type has to be the one that is due.
            (
                "search",
                r#"{"query":"x","tags":"{\"a\":1}"}"#,
                "schema type:/tags",
            ),
            (
                "search",
                r#"{"query":"x","tags":"[1]"}"#,
                "schema type:/tags/0",
            ),
            (
                "search",
                r#"{"query":"x","tags":"[1"}"#,
                "schema type:/tags",
            ),
        ],
    );
    let (dispatcher, effects) = dispatcher(on);
    block_on(dispatcher.dispatch(ToolCall::new("search", text)));
    block_on(dispatcher.dispatch(ToolCall::new("either", r#"{"v":"[\"a\"]"}"#)));
    assert_eq!(
        effects.take(),
        [
            r#"search{"limit":10,"query":"x","tags":["a"]}"#,
            r#"either{"v":"[\"a\"]"}"#,
        ]
    );
}

#[test]
fn c06_one_clean_fence_comes_off_and_nothing_is_guessed() {
    let note = r#"{"order":1,"text":"x"}"#;
    let clean = format!("```json\n{note}\n```");
    let plain = format!("  ```\n{note}```\n");
    let prose = format!("Here you are:\n```json\n{note}\n```");
    let behind = format!("```json\n{note}\n```\nDone.");
    let open = format!("```json\n{note}\n");
    let twice = format!("```json\n```json\n{note}\n```\n```");
    let empty = "```json\n```";
    check(
        Repairs::default(),
        &[
            ("add_note", &clean, "ok markdown_fence:"),
            ("add_note", &plain, "ok markdown_fence:"),
            ("add_note", &prose, "parse_error"),
            ("add_note", &behind, "parse_error"),
            ("add_note", &open, "parse_error"),
            ("add_note", &twice, "parse_error"),
            ("ping", empty, "parse_error"),
            // Without a fence there is nothing to take off.
            ("add_note", note, "ok"),
        ],
    );
    check(Repairs::NONE, &[("add_note", &clean, "parse_error")]);
}

#[test]
fn c07_what_is_not_json_is_not_read_as_json() {
    for text in [
        r#"{"id":1,}"#,
        r#"{"id":1 /* one */}"#,
        "{'id':1}",
        r#"{"id":NaN}"#,
        r#"{"id":Infinity}"#,
        r#"{"id":+1}"#,
        r#"{"id":01}"#,
        r#"{"id":1.}"#,
        r#"{"id":.5}"#,
        r#"{"id":0x10}"#,
        r#"{"id":1}{"id":2}"#,
        r#"{"id":1}]"#,
        r#"{id:1}"#,
        "{\"id\":1\u{a0}}",
    ] {
        let (dispatcher, effects) = dispatcher(Repairs::default());
        let outcome = block_on(dispatcher.dispatch(ToolCall::new("get_order", text)));
        assert_eq!(verdict(&outcome), "parse_error", "{text}");
        assert!(
            message(&outcome).contains("at byte"),
            "{text}: {}",
            message(&outcome)
        );
        assert_eq!(effects.count(), 0);
    }
    check(
        Repairs::default(),
        &[("get_order", "\u{feff}{\"id\":1}", "ok")],
    );
    check(
        Repairs::default().with(Repair::TrailingComma),
        &[
            ("get_order", r#"{"id":1,}"#, "ok trailing_comma:"),
            (
                "search",
                r#"{"query":"a,]","tags":["x,}", ],}"#,
                "ok trailing_comma:",
            ),
            ("get_order", r#"{"id":1,,}"#, "parse_error"),
            ("get_order", "{,}", "parse_error"),
        ],
    );
}

#[test]
fn c09_case_91_integral_floats() {
    check(
        Repairs::default(),
        &[
            ("get_order", r#"{"id":20.0}"#, "ok integral_float:/id"),
            ("get_order", r#"{"id":-0}"#, "ok integral_float:/id"),
            ("get_order", r#"{"id":20.5}"#, "schema type:/id"),
            ("get_order", r#"{"id":2e1}"#, "schema type:/id"),
            ("get_order", r#"{"id":"20.0"}"#, "schema type:/id"),
            (
                "get_order",
                r#"{"id":9007199254740992.0}"#,
                "ok integral_float:/id",
            ),
            // Beyond 2^53 a float stands for more than one integer.
            (
                "get_order",
                r#"{"id":9007199254740994.0}"#,
                "schema type:/id",
            ),
            ("get_order", r#"{"id":-1.0}"#, "schema minimum:/id"),
            (
                "search",
                r#"{"query":"x","limit":300.0}"#,
                "schema maximum:/limit",
            ),
        ],
    );
    // 2020-12 counts it as an integer, so without repairs the type takes it as well.
    check(Repairs::NONE, &[("get_order", r#"{"id":20.0}"#, "ok")]);
    let (dispatcher, effects) = dispatcher(Repairs::default());
    block_on(dispatcher.dispatch(ToolCall::new("get_order", r#"{"id":20.0}"#)));
    assert_eq!(effects.take(), [r#"get_order{"id":20}"#]);
}

#[test]
fn c10_c11_numbers_and_booleans_in_text_need_the_switch_and_the_whole_text() {
    check(
        Repairs::default(),
        &[
            ("get_order", r#"{"id":"42"}"#, "schema type:/id"),
            ("set_flag", r#"{"name":"a","on":"true"}"#, "schema type:/on"),
        ],
    );
    let on = Repairs::default()
        .with(Repair::NumberInString)
        .with(Repair::BooleanInString);
    check(
        on,
        &[
            ("get_order", r#"{"id":"42"}"#, "ok number_in_string:/id"),
            (
                "set_flag",
                r#"{"name":"a","on":"true"}"#,
                "ok boolean_in_string:/on",
            ),
            ("set_flag", r#"{"name":"a","on":"True"}"#, "schema type:/on"),
            ("set_flag", r#"{"name":"a","on":"1"}"#, "schema type:/on"),
            (
                "set_flag",
                r#"{"name":"a","on":" true"}"#,
                "schema type:/on",
            ),
            ("get_order", r#"{"id":"5abc"}"#, "schema type:/id"),
            ("get_order", r#"{"id":"1e3"}"#, "schema type:/id"),
            ("get_order", r#"{"id":" 7"}"#, "schema type:/id"),
            ("get_order", r#"{"id":"7\n"}"#, "schema type:/id"),
            ("get_order", r#"{"id":"0x10"}"#, "schema type:/id"),
            ("get_order", r#"{"id":""}"#, "schema type:/id"),
            ("get_order", r#"{"id":"007"}"#, "schema type:/id"),
            ("get_order", r#"{"id":"20.0"}"#, "schema type:/id"),
            (
                "get_order",
                r#"{"id":"18446744073709551615"}"#,
                "ok number_in_string:/id",
            ),
            (
                "get_order",
                r#"{"id":"18446744073709551616"}"#,
                "schema maximum:/id",
            ),
            // Text that is due stays text.
            ("set_flag", r#"{"name":"true","on":true}"#, "ok"),
        ],
    );
}

#[test]
fn c12_c14_nothing_is_made_up_for_text() {
    let (dispatcher, effects) = dispatcher(ALL_REPAIRS);
    for (arguments, expected) in [
        (r#"{"order":1,"text":7019316393e2}"#, "schema type:/text"),
        (r#"{"order":1,"text":13190e4}"#, "schema type:/text"),
        (r#"{"order":1,"text":7019316393e400}"#, "parse_error"),
        (r#"{"order":1,"text":"null"}"#, "ok"),
        (r#"{"order":1,"text":"None","pinned":null}"#, "ok"),
    ] {
        let outcome = block_on(dispatcher.dispatch(ToolCall::new("add_note", arguments)));
        assert_eq!(verdict(&outcome), expected, "{arguments}");
    }
    assert_eq!(
        effects.take(),
        [
            r#"add_note{"order":1,"pinned":null,"text":"null"}"#,
            r#"add_note{"order":1,"pinned":null,"text":"None"}"#,
        ]
    );
}

#[test]
fn c15_case_48_an_unknown_argument_is_an_error_with_a_suggestion() {
    let (dispatcher, effects) = dispatcher(ALL_REPAIRS);
    let call = |arguments: &str| {
        block_on(dispatcher.dispatch(ToolCall::new("search", arguments.to_owned())))
    };
    let outcome = call(r#"{"query":"x","limt":3}"#);
    assert_eq!(verdict(&outcome), "schema additionalProperties:/limt");
    assert!(
        message(&outcome).contains("did you mean `limit`?"),
        "{}",
        message(&outcome)
    );
    // What is given already is not suggested again.
    let outcome = call(r#"{"query":"x","limit":1,"Limit":3}"#);
    assert!(
        !message(&outcome).contains("did you mean"),
        "{}",
        message(&outcome)
    );
    let outcome = call(r#"{"query":"x","a/b~c":{"deep":[1]}}"#);
    assert_eq!(verdict(&outcome), "schema additionalProperties:/a~1b~0c");
    assert_eq!(effects.count(), 0);
}

#[test]
fn c16_case_94_a_member_given_twice_is_refused_at_any_depth() {
    check(
        ALL_REPAIRS,
        &[
            (
                "refund",
                r#"{"cents":1,"cents":99999,"order":1}"#,
                "duplicate_key duplicateKey:/cents",
            ),
            (
                "refund",
                r#"{"cents":1,"\u0063ents":1,"order":1}"#,
                "duplicate_key duplicateKey:/cents",
            ),
            (
                "tree",
                r#"{"any":[0,{"a":[{"k":1,"k":1}]}]}"#,
                "duplicate_key duplicateKey:/any/1/a/0/k",
            ),
            // Also where the arguments were wrapped, and in a call that is wrong in other ways too.
            (
                "refund",
                r#""{\"cents\":1,\"cents\":2}""#,
                "duplicate_key duplicateKey:/cents",
            ),
            ("ping", r#"{"x":1,"x":2}"#, "duplicate_key duplicateKey:/x"),
        ],
    );
    // Two members that only look alike are two.
    check(
        Repairs::default(),
        &[(
            "tree",
            r#"{"any":{"\u00e9":1,"e\u0301":2,"a":1,"A":2}}"#,
            "ok",
        )],
    );
}

#[test]
fn an_alias_and_its_name_together_are_a_contradiction() {
    let secret = r#"{"user":"u","token":"abcdefghijklm","personal_number":1,"pin":2}"#;
    check(
        Repairs::default(),
        &[
            (
                "login",
                r#"{"user":"u","token":"abcdefghijklm","personal_number":1}"#,
                "ok",
            ),
            ("login", secret, "duplicate_key"),
        ],
    );
}

#[test]
fn c17_bytes_of_names_are_kept() {
    let effects = Effects::default();
    let seen = effects.clone();
    let tool = DynamicTool::new(
        "map",
        "Takes any members.",
        json!({"type": "object"}),
        move |arguments: Value, _| {
            seen.happened(arguments.to_string());
            async { Ok(Value::Null) }
        },
    );
    let mut registry = Registry::new();
    registry.add(tool.risk(Risk::Low)).unwrap();
    let dispatcher = Dispatcher::builder().registry(registry).build().unwrap();
    let outcome =
        block_on(dispatcher.dispatch(ToolCall::new("map", r#"{"\u00e9":1,"e\u0301":2}"#)));
    assert!(outcome.is_ok());
    let log = effects.take();
    let map: Value = serde_json::from_str(&log[0]).unwrap();
    assert_eq!(map, json!({"\u{e9}": 1, "e\u{301}": 2}));
}

#[test]
fn c19_case_126_nesting_is_bounded_and_costs_no_stack() {
    // Less stack than any executor gives its threads.
    let small = std::thread::Builder::new().stack_size(256 * 1024);
    let run = small.spawn(|| {
        let (dispatcher, effects) = dispatcher(ALL_REPAIRS);
        let nested = |levels: usize, open: &str, close: &str| {
            format!("{}1{}", open.repeat(levels), close.repeat(levels))
        };
        for arguments in [
            "[".repeat(10_000),
            nested(129, "[", "]"),
            nested(65, "[", "]"),
            format!(r#"{{"any":{}}}"#, nested(64, "[", "]")),
            format!(r#"{{"any":{}}}"#, nested(100_000, "{\"a\":", "}")),
            format!(r#"{{"ignored":{}}}"#, nested(100_000, "[", "]")),
            format!(r#"{{"chain":{}}}"#, nested(100_000, "{\"next\":", "}")),
        ] {
            let outcome = block_on(dispatcher.dispatch(ToolCall::new("tree", arguments)));
            assert_eq!(code(&outcome), "too_deep");
            assert!(outcome.to_json().len() < 2000, "the echo is bounded too");
            assert!(!format!("{outcome:?}").is_empty());
        }
        // The deepest that is taken is parsed, judged, hashed and shown on the same stack.
        let deepest = format!(r#"{{"any":{}}}"#, nested(63, "[", "]"));
        let outcome = block_on(dispatcher.dispatch(ToolCall::new("tree", deepest)));
        assert!(outcome.is_ok(), "{}", outcome.to_json());
        assert_eq!(effects.count(), 1);
    });
    run.unwrap().join().unwrap();
}

#[test]
fn no_setting_lifts_the_ceiling_on_nesting() {
    let mut limits = Limits::default();
    limits.max_depth = usize::MAX;
    let dispatcher = Dispatcher::builder()
        .registry(shop())
        .registry(Registry::of(&[&TREE]))
        .context(Effects::default())
        .limits(limits)
        .build()
        .unwrap();
    let deep = format!(r#"{{"any":{}1{}}}"#, "[".repeat(200), "]".repeat(200));
    let outcome = block_on(dispatcher.dispatch(ToolCall::new("tree", deep)));
    assert_eq!(code(&outcome), "too_deep");
    let taken = format!(r#"{{"any":{}1{}}}"#, "[".repeat(100), "]".repeat(100));
    let outcome = block_on(dispatcher.dispatch(ToolCall::new("tree", taken)));
    assert!(outcome.is_ok(), "{}", outcome.to_json());
}

#[test]
fn c20_size_and_number_of_values_are_bounded() {
    let (dispatcher, effects) = dispatcher(ALL_REPAIRS);
    let keys: String = (0..1_000_000).map(|i| format!("\"{i}\":0,")).collect();
    let short: String = (0..60_000).map(|i| format!("\"{i}\":0,")).collect();
    for (what, arguments) in [
        (
            "a string of 5 MiB",
            format!(r#"{{"order":1,"text":"{}"}}"#, "x".repeat(5 << 20)),
        ),
        ("a million members", format!("{{{keys}\"z\":0}}")),
        (
            "a million elements",
            format!("[{}0]", "0,".repeat(1_000_000)),
        ),
        ("members that fit the bytes", format!("{{{short}\"z\":0}}")),
        (
            "elements that fit the bytes",
            format!("[{}0]", "0,".repeat(100_000)),
        ),
    ] {
        let outcome = block_on(dispatcher.dispatch(ToolCall::new("add_note", arguments)));
        assert_eq!(code(&outcome), "too_large", "{what}");
        assert!(outcome.to_json().len() < 2000, "{what}");
    }
    assert_eq!(effects.count(), 0);
}

#[test]
fn c21_text_is_unicode() {
    let (dispatcher, effects) = dispatcher(ALL_REPAIRS);
    for (arguments, expected) in [
        (br#"{"order":1,"text":"\ud800"}"#.to_vec(), "bad_unicode"),
        (
            br#"{"order":1,"text":"\udc00\ud800"}"#.to_vec(),
            "bad_unicode",
        ),
        (vec![0xff, 0xfe, b'{', 0, b'}', 0], "bad_unicode"),
        (b"{\"order\":1,\"text\":\"\xc3\"}".to_vec(), "bad_unicode"),
        (b"{\"order\":1,\"text\":\"a\0b\"}".to_vec(), "parse_error"),
        (br#"{"order":1,"text":"a\u0000b"}"#.to_vec(), "ok"),
        (br#"{"order":1,"text":"\ud83d\ude00"}"#.to_vec(), "ok"),
    ] {
        let told = String::from_utf8_lossy(&arguments).into_owned();
        let outcome = block_on(dispatcher.dispatch(ToolCall::new("add_note", arguments)));
        assert_eq!(verdict(&outcome), expected, "{told}");
    }
    assert_eq!(
        effects.take(),
        [
            "add_note{\"order\":1,\"pinned\":null,\"text\":\"a\\u0000b\"}",
            "add_note{\"order\":1,\"pinned\":null,\"text\":\"\u{1f600}\"}",
        ]
    );
}

#[test]
fn c22_case_66_a_call_that_was_cut_off_never_runs() {
    let (dispatcher, effects) = dispatcher(ALL_REPAIRS);
    let cut = r#"{"order":1,"text":"long te"#;
    let whole = r#"{"order":1,"text":"long"}"#;
    for (arguments, truncated, expected) in [
        (cut, true, "truncated_call"),
        (whole, true, "truncated_call"),
        (cut, false, "parse_error"),
    ] {
        let call = ToolCall::new("add_note", arguments).with_truncated(truncated);
        let outcome = block_on(dispatcher.dispatch(call));
        assert_eq!(verdict(&outcome), expected);
        assert!(
            message(&outcome).contains("cut off"),
            "{}",
            message(&outcome)
        );
    }
    // Neither is an approval asked for it.
    let call = ToolCall::new("refund", r#"{"order":1,"cents":5}"#).with_truncated(true);
    assert_eq!(code(&block_on(dispatcher.dispatch(call))), "truncated_call");
    assert!(block_on(dispatcher.approvals()).unwrap().is_empty());
    assert_eq!(effects.count(), 0);
}

#[test]
fn c24_c25_case_90_every_problem_is_told_in_one_answer() {
    let (dispatcher, effects) = dispatcher(Repairs::default());
    let outcome = block_on(dispatcher.dispatch(ToolCall::new(
        "refund",
        r#"{"zz":1,"order":"A1","cents":-5,"reason":7,"a/b":null,"sky":[]}"#,
    )));
    assert_eq!(
        verdict(&outcome),
        "schema additionalProperties:/a~1b minimum:/cents type:/order type:/reason \
         additionalProperties:/sky additionalProperties:/zz"
    );
    let text = message(&outcome);
    assert!(
        text.starts_with("6 problems with the arguments; nothing was run: "),
        "{text}"
    );
    for part in [
        "`/order`: expected an integer, got a string",
        "`/cents`: expected at least 0, got the number -5",
        "`/reason`: expected a string or null, got the number 7",
        "`/a~1b` is unknown: one of `cents`, `order`, `reason`",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert_eq!(effects.count(), 0);
    // In the order of the paths, whatever the order of the text.
    let other = block_on(dispatcher.dispatch(ToolCall::new(
        "refund",
        r#"{"sky":[],"reason":7,"a/b":null,"cents":-5,"order":"A1","zz":1}"#,
    )));
    assert_eq!(message(&other), text);
}

#[test]
fn the_list_of_problems_is_capped_and_says_so() {
    let (dispatcher, _) = dispatcher(Repairs::default());
    let unknown: String = (0..50).map(|i| format!("\"k{i:02}\":0,")).collect();
    let arguments = format!("{{{unknown}\"query\":\"x\"}}");
    let outcome = block_on(dispatcher.dispatch(ToolCall::new("search", arguments)));
    assert_eq!(outcome.failure().unwrap().errors.len(), 20);
    assert!(message(&outcome).starts_with("50 problems"));
    assert!(message(&outcome).ends_with("; and 30 more"));
}

#[test]
fn c26_a_secret_is_never_quoted() {
    let (dispatcher, _) = dispatcher(ALL_REPAIRS);
    for (arguments, expected) in [
        // Another type, a value that breaks each constraint, and text that is read as something else.
        (r#"{"user":"u","token":777777777777}"#, "schema type:/token"),
        (
            r#"{"user":"u","token":"7777"}"#,
            "schema minLength:/token pattern:/token",
        ),
        (
            r#"{"user":"u","token":"abcdefghijklm","pin":77777777774}"#,
            "schema maximum:/pin",
        ),
        (
            r#"{"user":"u","token":"abcdefghijklm","pin":77.77}"#,
            "schema type:/pin",
        ),
        (
            r#"{"user":"u","token":"abcdefghijklm","personal_number":-7777}"#,
            "schema minimum:/pin",
        ),
        // Under a misspelled name it is still a secret.
        (
            r#"{"user":"u","token":"abcdefghijklm","pinn":7777}"#,
            "schema additionalProperties:/pinn",
        ),
        (
            r#"{"user":"u","tokenn":"7777"}"#,
            "schema required:/token additionalProperties:/tokenn",
        ),
        // Cut off in the middle.
        (r#"{"user":"u","token":"7777"#, "parse_error"),
        (r#"{"user":"u","token":7777x}"#, "parse_error"),
    ] {
        let outcome = block_on(dispatcher.dispatch(ToolCall::new("login", arguments)));
        assert_eq!(verdict(&outcome), expected, "{arguments}");
        // The trace is random, and may hold any digits.
        let wire = outcome.to_json().replace(&outcome.trace_id.to_string(), "");
        let told = format!("{wire} {:?}", outcome.result);
        assert!(!told.contains("77"), "{arguments}: {told}");
    }
    // What is no secret is quoted where that helps.
    let outcome = block_on(dispatcher.dispatch(ToolCall::new("get_order", r#"{"id":-42}"#)));
    assert!(message(&outcome).contains("-42"));
}

#[test]
fn case_57_small_integers_have_the_range_of_their_type() {
    let (dispatcher, _) = dispatcher(Repairs::default());
    let outcome =
        block_on(dispatcher.dispatch(ToolCall::new("search", r#"{"query":"x","limit":300}"#)));
    assert_eq!(verdict(&outcome), "schema maximum:/limit");
    assert!(
        message(&outcome).contains("at most 255"),
        "{}",
        message(&outcome)
    );
}

#[test]
fn case_63_a_tool_without_parameters_takes_nothing_however_it_is_said() {
    check(
        Repairs::default(),
        &[
            ("ping", "", "ok empty_arguments:"),
            ("ping", "null", "ok empty_arguments:"),
            ("ping", "{}", "ok"),
            ("ping", "\"{}\"", "ok double_encoded:"),
            ("ping", "[]", "schema type:"),
            ("ping", r#"{"x":1}"#, "schema additionalProperties:/x"),
        ],
    );
}

#[test]
fn case_64_a_string_that_holds_the_arguments_is_unwrapped_once() {
    let once = r#""{\"id\":7}""#;
    let twice = serde_json::to_string(once).unwrap();
    check(
        Repairs::default(),
        &[
            ("get_order", once, "ok double_encoded:"),
            ("get_order", &twice, "schema type:"),
            ("get_order", r#""[7]""#, "schema type:"),
            ("get_order", r#""7""#, "schema type:"),
            ("get_order", r#""{\"id\":7""#, "schema type:"),
        ],
    );
    check(Repairs::NONE, &[("get_order", once, "schema type:")]);
    // Arguments as an object are the same as their text.
    let (dispatcher, _) = dispatcher(Repairs::default());
    let outcome = block_on(dispatcher.dispatch(ToolCall::new("get_order", json!({"id": 7}))));
    assert_eq!(data(&outcome), json!({"id": 7}));
}

#[test]
fn case_67_arguments_wrapped_in_a_call_are_not_unwrapped_by_guess() {
    let (dispatcher, effects) = dispatcher(ALL_REPAIRS);
    let outcome = block_on(dispatcher.dispatch(ToolCall::new(
        "set_flag",
        r#"{"name":"set_flag","parameters":{"name":"a","on":true}}"#,
    )));
    assert_eq!(
        verdict(&outcome),
        "schema required:/on additionalProperties:/parameters"
    );
    assert!(message(&outcome).contains("`on`"), "{}", message(&outcome));
    assert_eq!(effects.count(), 0);
}

#[test]
fn case_93_integers_keep_their_digits() {
    let (dispatcher, _) = dispatcher(Repairs::default());
    let call =
        |arguments: &str| block_on(dispatcher.dispatch(ToolCall::new("big", arguments.to_owned())));
    let outcome = call(
        r#"{"u":18446744073709551615,"i":-9223372036854775808,"w":340282366920938463463374607431768211455}"#,
    );
    assert_eq!(
        data(&outcome),
        json!([u64::MAX, i64::MIN, u128::MAX.to_string()])
    );
    assert_eq!(
        data(&call(r#"{"u":9007199254740993}"#)),
        json!([9_007_199_254_740_993_u64, null, null])
    );
    for (arguments, expected) in [
        (r#"{"u":18446744073709551616}"#, "schema maximum:/u"),
        (r#"{"i":9223372036854775808}"#, "schema maximum:/i"),
        (r#"{"i":-9223372036854775809}"#, "schema minimum:/i"),
        (r#"{"w":-1}"#, "schema minimum:/w"),
        // There is no JSON number for 2^128 - 1 as a bound, so the type itself says no.
        (
            r#"{"w":340282366920938463463374607431768211456}"#,
            "schema type:/w",
        ),
    ] {
        assert_eq!(verdict(&call(arguments)), expected, "{arguments}");
    }
}

#[test]
fn case_95_an_array_is_no_object() {
    check(
        ALL_REPAIRS,
        &[
            ("get_order", "[5]", "schema type:"),
            ("ping", "[]", "schema type:"),
            ("tree", r#"{"chain":[null]}"#, "schema anyOf:/chain"),
            ("tree", r#"{"chain":[]}"#, "schema anyOf:/chain"),
        ],
    );
}

#[test]
fn null_is_absent_only_where_null_says_nothing() {
    check(
        Repairs::default(),
        &[
            // The default stands in.
            (
                "search",
                r#"{"query":"x","limit":null,"tags":null}"#,
                "ok null_for_absent:/limit null_for_absent:/tags",
            ),
            // Null is legal there, and may mean something.
            ("add_note", r#"{"order":1,"text":"x","pinned":null}"#, "ok"),
            // A required member cannot be absent.
            ("search", r#"{"query":null}"#, "schema type:/query"),
            (
                "search",
                r#"{"query":null,"limit":null}"#,
                "schema type:/query",
            ),
            // An element has no name that could be absent.
            (
                "search",
                r#"{"query":"x","tags":["a",null]}"#,
                "schema type:/tags/1",
            ),
        ],
    );
    check(
        Repairs::NONE,
        &[(
            "search",
            r#"{"query":"x","limit":null}"#,
            "schema type:/limit",
        )],
    );
}

#[test]
fn a_null_in_a_map_is_a_value_and_stays() {
    let tool = DynamicTool::new(
        "stock",
        "Counts by name.",
        json!({"type": "object", "properties": {
            "counts": {"type": "object", "additionalProperties": {"type": "integer"}},
        }}),
        |arguments, _| async { Ok(arguments) },
    );
    let mut registry = Registry::new();
    registry.add(tool.risk(Risk::Low)).unwrap();
    let dispatcher = Dispatcher::builder().registry(registry).build().unwrap();
    let outcome = block_on(dispatcher.dispatch(ToolCall::new(
        "stock",
        r#"{"counts":{"chairs":null,"tables":1}}"#,
    )));
    assert_eq!(verdict(&outcome), "schema type:/counts/chairs");
}

#[test]
fn dynamic_tools_are_judged_like_static_ones() {
    let effects = Effects::default();
    let mut registry = Registry::new();
    for definition in shop().definitions().unwrap() {
        let seen = effects.clone();
        let name = definition.name.clone();
        let tool = DynamicTool::new(
            definition.name,
            definition.description,
            definition.input_schema,
            move |arguments, _| {
                seen.happened(name.clone());
                async { Ok(arguments) }
            },
        );
        registry.add(tool.risk(Risk::Low)).unwrap();
    }
    let dynamic = Dispatcher::builder().registry(registry).build().unwrap();
    let (fixed, _) = dispatcher(Repairs::default());
    let mut compared = 0;
    for (tool, arguments) in [
        ("get_order", r#"{"id":20.0}"#),
        ("get_order", r#"{"id":20.5}"#),
        ("get_order", r#"{"id":18446744073709551616}"#),
        ("get_order", r#"{"Id":1}"#),
        ("add_note", r#"{"order":1,"text":5,"pinned":"no"}"#),
        ("add_note", "```\n{}\n```"),
        ("search", r#"{"query":"x","limit":null,"tags":"a"}"#),
        ("search", r#"{"query":"x","query":"y"}"#),
        ("either", r#"{"v":{}}"#),
        ("either", r#"{"v":["a",1]}"#),
        ("ping", "null"),
        ("pong", "null"),
    ] {
        let before = effects.count();
        let one = block_on(fixed.dispatch(ToolCall::new(tool, arguments)));
        let other = block_on(dynamic.dispatch(ToolCall::new(tool, arguments)));
        assert_eq!(verdict(&one), verdict(&other), "{tool}: {arguments}");
        if let (Some(one), Some(other)) = (one.failure(), other.failure()) {
            let known = tool != "pong";
            assert!(
                !known || one.message == other.message,
                "{tool}: {arguments}"
            );
        }
        assert_eq!(effects.count() - before, usize::from(other.is_ok()));
        compared += 1;
    }
    assert_eq!(compared, 12);
}

#[test]
fn case_61_a_union_is_told_in_a_few_words() {
    let (dispatcher, _) = dispatcher(Repairs::default());
    let outcome = block_on(dispatcher.dispatch(ToolCall::new("either", r#"{"v":{}}"#)));
    assert_eq!(verdict(&outcome), "schema anyOf:/v");
    assert!(
        message(&outcome).ends_with("`/v`: expected a string or an array, got an object"),
        "{}",
        message(&outcome)
    );
    // Where one branch was meant, its own problem is told.
    let outcome = block_on(dispatcher.dispatch(ToolCall::new("either", r#"{"v":["a",1]}"#)));
    assert_eq!(verdict(&outcome), "schema type:/v/1");
}

#[test]
fn the_schema_of_an_open_tool_stays_open() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "integer"}}});
    let echo = |arguments, _| async { Ok(arguments) };
    let mut registry = Registry::new();
    let open = DynamicTool::new("open", "Open.", schema.clone(), echo).open();
    let closed = DynamicTool::new("closed", "Closed.", schema, echo);
    registry.add(open.risk(Risk::Low)).unwrap();
    registry.add(closed.risk(Risk::Low)).unwrap();
    let dispatcher = Dispatcher::builder().registry(registry).build().unwrap();
    let extra = r#"{"a":1,"b":2}"#;
    let outcome = block_on(dispatcher.dispatch(ToolCall::new("open", extra)));
    assert_eq!(data(&outcome), json!({"a": 1, "b": 2}));
    let outcome = block_on(dispatcher.dispatch(ToolCall::new("closed", extra)));
    assert_eq!(verdict(&outcome), "schema additionalProperties:/b");
}
