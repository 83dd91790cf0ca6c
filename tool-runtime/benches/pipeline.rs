//! What a call costs: three tools of one, two and eight arguments, the last one nested, from raw JSON arguments to a JSON
//! result.
//!
//! Beside the whole pipeline stand two columns: the least that any code can do (serde reads the struct, nothing is checked
//! but the types) and the obvious way to check it (`Value`, a compiled validator, `from_value`). Only ratios of one
//! run are worth quoting; they are printed at the end.
//!
//! ```sh
//! cargo bench -p tool-runtime --bench pipeline
//! # One column, one tool, so many calls and nothing else, for an instruction counter:
//! cargo bench -p tool-runtime --bench pipeline -- once pipeline create_ticket 1000
//! ```

#![allow(missing_docs, reason = "a program")]
#![allow(
    clippy::unwrap_used,
    reason = "a bench that is set up wrongly has nothing to measure"
)]

use std::collections::HashMap;
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use criterion::Criterion;
use jsonschema::Validator;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tool_runtime::{Dispatcher, ToolCall, tool, tools};

#[derive(Debug, Clone, Copy, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Reason {
    ChangedMind,
    WrongItem,
    TooLate,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Reporter {
    #[schemars(length(min = 1, max = 80))]
    name: String,
    #[schemars(length(min = 3, max = 120))]
    email: String,
    organisation: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Item {
    #[schemars(regex(pattern = r"^SKU-\d{6}$"))]
    sku: String,
    #[schemars(range(min = 1, max = 999))]
    quantity: u32,
    #[schemars(range(min = 0.0, max = 100_000.0))]
    unit_price: f64,
    note: Option<String>,
}

#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    Shipped,
}

#[derive(Debug, Serialize)]
struct OrderStatus {
    order_id: String,
    state: State,
    eta_days: u32,
}

#[derive(Debug, Serialize)]
struct Cancellation {
    order_id: String,
    reason: Reason,
    refund_cents: u64,
}

#[derive(Debug, Serialize)]
struct Ticket {
    id: usize,
    title: String,
    total: f64,
    lines: usize,
}

/// Look up where an order is.
#[tool(read_only, inline)]
fn get_order_status(
    /// The order number.
    #[arg(pattern = r"^A\d{4}$")]
    order_id: String,
) -> OrderStatus {
    OrderStatus {
        order_id,
        state: State::Shipped,
        eta_days: 3,
    }
}

/// Cancel an order.
#[tool(read_only, inline)]
fn cancel_order(
    /// The order number.
    #[arg(pattern = r"^A\d{4}$")]
    order_id: String,
    /// Why it is cancelled.
    reason: Reason,
) -> Cancellation {
    Cancellation {
        order_id,
        reason,
        refund_cents: 12_900,
    }
}

/// Write down what a customer reports.
#[tool(read_only, inline)]
#[allow(clippy::too_many_arguments, reason = "what is measured")]
fn create_ticket(
    /// One line.
    #[arg(min_length = 1, max_length = 200)]
    title: String,
    /// The whole story.
    #[arg(max_length = 4000)]
    description: String,
    /// 1 is the most urgent.
    #[arg(minimum = 1, maximum = 5)]
    priority: u8,
    /// Who reports it.
    reporter: Reporter,
    /// What it is about.
    #[arg(min_items = 1, max_items = 50)]
    items: Vec<Item>,
    /// Labels.
    tags: Option<Vec<String>>,
    /// Days until it must be done.
    #[arg(minimum = 0, maximum = 365)]
    due_days: Option<u32>,
    /// The estimate, in hours.
    #[arg(minimum = 0.0, maximum = 1000.0)]
    estimate_hours: f64,
) -> Ticket {
    // Every argument is used, so that no reading of one can be left out.
    let total = items
        .iter()
        .map(|item| f64::from(item.quantity) * item.unit_price)
        .sum();
    let id = description.len()
        + reporter.name.len()
        + reporter.email.len()
        + reporter.organisation.map_or(0, |text| text.len())
        + tags.map_or(0, |tags| tags.len())
        + due_days.unwrap_or(0) as usize
        + usize::from(priority)
        + items
            .iter()
            .map(|item| item.sku.len() + item.note.as_ref().map_or(0, String::len))
            .sum::<usize>();
    Ticket {
        id,
        title,
        total,
        lines: items.len() + usize::from(estimate_hours > 1000.0),
    }
}

/// The same arguments as structs, for the columns without the library.
mod structs {
    use super::{Deserialize, Item, Reason, Reporter};

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct GetOrderStatus {
        pub(super) order_id: String,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct CancelOrder {
        pub(super) order_id: String,
        pub(super) reason: Reason,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct CreateTicket {
        pub(super) title: String,
        pub(super) description: String,
        pub(super) priority: u8,
        pub(super) reporter: Reporter,
        pub(super) items: Vec<Item>,
        pub(super) tags: Option<Vec<String>>,
        pub(super) due_days: Option<u32>,
        pub(super) estimate_hours: f64,
    }
}

const CASES: [(&str, &str); 3] = [
    ("get_order_status", r#"{"order_id":"A1234"}"#),
    (
        "cancel_order",
        r#"{"order_id":"A1234","reason":"wrong_item"}"#,
    ),
    ("create_ticket", include_str!("ticket.json")),
];

/// One way to run a call.
trait Column {
    const LABEL: &'static str;
    fn call(&self, tool: &'static str, arguments: &str) -> String;
}

fn run(tool: &str, read: &dyn Reader) -> String {
    let text = |value: Result<String, serde_json::Error>| value.unwrap();
    match tool {
        "get_order_status" => {
            let a = read.one();
            text(serde_json::to_string(&get_order_status(a.order_id)))
        }
        "cancel_order" => {
            let a = read.two();
            text(serde_json::to_string(&cancel_order(a.order_id, a.reason)))
        }
        _ => {
            let a = read.eight();
            text(serde_json::to_string(&create_ticket(
                a.title,
                a.description,
                a.priority,
                a.reporter,
                a.items,
                a.tags,
                a.due_days,
                a.estimate_hours,
            )))
        }
    }
}

/// Where the structs come from.
trait Reader {
    fn one(&self) -> structs::GetOrderStatus;
    fn two(&self) -> structs::CancelOrder;
    fn eight(&self) -> structs::CreateTicket;
}

struct FromText<'t>(&'t str);

impl Reader for FromText<'_> {
    fn one(&self) -> structs::GetOrderStatus {
        serde_json::from_str(self.0).unwrap()
    }
    fn two(&self) -> structs::CancelOrder {
        serde_json::from_str(self.0).unwrap()
    }
    fn eight(&self) -> structs::CreateTicket {
        serde_json::from_str(self.0).unwrap()
    }
}

struct FromValue(std::cell::Cell<Value>);

impl Reader for FromValue {
    fn one(&self) -> structs::GetOrderStatus {
        serde_json::from_value(self.0.take()).unwrap()
    }
    fn two(&self) -> structs::CancelOrder {
        serde_json::from_value(self.0.take()).unwrap()
    }
    fn eight(&self) -> structs::CreateTicket {
        serde_json::from_value(self.0.take()).unwrap()
    }
}

/// serde reads the struct, the function runs, serde writes the result. Nothing else.
struct Floor;

impl Column for Floor {
    const LABEL: &'static str = "floor: typed, unchecked";
    fn call(&self, tool: &'static str, arguments: &str) -> String {
        run(tool, &FromText(arguments))
    }
}

/// The obvious way: a `Value`, a compiled validator over the very schema the tool has, `from_value`.
struct Checked(HashMap<&'static str, Validator>);

impl Checked {
    fn new() -> Self {
        let registry = tools![get_order_status, cancel_order, create_ticket];
        Self(
            CASES
                .iter()
                .map(|(name, _)| {
                    let schema = &registry
                        .get(name)
                        .unwrap()
                        .definition()
                        .unwrap()
                        .input_schema;
                    (*name, jsonschema::validator_for(schema).unwrap())
                })
                .collect(),
        )
    }
}

impl Column for Checked {
    const LABEL: &'static str = "Value + is_valid + from_value";
    fn call(&self, tool: &'static str, arguments: &str) -> String {
        let value: Value = serde_json::from_str(arguments).unwrap();
        assert!(self.0[tool].is_valid(&value));
        run(tool, &FromValue(value.into()))
    }
}

/// The library, whole: `dispatch` and `to_json`.
struct Pipeline(Dispatcher);

impl Pipeline {
    fn new() -> Self {
        let builder =
            Dispatcher::builder().registry(tools![get_order_status, cancel_order, create_ticket]);
        Self(builder.build().unwrap())
    }
}

impl Column for Pipeline {
    const LABEL: &'static str = "pipeline";
    fn call(&self, tool: &'static str, arguments: &str) -> String {
        // The tools run inline, so one poll does it; an executor is not what is measured.
        let mut call = pin!(self.0.dispatch(ToolCall::new(tool, arguments)));
        match call.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(outcome) => outcome.to_json(),
            Poll::Pending => unreachable!("nothing to wait for"),
        }
    }
}

/// Nanoseconds a call: the best of many short rounds, which is what the machine's other work disturbs least.
fn best<C: Column>(column: &C, tool: &'static str, arguments: &str) -> f64 {
    const CALLS: u32 = 200;
    let begun = Instant::now();
    let mut best = f64::INFINITY;
    while begun.elapsed() < Duration::from_millis(400) {
        let round = Instant::now();
        for _ in 0..CALLS {
            black_box(column.call(tool, black_box(arguments)));
        }
        best = best.min(round.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS));
    }
    best
}

fn ratios() {
    let (floor, checked, pipeline) = (Floor, Checked::new(), Pipeline::new());
    println!(
        "\n{:20} {:>9} {:>22} {:>22}",
        "tool", "floor", "checked", "pipeline"
    );
    for (tool, arguments) in CASES {
        // In turn, three times, so that a change of the machine's pace touches all columns.
        let mut best_of = [f64::INFINITY; 3];
        for _ in 0..3 {
            best_of[0] = best_of[0].min(best(&floor, tool, arguments));
            best_of[1] = best_of[1].min(best(&checked, tool, arguments));
            best_of[2] = best_of[2].min(best(&pipeline, tool, arguments));
        }
        let [f, c, p] = best_of;
        println!(
            "{tool:20} {f:6.0} ns {c:13.0} ns {:4.2}x {p:13.0} ns {:4.2}x",
            c / f,
            p / f
        );
    }
}

fn measured<C: Column>(criterion: &mut Criterion, column: &C) {
    for (tool, arguments) in CASES {
        let mut group = criterion.benchmark_group(tool);
        group.bench_function(C::LABEL, |b| {
            b.iter(|| column.call(black_box(tool), black_box(arguments)));
        });
        group.finish();
    }
}

/// `once COLUMN TOOL TIMES`: so many calls and nothing else.
fn once(arguments: &[String]) {
    let [column, tool, times] = arguments else {
        panic!("once COLUMN TOOL TIMES")
    };
    let (tool, text) = CASES.into_iter().find(|(name, _)| name == tool).unwrap();
    let times: usize = times.parse().unwrap();
    let repeat = |call: &dyn Fn() -> String| (0..times).map(|_| call().len()).sum::<usize>();
    let written = match column.as_str() {
        "floor" => repeat(&|| Floor.call(tool, black_box(text))),
        "checked" => {
            let column = Checked::new();
            repeat(&|| column.call(tool, black_box(text)))
        }
        _ => {
            let column = Pipeline::new();
            repeat(&|| column.call(tool, black_box(text)))
        }
    };
    println!("{written} bytes");
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == "once") {
        return once(&arguments[1..]);
    }
    // `cargo test --benches` only asks whether it runs.
    for (tool, arguments) in CASES {
        let (floor, checked) = (
            Floor.call(tool, arguments),
            Checked::new().call(tool, arguments),
        );
        let outcome: Value = serde_json::from_str(&Pipeline::new().call(tool, arguments)).unwrap();
        assert_eq!(floor, checked, "{tool}");
        assert_eq!(
            outcome["data"],
            serde_json::from_str::<Value>(&floor).unwrap(),
            "{tool}"
        );
    }
    let mut criterion = Criterion::default()
        .sample_size(40)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_millis(1200))
        .without_plots()
        .configure_from_args();
    measured(&mut criterion, &Floor);
    measured(&mut criterion, &Checked::new());
    measured(&mut criterion, &Pipeline::new());
    criterion.final_summary();
    if std::env::args().any(|argument| argument == "--bench") {
        ratios();
    }
}
