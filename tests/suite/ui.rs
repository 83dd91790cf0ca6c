//! What the compiler says, file by file: `ui/fail/<topic>/<mistake>.rs` and what rustc printed beside it.
//!
//! `TRYBUILD=overwrite cargo test -p tests ui` writes what it prints now; read what it wrote.

use std::path::{Path, PathBuf};
use std::{env, fs};

#[test]
fn mistakes_are_told_where_they_are() {
    hand_over_contracts().expect("the contracts can be copied");
    let tests = trybuild::TestCases::new();
    tests.compile_fail("ui/fail/*/*.rs");
    tests.pass("ui/pass/*.rs");
}

/// The tests are compiled in a package of their own, and a pinned schema is looked for from its manifest.
fn hand_over_contracts() -> std::io::Result<()> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/schemas");
    let target = target_directory().join("tests/trybuild/tests/schemas");
    fs::create_dir_all(&target)?;
    for file in fs::read_dir(here)? {
        let file = file?;
        fs::copy(file.path(), target.join(file.file_name()))?;
    }
    Ok(())
}

/// This binary is `<target>/<profile>/deps/suite-<hash>`.
fn target_directory() -> PathBuf {
    let binary = env::current_exe().expect("a running test has a path");
    binary
        .ancestors()
        .nth(3)
        .expect("a test binary lies three folders deep")
        .to_owned()
}
