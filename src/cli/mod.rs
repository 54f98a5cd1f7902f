//! The command line: definitions, dispatch, exit statuses (SPEC section 14).

mod list;
mod load;
mod output;
mod redact;
mod save;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::{OsStringValueParser, TypedValueParser as _};
use clap::{Args, Parser, Subcommand};

use crate::commands::{Context, Scope};
use crate::env::Env;
use crate::hooks::Hook;
use crate::mcp;
use output::{Output, When};

/// Session checkpoints for coding agents: save what a session knows, resume it later
#[derive(Debug, Parser)]
#[command(
    name = "ckpt",
    version,
    propagate_version = true,
    arg_required_else_help = true
)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Args)]
struct Global {
    /// Work on the checkpoints of this directory instead of the working directory
    // Empty counts as not given, which the parser for paths would refuse.
    #[arg(short = 'C', long, global = true, value_name = "DIR",
        value_parser = OsStringValueParser::new().map(PathBuf::from))]
    project_root: Option<PathBuf>,
    /// Act as the session with this id
    #[arg(long, global = true, value_name = "ID")]
    session: Option<String>,
    /// When to use colour
    #[arg(long, global = true, value_enum, default_value_t = When::Auto, value_name = "WHEN")]
    color: When,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Save what the session knows as its checkpoint
    Save(Box<save::Args>),
    /// Print a checkpoint as a brief that says what changed since
    Load(load::Args),
    /// List the project's checkpoints, newest first
    List(list::Args),
    /// Print standard input as a save would keep it: without its secrets
    Redact(redact::Args),
    /// Tell an agent at its session's start that there are checkpoints (hook SessionStart of Claude Code)
    Nudge,
    /// Keep a subagent from saving over its parent's checkpoint (hook PreToolUse of Claude Code)
    Guard,
    /// Serve the checkpoints to an agent: an MCP server over standard input and output
    Serve,
}

/// How a command ended; an error is [`Ended::Failed`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ended {
    Done,
    /// There was nothing to load.
    NotFound,
    Failed,
}

impl From<Ended> for ExitCode {
    fn from(ended: Ended) -> Self {
        Self::from(match ended {
            Ended::Done => 0,
            Ended::NotFound => 1,
            Ended::Failed => 2,
        })
    }
}

/// Runs the program with its arguments, the program's own name first.
pub(crate) fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Nothing is left to tell the caller where even this cannot be written.
            let _ = error.print();
            return match error.use_stderr() {
                true => Ended::Failed.into(),
                false => Ended::Done.into(),
            };
        }
    };
    let env = Env::from_process();
    let output = Output::new(cli.global.color, &env);
    let ended = dispatch(cli, env, &output).unwrap_or_else(|error| {
        if output::is_closed_pipe(&error) {
            return Ended::Done;
        }
        output.error(&error);
        Ended::Failed
    });
    ended.into()
}

fn dispatch(cli: Cli, env: Env, output: &Output) -> anyhow::Result<Ended> {
    let Cli { global, command } = cli;
    let scope = global.scope(&env);
    match command {
        Command::Save(args) => save::run(*args, env, scope, output),
        Command::Load(args) => load::run(args, &Context::new(env, scope)?, output),
        Command::List(args) => list::run(&args, &Context::new(env, scope)?, output),
        Command::Redact(args) => redact::run(&args, output),
        Command::Nudge => Ok(hook(Hook::Nudge)),
        Command::Guard => Ok(hook(Hook::Guard)),
        Command::Serve => mcp::serve().map(|()| Ended::Done),
    }
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
            client_root: None,
        }
    }
}
