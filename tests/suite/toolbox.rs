//! Methods as tools.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use tool_runtime::{Arguments, CallContext, Dispatcher, Registry, ToolCall, toolbox, tools};

async fn call(registry: Registry, name: &str, arguments: impl Into<Arguments>) -> Value {
    let dispatcher = Dispatcher::builder()
        .registry(registry)
        .context(7_u8)
        .build()
        .expect("a dispatcher");
    let outcome = dispatcher.dispatch(ToolCall::new(name, arguments)).await;
    serde_json::from_str(&outcome.to_json()).expect("an outcome is JSON")
}

struct Shop {
    name: String,
    sold: AtomicUsize,
}

impl Shop {
    fn new() -> Self {
        Self {
            name: "corner".to_owned(),
            sold: AtomicUsize::new(0),
        }
    }
}

#[toolbox(with = [Refunds])]
impl Shop {
    /// Sells.
    #[tool(title = "Sell", idempotent)]
    async fn sell(
        &self,
        /// how many
        #[arg(minimum = 1, maximum = 9)]
        count: usize,
        #[context] seven: &u8,
        #[context] call: &CallContext,
        label: &str,
    ) -> Result<String, String> {
        tokio::task::yield_now().await;
        assert!(!call.trace_id().to_string().is_empty());
        let sold = self.sold.fetch_add(count, Ordering::SeqCst) + count;
        Ok(format!("{} {label} {sold} {seven}", self.name))
    }

    /// Tells its name.
    #[tool(read_only, inline)]
    fn name(self: &Self) -> &str {
        &self.name
    }

    /// Tells what it is.
    #[tool(read_only, name = "kind")]
    fn what() -> &'static str {
        Self::KIND
    }

    /// macro case 83: configured away, and with it its registration.
    #[cfg(any())]
    #[tool]
    fn gone(&self) -> Missing {}

    /// macro case 83: a tool under a condition.
    #[cfg_attr(all(), tool, must_use)]
    fn here(&self) -> u8 {
        1
    }

    /// macro case 83: not a tool.
    #[cfg_attr(any(), tool)]
    fn plain(&self) -> u8 {
        2
    }

    const KIND: &'static str = {
        const fn kind() -> &'static str {
            "shop"
        }
        kind()
    };
}

#[toolbox(part = Refunds)]
impl Shop {
    /// Takes back.
    #[tool]
    fn refund(&self, count: usize) -> usize {
        self.sold.fetch_sub(count, Ordering::SeqCst) - count
    }
}

/// Where things are kept.
trait Store: Send + Sync + 'static {
    type Key: serde::de::DeserializeOwned + schemars::JsonSchema;
    fn get(&self, key: Self::Key) -> String;
}

struct Memory;

impl Store for Memory {
    type Key = u8;
    fn get(&self, key: u8) -> String {
        format!("memory {key}")
    }
}

struct Kept<S, const N: usize> {
    store: S,
}

#[toolbox]
impl<S: Store, const N: usize> Kept<S, N>
where
    S::Key: Send,
{
    /// Gets.
    #[tool]
    async fn get(&self, key: S::Key, #[arg(default = Self::LIMIT)] limit: usize) -> String {
        format!("{} {limit} {N}", self.store.get(key))
    }

    const LIMIT: usize = N;
}

macro_rules! boxes {
    ($($ty:ident { $($method:ident $words:literal),* })*) => {
        $(
            struct $ty;

            #[toolbox]
            impl $ty {
                $(
                    #[doc = $words]
                    #[tool]
                    fn $method(&self, x: i32) -> i32 {
                        x
                    }
                )*
            }
        )*
    };
}

// macro case 13: a box that a macro makes, methods and all.
boxes! { Made { one "First.", two "Second." } }

#[tokio::test]
async fn methods_are_called_on_the_value() {
    let shop = Arc::new(Shop::new());
    let registry = Registry::shared_toolbox::<_, ()>(Arc::clone(&shop));
    let names: Vec<_> = registry
        .iter()
        .map(tool_runtime::RegisteredTool::name)
        .collect();
    assert_eq!(names, ["here", "kind", "name", "refund", "sell"]);
    let outcome = call(
        registry.clone(),
        "sell",
        json!({"count": 2, "label": "apples"}),
    )
    .await;
    assert_eq!(outcome["data"], "corner apples 2 7", "{outcome}");
    assert_eq!(
        call(registry.clone(), "sell", json!({"count": 0, "label": ""})).await["ok"],
        false
    );
    assert_eq!(
        call(registry.clone(), "refund", json!({"count": 1})).await["data"],
        1
    );
    assert_eq!(call(registry.clone(), "name", "{}").await["data"], "corner");
    assert_eq!(call(registry.clone(), "kind", "{}").await["data"], "shop");
    assert_eq!(call(registry, "here", "").await["data"], 1);
    assert_eq!(shop.sold.load(Ordering::SeqCst), 1);
    assert_eq!(shop.plain() + shop.here(), 3);
}

#[tokio::test]
async fn one_part_alone() {
    let registry = Registry::shared_toolbox::<_, Refunds>(Arc::new(Shop::new()));
    assert_eq!(registry.len(), 1);
}

#[tokio::test]
async fn generic_types() {
    let registry = Registry::toolbox(Kept::<_, 3> { store: Memory });
    let outcome = call(registry, "get", json!({"key": 5})).await;
    assert_eq!(outcome["data"], "memory 5 3 3", "{outcome}");
}

#[tokio::test]
async fn boxes_beside_each_other_and_beside_functions() {
    /// Adds.
    #[tool_runtime::tool]
    fn add(a: u8, b: u8) -> u8 {
        a + b
    }
    let registry = tools![add]
        .merge(Registry::toolbox(Made))
        .merge(Registry::toolbox(Shop::new()));
    assert_eq!(registry.len(), 8);
    assert_eq!(call(registry, "two", json!({"x": 4})).await["data"], 4);
}
