//! The command line: definitions, dispatch, exit statuses (docs/contract.md, section 14).

mod brief;
mod completions;
mod diff;
mod edit;
mod editor;
mod home;
mod list;
mod load;
mod log;
mod look;
mod name;
mod output;
mod prompt;
mod prune;
mod redact;
mod restore;
mod resume;
mod save;
mod select;
mod signals;
mod status;
mod sync;
mod table;
mod usage;
mod width;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::{OsStringValueParser, TypedValueParser as _};
use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueHint};

use crate::commands::{Context, Scope, Words};
use crate::env::{self, Env};
use crate::hooks::Hook;
use crate::mcp;
use look::When;
use output::Output;

const EXAMPLES: &str = "\
Examples:
  ckpt save --goal 'Sign in with GitHub' --task 'in_progress: Session cookie'
  ckpt load 0f9c        the checkpoint whose session id starts with this";

const SERVE: &str = "\
An agent's client starts this and speaks MCP to it, set up with:
  claude mcp add ckpt -- ckpt serve
  codex mcp add ckpt -- ckpt serve";

const HOOK: &str = "\
An agent's client starts this with JSON on standard input. Claude Code's plugin sets it up; on a terminal it says how to by hand.";

/// Save what a coding agent's session knows, and resume it later
#[derive(Debug, Parser)]
#[command(
    name = "ckpt",
    version,
    max_term_width = 80,
    after_help = EXAMPLES
)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Option<Command>,
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
        ignore_case = true,
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
    /// Print a checkpoint's brief, with what changed since
    #[command(visible_alias = "show")]
    Load(load::Args),
    /// List the project's checkpoints, newest first
    #[command(visible_alias = "ls")]
    List(list::Args),
    /// Go on from a checkpoint in an agent
    Resume(resume::Args),
    /// Tell what changed since a checkpoint, or between two
    Diff(diff::Args),
    /// List the saves of a checkpoint, newest first
    Log(log::Args),
    /// Make an earlier save of a checkpoint the present one
    Restore(restore::Args),
    /// Call a checkpoint by a name of your own
    Name(name::NameArgs),
    /// Mark checkpoints as finished
    Done(name::DoneArgs),
    /// Edit a checkpoint in your editor
    Edit(edit::Args),
    /// Delete checkpoints that are no longer wanted
    #[command(visible_alias = "rm")]
    Prune(prune::Args),
    /// Tell where checkpoints are, what is set up, and what is wrong
    Status(status::Args),
    /// Sync the checkpoints with your other machines, over git
    Sync(sync::Args),
    /// Print standard input as a save would keep it: without its secrets
    Redact(redact::Args),
    /// Serve the checkpoints to an agent over MCP
    #[command(after_help = SERVE)]
    Serve,
    /// Hook: tell the agent what to resume, keep and save
    #[command(after_help = HOOK)]
    Nudge,
    /// Hook: bind calls to sessions, deny subagents' saves
    #[command(after_help = HOOK)]
    Guard,
    /// Print the completions of a shell
    Completions(completions::Args),
    // The hidden ones have names that nobody mistypes: clap would suggest them, too.
    /// Print selectors and goals, for completions
    #[command(name = "__selectors", hide = true)]
    Selectors(completions::SelectorArgs),
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
    let arguments = usage::with_help_last(arguments.collect(), Cli::command);
    let env = Env::from_process();
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let output = Output::new(When::typed(&arguments), &env);
            let printed = usage::print(error, &arguments, &Cli::command(), &output);
            return conclude(printed, &output).into();
        }
    };
    let output = Output::new(cli.global.color, &env);
    conclude(dispatch(cli, env, &output), &output).into()
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
    let Some(command) = command else {
        return alone(env, scope, output);
    };
    let open = |env, scope| open(env, scope, output);
    match command {
        Command::Save(args) => save::run(*args, env, scope, output),
        Command::Load(args) => load::run(args, &open(env, scope)?, output),
        Command::List(args) => list::run(args, &open(env, scope)?, output),
        Command::Resume(args) => resume::run(args, open(env, scope)?, output),
        Command::Diff(args) => diff::run(&args, &open(env, scope)?, output),
        Command::Log(args) => log::run(&args, &open(env, scope)?, output),
        Command::Restore(args) => restore::run(&args, &open(env, scope)?, output),
        Command::Name(args) => name::name(&args, &open(env, scope)?, output),
        Command::Done(args) => name::done(&args, &open(env, scope)?, output),
        Command::Edit(args) => edit::run(&args, &open(env, scope)?, output),
        Command::Prune(args) => prune::run(args, &open(env, scope)?, output),
        Command::Status(args) => status::run(&args, env, scope, output),
        Command::Sync(args) => sync::run(args, &open(env, scope)?, output),
        Command::Redact(args) => redact::run(&args, output),
        Command::Nudge => Ok(hook(Hook::Nudge, env, scope, output)),
        Command::Guard => Ok(hook(Hook::Guard, env, scope, output)),
        Command::Completions(args) => completions::run(&args, &Cli::command(), output),
        Command::Selectors(args) => {
            completions::selectors(&args, &Context::new(env, scope)?, output)
        }
        Command::Generate(args) => completions::generate(&args, &Cli::command()),
        Command::Serve => {
            if output.asks {
                output.hint("an agent's client starts this and speaks MCP to it; Ctrl-C ends it");
            }
            mcp::serve(scope).map(|()| Ended::Done)
        }
    }
}

/// The place where a command works, which is said where it is not the working directory.
fn open(env: Env, scope: Scope, output: &Output) -> anyhow::Result<Context> {
    let context = Context::new(env, scope)?;
    output.root_above(&context);
    Ok(context)
}

/// What the program does where no command is named: a picker for a person, where there is something to pick from.
fn alone(env: Env, scope: Scope, output: &Output) -> anyhow::Result<Ended> {
    if output.asks
        && output.out.width.is_some()
        && let Some(ended) = home::run(open(env, scope, output)?, output)?
    {
        return Ok(ended);
    }
    let help = Cli::command().render_help();
    output.painted_note(&match output.err.colored {
        true => help.ansi().to_string(),
        false => help.to_string(),
    });
    Ok(Ended::Failed)
}

/// How many of something, as it is typed.
fn count(text: &str) -> Result<usize, &'static str> {
    text.parse().map_err(|_| "it takes a whole number")
}

/// A hook never fails: clients take its status for a decision.
fn hook(hook: Hook, env: Env, scope: Scope, output: &Output) -> Ended {
    if scope.session.is_some() {
        let told = "`--session` has no effect here: the client tells a hook its session".to_owned();
        output.warnings(&[told]);
    }
    hook.run(&match scope.project_root {
        Some(root) => env.with(env::PROJECT_ROOT, root.into_os_string()),
        None => env,
    });
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
            looks_above: true,
            ..Scope::default()
        }
    }
}
