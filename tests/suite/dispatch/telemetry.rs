//! One span a call, and nothing in it that a model or a secret could fill.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use tool_runtime::__private::{Of, OfValue as _, Run, StaticTool};
use tool_runtime::{Dispatcher, Registry, ToolCall};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::support::{Effects, TOOL, approval, block_on, shop};

#[derive(Debug, Clone, Default)]
struct Span {
    name: &'static str,
    fields: BTreeMap<&'static str, String>,
    entered: usize,
}

/// Keeps every span and every event's text.
#[derive(Clone, Default)]
struct Seen {
    spans: Arc<Mutex<Vec<Span>>>,
    events: Arc<Mutex<Vec<String>>>,
    next: Arc<AtomicU64>,
}

struct Fields<'a>(&'a mut BTreeMap<&'static str, String>);

impl Visit for Fields<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name(), value.to_owned());
    }
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }
}

impl Subscriber for Seen {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let mut span = Span {
            name: attributes.metadata().name(),
            ..Span::default()
        };
        attributes.record(&mut Fields(&mut span.fields));
        self.spans.lock().unwrap().push(span);
        Id::from_u64(self.next.fetch_add(1, Ordering::SeqCst) + 1)
    }
    fn record(&self, id: &Id, values: &Record<'_>) {
        let mut spans = self.spans.lock().unwrap();
        values.record(&mut Fields(&mut spans[id.into_u64() as usize - 1].fields));
    }
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, event: &Event<'_>) {
        let mut fields = BTreeMap::new();
        event.record(&mut Fields(&mut fields));
        self.events.lock().unwrap().push(format!("{fields:?}"));
    }
    fn enter(&self, id: &Id) {
        self.spans.lock().unwrap()[id.into_u64() as usize - 1].entered += 1;
    }
    fn exit(&self, _: &Id) {}
}

/// What was seen while `f` ran.
fn watched(f: impl FnOnce(&Dispatcher)) -> (Vec<Span>, Vec<String>) {
    let seen = Seen::default();
    let dispatcher = Dispatcher::builder()
        .registry(shop())
        .context(Effects::default())
        .build()
        .unwrap();
    tracing::subscriber::with_default(seen.clone(), || f(&dispatcher));
    let spans = std::mem::take(&mut *seen.spans.lock().unwrap());
    let events = std::mem::take(&mut *seen.events.lock().unwrap());
    (spans, events)
}

fn call(dispatcher: &Dispatcher, tool: &str, arguments: &str) -> String {
    let call = ToolCall::new(tool, arguments).with_id("call_1");
    block_on(dispatcher.dispatch(call)).trace_id.to_string()
}

#[test]
fn a_call_has_one_span_with_what_is_known_of_it() {
    let mut trace = String::new();
    let (spans, _) = watched(|dispatcher| {
        trace = call(dispatcher, "search", r#"{"query":"x","limit":null}"#);
    });
    assert_eq!(spans.len(), 1);
    let span = &spans[0];
    assert_eq!(span.name, "execute_tool");
    assert!(span.entered > 0, "the tool runs inside it");
    let fields: Vec<(&str, &str)> = span.fields.iter().map(|(n, v)| (*n, &**v)).collect();
    assert_eq!(
        fields,
        [
            ("gen_ai.operation.name", "execute_tool"),
            ("gen_ai.tool.call.id", "call_1"),
            ("gen_ai.tool.name", "search"),
            ("gen_ai.tool.type", "function"),
            ("otel.name", "execute_tool search"),
            ("tool.executed", "yes"),
            ("tool.repairs", "1"),
            ("tool.risk", "low"),
            ("tool.trace_id", &*trace),
        ]
    );
}

#[test]
fn a_refused_call_has_one_too_with_its_code() {
    let (spans, _) = watched(|dispatcher| {
        call(dispatcher, "search", "{}");
        call(dispatcher, "refund", r#"{"order":1,"cents":5}"#);
        call(dispatcher, "search", "{");
    });
    let codes: Vec<_> = spans
        .iter()
        .map(|span| {
            (
                &*span.fields["error.type"],
                span.fields.get("otel.status_code"),
            )
        })
        .collect();
    let error = "ERROR".to_owned();
    assert_eq!(
        codes,
        [
            ("schema", Some(&error)),
            // To wait for a person is no error.
            ("pending", None),
            ("parse_error", Some(&error)),
        ]
    );
    for span in &spans {
        assert_eq!(span.fields["tool.executed"], "no");
    }
}

#[test]
fn an_approved_call_has_its_own() {
    let (spans, _) = watched(|dispatcher| {
        let asked = ToolCall::new("refund", r#"{"order":1,"cents":5}"#);
        let waiting = approval(&block_on(dispatcher.dispatch(asked)));
        block_on(dispatcher.approve(&waiting, "ann")).unwrap();
    });
    assert_eq!(spans.len(), 2);
    let fields = &spans[1].fields;
    assert_eq!(fields["tool.approval.status"], "approved");
    assert_eq!(fields["tool.trace_id"], spans[0].fields["tool.trace_id"]);
    assert_eq!(fields["gen_ai.tool.name"], "refund");
    // Who it was is the journal's to know.
    assert!(!format!("{spans:?}").contains("ann"));
}

#[test]
fn g11_a_name_the_model_made_up_is_no_label() {
    let (spans, _) = watched(|dispatcher| {
        for i in 0..50 {
            call(dispatcher, &format!("made_up_{i}"), "{}");
        }
    });
    assert_eq!(spans.len(), 50);
    let mut names: Vec<&str> = spans
        .iter()
        .map(|s| &*s.fields["gen_ai.tool.name"])
        .collect();
    names.dedup();
    assert_eq!(names, ["_unknown"]);
    assert!(!format!("{spans:?}").contains("made_up"));
}

#[test]
fn g09_arguments_and_results_are_in_no_span_and_no_event() {
    let planted = "planted4711";
    let (spans, events) = watched(|dispatcher| {
        for arguments in [
            format!(r#"{{"order":1,"text":"{planted}"}}"#),
            format!(r#"{{"order":"{planted}","text":1}}"#),
            format!(r#"{{"{planted}":1}}"#),
            format!(r#"{{"order":1,"text":"{planted}"#),
        ] {
            call(dispatcher, "add_note", &arguments);
            call(dispatcher, "refund", &arguments);
        }
    });
    assert_eq!(spans.len(), 8);
    let told = format!("{spans:?} {events:?}");
    assert!(!told.contains(planted), "{told}");
}

#[test]
fn what_is_kept_from_the_model_is_logged_without_its_credentials() {
    static LEAKY: StaticTool = StaticTool {
        name: "leaky",
        mask_errors: true,
        run: Run::Inline(|_| {
            Of(Err::<(), _>(
                "10.0.0.7 refused api_key=s3cr3tvalue".to_owned(),
            ))
            .split()?;
            Of(()).answer()
        }),
        ..TOOL
    };
    let seen = Seen::default();
    let dispatcher = Dispatcher::builder()
        .registry(Registry::of(&[&LEAKY]))
        .context(Effects::default())
        .build()
        .unwrap();
    tracing::subscriber::with_default(seen.clone(), || {
        block_on(dispatcher.dispatch(ToolCall::new("leaky", "{}")))
    });
    let events = format!("{:?}", seen.events.lock().unwrap());
    assert!(events.contains("10.0.0.7"), "{events}");
    assert!(!events.contains("s3cr3tvalue"), "{events}");
}

#[test]
fn two_threads_see_their_own_spans() {
    // A subscriber of one thread is not another's: calls on a thread without one are not traced.
    let (spans, _) = watched(|dispatcher| {
        std::thread::scope(|scope| {
            scope.spawn(|| call(dispatcher, "ping", "{}"));
        });
        call(dispatcher, "ping", "{}");
    });
    assert_eq!(spans.len(), 1);
}
