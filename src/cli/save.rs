//! `ckpt save`

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::ValueHint;
use serde_json::Value;

use super::Ended;
use super::output::Output;
use super::prompt::ask;
use super::prompt::confirm::confirm;
use crate::checkpoint::edits::Mode;
use crate::checkpoint::fields;
use crate::checkpoint::surrogates;
use crate::checkpoint::text::one_line;
use crate::commands::save::Whose;
use crate::commands::{self, Arguments, At, Context, Revision, Scope, Words, counted};
use crate::env::Env;
use crate::error::failure;
use crate::generate::SELECTOR;

/// Bytes of JSON that are read; the largest checkpoint has a fraction of it.
const INPUT_LIMIT: u64 = 4 << 20;

const DETAILS: &str = "Those with a * may be given several times.";

#[derive(Debug, clap::Args)]
#[command(after_help = DETAILS)]
pub(super) struct Args {
    /// What the session should achieve, as --goal
    #[arg(value_name = "GOAL", value_hint = ValueHint::Other, value_parser = typed, conflicts_with_all = ["goal", "input", "from_transcript"])]
    words: Option<String>,
    /// What the session should achieve
    #[arg(short = 'm', long, value_name = "TEXT", value_hint = ValueHint::Other, allow_hyphen_values = true, value_parser = typed)]
    goal: Option<String>,
    /// A task (pending, in_progress, done, blocked) *
    #[arg(long = "task", value_name = "[STATUS:] TEXT", value_hint = ValueHint::Other, allow_hyphen_values = true, value_parser = typed)]
    tasks: Vec<String>,
    /// Where things stand
    #[arg(long, value_name = "TEXT", value_hint = ValueHint::Other, allow_hyphen_values = true, value_parser = typed)]
    summary: Option<String>,
    /// A next step *
    #[arg(long = "next", value_name = "TEXT", value_hint = ValueHint::Other, allow_hyphen_values = true, value_parser = typed)]
    next_steps: Vec<String>,
    /// A decision, or something to look out for *
    #[arg(long = "decision", value_name = "TEXT", value_hint = ValueHint::Other, allow_hyphen_values = true, value_parser = typed)]
    decisions: Vec<String>,
    /// A file that matters beside the changed ones *
    #[arg(long = "file", value_name = "PATH[=NOTE]", value_hint = ValueHint::FilePath, allow_hyphen_values = true, value_parser = typed)]
    files: Vec<String>,
    /// A command that was run *
    #[arg(long = "command", value_name = "[EXIT:] CMD", value_hint = ValueHint::Other, allow_hyphen_values = true, value_parser = typed)]
    commands: Vec<String>,
    /// What the checkpoint is called
    #[arg(long, value_name = "NAME", value_hint = ValueHint::Other, conflicts_with_all = ["input", "from_transcript"])]
    name: Option<String>,
    /// Add to the session's checkpoint
    #[arg(long)]
    merge: bool,
    /// Keep it for every session of the project
    #[arg(long)]
    project: bool,
    /// What this session went on from
    #[arg(long, value_name = "SELECTOR", value_hint = SELECTOR)]
    resumed_from: Option<String>,
    /// Read it from a JSON file; `-`: standard input
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = [
        "goal", "tasks", "summary", "next_steps", "decisions", "files", "commands", "merge", "project", "resumed_from",
    ])]
    input: Option<PathBuf>,
    /// Save what a session's transcript tells
    #[arg(long, value_name = "ID", value_hint = ValueHint::FilePath, num_args = 0..=1, default_missing_value = "", conflicts_with_all = [
        "goal", "tasks", "summary", "next_steps", "decisions", "files", "commands", "merge", "project", "resumed_from", "input",
    ])]
    from_transcript: Option<String>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// A text as it is typed, which may begin with a dash, and yet is no option of the command that was meant as one.
fn typed(typed: &str) -> Result<String, String> {
    if let Some(name) = typed.strip_prefix("--") {
        let name = name.split('=').next().unwrap_or_default();
        let command = <Args as clap::Args>::augment_args(clap::Command::new("save"));
        let known = command.get_arguments().filter_map(clap::Arg::get_long);
        let global = ["help", "project-root", "session", "color"];
        if known.chain(global).any(|known| known == name) {
            return Err(format!(
                "`--{name}` is an option, and the text before it is missing"
            ));
        }
    }
    Ok(typed.to_owned())
}

pub(super) fn run(args: Args, env: Env, scope: Scope, output: &Output) -> anyhow::Result<Ended> {
    let json = args.json;
    if let Some(named) = &args.from_transcript {
        let context = super::open(env, scope, output)?;
        let named = Some(named.as_str()).filter(|named| !named.is_empty());
        return conclude(&commands::keep::run(&context, named)?, json, output);
    }
    let (context, request) = match &args.input {
        Some(file) => {
            let mut arguments = read_arguments(file)?;
            let given = arguments.take_scope()?;
            // What is read as JSON is told of in its own words.
            let scope = Scope {
                hook_session: given.hook_session.clone(),
                words: Words::Json,
                ..scope.or(&given)
            };
            let (request, warnings) = commands::save::Request::read(arguments)?;
            let mut context = super::open(env, scope, output)?;
            context.warn(warnings);
            (context, request)
        }
        None => {
            let mut context = super::open(env, scope, output)?;
            let mut request = request(args, &mut context)?;
            if output.asks && request.mode == Mode::Merge && is_alone(&request) {
                let Some(agreed) = offer(context, output)? else {
                    output.note("Nothing was saved.");
                    return Ok(Ended::NotFound);
                };
                context = agreed;
            }
            let needs_goal = request.mode == Mode::Replace && request.whose == Whose::Session;
            if request.edits.goal.is_none() && needs_goal {
                if !output.asks {
                    return Err(no_goal());
                }
                let own = commands::save::own(&context);
                if !ask::complete(&mut request, own.as_ref(), output.err)? {
                    output.note("Nothing was saved.");
                    return Ok(Ended::NotFound);
                }
            }
            (context, request)
        }
    };
    conclude(&commands::save::run(&context, request)?, json, output)
}

/// Whether nothing says what a merge is to build on but the session.
fn is_alone(request: &commands::save::Request) -> bool {
    request.resumed_from.is_none() && request.whose == Whose::Session
}

/// Outside a session, asks whether the newest checkpoint is meant, and goes on as its session; None where it is not.
fn offer(context: Context, output: &Output) -> anyhow::Result<Option<Context>> {
    let Some((session, newest)) = commands::save::to_merge_into(&context)? else {
        return Ok(Some(context));
    };
    let runs = match newest.runs_elsewhere() {
        true => ", still runs",
        false => "",
    };
    let question = format!(
        "Merge into `{}`, saved {}{runs}: {}?",
        newest.short,
        newest.age,
        one_line(&newest.goal)
    );
    let is_meant = confirm(&question, true, output.err)?;
    Ok(is_meant.then(|| context.acting_as(session)))
}

fn conclude(
    outcome: &commands::save::Outcome,
    json: bool,
    output: &Output,
) -> anyhow::Result<Ended> {
    output.warnings(&outcome.warnings);
    let printed = match json {
        true => output.json(outcome),
        false => output.data(&view(outcome)),
    };
    printed.context("the checkpoint was saved, but the result could not be printed")?;
    if !json {
        output.note(&format!("Load it with: ckpt load {}", outcome.selector));
        if let Some(replaced) = &outcome.replaced {
            output.note(replaced);
        }
    }
    Ok(Ended::Done)
}

fn no_goal() -> anyhow::Error {
    failure(
        "no goal was given, so nothing was saved",
        "pass --goal TEXT, or --input FILE with the arguments as JSON, or --merge to add to the session's checkpoint",
    )
}

fn view(outcome: &commands::save::Outcome) -> String {
    let commands::save::Counts {
        tasks,
        modified_files,
        recent_commands,
        redactions,
    } = outcome.counts;
    let verb = match outcome.mode {
        Mode::Replace => "Saved",
        Mode::Merge => "Merged into",
    };
    format!(
        "{verb} {}\n{} bytes: {}, {}, {}, {}\n",
        one_line(&outcome.path),
        outcome.bytes,
        counted(tasks, "task"),
        counted(modified_files, "file"),
        counted(recent_commands, "command"),
        counted(redactions, "redaction"),
    )
}

fn request(args: Args, context: &mut Context) -> anyhow::Result<commands::save::Request> {
    let resumed_from = args.resumed_from.as_deref();
    let resumed_from = resumed_from
        .map(|typed| context.revision(typed))
        .transpose()?
        .map(|(selector, at)| Revision {
            selector,
            at: at.unwrap_or(At::PRESENT),
        });
    let fields = [
        (&fields::GOAL, text(args.goal.or(args.words))),
        (&fields::TASKS, list(args.tasks)),
        (&fields::SUMMARY, text(args.summary)),
        (&fields::NEXT_STEPS, list(args.next_steps)),
        (&fields::DECISIONS, list(args.decisions)),
        (&fields::FILES, list(args.files)),
        (&fields::COMMANDS, list(args.commands)),
    ];
    let fields = fields.into_iter();
    let given = commands::save::Args {
        fields: fields
            .filter_map(|(field, value)| Some((field.name.to_owned(), value?)))
            .collect(),
        mode: args.merge.then(|| "merge".into()),
        resumed_from: None,
        scope: args.project.then(|| "project".into()),
        name: text(args.name),
    };
    let (mut request, warnings) = given.into_request(Words::Options)?;
    request.resumed_from = resumed_from.map(|revision| revision.to_string());
    context.warn(warnings);
    Ok(request)
}

/// An option that was used with an empty text says nothing.
fn text(value: Option<String>) -> Option<Value> {
    value.filter(|text| !text.is_empty()).map(Value::from)
}

fn list(mut values: Vec<String>) -> Option<Value> {
    values.retain(|value| !value.is_empty());
    (!values.is_empty()).then(|| values.into())
}

fn read_arguments(file: &Path) -> anyhow::Result<Arguments> {
    let (name, read) = if file == Path::new("-") {
        ("standard input".to_owned(), bounded(io::stdin().lock()))
    } else {
        let name = format!("`{}`", file.display());
        (name, File::open(file).and_then(bounded))
    };
    let text = read.map_err(|why| {
        failure(
            format!("could not read {name}: {why}"),
            "name a file with the arguments as JSON, or - for standard input",
        )
    })?;
    match surrogates::from_slice(text.trim_start_matches('\u{feff}').as_bytes()) {
        Ok(Value::Object(arguments)) => Ok(Arguments::new(arguments)),
        Ok(_) => Err(failure(
            format!("{name} holds JSON, but not an object"),
            "pass the arguments of save_session_checkpoint, such as {\"goal\": \"…\"}",
        )),
        Err(error) => Err(failure(
            format!("{name} is not valid JSON: {error}"),
            "pass the arguments of save_session_checkpoint, such as {\"goal\": \"…\"}",
        )),
    }
}

fn bounded(input: impl Read) -> io::Result<String> {
    let mut text = Vec::new();
    input.take(INPUT_LIMIT + 1).read_to_end(&mut text)?;
    if text.len() as u64 > INPUT_LIMIT {
        return Err(io::Error::other(format!(
            "it is larger than {INPUT_LIMIT} bytes"
        )));
    }
    String::from_utf8(text).map_err(|_| io::Error::other("it is not valid UTF-8"))
}
