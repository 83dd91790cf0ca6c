//! What the contract costs a build as the tools grow: time and memory of the manifest, the lock and the lints.
//!
//! `cargo run --release --example contract_growth -- 1000`

use std::time::Instant;

use serde_json::json;
use tool_runtime::manifest::{
    LintLevels, LockMode, Manifest, ManifestTool, SourcePlace, check_lock, lint, lock_text,
};

fn main() {
    let count = std::env::args()
        .nth(1)
        .and_then(|count| count.parse().ok())
        .unwrap_or(1000);
    let start = Instant::now();
    let tools: Vec<ManifestTool> = (0..count).map(tool).collect();
    report("tools made", start);

    let start = Instant::now();
    let manifest = Manifest::from_tools(tools);
    let text = manifest.to_json_string();
    report(
        &format!("manifest written, {} KiB", text.len() / 1024),
        start,
    );

    let start = Instant::now();
    let lock = lock_text(&manifest);
    report("lock written", start);

    let check = |manifest: &Manifest, lock: &str| {
        check_lock(manifest, Some(lock), "tools.lock.json", LockMode::default())
    };
    let start = Instant::now();
    let same = check(&manifest, &lock);
    report(
        &format!("lock held, nothing changed: {} errors", same.errors.len()),
        start,
    );

    let one = changed(&manifest, |index| index == count / 2);
    let start = Instant::now();
    let broken = check(&one, &lock);
    report(
        &format!(
            "lock held, one tool changed: {} errors",
            broken.errors.len()
        ),
        start,
    );

    let all = changed(&manifest, |index| index % 10 == 0);
    let start = Instant::now();
    let broken = check(&all, &lock);
    report(
        &format!(
            "lock held, a tenth of the tools changed: {} errors",
            broken.errors.len()
        ),
        start,
    );

    let start = Instant::now();
    let findings = lint(&manifest, &LintLevels::default());
    report(&format!("lints run: {} findings", findings.len()), start);

    // Linux says how much memory the program had at its highest.
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        for line in status.lines().filter(|line| line.starts_with("VmHWM")) {
            println!("{line}");
        }
    }
}

fn report(what: &str, since: Instant) {
    println!(
        "{:>10.1} ms  {what}",
        since.elapsed().as_secs_f64() * 1000.0
    );
}

/// A tool like those of real servers: a few described arguments, an enumeration, a list.
fn tool(index: usize) -> ManifestTool {
    let words = [
        "order", "customer", "invoice", "parcel", "ticket", "refund", "stock", "price", "supplier",
        "route",
    ];
    let verbs = [
        "find", "list", "show", "update", "cancel", "create", "archive", "merge", "assign",
        "export",
    ];
    let (word, verb) = (words[index % 10], verbs[(index / 10) % 10]);
    ManifestTool {
        source: Some(SourcePlace::new(
            "src/tools.rs",
            10 + u32::try_from(index).unwrap_or(0) * 12,
            "shop::tools",
        )),
        ..ManifestTool::new(
            format!("{verb}_{word}_{index}"),
            format!(
                "{verb} the {word} of depot {index}, as the desk for {word}s needs it. Do not use for depot {}.",
                index + 1
            ),
            json!({
                "type": "object",
                "properties": {
                    "id": {"type": "string", "description": format!("The {word}'s number."), "pattern": "^[A-Z]\\d{4}$"},
                    "state": {"type": "string", "enum": ["new", "open", "done"], "description": "Where it stands."},
                    "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20, "description": "At most so many."},
                    "tags": {"type": "array", "items": {"type": "string"}, "description": "Only with these tags."}
                },
                "required": ["id"],
                "additionalProperties": false
            }),
        )
    }
}

fn changed(manifest: &Manifest, which: impl Fn(usize) -> bool) -> Manifest {
    let mut tools = manifest.tools().to_vec();
    for (index, tool) in tools
        .iter_mut()
        .enumerate()
        .filter(|(index, _)| which(*index))
    {
        tool.input_schema["properties"]["limit"]["maximum"] = json!(50 + index % 7);
    }
    Manifest::from_tools(tools)
}
