//! What the compiler says, file by file: `ui/fail/<topic>/<mistake>.rs` and what rustc printed beside it.
//!
//! `TRYBUILD=overwrite cargo test -p tests ui` writes what it prints now; read what it wrote.

#[test]
fn mistakes_are_told_where_they_are() {
    let tests = trybuild::TestCases::new();
    tests.compile_fail("ui/fail/*/*.rs");
    tests.pass("ui/pass/*.rs");
}
