//! What `#[tool]` makes of a function, seen from outside.

use std::borrow::Cow;
use std::path::Path;

use serde_json::{Value, json};
use tool_runtime::{CallContext, Dispatcher, Registry, ToolCall, tool, tools};

/// A registry of its own for each test, so that no test sees another's tools.
async fn call(registry: Registry, name: &str, arguments: Value) -> Value {
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

struct Shop {
    name: String,
}

/// macro case 22: our helpers are removed, `#[cfg]` decides what is there, other attributes stay.
#[tokio::test]
async fn parameters_under_cfg() {
    /// Adds.
    #[tool]
    fn add(
        #[arg(minimum = 1)] n: u8,
        #[cfg(any())] gone: u8,
        #[cfg(all())] here: u8,
        #[allow(unused)] last: u8,
    ) -> u8 {
        n + here * 10 + last * 100
    }
    let registry = tools![add];
    let schema = schema(&registry, "add");
    assert_eq!(schema["required"], json!(["n", "here", "last"]));
    let outcome = call(registry, "add", json!({"n": 1, "here": 2, "last": 1})).await;
    assert_eq!(outcome["data"], 121, "{outcome}");
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
        #[context] shop: &Shop,
        #[context] call: &CallContext,
    ) -> String {
        tokio::task::yield_now().await;
        assert!(!call.trace_id().to_string().is_empty());
        format!(
            "{text} {} {} {cow} {value} {}",
            list.join("+"),
            path.display(),
            shop.name
        )
    }
    /// Echoes.
    #[tool]
    fn echo<'a>(s: &'a str) -> &'a str {
        s
    }
    let arguments = json!({"text": "t", "list": ["a", "b"], "path": "/p", "cow": "c", "value": 1});
    let outcome = call(tools![join], "join", arguments).await;
    assert_eq!(outcome["data"], "t a+b /p c 1 corner", "{outcome}");
    assert_eq!(
        call(tools![echo], "echo", json!({"s": "x"})).await["data"],
        "x"
    );
}
