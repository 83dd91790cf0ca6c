//! macro case 6: `#[kit::tool]` builds in a crate that calls the runtime `kit`, and says so nowhere else.

#![deny(warnings)]

/// Adds.
#[kit::tool(read_only)]
pub fn add(
    /** left */
    a: i32,
    #[arg(minimum = 1)] b: i32,
) -> i32 {
    a + b
}

/// Waits.
#[kit::tool(crate = ::kit)]
pub async fn wait(#[context] call: &kit::CallContext) -> String {
    call.trace_id().to_string()
}

#[cfg(test)]
mod tests {
    #[test]
    fn both_are_there() {
        assert_eq!(kit::tools![super::add, super::wait].len(), 2);
        assert_eq!(kit::Registry::collect().len(), 2);
    }
}
