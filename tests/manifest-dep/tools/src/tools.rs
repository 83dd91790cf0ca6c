//! Two tools.

use tool_runtime::tool;

/// Say hello to somebody.
///
/// # Use when
/// The user asks for a greeting.
///
/// # Do not use for
/// Saying goodbye (`say_goodbye`).
#[tool(read_only)]
pub fn say_hello(
    /// Who is greeted.
    #[arg(min_length = 1, max_length = 80)]
    name: &str,
    /// How often.
    #[arg(minimum = 1, maximum = 3, default = 1)]
    times: u8,
) -> String {
    vec![format!("Hello, {name}!"); usize::from(times)].join(" ")
}

/// Say goodbye to somebody, who then leaves.
///
/// # Use when
/// The user asks to end a visit.
///
/// # Do not use for
/// Greetings (`say_hello`).
#[tool(risk = "high", confirm = "Send them away?", alias = "dismiss")]
pub async fn say_goodbye(
    /// Who leaves.
    name: Option<String>,
) -> Result<String, std::fmt::Error> {
    Ok(format!(
        "Goodbye, {}!",
        name.as_deref().unwrap_or("everybody")
    ))
}
