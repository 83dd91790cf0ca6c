//! The macro never panics, and what it gives back always has the function in it.
//!
//! Bounded here; for longer by hand: `FUZZ_SECONDS=600 cargo test -p tool-macros --release fuzz -- --nocapture`.

use std::time::{Duration, Instant};

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// A small generator with a seed, so that a finding can be had again (xorshift64*).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound.max(1)).unwrap_or(1);
        usize::try_from(self.next() % bound).unwrap_or(0)
    }

    fn pick<'t, T>(&mut self, all: &'t [T]) -> &'t T {
        &all[self.below(all.len())]
    }
}

const WORDS: &[&str] = &[
    "fn",
    "async",
    "unsafe",
    "extern",
    "const",
    "pub",
    "impl",
    "struct",
    "self",
    "Self",
    "mut",
    "ref",
    "dyn",
    "for",
    "where",
    "tool",
    "arg",
    "context",
    "doc",
    "cfg",
    "cfg_attr",
    "risk",
    "confirm",
    "read_only",
    "name",
    "description",
    "schema",
    "timeout",
    "alias",
    "default",
    "example",
    "minimum",
    "maximum",
    "pattern",
    "crate",
    "item",
    "part",
    "with",
    "x",
    "f",
    "String",
    "Option",
    "Vec",
    "str",
    "u8",
    "Result",
    "await",
    "r#type",
    "_",
    "größe",
    "true",
    "false",
];

const TEXTS: &[&str] = &[
    "",
    "high",
    "low",
    "hgih",
    "30s",
    "64 KiB",
    "^A$",
    "(",
    "camelCase",
    "a b",
    "schemas/none.json",
    "# Arguments\n* `x` - y",
    "\u{0}",
    "😀",
    "\r\n",
    "```\n",
    "* ",
    "[`x`](",
    "`",
    "\\",
];

/// Arbitrary tokens.
fn tokens(random: &mut Random, depth: usize) -> TokenStream {
    let mut out = TokenStream::new();
    for _ in 0..random.below(7) {
        out.extend([tree(random, depth)]);
    }
    out
}

fn tree(random: &mut Random, depth: usize) -> TokenTree {
    match random.below(if depth == 0 { 4 } else { 6 }) {
        0 | 1 => {
            let word = random.pick(WORDS);
            match word.strip_prefix("r#") {
                Some(raw) => Ident::new_raw(raw, Span::call_site()).into(),
                None => Ident::new(word, Span::call_site()).into(),
            }
        }
        2 => {
            let c = *random.pick(&[
                '#', '<', '>', '=', ',', ':', ';', '-', '&', '!', '\'', '.', '|', '?', '*', '+',
            ]);
            let spacing = if random.below(2) == 0 {
                Spacing::Alone
            } else {
                Spacing::Joint
            };
            Punct::new(c, spacing).into()
        }
        3 => match random.below(4) {
            0 => Literal::u64_unsuffixed(random.next() >> random.below(64)).into(),
            1 => Literal::f64_unsuffixed(0.5).into(),
            2 => Literal::i8_suffixed(1).into(),
            _ => {
                let text: &&str = random.pick(TEXTS);
                Literal::string(text).into()
            }
        },
        _ => {
            let delimiter = *random.pick(&[
                Delimiter::Parenthesis,
                Delimiter::Bracket,
                Delimiter::Brace,
                Delimiter::None,
            ]);
            Group::new(delimiter, tokens(random, depth - 1)).into()
        }
    }
}

/// Real tokens with something taken out, put in, exchanged or doubled, at any depth.
fn mutated(real: TokenStream, random: &mut Random) -> TokenStream {
    let mut trees: Vec<TokenTree> = real.into_iter().collect();
    for _ in 0..=random.below(2) {
        if trees.is_empty() {
            trees.push(tree(random, 2));
            continue;
        }
        let at = random.below(trees.len());
        match random.below(6) {
            0 => drop(trees.remove(at)),
            1 => trees.insert(at, tree(random, 2)),
            2 => trees[at] = tree(random, 2),
            3 => trees.insert(at, trees[at].clone()),
            4 => {
                let other = random.below(trees.len());
                trees.swap(at, other);
            }
            _ => {
                if let TokenTree::Group(group) = &trees[at] {
                    let inside = mutated(group.stream(), random);
                    trees[at] = Group::new(group.delimiter(), inside).into();
                }
            }
        }
    }
    trees.into_iter().collect()
}

const ARGS: &[&str] = &[
    r#"risk = "high", confirm = "Cancel?", name = "cancel_order", title = "Cancel", version = 2, alias = ["a", "b"]"#,
    r#"read_only, idempotent, timeout = "30s", max_output = "64 KiB", inline, mask_errors, rename_all = "camelCase""#,
    r#"description = concat!("a", B), crate = a::b, item = Other, local, schema = "schemas/none.json""#,
    "",
];

const ITEMS: &[&str] = &[
    r##"/// Cancels.
        ///
        /// # Arguments
        /// * `order_id` - The number.
        #[must_use]
        pub(crate) async fn cancel<'a>(
            #[context] shop: &'a Shop,
            /** which */ #[arg(pattern = r"^A\d{4}$", alias = "id", example = "A1001")] order_id: &'a str,
            #[cfg(any())] gone: u8,
            #[arg(default = Some(1), minimum = 1, maximum = 9, multiple_of = 1)] mut copies: Option<u8>,
            #[arg(name = "pair")] (a, b): (i32, [u8; 4]),
            #[arg(max_items = 3, unique_items)] tags: &[String],
        ) -> Result<Cancelled, Box<dyn Error + Send>> where String: Clone { shop.cancel(order_id).await }"##,
    "#[doc = include_str!(\"x\")] fn f(r#type: Option<Option<u8>>, x: impl Into<String>, y: &mut Vec<u8>, z: ()) -> ! {}",
    "unsafe extern \"C\" fn f<T: Fn(u8) -> u8, const N: usize>(x: T, ...) {}",
    "impl S { #[tool] fn f(&self) {} }",
];

const BLOCKS: &[&str] = &[
    r##"/// A box.
        impl<S: Store, const N: usize> Kept<S, N> where S::Key: Send {
            /// Gets.
            #[tool(risk = "low")] #[must_use]
            async fn get(&self, key: S::Key, #[arg(default = Self::LIMIT)] limit: usize) -> String { self.0 }
            #[cfg_attr(feature = "x", tool, must_use)] fn here(&self) {}
            const LIMIT: usize = { const fn n() -> usize { 1 } n() };
            type T = fn() -> u8;
            make!(a, b);
            #[cfg(any())] #[tool] fn gone(&mut self) {}
        }"##,
    "impl Trait for Shop { #[tool] fn f(self: Box<Self>) {} }",
];

/// Runs until the time is over, and says how often.
fn bounded(name: &str, mut run: impl FnMut(&mut Random)) {
    let seconds = std::env::var("FUZZ_SECONDS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(2.0);
    let end = Instant::now() + Duration::from_secs_f64(seconds);
    let mut executions = 0_u64;
    while Instant::now() < end {
        // The seed of a finding is the number that is printed.
        let seed = 0x9E37_79B9_7F4A_7C15 ^ executions;
        let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            run(&mut Random(seed.max(1)))
        }));
        assert!(found.is_ok(), "{name}: seed {seed:#x}");
        executions += 1;
    }
    println!("{name}: {executions} executions");
}

fn source(all: &[&str], random: &mut Random) -> TokenStream {
    random.pick(all).parse().expect("the samples lex")
}

/// The name of the function, if the tokens are one: it has to be in what comes out.
fn function_name(item: &TokenStream) -> Option<String> {
    let mut tokens = crate::item::without_any_attributes(item.clone()).into_iter();
    tokens.find(|token| matches!(token, TokenTree::Ident(word) if word == "fn"))?;
    tokens
        .next()
        .filter(|token| matches!(token, TokenTree::Ident(_)))
        .map(|name| name.to_string())
}

#[test]
fn arbitrary_tokens() {
    bounded("arbitrary tokens", |random| {
        let (args, item) = (tokens(random, 4), tokens(random, 4));
        drop(crate::expand_tool(args.clone(), item.clone()));
        drop(crate::expand_toolbox(args, item));
    });
}

#[test]
fn mutated_functions() {
    bounded("mutated functions", |random| {
        let args = source(ARGS, random);
        let args = if random.below(2) == 0 {
            args
        } else {
            mutated(args, random)
        };
        let item = mutated(source(ITEMS, random), random);
        let name = function_name(&item);
        let out = crate::expand_tool(args.clone(), item.clone());
        assert_eq!(
            out.to_string(),
            crate::expand_tool(args, item).to_string(),
            "the same input gives the same output"
        );
        if let Some(name) = name {
            assert!(out.to_string().contains(&name), "{name} is gone: {out}");
        }
    });
}

#[test]
fn mutated_toolboxes() {
    bounded("mutated toolboxes", |random| {
        let args = if random.below(2) == 0 {
            TokenStream::new()
        } else {
            tokens(random, 2)
        };
        drop(crate::expand_toolbox(
            args,
            mutated(source(BLOCKS, random), random),
        ));
    });
}

/// Any bytes as a contract, held against any function.
#[test]
fn arbitrary_contracts() {
    const PIECES: &[&str] = &[
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"",
        "\"type\"",
        "\"object\"",
        "\"properties\"",
        "\"required\"",
        "\"order_id\"",
        "\"id\"",
        "\"string\"",
        "\"minimum\"",
        "\"enum\"",
        "\"items\"",
        "\"$ref\"",
        "\"#\"",
        "\"#/properties/id\"",
        "\"#/~2/%\"",
        "\"default\"",
        "\"name\"",
        "\"description\"",
        "\"input_schema\"",
        "\"function\"",
        "\"parameters\"",
        "null",
        "true",
        "-0.5e+3",
        "1e999",
        "00",
        "\\u",
        "\\ud83d",
        "\u{feff}",
        "\n",
        "é",
        "\u{0}",
        "{\"type\":\"object\",\"properties\":{",
    ];
    const REAL: &str = include_str!("../../tests/ui/schemas/cancel_order.json");
    bounded("arbitrary contracts", |random| {
        let text = if random.below(2) == 0 {
            (0..random.below(40))
                .map(|_| *random.pick(PIECES))
                .collect::<String>()
        } else {
            let mut text: Vec<char> = REAL.chars().collect();
            for _ in 0..=random.below(4) {
                let at = random.below(text.len());
                match random.below(3) {
                    0 => drop(text.remove(at)),
                    1 => text.insert(at, random.pick(PIECES).chars().next().unwrap_or(' ')),
                    _ => text[at] = random.pick(PIECES).chars().last().unwrap_or(' '),
                }
            }
            text.into_iter().collect()
        };
        // What this reader takes, and what it refuses, is what everybody does; only a key that is given twice is its own.
        let mine = crate::json::read(&text);
        if let Ok(root) = mine
            && let Ok(contract) = crate::contract::Contract::of("x.json", String::new(), root)
        {
            let mut errors = crate::errors::Errors::default();
            let args = crate::args::tool(source(ARGS, random), &mut errors);
            if let Some(function) = crate::item::parse(source(ITEMS, random), &mut errors) {
                let home = crate::check::Home::Free;
                drop(crate::check::tool(
                    &args,
                    &function,
                    Some(&contract),
                    &home,
                    &mut errors,
                ));
            }
            drop(errors.into_tokens());
        }
    });
}
