//! `status`: where the checkpoints of a project are, what is kept, which clients are set up, and what is wrong
//! (docs/contract.md, section 14).

mod clients;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::arguments::Scope;
use super::{Context, counted, entries, facts};
use crate::checkpoint::format::TaskStatus;
use crate::checkpoint::text::{one_line, shortened};
use crate::checkpoint::time;
use crate::env::{self, Env};
use crate::error::quoted;
use crate::git;
use crate::store::names;
use crate::store::selector::{Selector, SessionId};
use crate::store::session::Current;
pub(crate) use clients::Client;

/// Characters of a goal that a line has room for.
const GOAL_IN_LINE: usize = 40;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Outcome {
    /// The project root.
    pub(crate) root: String,
    pub(crate) root_from: RootFrom,
    /// The directory of the checkpoints, whether it is there or not.
    pub(crate) path: String,
    pub(crate) checkpoints: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) session: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) session_source: Option<&'static str>,
    /// The session's own, or else the newest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) checkpoint: Option<Kept>,
    pub(crate) clients: Vec<Client>,
    pub(crate) problems: Vec<Problem>,
    pub(crate) warnings: Vec<String>,
}

/// Why a project root is the one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum RootFrom {
    Option,
    Variable,
    WorkingDirectory,
    /// A folder above the working directory, which has a store.
    Above,
}

/// A checkpoint, and what became of its project since.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Kept {
    pub(crate) selector: String,
    pub(crate) is_current_session: bool,
    pub(crate) goal: String,
    pub(crate) updated_at: String,
    pub(crate) age: String,
    pub(crate) tasks_done: usize,
    pub(crate) tasks: usize,
    /// How many files changed since.
    pub(crate) changed_since: usize,
    /// Whether only a part of the files could be compared.
    pub(crate) is_partly_compared: bool,
    /// How many saves of it are there, this one among them.
    pub(crate) saves: usize,
}

#[derive(Debug, Serialize)]
pub(crate) struct Problem {
    pub(crate) what: String,
    pub(crate) hint: String,
}

impl RootFrom {
    /// Of a root that comes of `scope`.
    fn of(scope: &Scope, env: &Env, root: &Path) -> Self {
        let here = env.cwd.as_ref().and_then(|cwd| cwd.canonicalize().ok());
        if scope.project_root.is_some() {
            Self::Option
        } else if env.os_var(env::PROJECT_ROOT).is_some() {
            Self::Variable
        } else if here.as_deref() == Some(root) {
            Self::WorkingDirectory
        } else {
            Self::Above
        }
    }
}

pub(crate) fn run(env: Env, scope: Scope) -> anyhow::Result<Outcome> {
    let context = Context::new(env, scope.clone())?;
    let root = context.store.root();
    let listed = entries::all(&context)?;
    let unreadable = listed.entries.iter().filter(|it| it.updated_at.is_none());
    let unreadable = unreadable.count();
    let own = context.own()?;
    let newest = listed.entries.iter().find(|it| it.updated_at.is_some());
    let newest = newest.and_then(|newest| Selector::parse(&newest.selector).ok());
    let mut warnings = context.warnings.clone();
    let checkpoint = match own.as_ref().or(newest.as_ref()) {
        Some(selector) => kept(&context, selector, own.is_some(), &mut warnings)?,
        None => None,
    };
    let (session, session_source) = match context.current()? {
        Current::Session(id, origin) => (Some(id.as_str().to_owned()), Some(origin.as_str())),
        Current::Unnamed | Current::Legacy => (None, None),
    };
    let clients = clients::find(&context.env, root);
    Ok(Outcome {
        root: root.display().to_string(),
        root_from: RootFrom::of(&scope, &context.env, root),
        path: context.store.directory().display().to_string(),
        checkpoints: listed.entries.len(),
        session,
        session_source,
        checkpoint,
        problems: problems(&context, &clients, unreadable),
        clients,
        warnings,
    })
}

fn kept(
    context: &Context,
    selector: &Selector,
    is_own: bool,
    warnings: &mut Vec<String>,
) -> anyhow::Result<Option<Kept>> {
    let Some(loaded) = context.load(selector)? else {
        return Ok(None);
    };
    let checkpoint = loaded.checkpoint;
    let found = facts::drift(context, &checkpoint, None, 0)?;
    warnings.extend(found.warnings);
    let tasks = &checkpoint.goal.tasks;
    let done = tasks.iter().filter(|task| task.status == TaskStatus::Done);
    Ok(Some(Kept {
        selector: selector.to_string(),
        is_current_session: is_own,
        goal: one_line(&checkpoint.goal.primary).into_owned(),
        updated_at: time::format(checkpoint.updated_at),
        age: time::age(checkpoint.updated_at, context.env.now),
        tasks_done: done.count(),
        tasks: tasks.len(),
        changed_since: found.drift.changed_since.len(),
        is_partly_compared: found.drift.recorded_only || found.drift.lacks_files,
        saves: 1 + context.store.saves(selector)?.before(),
    }))
}

fn problems(context: &Context, clients: &[Client], unreadable: usize) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut add = |what: String, hint: &str| {
        let hint = hint.to_owned();
        problems.push(Problem { what, hint });
    };
    if unreadable > 0 {
        add(
            format!("{} cannot be read", counted(unreadable, "checkpoint")),
            "see why: ckpt list",
        );
    }
    if git::program(&context.env, context.store.root()).is_none() {
        add(
            "there is no `git` command, so less is known of what changed".to_owned(),
            "install git, or put it on the PATH",
        );
    }
    if !clients.iter().any(|client| client.server) {
        add(
            "no client is set up to save checkpoints".to_owned(),
            "set one up, for example: claude mcp add ckpt -- ckpt serve",
        );
    }
    for (name, value, hint) in misunderstood(&context.env) {
        add(
            format!(
                "{name} is `{}`, which is not understood, so it is as if it were not set",
                quoted(&value)
            ),
            hint,
        );
    }
    for client in clients
        .iter()
        .filter(|client| client.server && !client.hooks)
    {
        add(
            format!(
                "{} has no hooks, so it is not told of checkpoints when a session starts",
                client.name
            ),
            "add them as docs/clients.md says; for Claude Code the plugin brings them",
        );
    }
    problems
}

/// The variables of the hooks that hold a value which they cannot have, with what they can have; hooks say nothing of it.
fn misunderstood(env: &Env) -> Vec<(&'static str, String, &'static str)> {
    const ON: [&str; 4] = ["on", "1", "true", "yes"];
    const SWITCH: &str = "leave it unset, or set it to `off`";
    const NUMBER: &str = "set it to a number of tokens such as 80000, or to `off`";
    let variables = [
        (env::NUDGE, SWITCH),
        (env::REMIND, NUMBER),
        (env::TRANSCRIPTS, SWITCH),
    ];
    let odd = variables.into_iter().filter_map(|(name, hint)| {
        let value = env.var(name)?;
        let is_fine = match name {
            env::REMIND => value.parse::<u64>().is_ok(),
            _ => ON.iter().any(|word| value.eq_ignore_ascii_case(word)),
        };
        (!env.is_off(name) && !is_fine).then_some((name, value, hint))
    });
    odd.collect()
}

/// What Claude Code tells the command of its status line (as of 2.1; every field may be missing).
#[derive(Debug, Default, Deserialize)]
struct StatusLineInput {
    session_id: Option<String>,
    cwd: Option<PathBuf>,
    workspace: Option<Workspace>,
}

#[derive(Debug, Default, Deserialize)]
struct Workspace {
    project_dir: Option<PathBuf>,
    current_dir: Option<PathBuf>,
}

/// One line for a prompt or a status line; `input` is what a client says on standard input. None where there is nothing
/// to say, or anything is wrong: a prompt must not fail for it. Neither git nor any other process is asked.
pub(crate) fn line(env: Env, mut scope: Scope, input: &[u8]) -> Option<String> {
    let StatusLineInput {
        session_id,
        cwd,
        workspace,
    } = serde_json::from_slice(input).unwrap_or_default();
    let Workspace {
        project_dir,
        current_dir,
    } = workspace.unwrap_or_default();
    if scope.wants_client_root(&env) {
        scope.project_root = project_dir.or(current_dir).or(cwd);
    }
    if scope.session.is_none() {
        scope.hook_session = session_id.and_then(|id| SessionId::parse(&id).ok());
    }
    let context = Context::new(env, scope).ok()?;
    let own = context.own_selector().ok()?;
    let own = own.and_then(|own| context.load(&own).ok()?);
    let text = match own {
        Some(own) => {
            let goal = &own.checkpoint.goal;
            let age = time::age(own.checkpoint.updated_at, context.env.now);
            let done = goal.tasks.iter();
            let done = done.filter(|task| task.status == TaskStatus::Done).count();
            let tasks = match goal.tasks.len() {
                0 => String::new(),
                tasks => format!("{done}/{tasks} "),
            };
            let goal = shortened(goal.primary.trim(), GOAL_IN_LINE);
            format!("ckpt: {tasks}{goal} · saved {age}")
        }
        None => {
            let survey = names::survey(context.store.root());
            let newest = survey.newest.and_then(|newest| newest.try_into().ok());
            let age = time::age(newest?, context.env.now);
            let count = counted(survey.count, "checkpoint");
            format!("ckpt: {count}, the newest saved {age}")
        }
    };
    Some(one_line(&text).into_owned())
}
