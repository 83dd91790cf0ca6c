//! What the user wrote in `#[tool(...)]` and `#[arg(...)]`: keys and values, each set once, nothing judged yet.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Expr, ExprLit, ExprUnary, Lit, LitInt, LitStr, Meta, Path, Token, UnOp};

use crate::errors::{Errors, say};

/// A value, the key it was given by, and the tokens of both.
pub(crate) struct Given<T> {
    pub(crate) key: Ident,
    pub(crate) value: T,
    pub(crate) tokens: TokenStream,
}

/// `#[tool(...)]`.
#[derive(Default)]
pub(crate) struct ToolArgs {
    pub(crate) krate: Option<Given<Path>>,
    pub(crate) item: Option<Given<Ident>>,
    pub(crate) name: Option<Given<LitStr>>,
    pub(crate) title: Option<Given<LitStr>>,
    pub(crate) description: Option<Given<Expr>>,
    pub(crate) rename_all: Option<Given<LitStr>>,
    pub(crate) risk: Option<Given<LitStr>>,
    pub(crate) confirm: Option<Given<Confirm>>,
    pub(crate) read_only: Option<Given<bool>>,
    pub(crate) destructive: Option<Given<bool>>,
    pub(crate) idempotent: Option<Given<bool>>,
    pub(crate) open_world: Option<Given<bool>>,
    pub(crate) exclusive: Option<Given<bool>>,
    pub(crate) version: Option<Given<LitInt>>,
    pub(crate) aliases: Vec<LitStr>,
    pub(crate) timeout: Option<Given<LitStr>>,
    pub(crate) max_output: Option<Given<LitStr>>,
    pub(crate) inline: Option<Given<bool>>,
    pub(crate) local: Option<Given<bool>>,
    pub(crate) mask_errors: Option<Given<bool>>,
    pub(crate) schema: Option<Given<LitStr>>,
    /// Keys that were given, even with a value that was refused: their absence is not told as a second mistake.
    pub(crate) seen: Vec<String>,
}

/// `#[toolbox(...)]`.
#[derive(Default)]
pub(crate) struct ToolboxArgs {
    pub(crate) krate: Option<Given<Path>>,
    pub(crate) part: Option<Given<Ident>>,
    pub(crate) with: Vec<Path>,
    pub(crate) empty: Option<Given<bool>>,
}

/// The keys of `#[toolbox]`, each with an example of its use.
const TOOLBOX_KEYS: &[(&str, &str)] = &[
    ("crate", "crate = path::to::tool_runtime"),
    ("part", "part = Refunds"),
    ("with", "with = [Refunds]"),
    ("empty", "empty"),
];

/// `confirm`, `confirm = false` or `confirm = "question"`.
pub(crate) enum Confirm {
    Switch(bool),
    Question(LitStr),
}

/// The keys of `#[tool]`, each with an example of its use.
pub(crate) const TOOL_KEYS: &[(&str, &str)] = &[
    ("risk", r#"risk = "high""#),
    ("confirm", r#"confirm = "Cancel the order?""#),
    ("read_only", "read_only"),
    ("destructive", "destructive"),
    ("idempotent", "idempotent"),
    ("open_world", "open_world"),
    ("exclusive", "exclusive"),
    ("name", r#"name = "cancel_order""#),
    ("title", r#"title = "Cancel an order""#),
    ("description", r#"description = "Cancels an order.""#),
    ("rename_all", r#"rename_all = "camelCase""#),
    ("version", "version = 2"),
    ("alias", r#"alias = "old_name""#),
    ("timeout", r#"timeout = "30s""#),
    ("max_output", r#"max_output = "64 KiB""#),
    ("inline", "inline"),
    ("local", "local"),
    ("mask_errors", "mask_errors"),
    ("schema", r#"schema = "schemas/cancel_order.json""#),
    ("crate", "crate = path::to::tool_runtime"),
    ("item", "item = other_name"),
];

/// Words other libraries use for a key of ours.
const TOOL_SYNONYMS: &[(&str, &str)] = &[
    ("desc", "description"),
    ("doc", "description"),
    ("rename", "name"),
    ("aliases", "alias"),
    ("readonly", "read_only"),
    ("read_only_hint", "read_only"),
    ("destructive_hint", "destructive"),
    ("idempotent_hint", "idempotent"),
    ("open_world_hint", "open_world"),
    ("danger", "risk"),
    ("level", "risk"),
    ("confirmation", "confirm"),
    ("approval", "confirm"),
    ("krate", "crate"),
    ("blocking", "inline"),
    ("max_size", "max_output"),
    ("contract", "schema"),
    ("pinned", "schema"),
];

/// `#[arg(...)]`.
#[derive(Default)]
pub(crate) struct ParameterArgs {
    pub(crate) name: Option<Given<LitStr>>,
    pub(crate) aliases: Vec<LitStr>,
    pub(crate) description: Option<Given<Expr>>,
    pub(crate) default: Option<Given<Expr>>,
    pub(crate) example: Option<Given<Expr>>,
    pub(crate) secret: Option<Given<bool>>,
    pub(crate) pattern: Option<Given<LitStr>>,
    pub(crate) format: Option<Given<LitStr>>,
    pub(crate) minimum: Option<Given<Number>>,
    pub(crate) maximum: Option<Given<Number>>,
    pub(crate) exclusive_minimum: Option<Given<Number>>,
    pub(crate) exclusive_maximum: Option<Given<Number>>,
    pub(crate) multiple_of: Option<Given<Number>>,
    pub(crate) min_length: Option<Given<u64>>,
    pub(crate) max_length: Option<Given<u64>>,
    pub(crate) min_items: Option<Given<u64>>,
    pub(crate) max_items: Option<Given<u64>>,
    pub(crate) unique_items: Option<Given<bool>>,
}

/// The keys of `#[arg]`, each with an example of its use.
pub(crate) const ARG_KEYS: &[(&str, &str)] = &[
    ("name", r#"name = "orderId""#),
    ("alias", r#"alias = "id""#),
    ("description", r#"description = "The order number.""#),
    ("default", "default = true"),
    ("example", r#"example = "A1001""#),
    ("secret", "secret"),
    ("pattern", r#"pattern = r"^A\d{4}$""#),
    ("format", r#"format = "date""#),
    ("minimum", "minimum = 1"),
    ("maximum", "maximum = 100"),
    ("exclusive_minimum", "exclusive_minimum = 0"),
    ("exclusive_maximum", "exclusive_maximum = 100"),
    ("multiple_of", "multiple_of = 5"),
    ("min_length", "min_length = 1"),
    ("max_length", "max_length = 200"),
    ("min_items", "min_items = 1"),
    ("max_items", "max_items = 20"),
    ("unique_items", "unique_items"),
];

/// Words other libraries use for a key of ours.
const ARG_SYNONYMS: &[(&str, &str)] = &[
    ("min", "minimum"),
    ("max", "maximum"),
    ("rename", "name"),
    ("desc", "description"),
    ("doc", "description"),
    ("aliases", "alias"),
    ("regex", "pattern"),
    ("examples", "example"),
    ("sensitive", "secret"),
    ("unique", "unique_items"),
    ("minlength", "min_length"),
    ("maxlength", "max_length"),
    ("minitems", "min_items"),
    ("maxitems", "max_items"),
    ("multipleof", "multiple_of"),
    ("exclusiveminimum", "exclusive_minimum"),
    ("exclusivemaximum", "exclusive_maximum"),
    ("uniqueitems", "unique_items"),
];

/// A number literal, as JSON writes it.
#[derive(Clone)]
pub(crate) struct Number {
    pub(crate) text: String,
    pub(crate) value: f64,
    /// The value, when it is whole.
    pub(crate) whole: Option<i128>,
    pub(crate) tokens: TokenStream,
}

/// Reads the inside of `#[tool(...)]`.
pub(crate) fn tool(tokens: TokenStream, errors: &mut Errors) -> ToolArgs {
    let mut args = ToolArgs::default();
    for entry in entries(tokens, TOOL_KEYS[0].1, errors) {
        let key = entry.key.unraw().to_string();
        args.seen.push(key.clone());
        match key.as_str() {
            "risk" => set(&mut args.risk, entry, Entry::string, TOOL_KEYS, errors),
            "confirm" => set(&mut args.confirm, entry, Entry::confirm, TOOL_KEYS, errors),
            "read_only" => set(&mut args.read_only, entry, Entry::switch, TOOL_KEYS, errors),
            "destructive" => set(
                &mut args.destructive,
                entry,
                Entry::switch,
                TOOL_KEYS,
                errors,
            ),
            "idempotent" => set(
                &mut args.idempotent,
                entry,
                Entry::switch,
                TOOL_KEYS,
                errors,
            ),
            "open_world" => set(
                &mut args.open_world,
                entry,
                Entry::switch,
                TOOL_KEYS,
                errors,
            ),
            "exclusive" => set(&mut args.exclusive, entry, Entry::switch, TOOL_KEYS, errors),
            "name" => set(&mut args.name, entry, Entry::string, TOOL_KEYS, errors),
            "title" => set(&mut args.title, entry, Entry::string, TOOL_KEYS, errors),
            "description" => set(
                &mut args.description,
                entry,
                Entry::expression,
                TOOL_KEYS,
                errors,
            ),
            "rename_all" => set(
                &mut args.rename_all,
                entry,
                Entry::string,
                TOOL_KEYS,
                errors,
            ),
            "version" => set(&mut args.version, entry, Entry::version, TOOL_KEYS, errors),
            "alias" => args
                .aliases
                .extend(entry.strings(example(TOOL_KEYS, "alias"), errors)),
            "timeout" => set(&mut args.timeout, entry, Entry::string, TOOL_KEYS, errors),
            "max_output" => set(
                &mut args.max_output,
                entry,
                Entry::string,
                TOOL_KEYS,
                errors,
            ),
            "local" => set(&mut args.local, entry, Entry::switch, TOOL_KEYS, errors),
            "inline" => set(&mut args.inline, entry, Entry::switch, TOOL_KEYS, errors),
            "mask_errors" => set(
                &mut args.mask_errors,
                entry,
                Entry::switch,
                TOOL_KEYS,
                errors,
            ),
            "schema" => set(&mut args.schema, entry, Entry::string, TOOL_KEYS, errors),
            "crate" => set(&mut args.krate, entry, Entry::path, TOOL_KEYS, errors),
            "item" => set(&mut args.item, entry, Entry::name, TOOL_KEYS, errors),
            _ => unknown_key(&entry.key, "tool", TOOL_KEYS, TOOL_SYNONYMS, errors),
        }
    }
    args
}

/// Reads the inside of `#[toolbox(...)]`.
pub(crate) fn toolbox(tokens: TokenStream, errors: &mut Errors) -> ToolboxArgs {
    let mut args = ToolboxArgs::default();
    for entry in entries(tokens, TOOLBOX_KEYS[1].1, errors) {
        match entry.key.unraw().to_string().as_str() {
            "crate" => set(&mut args.krate, entry, Entry::path, TOOLBOX_KEYS, errors),
            "part" => set(&mut args.part, entry, Entry::name, TOOLBOX_KEYS, errors),
            "with" => args
                .with
                .extend(entry.paths(example(TOOLBOX_KEYS, "with"), errors)),
            "empty" => set(&mut args.empty, entry, Entry::switch, TOOLBOX_KEYS, errors),
            _ => unknown_key(&entry.key, "toolbox", TOOLBOX_KEYS, &[], errors),
        }
    }
    args
}

/// Reads every `#[arg(...)]` of one parameter.
pub(crate) fn parameter(attributes: &[Attribute], errors: &mut Errors) -> ParameterArgs {
    let mut args = ParameterArgs::default();
    for attribute in attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("arg"))
    {
        let tokens = match &attribute.meta {
            Meta::List(list) if matches!(list.delimiter, syn::MacroDelimiter::Paren(_)) => {
                list.tokens.clone()
            }
            Meta::Path(_) => {
                errors.at(attribute, say::arg_without_keys());
                continue;
            }
            _ => {
                errors.at(attribute, say::arg_form("arg"));
                continue;
            }
        };
        if tokens.is_empty() {
            errors.at(attribute, say::arg_without_keys());
        }
        for entry in entries(tokens, ARG_KEYS[0].1, errors) {
            match entry.key.unraw().to_string().as_str() {
                "name" => set(&mut args.name, entry, Entry::string, ARG_KEYS, errors),
                "alias" => args
                    .aliases
                    .extend(entry.strings(example(ARG_KEYS, "alias"), errors)),
                "description" => set(
                    &mut args.description,
                    entry,
                    Entry::expression,
                    ARG_KEYS,
                    errors,
                ),
                "default" => set(
                    &mut args.default,
                    entry,
                    Entry::expression,
                    ARG_KEYS,
                    errors,
                ),
                "example" => set(
                    &mut args.example,
                    entry,
                    Entry::expression,
                    ARG_KEYS,
                    errors,
                ),
                "secret" => set(&mut args.secret, entry, Entry::switch, ARG_KEYS, errors),
                "pattern" => set(&mut args.pattern, entry, Entry::string, ARG_KEYS, errors),
                "format" => set(&mut args.format, entry, Entry::string, ARG_KEYS, errors),
                "minimum" => set(&mut args.minimum, entry, Entry::number, ARG_KEYS, errors),
                "maximum" => set(&mut args.maximum, entry, Entry::number, ARG_KEYS, errors),
                "exclusive_minimum" => set(
                    &mut args.exclusive_minimum,
                    entry,
                    Entry::number,
                    ARG_KEYS,
                    errors,
                ),
                "exclusive_maximum" => set(
                    &mut args.exclusive_maximum,
                    entry,
                    Entry::number,
                    ARG_KEYS,
                    errors,
                ),
                "multiple_of" => set(
                    &mut args.multiple_of,
                    entry,
                    Entry::number,
                    ARG_KEYS,
                    errors,
                ),
                "min_length" => set(&mut args.min_length, entry, Entry::count, ARG_KEYS, errors),
                "max_length" => set(&mut args.max_length, entry, Entry::count, ARG_KEYS, errors),
                "min_items" => set(&mut args.min_items, entry, Entry::count, ARG_KEYS, errors),
                "max_items" => set(&mut args.max_items, entry, Entry::count, ARG_KEYS, errors),
                "unique_items" => set(
                    &mut args.unique_items,
                    entry,
                    Entry::switch,
                    ARG_KEYS,
                    errors,
                ),
                _ => unknown_key(&entry.key, "arg", ARG_KEYS, ARG_SYNONYMS, errors),
            }
        }
    }
    args
}

fn example(keys: &[(&'static str, &'static str)], key: &str) -> &'static str {
    keys.iter()
        .find(|(name, _)| *name == key)
        .map_or("", |(_, example)| example)
}

/// Sets a value once; the second one is told, with the first in view.
fn set<T>(
    slot: &mut Option<Given<T>>,
    entry: Entry,
    read: fn(&Entry, &'static str, &mut Errors) -> Option<T>,
    keys: &[(&'static str, &'static str)],
    errors: &mut Errors,
) {
    let name = entry.key.unraw().to_string();
    if let Some(first) = slot {
        errors.at(
            &entry.tokens(),
            say::given_twice(name, readable(&first.tokens)),
        );
        return;
    }
    if let Some(value) = read(&entry, example(keys, &name), errors) {
        *slot = Some(Given {
            tokens: entry.tokens(),
            key: entry.key,
            value,
        });
    }
}

/// `key = value` on one line, cut where it gets long.
fn readable(tokens: &TokenStream) -> String {
    let text = tokens.to_string();
    match text.char_indices().nth(60) {
        Some((cut, _)) => format!("{}...", &text[..cut]),
        None => text,
    }
}

/// `#[tool(risc = "high")]`.
fn unknown_key(
    key: &Ident,
    attribute: &str,
    keys: &'static [(&'static str, &'static str)],
    synonyms: &'static [(&'static str, &'static str)],
    errors: &mut Errors,
) {
    let given = key.to_string();
    let plain = given.to_lowercase().replace('_', "");
    let synonym = synonyms
        .iter()
        .find(|(word, _)| word.replace('_', "") == plain)
        .map(|(_, key)| *key);
    let names = keys.iter().map(|(name, _)| *name);
    let message = say::unknown_key(&given, attribute);
    let message = match synonym {
        Some(key) => message.help(format_args!("did you mean `{key}`?")),
        None => message.suggest(&given, names.clone()),
    };
    let list: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    errors.at(
        key,
        message.note(format_args!("the keys are {}", list.join(", "))),
    );
}

/// One `key`, `key = value` or `key(...)`.
struct Entry {
    key: Ident,
    value: Value,
}

enum Value {
    None,
    Expr(Box<Expr>),
    /// `key = ` and nothing that can be read.
    Unreadable,
    Parentheses(TokenStream, TokenTree),
}

/// Splits the inside of an attribute into entries. After a mistake it goes on behind the next comma.
fn entries(tokens: TokenStream, sample: &str, errors: &mut Errors) -> Vec<Entry> {
    let mut found = Vec::new();
    let read = |input: ParseStream<'_>| {
        while !input.is_empty() {
            if !input.peek(syn::Ident::peek_any) {
                let at: TokenTree = input.parse()?;
                errors.at(&at, say::expected_key(sample));
                skip_to_comma(input)?;
                continue;
            }
            let key = input.call(Ident::parse_any)?;
            let value = if input.peek(Token![=]) {
                input.parse::<Token![=]>()?;
                let ahead = input.fork();
                match ahead.parse::<Expr>() {
                    Ok(_) => Value::Expr(Box::new(input.parse()?)),
                    Err(_) => {
                        found.push(Entry {
                            key,
                            value: Value::Unreadable,
                        });
                        skip_to_comma(input)?;
                        continue;
                    }
                }
            } else if input.peek(syn::token::Paren) {
                match input.parse()? {
                    TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
                        Value::Parentheses(group.stream(), TokenTree::Group(group))
                    }
                    _ => Value::None,
                }
            } else {
                Value::None
            };
            found.push(Entry { key, value });
            if !input.is_empty() && !input.peek(Token![,]) {
                let at: TokenTree = input.fork().parse()?;
                errors.at(&at, say::expected_comma());
            }
            skip_to_comma(input)?;
        }
        Ok(())
    };
    // Every token is consumed by some branch, and the branches report what they cannot read. What is left over inside a
    // value's own brackets is told only here.
    if let Err(problem) = read.parse2(tokens) {
        errors.syntax(problem);
    }
    found
}

fn skip_to_comma(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() {
        if input.peek(Token![,]) {
            input.parse::<Token![,]>()?;
            break;
        }
        input.parse::<TokenTree>()?;
    }
    Ok(())
}

impl Entry {
    fn tokens(&self) -> TokenStream {
        let key = &self.key;
        match &self.value {
            Value::None => key.to_token_stream(),
            Value::Unreadable => quote!(#key =),
            Value::Expr(value) => quote!(#key = #value),
            Value::Parentheses(_, group) => quote!(#key #group),
        }
    }

    /// The value as one expression, or what is wrong with it.
    fn expression(&self, example: &'static str, errors: &mut Errors) -> Option<Expr> {
        match &self.value {
            Value::Expr(value) => return Some((**value).clone()),
            Value::None | Value::Unreadable => {
                errors.at(&self.key, say::expected_value(&self.key, example))
            }
            Value::Parentheses(_, group) => {
                errors.at(group, say::expected_no_parentheses(&self.key, example))
            }
        }
        None
    }

    fn string(&self, example: &'static str, errors: &mut Errors) -> Option<LitStr> {
        let value = self.expression(example, errors)?;
        match literal(&value) {
            Some(Lit::Str(text)) => Some(text.clone()),
            _ => {
                // `risk = high`: the word is there, only the quotes are missing.
                let word = match &value {
                    Expr::Path(path) => path
                        .path
                        .get_ident()
                        .map(|word| format!("{} = \"{word}\"", self.key)),
                    _ => None,
                };
                errors.at(
                    &value,
                    say::expected_string(word.as_deref().unwrap_or(example)),
                );
                None
            }
        }
    }

    /// `alias = "a"`, `alias = ["a", "b"]` or `alias("a", "b")`.
    fn strings(&self, example: &'static str, errors: &mut Errors) -> Vec<LitStr> {
        let list: Vec<Expr> = match &self.value {
            Value::Expr(value) => match ungrouped(value) {
                Expr::Array(array) => array.elems.iter().cloned().collect(),
                _ => return self.string(example, errors).into_iter().collect(),
            },
            Value::Parentheses(tokens, _) => {
                let list = syn::punctuated::Punctuated::<Expr, Token![,]>::parse_terminated
                    .parse2(tokens.clone());
                match list {
                    Ok(list) => list.into_iter().collect(),
                    Err(_) => {
                        errors.at(&self.tokens(), say::expected_string(example));
                        return Vec::new();
                    }
                }
            }
            Value::None | Value::Unreadable => {
                errors.at(&self.key, say::expected_value(&self.key, example));
                return Vec::new();
            }
        };
        list.iter()
            .filter_map(|item| match literal(item) {
                Some(Lit::Str(text)) => Some(text.clone()),
                _ => {
                    errors.at(item, say::expected_string(example));
                    None
                }
            })
            .collect()
    }

    /// `with = [A, b::C]` or `with = A`.
    fn paths(&self, example: &'static str, errors: &mut Errors) -> Vec<Path> {
        let Some(value) = self.expression(example, errors) else {
            return Vec::new();
        };
        let list: Vec<&Expr> = match ungrouped(&value) {
            Expr::Array(array) => array.elems.iter().collect(),
            other => vec![other],
        };
        list.into_iter()
            .filter_map(|item| match ungrouped(item) {
                Expr::Path(path) if path.qself.is_none() => Some(path.path.clone()),
                other => {
                    errors.at(other, say::expected_path(example));
                    None
                }
            })
            .collect()
    }

    fn switch(&self, _: &'static str, errors: &mut Errors) -> Option<bool> {
        match &self.value {
            Value::None => return Some(true),
            Value::Expr(value) => match literal(value) {
                Some(Lit::Bool(switch)) => return Some(switch.value),
                _ => errors.at(value, say::expected_switch(&self.key)),
            },
            Value::Unreadable => errors.at(&self.key, say::expected_switch(&self.key)),
            Value::Parentheses(_, group) => errors.at(group, say::expected_switch(&self.key)),
        }
        None
    }

    fn confirm(&self, example: &'static str, errors: &mut Errors) -> Option<Confirm> {
        match &self.value {
            Value::None => Some(Confirm::Switch(true)),
            Value::Expr(value) if let Some(Lit::Bool(switch)) = literal(value) => {
                Some(Confirm::Switch(switch.value))
            }
            _ => self.string(example, errors).map(Confirm::Question),
        }
    }

    fn version(&self, example: &'static str, errors: &mut Errors) -> Option<LitInt> {
        let value = self.expression(example, errors)?;
        match literal(&value) {
            Some(Lit::Int(number)) => Some(number.clone()),
            _ => {
                errors.at(&value, say::bad_version());
                None
            }
        }
    }

    fn path(&self, example: &'static str, errors: &mut Errors) -> Option<Path> {
        let value = self.expression(example, errors)?;
        let path = match (ungrouped(&value), literal(&value)) {
            (Expr::Path(path), _) if path.qself.is_none() => Some(path.path.clone()),
            // serde's spelling.
            (_, Some(Lit::Str(text))) => text.parse_with(Path::parse_mod_style).ok(),
            _ => None,
        };
        if path.is_none() {
            errors.at(&value, say::expected_path(example));
        }
        path
    }

    fn name(&self, example: &'static str, errors: &mut Errors) -> Option<Ident> {
        let value = self.expression(example, errors)?;
        let name = match ungrouped(&value) {
            Expr::Path(path) => path.path.get_ident().cloned(),
            _ => None,
        };
        if name.is_none() {
            errors.at(&value, say::expected_name(example));
        }
        name
    }

    fn number(&self, example: &'static str, errors: &mut Errors) -> Option<Number> {
        let value = self.expression(example, errors)?;
        let number = number(&value);
        if number.is_none() {
            errors.at(&value, say::expected_number(&self.key));
        }
        number
    }

    fn count(&self, example: &'static str, errors: &mut Errors) -> Option<u64> {
        let value = self.expression(example, errors)?;
        let count = match literal(&value) {
            Some(Lit::Int(number)) => number.base10_parse().ok(),
            _ => None,
        };
        if count.is_none() {
            errors.at(&value, say::expected_count(&self.key));
        }
        count
    }
}

/// Looks through the invisible group a `macro_rules!` puts around `$value:expr`.
pub(crate) fn ungrouped(value: &Expr) -> &Expr {
    match value {
        Expr::Group(group) => ungrouped(&group.expr),
        other => other,
    }
}

/// The literal an expression is, if it is one.
pub(crate) fn literal(value: &Expr) -> Option<&Lit> {
    match ungrouped(value) {
        Expr::Lit(ExprLit { lit, .. }) => Some(lit),
        _ => None,
    }
}

/// The number literal an expression is, with its sign.
pub(crate) fn number(value: &Expr) -> Option<Number> {
    let tokens = value.to_token_stream();
    let (sign, inner) = match ungrouped(value) {
        Expr::Unary(ExprUnary {
            op: UnOp::Neg(_),
            expr,
            ..
        }) => ("-", &**expr),
        other => ("", other),
    };
    match literal(inner)? {
        Lit::Int(number) => {
            let text = format!("{sign}{}", number.base10_digits());
            let text = if text == "-0" { "0".to_owned() } else { text };
            Some(Number {
                value: text.parse().ok()?,
                whole: text.parse().ok(),
                text,
                tokens,
            })
        }
        Lit::Float(number) => {
            let value: f64 = format!("{sign}{}", number.base10_digits()).parse().ok()?;
            // Rust's own shortest form is JSON's too, for every finite number.
            value.is_finite().then(|| Number {
                text: format!("{value:?}"),
                value,
                whole: None,
                tokens,
            })
        }
        _ => None,
    }
}
