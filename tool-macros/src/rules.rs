// Every message of the checker, beside the name of its rule and an example of the mistake.
//
// House style: lower case, no full stop, code in backticks, what was expected, the fix where it is certain. The file is
// data: `errors.rs` makes a function of each row, and `tests/suite/rules.rs` proves that a UI test provokes each.
rules! {
    // ---- what the attribute stands on --------------------------------------------------------------------------------

    /// `#[tool] struct S;`
    not_a_function(what) => "`#[tool]` goes on a function, and this is {what}";
    /// `#[tool] impl S { .. }`
    impl_block() => "`#[tool]` goes on a function; for methods put `#[toolbox]` on the impl block";
    /// `trait T { #[tool] fn f(); }`
    no_body() => "a tool needs a body to run";
    /// `#[tool] #[tool] fn f() {}`
    tool_twice() => "`#[tool]` is given twice";
    /// A function that the macro's own parser does not know.
    unknown_syntax(problem) => "`#[tool]` cannot read this function: {problem}";

    // ---- the grammar of `#[tool(..)]` and `#[arg(..)]` ---------------------------------------------------------------

    /// `#[tool("high")]`
    expected_key(example) => "expected a key, such as `{example}`";
    /// `#[tool(read_only inline)]`
    expected_comma() => "expected `,` before the next key";
    /// `#[tool(risc = "high")]`
    unknown_key(key, attribute) => "unknown key `{key}` in `#[{attribute}]`";
    /// `#[tool(risk = "low", risk = "high")]`
    given_twice(key, first) => "`{key}` is given twice\nnote: first given as `{first}`";
    /// `#[tool(risk = high)]`
    expected_string(example) => "expected a string: `{example}`";
    /// `#[tool(read_only = "yes")]`
    expected_switch(key) => "expected `{key}`, or `{key} = true` or `{key} = false`";
    /// `#[tool(description)]`
    expected_value(key, example) => "`{key}` needs a value: `{example}`";
    /// `#[tool(alias = ["a"; 2 b])]`
    unreadable_value(problem) => "this value cannot be read: {problem}";
    /// `#[tool(item = 3)]`
    expected_name(example) => "expected a name: `{example}`";
    /// `#[tool(crate = 3)]`
    expected_path(example) => "expected a path: `{example}`";
    /// `#[tool(confirm(please))]`
    expected_no_parentheses(key, example) => "`{key}` takes its value after `=`: `{example}`";
    /// `#[arg(minimum = "1")]`
    expected_number(key) => "expected a number: `{key} = 1`";
    /// `#[arg(min_length = -1)]`
    expected_count(key) => "expected a whole number from 0: `{key} = 1`";
    /// `#[arg] id: u32`
    arg_without_keys() => "`#[arg]` without keys says nothing: `#[arg(description = \"...\")]`, or leave it out";
    /// `#[arg = 3] id: u32`
    arg_form(attribute) => "`#[{attribute}]` is written `#[{attribute}(...)]`";
    /// `#[context(shop)] shop: &Shop`
    context_form() => "`#[context]` takes nothing: the type says what the host supplies";
    /// `#[cfg_attr(test, arg(secret))] id: u32`
    conditional_helper(attribute) => "`#[{attribute}]` cannot be conditional here; put `#[cfg]` on two parameters instead";

    // ---- values of `#[tool(..)]` -------------------------------------------------------------------------------------

    /// `#[tool(risk = "hgih")]`
    unknown_risk(level) => "unknown risk level `{level}`; expected `low`, `medium` or `high`";
    /// `#[tool(risk = "high", confirm = false)]`
    high_risk_unconfirmed() => "a high-risk tool always asks before it runs; lower the risk, or let the host's policy allow it";
    /// `#[tool(confirm = "yes")]`
    not_a_question(text) => "`{text}` is not a question for a person; write `confirm` to ask always, or `confirm = \"Cancel the order?\"`";
    /// `#[tool(read_only, destructive)]`
    read_only_destructive() => "a tool cannot be both `read_only` and `destructive`";
    /// `#[tool(read_only, idempotent = false)]`
    read_only_not_idempotent() => "a tool that changes nothing is idempotent; drop `idempotent = false`, or `read_only`";
    /// `#[tool(read_only, risk = "high")]`
    read_only_high_risk() => "a tool that changes nothing cannot be high risk; drop `read_only`, or use `confirm` if its answer is sensitive";
    /// `#[tool(name = "cancel order")]`
    bad_name(name, problem) => "invalid tool name: `{name}` {problem}; every provider accepts a letter or `_`, then letters, digits, `_` and `-`, at most 64 together";
    /// `#[tool(name = "__help")]`
    reserved_name(name) => "invalid tool name: `{name}` begins with `__`, which is kept for this library";
    /// `#[tool(alias = "cancel_order")] fn cancel_order()`
    alias_is_name(name) => "`{name}` is already the tool's name";
    /// `#[tool(alias = "a", alias = "a")]`
    alias_twice(name) => "the alias `{name}` is given twice";
    /// `#[tool(title = "")]`
    blank(key) => "`{key}` is blank; say something, or leave it out";
    /// `#[tool] fn f() {}`
    no_description() => "a tool needs a description: it is the prompt the model decides by\nhelp: add a doc comment that says what it does, when to use it and when not";
    /// `#[tool(rename_all = "camel")]`
    unknown_spelling(given) => "unknown spelling `{given}`; expected `lowercase`, `UPPERCASE`, `PascalCase`, `camelCase`, `snake_case`, `SCREAMING_SNAKE_CASE`, `kebab-case` or `SCREAMING-KEBAB-CASE`";
    /// `#[tool(version = 0)]`
    bad_version() => "expected a whole number from 1 to 4294967295: `version = 2`";
    /// `#[tool(timeout = "30")]`
    bad_duration(given) => "`{given}` is not a duration; expected a whole number with a unit, such as `30s`, `500ms` or `2m`";
    /// `#[tool(max_output = "64")]`
    bad_size(given) => "`{given}` is not a size; expected a whole number with a unit, such as `64 KiB`, `1 MB` or `100 B`";
    /// `#[tool(inline)] async fn f() {}`
    inline_async() => "an `async fn` always runs where the dispatch is polled; `inline` is for plain functions";
    /// `#[tool] fn str() {}`
    hides_primitive(name) => "the tool's item would hide the type `{name}` in this module\nhelp: `#[tool(item = {name}_tool)]`";

    // ---- the signature -----------------------------------------------------------------------------------------------

    /// `fn f<T>(x: T)`
    generic_type(name) => "a tool's arguments have one schema, so `{name}` cannot be generic";
    /// `fn f<const N: usize>(x: [u8; N])`
    generic_const(name) => "a tool's arguments have one schema, so the length `{name}` cannot be generic";
    /// `unsafe fn f()`
    unsafe_function() => "a model cannot keep an unsafe function's promises; wrap it in a safe one";
    /// `extern "C" fn f()`
    foreign_abi() => "a tool is called from Rust; wrap the `extern` function in a plain one";
    /// `fn f(x: u8, ...)`
    variadic() => "a tool's arguments have one schema, so it cannot be variadic";
    /// `#[tool] fn f(&self)` outside a toolbox
    receiver() => "methods become tools inside a `#[toolbox]` impl block";
    /// `fn f((a, b): (i32, i32))`
    pattern_parameter() => "a tool's parameter needs a name the model can see";
    /// `fn f(größe: u32)`
    bad_argument_name(name, problem) => "invalid argument name: `{name}` {problem}; expected a letter or `_`, then letters, digits, `_`, `-` and `.`, at most 64 together";
    /// `#[arg(name = "x")]` on two parameters
    argument_name_twice(name) => "two parameters are called `{name}` on the wire";
    /// `fn f(x: impl Into<String>)`
    impl_trait() => "name a concrete type: the model must see one schema";
    /// `fn f(x: &mut Vec<u8>)`
    mutable_borrow() => "arguments are read from the call, so there is nothing to mutate; take it by value or by `&`";
    /// `fn f(x: Option<&str>)`
    borrow_inside() => "arguments are read from the call, and a borrow inside another type has nothing to point into";
    /// `fn f(x: &'static str)`
    static_borrow() => "an argument lives as long as the call, not `'static`; take it by value, or by a plain `&`";
    /// `fn f(x: dyn Display)`
    trait_object() => "a trait object cannot be read from JSON; name a concrete type";
    /// `fn f(#[context] db: Db)`
    context_by_value() => "the host's value is shared between calls; take it by `&`";
    /// `fn f(#[context] db: &mut Db)`
    context_mutable() => "the host's value is shared between calls, so it cannot be borrowed as `&mut`; take it by `&`, with a lock inside";
    /// `fn f(#[context] #[arg(secret)] db: &Db)`
    arg_on_context() => "the model never sees a `#[context]` parameter, so `#[arg]` has nothing to say about it";
    /// `fn f() -> !`
    never_returns() => "a tool has to answer; a function that never returns cannot be one";
    /// `fn f() -> impl Future<Output = u8>`
    returns_future() => "a future is not an answer; make it an `async fn` that returns the future's output";

    // ---- doc comments ------------------------------------------------------------------------------------------------

    /// `/// # Arguments` with an item for no parameter
    unknown_argument_item(name) => "no parameter is called `{name}`";
    /// `/// # Arguments` with two items for one parameter
    argument_item_twice(name) => "`{name}` is described twice under `# Arguments`";
    /// `/// # Arguments` followed by plain text
    argument_item_form() => "an item under `# Arguments` is written `* `name` - what it is`";

    // ---- values of `#[arg(..)]` --------------------------------------------------------------------------------------

    /// `#[arg(pattern = "(")]`
    bad_pattern(problem) => "not a valid pattern: {problem}";
    /// `#[arg(format = "emial")]`
    unknown_format(format) => "unknown format `{format}`";
    /// `#[arg(minimum = 5, maximum = 1)]`
    empty_range(low, high) => "no value can satisfy both `{low}` and `{high}`";
    /// `#[arg(multiple_of = 0)]`
    bad_multiple() => "`multiple_of` must be greater than 0";
    /// `#[arg(unique_items = false)]`
    unique_items_false() => "items may repeat unless `unique_items` is given; leave it out";
    /// `#[arg(default = 1, minimum = 5)]`
    value_out_of_range(what, constraint) => "the {what} breaks its own constraint: {constraint}";
    /// `#[arg(secret, default = "hunter2")]`
    secret_shown(key) => "`{key}` would show a secret to the model; leave one of the two out";

    // ---- what needs types: told by a constant that is evaluated -----------------------------------------------------

    /// `#[arg(pattern = "..")] id: u32`
    wrong_kind(key, plural, ty, singular) => "`{key}` constrains {plural}, and `{ty}` is not {singular}\nnote: text takes `pattern`, `format`, `min_length`, `max_length`; numbers `minimum`, `maximum`, `multiple_of`; lists `min_items`, `max_items`, `unique_items`";
    /// `#[arg(maximum = 300)] id: u8`
    does_not_fit(number, ty) => "{number} does not fit `{ty}`";
    /// `id: Option<Option<u8>>`
    nested_option(ty) => "`{ty}` cannot be told from one `Option`: in JSON both kinds of nothing are null\nhelp: take one `Option`, or an enum that names the cases";
    /// `id: ()`
    carries_nothing(ty) => "`{ty}` carries nothing a model could give; leave the parameter out";
    /// `#[tool(description = EMPTY)]`
    blank_expression(what) => "the {what} is blank";
    /// `#[doc = include_str!("tool.md")]`, where the file has a section for the parameters
    arguments_in_expression(what) => "the {what} has an `# Arguments` section, which cannot be taken apart where the text is an expression; describe each parameter at the parameter";

    // ---- the pinned schema -------------------------------------------------------------------------------------------

    /// `schema = "schemas/x.json"`, and the file is missing or not JSON
    contract_unreadable(path, problem) => "cannot read {path}: {problem}";
    /// The file says `"name": "stop_order"`, the function is `cancel_order`.
    contract_name(agreed, path, line, name) => "the contract calls the tool `{agreed}` ({path}, line {line}), and the function calls it `{name}`";
    /// The file's `"description"` and the doc comment differ.
    contract_description(path, line, theirs, ours) => "the contract describes the tool in other words ({path}, line {line}): {theirs} where the function says {ours}";
    /// The file says `id`, the function reads `order_id`.
    contract_renamed(name, path, agreed, line) => "`{name}` is not in {path}, which declares `{agreed}` (line {line})";
    /// The function reads what the file does not have.
    contract_extra(name, path) => "`{name}` is not in {path}";
    /// The file has `notify`, the function has not.
    contract_missing(name, path, line) => "the contract declares `{name}` ({path}, line {line}), and no parameter takes it";
    /// The file requires `reason`, the function has `Option<Reason>`.
    contract_requires(name, path, line) => "the contract requires `{name}` ({path}, line {line}), but this parameter may be absent";
    /// The file does not require `reason`, the function has `Reason`.
    contract_optional(name, path, line) => "the contract lets `{name}` be absent ({path}, line {line}), but this parameter is required";
    /// The file says `"type": "integer"`, the function `String`.
    contract_type(kind, name, path, line, ty, reads) => "the contract says `{kind}` for `{name}` ({path}, line {line}), but `{ty}` reads {reads}";
    /// The file says `"type": "integer"`, the function `Id`, which is an alias of `String`.
    contract_type_unspelled(kind, name, path, line, ty) => "the contract says `{kind}` for `{name}` ({path}, line {line}), and `{ty}` reads something else";
    /// The file lists the values, the function takes any `String`.
    contract_enum(name, path, line, ty) => "the contract lists the values of `{name}` ({path}, line {line}), but `{ty}` takes any; use an enum";
    /// The file says `"minimum": 1`, the function `minimum = 2`.
    contract_constraint(key, name, path, line, agreed) => "the contract's `{key}` for `{name}` is `{agreed}` ({path}, line {line})";
    /// The function says `minimum = 2`, the file nothing.
    contract_constraint_extra(key, name, path, line) => "the contract has no `{key}` for `{name}` ({path}, line {line})";
    /// The file says `"minimum": 1`, the function nothing.
    contract_constraint_missing(key, name, path, line, agreed) => "the contract constrains `{name}` by `{key}` `{agreed}` ({path}, line {line}), and the function does not";
    /// The file says `"default": true`, the function something else, or nothing.
    contract_default(name, path, line, agreed) => "the contract's default of `{name}` is `{agreed}` ({path}, line {line})";
    /// The function has a default, the file none.
    contract_default_extra(name, path, line) => "the contract has no default for `{name}` ({path}, line {line})";

    // ---- methods -----------------------------------------------------------------------------------------------------

    /// `#[toolbox] struct Shop;`
    not_an_impl_block() => "`#[toolbox]` goes on an impl block whose methods are under `#[tool]`";
    /// `#[toolbox] impl Trait for Shop { .. }`
    trait_impl() => "`#[toolbox]` goes on a type's own impl block: methods of a trait have one meaning for many types";
    /// `#[toolbox] impl Shop { fn open(&self) {} }`
    empty_toolbox() => "this toolbox is empty: put `#[tool]` on its methods, or say `#[toolbox(empty)]`\nnote: what a macro call inside the block makes is not seen; let the macro make the whole block";
    /// `#[toolbox] impl<'a> Shop<'a> { .. }`
    borrowing_toolbox() => "what a toolbox is made of is shared between calls, so it cannot borrow; use an owned type, or `'static`";
    /// `#[tool] fn open(&mut self)` in a toolbox
    exclusive_receiver() => "calls overlap, so a method takes `&self`, with a lock inside";
    /// `#[tool] fn close(self)` in a toolbox
    consuming_receiver() => "the next call needs it too, so a method takes `&self`";
    /// `#[tool(item = Other)] fn open(&self)` in a toolbox
    item_in_toolbox() => "a method has no item of its own; leave `item` out";
    /// `#[tool(crate = kit)] fn open(&self)` in a toolbox
    crate_in_toolbox() => "where the runtime lives is said once, on the block: `#[toolbox(crate = ...)]`";
    /// Two methods of one toolbox with one name
    tool_name_twice(name) => "two tools of this toolbox are called `{name}`";
    /// `#[tool(local)] fn f() {}`
    local_sync() => "`local` is for an `async fn` whose future stays on one thread; a plain function does so anyway";
}
