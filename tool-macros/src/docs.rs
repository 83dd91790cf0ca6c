//! Doc comments, read as prompts.
//!
//! The summary, the body, `# Use when`, `# Do not use for` and `# Errors` reach the model as they are. `# Arguments` goes to
//! the parameters. `# Panics`, `# Safety`, `# Examples` and code fences are for Rust readers. Links between items become
//! plain text, since the model cannot follow them.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Attribute, Expr, Lit, Meta};

use crate::args;

/// One line of a doc comment, and the tokens it came from.
#[derive(Clone)]
pub(crate) struct Line {
    pub(crate) text: String,
    pub(crate) at: TokenStream,
}

/// A doc comment as it stands on an item.
pub(crate) enum Docs {
    /// Only literals: every line is known now.
    Lines(Vec<Line>),
    /// Some part, such as `include_str!`, is known to the compiler only: the parts in order.
    Expressions(Vec<Part>),
}

/// A part of a doc comment that is not known as a whole.
pub(crate) enum Part {
    Text(String),
    Expression(Box<Expr>),
}

/// What an item under `# Arguments` says.
pub(crate) struct ArgumentItem {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) at: TokenStream,
}

/// A function's doc comment, taken apart.
#[derive(Default)]
pub(crate) struct FunctionDocs {
    pub(crate) description: String,
    pub(crate) arguments: Vec<ArgumentItem>,
    /// Lines under `# Arguments` that are no item.
    pub(crate) strays: Vec<Line>,
}

/// Gathers the doc attributes, whatever stands between them.
pub(crate) fn collect(attributes: &[Attribute]) -> Docs {
    let mut lines = Vec::new();
    let mut parts = Vec::new();
    let mut known = true;
    for attribute in attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("doc"))
    {
        // `#[doc(hidden)]` and `#[doc(alias = "x")]` are for rustdoc.
        let Meta::NameValue(pair) = &attribute.meta else {
            continue;
        };
        match args::literal(&pair.value) {
            Some(Lit::Str(text)) => {
                let fragment = fragment(&text.value());
                // The whole attribute when `///` made it, so that the comment is underlined.
                lines.extend(fragment.iter().map(|line| Line {
                    text: line.clone(),
                    at: attribute.to_token_stream(),
                }));
                parts.push(Part::Text(fragment.join("\n")));
            }
            _ => {
                known = false;
                parts.push(Part::Expression(Box::new(pair.value.clone())));
            }
        }
    }
    if known {
        Docs::Lines(unindented(lines))
    } else {
        Docs::Expressions(parts)
    }
}

/// The lines of one doc attribute.
fn fragment(text: &str) -> Vec<String> {
    let text = text.replace("\r\n", "\n");
    if !text.contains('\n') {
        // `/// text` has one space that nobody meant.
        return vec![
            text.strip_prefix(' ')
                .unwrap_or(&text)
                .trim_end()
                .to_owned(),
        ];
    }
    let mut lines: Vec<String> = text
        .split('\n')
        .map(|line| line.trim_end().to_owned())
        .collect();
    // `/** ... */` has blank ends, and often a column of stars.
    let blank = |line: &String| {
        line.trim_matches(|c: char| c == '*' || c.is_whitespace())
            .is_empty()
    };
    while lines.len() > 1 && lines.last().is_some_and(blank) {
        lines.pop();
    }
    let first_is_blank = lines.first().is_some_and(blank);
    let body = &mut lines[1..];
    let starred = |line: &String| line.is_empty() || line.trim_start().starts_with('*');
    if body.iter().any(|line| !line.is_empty())
        && body.iter().all(starred)
        && body
            .iter()
            .any(|line| line.trim_start().starts_with("* ") || line.trim_start() == "*")
    {
        for line in body.iter_mut() {
            let rest = line.trim_start();
            *line = rest.strip_prefix('*').unwrap_or(rest).to_owned();
        }
    }
    // The first line stands behind `/**`, so its indentation says nothing about the others'.
    let least = lines[1..]
        .iter()
        .filter(|line| !line.is_empty())
        .map(|line| indentation(line))
        .min()
        .unwrap_or(0);
    for line in &mut lines[1..] {
        *line = line.get(least..).unwrap_or("").to_owned();
    }
    lines[0] = lines[0].trim_start().to_owned();
    if first_is_blank {
        lines.remove(0);
    }
    lines
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Takes away the indentation that all lines share.
fn unindented(mut lines: Vec<Line>) -> Vec<Line> {
    let filled = lines.iter().filter(|line| !line.text.is_empty());
    let least = filled
        .map(|line| indentation(&line.text))
        .min()
        .unwrap_or(0);
    for line in &mut lines {
        line.text = line.text.get(least..).unwrap_or("").to_owned();
    }
    lines
}

/// A parameter's doc comment as its description.
pub(crate) fn parameter(lines: &[Line]) -> String {
    let mut page = Page::default();
    let mut fence = Fence::default();
    for line in lines {
        if fence.holds(&line.text) {
            page.cut();
        } else {
            page.push(&line.text);
        }
    }
    page.finish()
}

/// What becomes of a section of a function's doc comment.
#[derive(PartialEq)]
enum Section {
    Kept,
    Arguments,
    Dropped,
}

/// A function's doc comment, by sections.
pub(crate) fn function(lines: &[Line]) -> FunctionDocs {
    let mut docs = FunctionDocs::default();
    let mut page = Page::default();
    let mut fence = Fence::default();
    let mut section = Section::Kept;
    let mut level = 0;
    for line in lines {
        let fenced = fence.holds(&line.text);
        if !fenced
            && let Some((depth, title)) = heading(&line.text)
            && (section == Section::Kept || depth <= level)
        {
            level = depth;
            section = match title.to_lowercase().trim_end_matches(':') {
                "arguments" | "parameters" => Section::Arguments,
                "panics" | "safety" | "examples" | "example" => Section::Dropped,
                _ => Section::Kept,
            };
            if section == Section::Kept {
                page.push(&line.text);
            } else {
                page.cut();
            }
            continue;
        }
        match section {
            _ if fenced => page.cut(),
            Section::Kept => page.push(&line.text),
            Section::Dropped => page.cut(),
            Section::Arguments => argument_line(line, &mut docs),
        }
    }
    docs.description = page.finish();
    for item in &mut docs.arguments {
        item.text = plain(item.text.trim());
    }
    docs
}

/// One line under `# Arguments`: an item, the rest of one, or nothing we know.
fn argument_line(line: &Line, docs: &mut FunctionDocs) {
    let text = line.text.trim_end();
    if text.trim().is_empty() {
        return;
    }
    let bullet = text
        .strip_prefix(['*', '-', '+'])
        .filter(|rest| rest.starts_with([' ', '\t']));
    match (bullet, docs.arguments.last_mut()) {
        (Some(rest), _) => match argument_item(rest.trim()) {
            Some((name, text)) => docs.arguments.push(ArgumentItem {
                name,
                text,
                at: line.at.clone(),
            }),
            None => docs.strays.push(line.clone()),
        },
        (None, Some(item)) => {
            item.text.push(' ');
            item.text.push_str(text.trim());
        }
        (None, None) => docs.strays.push(line.clone()),
    }
}

/// `` `name` - text``, `name: text`, `**name** — text`.
fn argument_item(text: &str) -> Option<(String, String)> {
    let marked = text.trim_start_matches(['`', '*', '_']);
    let end = marked
        .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '#'))
        .unwrap_or(marked.len());
    // `_` may begin a name as well as emphasis.
    let start = text.len() - marked.len();
    let start = start - text[..start].len() + text[..start].trim_end_matches('_').len();
    let name = &text[start..text.len() - marked.len() + end];
    let rest = marked[end..]
        .trim_start_matches(['`', '*', '_'])
        .trim_start();
    let rest = match rest.strip_prefix('(') {
        // `name` (`u32`): text
        Some(typed) => typed
            .split_once(')')
            .map_or(rest, |(_, after)| after.trim_start()),
        None => rest,
    };
    let said = rest.strip_prefix(['-', ':', '–', '—', '='])?;
    let said = said.trim_start_matches('-').trim();
    let name = name.strip_prefix("r#").unwrap_or(name);
    (!name.is_empty() && !name.contains('#')).then(|| (name.to_owned(), said.to_owned()))
}

/// `# Title`: how deep, and the title.
fn heading(line: &str) -> Option<(usize, &str)> {
    let text = line.trim_start_matches(' ');
    if line.len() - text.len() > 3 {
        return None;
    }
    let title = text.trim_start_matches('#');
    let depth = text.len() - title.len();
    let closed = title.trim().trim_end_matches('#').trim();
    ((1..=6).contains(&depth) && (title.is_empty() || title.starts_with([' ', '\t'])))
        .then_some((depth, closed))
}

/// Follows code fences: which lines belong to one.
#[derive(Default)]
struct Fence {
    open: Option<(char, usize)>,
}

impl Fence {
    /// Whether the line is part of a code block, its fences included.
    fn holds(&mut self, line: &str) -> bool {
        let text = line.trim_start();
        let mark = text.chars().next().filter(|c| *c == '`' || *c == '~');
        let run = mark.map_or(0, |mark| text.chars().take_while(|c| *c == mark).count());
        match (self.open, mark) {
            (Some((open, length)), Some(mark))
                if mark == open && run >= length && text[run..].trim().is_empty() =>
            {
                self.open = None;
                true
            }
            (Some(_), _) => true,
            // An inline code span can begin a line with backticks too; a fence has none behind its first run.
            (None, Some(mark)) if run >= 3 && !(mark == '`' && text[run..].contains('`')) => {
                self.open = Some((mark, run));
                true
            }
            (None, _) => false,
        }
    }
}

/// The lines that are kept, without a gap where something was cut out.
#[derive(Default)]
struct Page {
    text: String,
    was_cut: bool,
}

impl Page {
    fn push(&mut self, line: &str) {
        // `[`Shop`]: crate::Shop` at the end of a comment is the address of a link that becomes plain text.
        if is_item_reference(line) {
            self.was_cut = true;
            return;
        }
        if line.is_empty() && self.was_cut && (self.text.is_empty() || self.text.ends_with("\n\n"))
        {
            return;
        }
        if !line.is_empty() {
            self.was_cut = false;
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn cut(&mut self) {
        self.was_cut = true;
    }

    fn finish(self) -> String {
        plain(self.text.trim_matches(['\n', ' ']))
    }
}

/// Text with the links between items made plain: `` [`Shop`] `` reads `` `Shop` ``, and `[the shop](crate::Shop)` reads
/// `the shop`. Web links, and brackets that are no link, stay.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['`', '[', '\\']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        if from.starts_with('\\') {
            let escaped = from.chars().take(2).map(char::len_utf8).sum();
            out.push_str(&from[..escaped]);
            rest = &from[escaped..];
        } else if from.starts_with('`') {
            // A code span ends with as many backticks as it began with.
            let run = from.len() - from.trim_start_matches('`').len();
            let end = code_end(&from[run..], run).map_or(run, |end| run + end);
            out.push_str(&from[..end]);
            rest = &from[end..];
        } else if let Some((shown, length)) = item_link(from) {
            out.push_str(shown);
            rest = &from[length..];
        } else {
            out.push('[');
            rest = &from[1..];
        }
    }
    out.push_str(rest);
    out
}

/// Where a code span that was opened by `run` backticks ends, its closing run included.
fn code_end(text: &str, run: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(next) = text[at..].find('`') {
        let start = at + next;
        let length = text[start..].len() - text[start..].trim_start_matches('`').len();
        if length == run {
            return Some(start + length);
        }
        at = start + length;
    }
    None
}

/// A link to an item at the start of `text`: what is shown, and how long the link is.
fn item_link(text: &str) -> Option<(&str, usize)> {
    let close = matching(text, '[', ']')?;
    let shown = &text[1..close];
    let after = &text[close + 1..];
    if after.starts_with('(') {
        let end = matching(after, '(', ')')?;
        return is_item_path(&after[1..end]).then_some((shown, close + 1 + end + 1));
    }
    if after.starts_with('[') {
        let end = matching(after, '[', ']')?;
        let target = &after[1..end];
        let item = if target.is_empty() {
            is_code(shown) || is_item_path(shown)
        } else {
            is_item_path(target)
        };
        return item.then_some((shown, close + 1 + end + 1));
    }
    let bare = shown.trim_matches('`');
    (is_item_path(bare) && (is_code(shown) || looks_like_item(bare))).then_some((shown, close + 1))
}

/// The end of a bracketed run that begins `text`.
fn matching(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        if c == open {
            depth += 1;
        } else if c == close {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

fn is_code(text: &str) -> bool {
    text.len() > 2 && text.starts_with('`') && text.ends_with('`')
}

/// `crate::Shop`, `Shop::open()`, `struct@Shop`, `vec!`.
fn is_item_path(text: &str) -> bool {
    let text = text.trim_matches('`').split('#').next().unwrap_or("");
    let text = text.split_once('@').map_or(text, |(_, path)| path);
    let text = text
        .strip_suffix("()")
        .or_else(|| text.strip_suffix('!'))
        .unwrap_or(text);
    let text = text.split('<').next().unwrap_or(text);
    let word = |word: &str| {
        !word.is_empty()
            && word.chars().all(|c| c.is_alphanumeric() || c == '_')
            && !word.starts_with(char::is_numeric)
    };
    !text.is_empty() && text.trim_start_matches("::").split("::").all(word)
}

/// Whether a bracketed word without backticks reads like an item, and not like plain brackets.
fn looks_like_item(text: &str) -> bool {
    text.contains("::")
        || text.contains('@')
        || text.ends_with("()")
        || text.ends_with('!')
        || (text.starts_with(char::is_uppercase) && text.chars().any(char::is_lowercase))
}

/// `` [`Shop`]: crate::Shop``
fn is_item_reference(line: &str) -> bool {
    line.trim_start()
        .strip_prefix('[')
        .and_then(|rest| rest.split_once("]: "))
        .is_some_and(|(name, target)| !name.contains(']') && is_item_path(target.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proc_macro2::TokenStream;
    use syn::parse::Parser;

    fn docs(attributes: &str) -> FunctionDocs {
        let tokens: TokenStream = attributes.parse().expect("tokens");
        let attributes = Attribute::parse_outer.parse2(tokens).expect("attributes");
        match collect(&attributes) {
            Docs::Lines(lines) => function(&lines),
            Docs::Expressions(_) => panic!("expected literals"),
        }
    }

    #[track_caller]
    fn check(attributes: &str, expected: &str) {
        assert_eq!(docs(attributes).description, expected);
    }

    #[test]
    fn lines_are_folded_as_they_were_written() {
        check("/// One.", "One.");
        check("/// One.\n/// Two.", "One.\nTwo.");
        check("/// One.\n///\n/// Two.", "One.\n\nTwo.");
        check("///One.\n///   indented", "One.\n  indented");
        check("#[doc = \"One.\"]\n/// Two.", "One.\nTwo.");
        check("#[doc = \"One.\\r\\nTwo.\"]", "One.\nTwo.");
        check(
            "/// {braces} \"quotes\" and 😀",
            "{braces} \"quotes\" and 😀",
        );
        check("/// a\u{2028}b", "a\u{2028}b");
        check("", "");
    }

    /// macro case 12
    #[test]
    fn attributes_between_lines_erase_nothing() {
        check(
            "/// Deletes a file.\n#[allow(clippy::needless_return)]\n///\n/// Second paragraph.",
            "Deletes a file.\n\nSecond paragraph.",
        );
        check(
            "/// One.\n#[doc(hidden)]\n#[doc(alias = \"x\")]\n/// Two.",
            "One.\nTwo.",
        );
    }

    /// macro case 115
    #[test]
    fn block_comments_lose_their_stars() {
        check("/** One. */", "One.");
        check("/**\n * One.\n *\n *   deeper\n */", "One.\n\n  deeper");
        check("/** One.\n * Two.\n */", "One.\nTwo.");
        check("/**\n    One.\n\n    Two.\n*/", "One.\n\nTwo.");
        check("/**\n  * one\n  * two\n*/", "one\ntwo");
    }

    #[test]
    fn sections_for_rust_readers_are_left_out() {
        check(
            "/// One.\n///\n/// # Panics\n///\n/// Never.\n///\n/// ## Deeper\n///\n/// No.\n///\n/// # Use when\n/// Asked.",
            "One.\n\n# Use when\nAsked.",
        );
        check(
            "/// One.\n/// # Examples\n/// ```\n/// # Use when\n/// ```\n/// # Errors\n/// Two.",
            "One.\n# Errors\nTwo.",
        );
    }

    /// macro case 115
    #[test]
    fn code_fences_are_left_out() {
        check(
            "/// One.\n///\n/// ```\n/// # not a heading\n/// ```\n///\n/// Two.",
            "One.\n\nTwo.",
        );
        check(
            "/// One.\n/// ````md\n/// ```\n/// x\n/// ```\n/// ````\n/// Two.",
            "One.\nTwo.",
        );
        check(
            "/// One.\n/// ~~~\n/// ```\n/// ~~~\n/// Two.",
            "One.\nTwo.",
        );
        check("/// ```not a fence``` is code", "```not a fence``` is code");
    }

    #[test]
    fn links_between_items_become_plain_text() {
        check("/// Opens [`Shop`].", "Opens `Shop`.");
        check(
            "/// Opens [`Shop::open()`] or [the shop](crate::Shop).",
            "Opens `Shop::open()` or the shop.",
        );
        check(
            "/// Opens [Shop] and [shop][crate::Shop] and [`x`][].",
            "Opens Shop and shop and `x`.",
        );
        check(
            "/// See [the rules](https://example.com/a_b).",
            "See [the rules](https://example.com/a_b).",
        );
        check(
            "/// A list [1, 2], a class [A-Z], a word [optional], \\[Shop].",
            "A list [1, 2], a class [A-Z], a word [optional], \\[Shop].",
        );
        check(
            "/// `[Shop]` and ``a`[Shop]`` are code.",
            "`[Shop]` and ``a`[Shop]`` are code.",
        );
        check(
            "/// One [`Shop`].\n///\n/// [`Shop`]: crate::Shop",
            "One `Shop`.",
        );
    }

    #[test]
    fn arguments_go_to_the_parameters() {
        let docs = docs(
            "/// One.\n///\n/// # Arguments\n///\n/// * `id` - the number,\n///   with its letter\n/// - name: who\n/// * **_x** — why\n/// * `n` (`u32`): how many\n/// # Use when\n/// Two.",
        );
        assert_eq!(docs.description, "One.\n\n# Use when\nTwo.");
        let items: Vec<_> = docs
            .arguments
            .iter()
            .map(|item| (item.name.as_str(), item.text.as_str()))
            .collect();
        assert_eq!(
            items,
            [
                ("id", "the number, with its letter"),
                ("name", "who"),
                ("_x", "why"),
                ("n", "how many")
            ]
        );
        assert!(docs.strays.is_empty());
    }
}
