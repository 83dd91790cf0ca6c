//! macro case 6: behind a facade, `crate = path` says where the runtime lives.

#![deny(warnings)]

use facade::tools::tool;

/// Adds.
#[tool(crate = facade::tools, read_only)]
pub fn add(
    /** left */
    a: i32,
    #[arg(maximum = 9)] b: i32,
) -> i32 {
    a + b
}

mod inner {
    /// Adds, from a path as serde writes it.
    #[facade::tools::tool(crate = "facade::tools")]
    pub(super) async fn add_slowly(a: i32, b: i32) -> Result<i32, String> {
        Ok(a + b)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn both_are_there() {
        assert_eq!(
            facade::tools::tools![super::add, super::inner::add_slowly].len(),
            2
        );
        assert_eq!(facade::tools::Registry::collect().len(), 2);
    }
}
