//! Expansion snapshots, and tables of what is said about what.
//!
//! `UPDATE_EXPECT=1 cargo test -p tool-macros` rewrites the snapshots; read what it wrote.

use expect_test::{Expect, expect, expect_file};
use proc_macro2::TokenStream;

fn tokens(source: &str) -> TokenStream {
    source.parse().expect("the test's own source lexes")
}

/// What `#[tool(args)] item` becomes, as rustfmt would print it.
#[track_caller]
fn expands(args: &str, item: &str, expected: &expect_test::ExpectFile) {
    let expanded = crate::expand_tool(tokens(args), tokens(item)).to_string();
    let file = syn::parse_file(&expanded).unwrap_or_else(|problem| panic!("{problem}: {expanded}"));
    expected.assert_eq(&prettyplease::unparse(&file));
}

#[test]
fn smallest() {
    expands(
        "",
        "/// Tells the time.\nfn now() -> String { clock() }",
        &expect_file!["snapshots/smallest.rs"],
    );
}

#[test]
fn fullest() {
    expands(
        r#"name = "cancel_order", title = "Cancel an order", risk = "high", confirm = "Cancel the order?", idempotent,
           open_world, exclusive, version = 2, alias = ["cancel", "stop_order"], timeout = "30s", max_output = "64 KiB",
           mask_errors, rename_all = "camelCase", item = Cancel"#,
        r##"
        /// Cancels an order.
        ///
        /// # Arguments
        /// * `reason` - Why.
        #[must_use]
        pub(crate) fn cancel(
            /// The order number.
            #[arg(pattern = r"^A\d{4}$", example = "A1001", alias = "id")] order_id: &str,
            reason: Option<CancelReason>,
            #[arg(default = 1, minimum = 1, maximum = 9)] copies: u8,
            #[arg(secret, min_length = 8)] pass_word: String,
            #[arg(default = "none")] note: String,
            #[arg(max_items = 3, unique_items, description = TAGS)] tags: Vec<String>,
            #[cfg(feature = "gifts")] gift: bool,
            mut last: f64,
        ) -> Result<Cancelled, ShopError> { body }
        "##,
        &expect_file!["snapshots/fullest.rs"],
    );
}

#[test]
fn asynchronous() {
    expands(
        "read_only",
        "/// Waits.\npub async fn wait(#[arg(maximum = 60)] seconds: u64) { sleep(seconds).await }",
        &expect_file!["snapshots/asynchronous.rs"],
    );
}

#[test]
fn context() {
    expands(
        "inline",
        "/// Counts.\nfn count<'a>(#[context] shop: &'a Shop, name: Cow<'a, str>, #[context] call: &CallContext) -> &'a str { body }",
        &expect_file!["snapshots/context.rs"],
    );
}

#[test]
fn crate_path() {
    expands(
        "crate = facade::tools, description = concat!(\"a\", \"b\")",
        "#[deprecated] fn old() -> impl Serialize {}",
        &expect_file!["snapshots/crate_path.rs"],
    );
}

/// The function survives, and so does the name of its item.
#[test]
fn refused() {
    expands(
        r#"risk = "hgih", risk = "low""#,
        "/// Cancels.\npub fn cancel(/** which */ #[arg(nme = 1)] id: u8, #[context] shop: &Shop) { body }",
        &expect_file!["snapshots/refused.rs"],
    );
}

/// `#[tool]` steps behind attributes that may change the function.
#[test]
fn behind_others() {
    expands(
        "read_only",
        "/// Runs.\n#[must_use]\n#[tokio::main]\nasync fn run() { body }",
        &expect_file!["snapshots/behind_others.rs"],
    );
}

/// Every message about `#[tool(args)] item`, in order.
#[track_caller]
fn told(args: &str, item: &str, expected: Expect) {
    let mut errors = crate::errors::Errors::default();
    let args = crate::args::tool(tokens(args), &mut errors);
    if let Some(function) = crate::item::parse(tokens(item), &mut errors) {
        let tool = crate::check::tool(
            &args,
            &function,
            None,
            &crate::check::Home::Free,
            &mut errors,
        );
        assert_eq!(tool.is_none(), !errors.is_empty(), "a tool, or mistakes");
    }
    expected.assert_eq(&errors.into_messages().join("\n\n"));
}

const GOOD: &str = "/// Does.\nfn does() {}";

#[test]
fn all_mistakes_are_told_at_once() {
    told(
        r#"risc = "high", timeout = "30", , 3, read_only = "yes" inline"#,
        "unsafe fn f<T>((a, b): (i32, i32), x: Option<&str>) {}",
        expect![[r#"
            expected a key, such as `risk = "high"`

            expected `,` before the next key

            unknown key `risc` in `#[tool]`
            help: did you mean `risk`?
            note: the keys are `risk`, `confirm`, `read_only`, `destructive`, `idempotent`, `open_world`, `exclusive`, `name`, `title`, `description`, `rename_all`, `version`, `alias`, `timeout`, `max_output`, `inline`, `local`, `mask_errors`, `schema`, `crate`, `item`

            expected `read_only`, or `read_only = true` or `read_only = false`

            a model cannot keep an unsafe function's promises; wrap it in a safe one

            a tool's arguments have one schema, so `T` cannot be generic

            a tool needs a description: it is the prompt the model decides by
            help: add a doc comment that says what it does, when to use it and when not

            a tool's parameter needs a name the model can see
            help: name it, and take it apart in the body; or say `#[arg(name = "...")]`

            arguments are read from the call, and a borrow inside another type has nothing to point into
            help: `Option<String>`

            `30` is not a duration; expected a whole number with a unit, such as `30s`, `500ms` or `2m`"#]],
    );
}

#[test]
fn half_typed_attributes_are_told_where_they_stop() {
    told(
        "risk =",
        GOOD,
        expect![[r#"`risk` needs a value: `risk = "high"`"#]],
    );
    told(
        "risk = , read_only",
        GOOD,
        expect![[r#"`risk` needs a value: `risk = "high"`"#]],
    );
    told(
        "=",
        GOOD,
        expect![[r#"expected a key, such as `risk = "high"`"#]],
    );
    told(
        "name()",
        GOOD,
        expect![[r#"`name` takes its value after `=`: `name = "cancel_order"`"#]],
    );
}

#[test]
fn contradictions() {
    told(
        r#"risk = "high", confirm = false"#,
        GOOD,
        expect![
            "a high-risk tool always asks before it runs; lower the risk, or let the host's policy allow it"
        ],
    );
    told(
        "read_only, destructive",
        GOOD,
        expect!["a tool cannot be both `read_only` and `destructive`"],
    );
    told(
        "read_only, idempotent = false",
        GOOD,
        expect![
            "a tool that changes nothing is idempotent; drop `idempotent = false`, or `read_only`"
        ],
    );
    told(
        r#"read_only, risk = "high""#,
        GOOD,
        expect![
            "a tool that changes nothing cannot be high risk; drop `read_only`, or use `confirm` if its answer is sensitive"
        ],
    );
    told(
        r#"risk = "low", confirm = "never""#,
        GOOD,
        expect![[
            r#"`never` is not a question for a person; write `confirm` to ask always, or `confirm = "Cancel the order?"`"#
        ]],
    );
    told(r#"risk = "medium", confirm = false"#, GOOD, expect![[""]]);
}

/// macro case 19
#[test]
fn other_items_are_named() {
    for item in [
        "struct S;",
        "pub(crate) enum E {}",
        "union U { a: u8 }",
        "trait T {}",
        "unsafe trait T {}",
        "impl S {}",
        "mod m {}",
        "const C: u8 = 1;",
        "static S: u8 = 1;",
        "type T = u8;",
        "use a::b;",
        "extern crate a;",
        "extern \"C\" { fn f(); }",
        "unsafe extern \"C\" { fn f(); }",
        "mk!(one);",
        "let x = 1;",
        "fn f();",
        "1 + 1",
        "",
    ] {
        let mut errors = crate::errors::Errors::default();
        assert!(
            crate::item::parse(tokens(item), &mut errors).is_none(),
            "{item}"
        );
        assert_eq!(errors.into_messages().len(), 1, "{item}");
    }
}
