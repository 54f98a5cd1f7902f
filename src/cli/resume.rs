//! `ckpt resume`

use std::process::Command;

use anyhow::Context as _;
use clap::ValueEnum;

use super::output::Output;
use super::prompt::confirm::confirm;
use super::prompt::picker;
use super::{Ended, select};
use crate::commands::resume::{self, Agent, Outcome};
use crate::commands::{self, Context, Selector};
use crate::error::failure;
use crate::generate;

const EXAMPLES: &str = "\
Examples:
  ckpt resume 0f9c              in the client that it was saved in
  ckpt resume 0f9c --in codex   in a new session of another one
  ckpt resume --everywhere      choose among all projects
  ckpt resume 0f9c --print      say what would be started";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The checkpoint, by its session id or the start of that
    #[arg(value_hint = generate::SELECTOR)]
    selector: Option<String>,
    /// Go on in this client: claude, codex, gemini or opencode
    #[arg(
        long = "in",
        value_enum,
        ignore_case = true,
        value_name = "CLIENT",
        hide_possible_values = true
    )]
    agent: Option<Client>,
    /// Print the command line and start nothing
    #[arg(long)]
    print: bool,
    /// Choose among the checkpoints of every project
    #[arg(long)]
    everywhere: bool,
}

impl Args {
    /// Those that go on with a checkpoint in its own client.
    pub(super) fn of(selector: String) -> Self {
        Self {
            selector: Some(selector),
            agent: None,
            print: false,
            everywhere: false,
        }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Client {
    Claude,
    Codex,
    Gemini,
    Opencode,
}

impl From<Client> for Agent {
    fn from(client: Client) -> Self {
        match client {
            Client::Claude => Self::Claude,
            Client::Codex => Self::Codex,
            Client::Gemini => Self::Gemini,
            Client::Opencode => Self::OpenCode,
        }
    }
}

pub(super) fn run(args: Args, context: Context, output: &Output) -> anyhow::Result<Ended> {
    let Args {
        selector,
        agent,
        print,
        everywhere,
    } = args;
    let chosen = match everywhere {
        true => chosen_everywhere(selector.as_deref(), &context, output)?,
        false => {
            let selector =
                select::typed_or_own(selector.as_deref(), "resume", output.asks, &context, output)?;
            selector.map(|selector| (context, selector))
        }
    };
    let Some((context, selector)) = chosen else {
        return Ok(Ended::NotFound);
    };
    let request = resume::Request {
        selector: selector.clone(),
        agent: agent.map(Agent::from),
    };
    let outcome = resume::run(&context, &request)?;
    if print {
        output.data(&outcome.command_line())?;
        return Ok(Ended::Done);
    }
    if outcome.program.is_none() {
        return Err(outcome.not_installed(&selector));
    }
    if outcome.is_running {
        if !output.asks {
            return Err(failure(
                format!("session `{selector}` still runs; nothing was started"),
                "end it first, or begin a new session in another client with --in",
            ));
        }
        let question = format!("Session {selector} still runs. Go on with it in a second process?");
        if !confirm(&question, false, output.err)? {
            output.note("Nothing started.");
            return Ok(Ended::NotFound);
        }
    }
    start(&outcome)
}

/// Among all projects, the checkpoint that was typed, or else picked.
fn chosen_everywhere(
    typed: Option<&str>,
    context: &Context,
    output: &Output,
) -> anyhow::Result<Option<(Context, Selector)>> {
    let (root, selector) = match typed.filter(|typed| !typed.is_empty()) {
        Some(typed) => match &resume::projects_of(context, typed)?[..] {
            [one] => one.clone(),
            [] => {
                return Err(failure(
                    format!("no project that the clients know has a checkpoint `{typed}`"),
                    "list them: ckpt list --everywhere",
                ));
            }
            more => {
                let named: Vec<String> = more
                    .iter()
                    .map(|(root, selector)| format!("`{selector}` in {}", root.display()))
                    .collect();
                return Err(failure(
                    format!("`{typed}` could be any of these: {}", named.join(", ")),
                    "type more of it, or name the project with -C",
                ));
            }
        },
        None => {
            let found = commands::everywhere::entries(context, true)?;
            output.warnings(&found.warnings);
            if found.entries.is_empty() {
                output.note("No checkpoints in any project that the clients know.");
                return Ok(None);
            }
            if !output.asks {
                return Err(failure(
                    "cannot ask which checkpoint is meant without a terminal; nothing was started",
                    "name one: ckpt resume --everywhere SELECTOR",
                ));
            }
            let picked = picker::pick(
                "Which checkpoint do you want to go on with?",
                &found.entries,
                output.err,
            )?;
            let picked = picked.and_then(|entry| {
                Some((entry.project_root.clone()?.into(), entry.selector.clone()))
            });
            match picked {
                Some(picked) => picked,
                None => return Ok(None),
            }
        }
    };
    let context = context.at(&root)?;
    let selector = context.expand(&selector)?;
    Ok(Some((context, selector)))
}

/// Becomes the client, where the system can; else runs it to its end.
fn start(outcome: &Outcome) -> anyhow::Result<Ended> {
    let Some(program) = &outcome.program else {
        return Ok(Ended::Failed);
    };
    let mut command = Command::new(program);
    command
        .args(&outcome.arguments)
        .current_dir(&outcome.folder);
    let failed = || format!("could not start `{}`", program.display());
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt as _;
        Err(command.exec()).with_context(failed)
    }
    #[cfg(not(unix))]
    {
        let status = command.status().with_context(failed)?;
        Ok(match status.success() {
            true => Ended::Done,
            false => Ended::Failed,
        })
    }
}
