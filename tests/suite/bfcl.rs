//! 5,641 calls that nobody here wrote, each with its recorded verdict, through `DynamicTool`s and the real pipeline.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use tool_runtime::{
    Dispatcher, DynamicTool, ErrorType, Registry, Repair, Repairs, Risk, ToolCall, ToolOutcome,
};

use crate::support::{block_on, shared};

/// The most problems one answer lists.
const LISTED: usize = 20;

#[derive(Deserialize)]
struct Offered {
    tool: String,
    description: String,
    input_schema: Value,
}

#[derive(Deserialize)]
struct Row {
    id: String,
    tool: String,
    valid: bool,
    mutation: Option<String>,
    #[serde(default)]
    errors: Vec<String>,
    valid_closed: Option<bool>,
    errors_closed: Option<Vec<String>>,
}

/// A call with its arguments as they are written in the file, digit by digit.
struct Call {
    row: Row,
    arguments: String,
}

impl Call {
    fn read(line: &str) -> Self {
        let row: Row = serde_json::from_str(line).unwrap();
        let at = line.find("\"args\":").unwrap() + "\"args\":".len();
        let mut values = serde_json::Deserializer::from_str(&line[at..]).into_iter::<IgnoredAny>();
        values.next().unwrap().unwrap();
        let arguments = line[at..at + values.byte_offset()].to_owned();
        Self { row, arguments }
    }

    fn valid(&self) -> bool {
        self.row.valid_closed.unwrap_or(self.row.valid)
    }

    fn errors(&self) -> BTreeSet<&str> {
        let errors = self.row.errors_closed.as_ref().unwrap_or(&self.row.errors);
        errors.iter().map(String::as_str).collect()
    }

    fn mutation(&self) -> &str {
        self.row.mutation.as_deref().unwrap_or("none")
    }
}

struct Corpus {
    calls: Vec<Call>,
    registry: Registry,
    effects: Arc<AtomicUsize>,
}

fn corpus(folder: &Path) -> Corpus {
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let effects = Arc::new(AtomicUsize::new(0));
    let mut registry = Registry::new();
    for line in read("schemas.jsonl").lines() {
        let offered: Offered = serde_json::from_str(line).unwrap();
        let counter = Arc::clone(&effects);
        let handler = move |_, _| {
            counter.fetch_add(1, Ordering::Relaxed);
            async { Ok(Value::Null) }
        };
        let tool = DynamicTool::new(
            offered.tool,
            offered.description,
            offered.input_schema,
            handler,
        );
        registry.add(tool.risk(Risk::Low)).unwrap();
    }
    let calls = read("calls.jsonl").lines().map(Call::read).collect();
    Corpus {
        calls,
        registry,
        effects,
    }
}

fn paths(outcome: &ToolOutcome) -> BTreeSet<&str> {
    let errors = outcome.failure().into_iter().flat_map(|f| &f.errors);
    errors.map(|error| error.path.as_str()).collect()
}

#[test]
fn without_repairs_every_verdict_and_every_path_is_as_recorded() {
    let Some(folder) = shared("corpus/bfcl") else {
        return;
    };
    let corpus = corpus(&folder);
    let dispatcher = Dispatcher::builder()
        .registry(corpus.registry)
        .repairs(Repairs::NONE)
        .build()
        .unwrap();
    let (mut verdicts, mut path_sets, mut differences) = (0, 0, Vec::new());
    for call in &corpus.calls {
        let before = corpus.effects.load(Ordering::Relaxed);
        let outcome =
            block_on(dispatcher.dispatch(ToolCall::new(&call.row.tool, &*call.arguments)));
        let ran = corpus.effects.load(Ordering::Relaxed) - before;
        assert_eq!(
            ran,
            usize::from(outcome.is_ok()),
            "{}: the tool runs if and only if the call is judged valid",
            call.row.id
        );
        assert!(outcome.repairs.is_empty(), "{}", call.row.id);
        if let Some(failure) = outcome.failure() {
            assert_eq!(
                failure.error_type,
                ErrorType::InvalidArguments,
                "{}",
                call.row.id
            );
        }
        verdicts += usize::from(outcome.is_ok() == call.valid());
        // The answer lists the first twenty problems, in the order of their paths, and says how many more there are.
        let recorded = call.errors();
        let listed: BTreeSet<&str> = recorded.iter().copied().take(LISTED).collect();
        let told = recorded.len() <= LISTED
            || outcome.failure().is_some_and(|failure| {
                let more = format!("and {} more", recorded.len() - LISTED);
                failure.message.contains(&more)
            });
        if paths(&outcome) == listed && told {
            path_sets += 1;
        } else {
            differences.push(format!(
                "{}: recorded {recorded:?}, got {:?}",
                call.row.id,
                paths(&outcome)
            ));
        }
    }
    println!(
        "BFCL, closed, repairs off: {verdicts} of {} verdicts and {path_sets} path sets as recorded",
        corpus.calls.len()
    );
    assert_eq!(differences, Vec::<String>::new());
    assert_eq!((verdicts, path_sets), (5641, 5641));
}

#[test]
fn default_repairs_change_the_verdict_of_their_own_kinds_alone() {
    let Some(folder) = shared("corpus/bfcl") else {
        return;
    };
    let corpus = corpus(&folder);
    let dispatcher = Dispatcher::builder()
        .registry(corpus.registry)
        .build()
        .unwrap();
    // Mutation, then repair, to how many calls became valid by it.
    let mut changed: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut floats = 0;
    for call in &corpus.calls {
        let outcome =
            block_on(dispatcher.dispatch(ToolCall::new(&call.row.tool, &*call.arguments)));
        let mut repairs: Vec<Repair> = outcome.repairs.iter().map(|r| r.repair).collect();
        repairs.sort_unstable();
        repairs.dedup();
        if call.valid() {
            assert!(
                outcome.is_ok(),
                "{}: a repair never makes a call worse: {}",
                call.row.id,
                outcome.to_json()
            );
            floats += usize::from(repairs.contains(&Repair::IntegralFloat));
            continue;
        }
        if outcome.is_ok() {
            assert!(!repairs.is_empty(), "{}: unrecorded repair", call.row.id);
            let repairs = serde_json::to_value(&repairs).unwrap();
            let names: Vec<&str> = repairs
                .as_array()
                .unwrap()
                .iter()
                .filter_map(Value::as_str)
                .collect();
            *changed
                .entry((call.mutation().to_owned(), names.join("+")))
                .or_default() += 1;
        }
    }
    println!(
        "BFCL, closed, default repairs: refused as recorded and now valid, by mutation and repair:"
    );
    for ((mutation, repair), count) in &changed {
        println!("  {mutation:24} {repair:24} {count:4}");
    }
    println!("  and {floats} valid calls were freed of an integral float");
    let changed: Vec<(&str, &str, usize)> = changed
        .iter()
        .map(|((mutation, repair), count)| (&**mutation, &**repair, *count))
        .collect();
    assert_eq!(
        changed,
        [
            // A tool whose schema requires nothing.
            ("args_null", "empty_arguments", 5),
            // The reference calls themselves: null for an optional member.
            ("bfcl_ground_truth", "null_for_absent", 2),
            ("double_encoded_args", "double_encoded", 112),
            ("null_every_optional", "null_for_absent", 112),
            ("null_optional", "null_for_absent", 112),
        ]
    );
    assert_eq!(floats, 112);
}
