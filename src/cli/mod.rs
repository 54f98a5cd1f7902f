//! The command line: definitions, dispatch, exit statuses (SPEC section 14).

mod brief;
mod completions;
mod diff;
mod edit;
mod editor;
mod list;
mod load;
mod look;
mod output;
mod prompt;
mod prune;
mod redact;
mod save;
mod select;
mod signals;
mod sync;
mod table;
mod width;

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::{OsStringValueParser, TypedValueParser as _};
use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueHint};

use crate::commands::{Context, Scope, Words};
use crate::env::Env;
use crate::hooks::Hook;
use crate::mcp;
use look::When;
use output::Output;

const EXAMPLES: &str = "\
Examples:
  ckpt save --goal 'Sign in with GitHub' --task 'in_progress: Session cookie'
  ckpt load 0f9c        the checkpoint whose session id starts with this";

/// Save what a coding agent's session knows, and resume it later
#[derive(Debug, Parser)]
#[command(
    name = "ckpt",
    version,
    arg_required_else_help = true,
    max_term_width = 80,
    after_help = EXAMPLES
)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
struct Global {
    /// Work on this project, not the working directory
    // Empty counts as not given, which the parser for paths would refuse.
    #[arg(short = 'C', long, global = true, value_name = "DIR", value_hint = ValueHint::DirPath,
        value_parser = OsStringValueParser::new().map(PathBuf::from))]
    project_root: Option<PathBuf>,
    /// Act as the session with this id
    #[arg(long, global = true, value_name = "ID", value_hint = ValueHint::Other)]
    session: Option<String>,
    /// Colour the output: auto, always or never
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t = When::Auto,
        value_name = "WHEN",
        hide_default_value = true,
        hide_possible_values = true
    )]
    color: When,
}

// Deferred, so that the arguments of the one that was named are built and no others.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
enum Command {
    /// Save what the session knows as its checkpoint
    Save(Box<save::Args>),
    /// Print a checkpoint as a brief that says what changed since
    Load(load::Args),
    /// List the project's checkpoints, newest first
    List(list::Args),
    /// Tell what changed since a checkpoint, or between two
    Diff(diff::Args),
    /// Edit a checkpoint in your editor
    Edit(edit::Args),
    /// Delete checkpoints that are no longer wanted
    Prune(prune::Args),
    /// Sync the checkpoints with your other machines, over git
    Sync(sync::Args),
    /// Print standard input as a save would keep it: without its secrets
    Redact(redact::Args),
    /// Serve the checkpoints to an agent over MCP
    Serve,
    /// Hook SessionStart: tell the agent what can be resumed
    Nudge,
    /// Hook PreToolUse: keep subagents from saving
    Guard,
    /// Print the completions of a shell
    Completions(completions::Args),
    // The hidden ones have names that nobody mistypes: clap would suggest them, too.
    /// Print selectors and goals, for completions
    #[command(name = "__selectors", hide = true)]
    Selectors,
    /// Write completions and man pages, for packages
    #[command(name = "__generate", hide = true)]
    Generate(completions::GenerateArgs),
}

/// How a command ended; an error is [`Ended::Failed`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ended {
    Done,
    /// There was nothing to load, or a person chose nothing.
    NotFound,
    /// There are differences, and the exit status was to say so.
    Differs,
    Failed,
}

impl From<Ended> for ExitCode {
    fn from(ended: Ended) -> Self {
        Self::from(match ended {
            Ended::Done => 0,
            Ended::NotFound | Ended::Differs => 1,
            Ended::Failed => 2,
        })
    }
}

/// Runs the program with its arguments, the program's own name first.
pub(crate) fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let ended = match error.use_stderr() {
                true => Ended::Failed,
                false => Ended::Done,
            };
            let output = Output::new(When::Auto, &Env::from_process());
            return conclude(print(&error).map(|()| ended), &output).into();
        }
    };
    let env = Env::from_process();
    let output = Output::new(cli.global.color, &env);
    conclude(dispatch(cli, env, &output), &output).into()
}

/// Writes what clap has to say; asked for, as `--help` is, it is data like any other.
fn print(said: &clap::Error) -> anyhow::Result<()> {
    said.print()?;
    Ok(io::stdout().flush()?)
}

fn conclude(ended: anyhow::Result<Ended>, output: &Output) -> Ended {
    ended.unwrap_or_else(|error| {
        if output::is_closed_pipe(&error) {
            return Ended::Done;
        }
        output.error(&error);
        Ended::Failed
    })
}

fn dispatch(cli: Cli, env: Env, output: &Output) -> anyhow::Result<Ended> {
    let Cli { global, command } = cli;
    let scope = global.scope(&env);
    match command {
        Command::Save(args) => save::run(*args, env, scope, output),
        Command::Load(args) => load::run(args, &Context::new(env, scope)?, output),
        Command::List(args) => list::run(args, &Context::new(env, scope)?, output),
        Command::Diff(args) => diff::run(&args, &Context::new(env, scope)?, output),
        Command::Edit(args) => edit::run(&args, &Context::new(env, scope)?, output),
        Command::Prune(args) => prune::run(args, &Context::new(env, scope)?, output),
        Command::Sync(args) => sync::run(args, &Context::new(env, scope)?, output),
        Command::Redact(args) => redact::run(&args, output),
        Command::Nudge => Ok(hook(Hook::Nudge)),
        Command::Guard => Ok(hook(Hook::Guard)),
        Command::Completions(args) => completions::run(&args, &Cli::command(), output),
        Command::Selectors => completions::selectors(&Context::new(env, scope)?, output),
        Command::Generate(args) => completions::generate(&args, &Cli::command()),
        Command::Serve => {
            if output.asks {
                output.hint("an agent's client starts this and speaks MCP to it; Ctrl-C ends it");
            }
            mcp::serve().map(|()| Ended::Done)
        }
    }
}

/// How many of something, as it is typed.
fn count(text: &str) -> Result<usize, &'static str> {
    text.parse().map_err(|_| "it takes a whole number")
}

fn hook(hook: Hook) -> Ended {
    hook.run();
    Ended::Done
}

impl Global {
    /// The options as a scope; on the command line a project root may be relative.
    fn scope(self, env: &Env) -> Scope {
        let given = self
            .project_root
            .filter(|path| !path.as_os_str().is_empty());
        Scope {
            project_root: given.map(|path| match &env.cwd {
                Some(cwd) => cwd.join(path),
                None => path,
            }),
            session: self.session.filter(|session| !session.is_empty()),
            words: Words::Options,
            ..Scope::default()
        }
    }
}
