//! A ready-made command line for any set of tools (feature `cli`).
//!
//! ```no_run
//! fn main() -> std::process::ExitCode {
//!     tool_runtime::cli::run(|_data| Ok(tool_runtime::Dispatcher::builder().registry(tool_runtime::Registry::collect())))
//! }
//! ```
//!
//! That is the whole program: `list`, `show`, `call`, `approvals`, `approve`, `reject`, `manifest`, `lock`, `lint`, `diff`,
//! `export` and `calls`; `--help` says what each does. State lives under `--data DIR` (default `.tools`, or the environment's
//! `TOOLS_DATA`): the journal, and whatever the tools keep there. So a call that waits in one process can be approved in
//! the next.
//!
//! `call`, `approve` and `reject` print exactly one outcome as JSON on stdout and exit with 0 when it is ok and 1 when it is not
//! (for `reject`: when there was nothing to refuse).
//! Everything else that is said goes to stderr. 2 means that nothing could be asked: the command line is wrong, or the
//! tools or their state could not be set up.
//!
//! A call that needs a confirmation is confirmed by the person at the terminal, by answering the question or with `--yes`. Where
//! stdin is no terminal nobody is there, so it never runs: it waits for `approve`.

mod show;
mod terminal;

use std::error::Error;
use std::ffi::OsString;
use std::fmt::{Display, Write as _};
use std::io::{self, IsTerminal as _, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};

use crate::call::{Arguments, ToolCall};
use crate::context::Progress;
use crate::dispatch::builder::Builder;
use crate::dispatch::confirm::ApprovalError;
use crate::dispatch::{CallOptions, Dispatcher};
use crate::journal::FileJournal;
use crate::manifest::{self, DiffFormat, LintLevels, LockMode};
use crate::outcome::ToolOutcome;
use crate::provider;

pub use terminal::Terminal;

/// What goes wrong outside of a call.
type Failed = Box<dyn Error>;

/// Opens whatever the tools need, and says which tools there are.
type Open<'a> = Box<dyn FnOnce(&Path) -> Result<Builder, Failed> + 'a>;

/// What runs when no command is given.
type Alone<'a> = Box<dyn FnOnce() -> Result<(), Failed> + 'a>;

/// Runs a command line over the tools of the builder that `open` returns; `open` is given the folder for their state.
///
/// `open` is called for every command, so it does well to leave opening files to the first call that needs them.
pub fn run<'a>(open: impl FnOnce(&Path) -> Result<Builder, Failed> + 'a) -> ExitCode {
    Cli::new(open).run()
}

/// A command line that is put together before it runs; [`run`] is the short form.
#[must_use]
pub struct Cli<'a> {
    open: Open<'a>,
    alone: Option<Alone<'a>>,
}

impl<'a> Cli<'a> {
    /// A command line over the tools of the builder that `open` returns, see [`run`].
    pub fn new(open: impl FnOnce(&Path) -> Result<Builder, Failed> + 'a) -> Self {
        Self {
            open: Box::new(open),
            alone: None,
        }
    }

    /// Does this when no command is given, in place of printing the help.
    pub fn without_command(mut self, alone: impl FnOnce() -> Result<(), Failed> + 'a) -> Self {
        self.alone = Some(Box::new(alone));
        self
    }

    /// Reads the process's arguments, does what they say, and returns the exit code for `main`.
    pub fn run(self) -> ExitCode {
        let line = match Line::try_parse() {
            Ok(line) => line,
            Err(error) => {
                let _ = error.print();
                return ExitCode::from(if error.use_stderr() { UNASKED } else { 0 });
            }
        };
        let done = match (line.command, self.alone) {
            (Some(command), _) => command.run(self.open, &line.data, line.by),
            (None, Some(alone)) => alone().map(|()| OK),
            (None, None) => {
                note(Line::command().render_help());
                return ExitCode::from(UNASKED);
            }
        };
        match done {
            Ok(code) => ExitCode::from(code),
            Err(error) => {
                note(format_args!("error: {}", with_sources(&*error)));
                ExitCode::from(UNASKED)
            }
        }
    }
}

impl std::fmt::Debug for Cli<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cli").finish_non_exhaustive()
    }
}

/// The exit code when what came of it is ok.
const OK: u8 = 0;

/// The exit code when it is not.
const NOT_OK: u8 = 1;

/// The exit code when nothing could be asked.
const UNASKED: u8 = 2;

/// Look at this program's tools, call them as a model would, and decide about calls that wait.
#[derive(Parser)]
#[command(after_help = "Exit codes: 0 the outcome is ok, 1 it is not, 2 nothing could be asked.")]
struct Line {
    /// Where state is kept: the journal of calls and approvals, and what the tools store
    #[arg(
        long,
        global = true,
        value_name = "DIR",
        env = "TOOLS_DATA",
        default_value = ".tools"
    )]
    data: PathBuf,
    /// Who decides, for the record; default: the name this session is logged in by
    #[arg(long, global = true, value_name = "NAME")]
    by: Option<String>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// List the tools: name, risk, summary
    List {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Show one tool: what the model reads, and what it may send
    Show {
        /// The tool's name
        name: String,
    },
    /// Make one call and print its outcome as JSON
    Call {
        /// The tool's name
        name: String,
        /// The arguments as JSON; `-` reads them from stdin
        json: OsString,
        /// Answer yes to the question of a risky tool; counts in a terminal only
        #[arg(long)]
        yes: bool,
    },
    /// List all calls that waited or wait for an approval
    Approvals {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Approve a call that waits, run it once, and print its outcome as JSON
    Approve {
        /// The approval's id, from the call's outcome or from `approvals`
        id: String,
    },
    /// Refuse a call that waits, and print the outcome that its caller gets
    Reject {
        /// The approval's id, from the call's outcome or from `approvals`
        id: String,
        /// Why; the model is told
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Print what the tools promise: the manifest, or the definitions in a provider's shape
    Manifest {
        /// The provider or dialect, such as openai or anthropic_strict
        #[arg(long, value_name = "NAME")]
        provider: Option<String>,
    },
    /// Print tool definitions in a provider's shape; what was changed for it goes to stderr
    Export {
        /// The provider or dialect, such as openai or gemini_json_schema
        #[arg(long, value_name = "NAME")]
        provider: String,
        /// The form in which the provider binds the model to the schema
        #[arg(long)]
        strict: bool,
        /// A manifest, an MCP `tools/list` result or a list of tools; default: this program's own tools
        file: Option<PathBuf>,
    },
    /// Hold the tools against their lock, the published contract
    Lock {
        /// The lock
        #[arg(default_value = "tools.lock.json")]
        file: PathBuf,
    },
    /// Print advice about the tools: names, descriptions, declared risks
    Lint,
    /// Compare two lists of tools: manifests, locks, or results of MCP's `tools/list`
    #[command(
        after_help = "Exit codes: 0 identical or compatible, 3 semantic, 4 risk, 5 breaking, 2 a file cannot be read."
    )]
    Diff {
        /// The tools as they were; `-` is stdin
        old: PathBuf,
        /// The tools as they are; `-` is stdin
        new: PathBuf,
        /// How to write the result
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,
    },
    /// Print the calls found in a provider's response, as a JSON list
    Calls {
        /// The provider or dialect
        #[arg(long, value_name = "NAME")]
        provider: String,
        /// The response: JSON, or a recorded stream
        file: PathBuf,
    },
}

/// How a result is written.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    Text,
    Json,
}

impl Command {
    /// Does the command; the exit code it ends with.
    fn run(self, open: Open<'_>, data: &Path, by: Option<String>) -> Result<u8, Failed> {
        let by = by.unwrap_or_else(user);
        match self {
            Self::List { json } => {
                let dispatcher = open(data)?.build()?;
                let tools = dispatcher.registry();
                print(&if json {
                    show::list_json(tools)?
                } else {
                    show::list(tools)
                })?;
                Ok(OK)
            }
            Self::Show { name } => {
                let dispatcher = open(data)?.build()?;
                match dispatcher.registry().get(&name) {
                    Some(tool) => {
                        print(&show::tool(tool)?)?;
                        Ok(OK)
                    }
                    None => {
                        note(show::no_such_tool(&name, dispatcher.registry()));
                        Ok(NOT_OK)
                    }
                }
            }
            Self::Manifest { provider: None } => {
                let manifest = show::manifest(open(data)?.build()?.registry())?;
                said(manifest::manifest_command(&manifest))
            }
            Self::Manifest {
                provider: Some(provider),
            } => exported(&provider, false, None, open, data),
            Self::Export {
                provider,
                strict,
                file,
            } => exported(&provider, strict, file, open, data),
            Self::Lock { file } => {
                let manifest = show::manifest(open(data)?.build()?.registry())?;
                let mode = LockMode::from_env()?;
                said(manifest::lock_command(&manifest, &file, mode))
            }
            Self::Lint => {
                let manifest = show::manifest(open(data)?.build()?.registry())?;
                said(manifest::lint_command(&manifest, &LintLevels::default()))
            }
            Self::Diff { old, new, format } => {
                let format = match format {
                    Format::Text => DiffFormat::Text,
                    Format::Json => DiffFormat::Json,
                };
                said(manifest::diff_command(&old, &new, format))
            }
            Self::Calls { provider, file } => {
                told_twice(provider::calls_command(&provider, &text_of(&file)?)?)
            }
            Self::Call { name, json, yes } => {
                // Read first: a wrong command line leaves no trace.
                let arguments = arguments(json)?;
                let builder = open(data)?;
                let builder = if io::stdin().is_terminal() {
                    let terminal = Terminal::new(by);
                    builder.confirm(if yes { terminal.assenting() } else { terminal })
                } else {
                    if yes {
                        note(
                            "note: --yes counts in a terminal only; a call that needs an approval waits for `approve`",
                        );
                    }
                    builder
                };
                let (dispatcher, runtime) = stateful(builder, data)?;
                let options =
                    CallOptions::default().progress(|progress| note(progress_line(&progress)));
                let outcome = runtime
                    .block_on(dispatcher.dispatch_with(ToolCall::new(name, arguments), options));
                runtime.shutdown_background();
                for repaired in &outcome.repairs {
                    let place = if repaired.path.is_empty() {
                        "the arguments"
                    } else {
                        &repaired.path
                    };
                    note(format_args!(
                        "note: repaired {place}: {}",
                        show::word(&repaired.repair)?
                    ));
                }
                print_outcome(&outcome)
            }
            Self::Approvals { json } => {
                let (dispatcher, runtime) = stateful(open(data)?, data)?;
                let approvals = runtime.block_on(dispatcher.approvals())?;
                print(&if json {
                    show::pretty(&approvals)?
                } else {
                    show::approvals(&approvals)?
                })?;
                Ok(OK)
            }
            Self::Approve { id } => {
                let (dispatcher, runtime) = stateful(open(data)?, data)?;
                let outcome = runtime.block_on(dispatcher.approve(&id, &by));
                runtime.shutdown_background();
                print_outcome(&outcome.unwrap_or_else(|error| told(&error)))
            }
            Self::Reject { id, reason } => {
                let (dispatcher, runtime) = stateful(open(data)?, data)?;
                let outcome = runtime.block_on(dispatcher.reject(&id, &by, reason.as_deref()));
                match outcome {
                    // The call's outcome is a refusal; that it could be refused is what was asked for.
                    Ok(outcome) => print_outcome(&outcome).map(|_| OK),
                    Err(error) => print_outcome(&told(&error)),
                }
            }
        }
    }
}

/// Tools in a provider's shape: those of a file, or this program's own.
fn exported(
    provider: &str,
    strict: bool,
    file: Option<PathBuf>,
    open: Open<'_>,
    data: &Path,
) -> Result<u8, Failed> {
    let printed = match file {
        Some(file) => provider::export_command(provider, strict, Some(&text_of(&file)?), &[])?,
        None => {
            let own = show::definitions(open(data)?.build()?.registry())?;
            provider::export_command(provider, strict, None, &own)?
        }
    };
    told_twice(printed)
}

/// What a command found on stdout, what it has to say about it on stderr.
fn told_twice(printed: provider::Printed) -> Result<u8, Failed> {
    let _ = io::stderr().write_all(printed.stderr.as_bytes());
    print(&printed.stdout)?;
    Ok(OK)
}

/// What a command about contracts has to say.
fn said(said: manifest::Said) -> Result<u8, Failed> {
    let _ = io::stderr().write_all(said.err.as_bytes());
    if !said.out.is_empty() {
        print(&said.out)?;
    }
    Ok(said.code)
}

fn text_of(file: &Path) -> Result<String, Failed> {
    std::fs::read_to_string(file)
        .map_err(|error| format!("cannot read {}: {error}", file.display()).into())
}

/// A dispatcher whose journal outlives the process, and what its futures run on.
fn stateful(
    builder: Builder,
    data: &Path,
) -> Result<(Dispatcher, tokio::runtime::Runtime), Failed> {
    let journal = FileJournal::open(data.join("journal.jsonl"))?;
    let dispatcher = builder.journal(journal).build()?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    Ok((dispatcher, runtime))
}

/// The arguments as they were given, untouched: judging them is the gateway's task.
fn arguments(json: OsString) -> Result<Arguments, Failed> {
    if json != "-" {
        return Ok(Arguments::from(json.into_encoded_bytes()));
    }
    let mut bytes = Vec::new();
    io::stdin()
        .read_to_end(&mut bytes)
        .map_err(|error| format!("the arguments could not be read from stdin: {error}"))?;
    Ok(Arguments::from(bytes))
}

/// Who is logged in.
fn user() -> String {
    ["USER", "LOGNAME", "USERNAME"]
        .iter()
        .filter_map(|name| std::env::var(name).ok())
        .find(|name| !name.trim().is_empty())
        .unwrap_or_else(|| "operator".to_owned())
}

/// Why an approval could not be used, in the one form; what came of it the first time is told on the side.
fn told(error: &ApprovalError) -> ToolOutcome {
    if let ApprovalError::Used {
        outcome: Some(outcome),
        ..
    } = error
    {
        note(format_args!("note: the recorded outcome is {outcome}"));
    }
    error.to_outcome()
}

fn print_outcome(outcome: &ToolOutcome) -> Result<u8, Failed> {
    print(&outcome.to_json())?;
    Ok(if outcome.is_ok() { OK } else { NOT_OK })
}

/// Tells people something, on stderr; where it cannot be told, nothing is lost but words.
fn note(text: impl Display) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Writes to stdout, one line break at the end. A reader that went away (`| head`) is no failure of ours.
fn print(text: &str) -> Result<(), Failed> {
    let mut out = io::stdout().lock();
    let written = out
        .write_all(text.trim_end_matches('\n').as_bytes())
        .and_then(|()| out.write_all(b"\n"))
        .and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}

fn progress_line(progress: &Progress) -> String {
    let mut line = format!("progress: {}", progress.progress);
    if let Some(total) = progress.total {
        // `write!` to a string cannot fail.
        let _ = write!(line, " of {total}");
    }
    if let Some(message) = &progress.message {
        let _ = write!(line, ", {}", crate::text::shown(message, 500));
    }
    line
}

/// An error with what is underneath, on one line.
fn with_sources(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        let cause = error.to_string();
        if !text.contains(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
        source = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Line::command().debug_assert();
    }
}
