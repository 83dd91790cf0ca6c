//! Every rule of the macro's checker has a UI test that provokes it.

use std::fs;
use std::path::Path;

macro_rules! rules {
    ($($(#[$example:meta])* $rule:ident($($part:ident),*) => $template:literal;)*) => {
        /// The name and the words of each rule.
        const RULES: &[(&str, &str)] = &[$((stringify!($rule), $template)),*];
    };
}
include!("../../tool-macros/src/rules.rs");

/// What rustc printed for each UI test, on one line.
fn printed() -> Vec<String> {
    let mut all = Vec::new();
    let topics = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/fail"));
    for topic in topics.expect("the UI tests are there") {
        let topic = topic.expect("a folder can be read").path();
        for file in fs::read_dir(topic).expect("a topic is a folder") {
            let file = file.expect("a file can be read").path();
            if file
                .extension()
                .is_some_and(|extension| extension == "stderr")
            {
                let text = fs::read_to_string(&file).expect("what rustc printed is text");
                all.push(text.split_whitespace().collect::<Vec<_>>().join(" "));
            }
        }
    }
    all
}

/// Whether the fixed pieces of a message stand in the text, in order.
fn says(text: &str, template: &str) -> bool {
    let mut rest = text;
    for piece in template.split(['{', '}']).step_by(2) {
        let piece = piece.split_whitespace().collect::<Vec<_>>().join(" ");
        match rest.find(&piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    true
}

#[test]
fn every_rule_is_provoked() {
    let printed = printed();
    let silent: Vec<&str> = RULES
        .iter()
        .filter(|(_, template)| !printed.iter().any(|text| says(text, template)))
        .map(|(rule, _)| *rule)
        .collect();
    assert!(
        silent.is_empty(),
        "rules without a UI test in ui/fail: {silent:?}"
    );
}

/// Each test says first what it is about, and has its output beside it.
#[test]
fn every_test_says_what_it_is_about() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/fail");
    let mut count = 0;
    for topic in fs::read_dir(root).expect("the UI tests are there") {
        for file in fs::read_dir(topic.expect("a folder").path()).expect("a topic is a folder") {
            let file = file.expect("a file can be read").path();
            if file.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&file).expect("a test is text");
                assert!(
                    text.starts_with("//! "),
                    "{} does not say what it is about",
                    file.display()
                );
                assert!(
                    file.with_extension("stderr").exists(),
                    "{} has no output",
                    file.display()
                );
                count += 1;
            }
        }
    }
    assert!(count >= 120, "{count} UI tests");
}
