//! The brief: a checkpoint and its drift as the Markdown that resumes the work (docs/contract.md, section 10).

use std::borrow::Cow;

use jiff::Timestamp;

use super::drift::{Drift, History};
use super::fields::{COMMANDS, FILES, Field, GOAL, SUMMARY, TASKS};
use super::format::{
    Checkpoint, FileStatus, Git, ModifiedFile, RecentCommand, Source, Task, TaskStatus,
};
use super::recovered::Recovered;
use super::text::shortened;
use super::{markdown, path, time};

/// Characters of a brief (docs/contract.md, section 10).
pub(crate) const LONGEST: usize = 12_000;
const COMMANDS_SHOWN: usize = 15;
/// How much of a commit id is shown, as in git's own messages for a large repository.
const SHORT_ID: usize = 9;

/// How much of a checkpoint a brief shows.
struct Amount {
    /// Whether done tasks are listed, or else counted.
    done_tasks: bool,
    /// Whether files and commands have their notes.
    notes: bool,
    /// Characters of each text.
    text: usize,
    /// Entries of the files, and of the paths that changed.
    paths: usize,
}

const ALL: Amount = Amount {
    done_tasks: true,
    notes: true,
    text: usize::MAX,
    paths: 40,
};
/// What is left out, step by step, until a brief fits. The last step makes room for the longest paths.
const LESS: [Amount; 6] = [
    Amount {
        done_tasks: false,
        ..ALL
    },
    Amount {
        done_tasks: false,
        notes: false,
        ..ALL
    },
    less(300, 40),
    less(200, 40),
    less(100, 40),
    less(60, 2),
];

const fn less(text: usize, paths: usize) -> Amount {
    Amount {
        done_tasks: false,
        notes: false,
        text,
        paths,
    }
}

impl Amount {
    fn cut<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.text {
            usize::MAX => Cow::Borrowed(text),
            shown => Cow::Owned(shortened(text, shown)),
        }
    }
}

/// What stands around the checkpoint in a brief.
pub(crate) struct Frame<'a> {
    /// What the reader must know before all else.
    pub(crate) notes: &'a [String],
    /// The section of the project's own checkpoint.
    pub(crate) shared: Option<&'a str>,
    /// The last line where something had to be left out: where that is.
    pub(crate) rest: &'a str,
}

/// Renders a brief of at most so many characters; [`LONGEST`] where nobody has room for fewer.
///
/// `after` is what happened after the save, where anything is known of it.
pub(crate) fn render(
    checkpoint: &Checkpoint,
    drift: &Drift,
    after: Option<&Recovered>,
    frame: &Frame<'_>,
    longest: usize,
    now: Timestamp,
) -> String {
    // Bytes are no fewer than characters, and need no counting.
    let fits = |text: &str| text.len() <= longest || text.chars().count() <= longest;
    let rendered = |amount| {
        let mut brief = rendered(checkpoint, drift, after, frame.notes, now, amount);
        if let Some(shared) = frame.shared {
            brief.push('\n');
            brief.push_str(shared);
        }
        brief
    };
    let mut brief = rendered(&ALL);
    for amount in &LESS {
        if fits(&brief) {
            break;
        }
        brief = rendered(amount);
        brief.push('\n');
        brief.push_str(frame.rest);
        brief.push('\n');
    }
    brief
}

fn rendered(
    checkpoint: &Checkpoint,
    drift: &Drift,
    after: Option<&Recovered>,
    notes: &[String],
    now: Timestamp,
    amount: &Amount,
) -> String {
    let mut brief = Brief::new(notes);
    brief.line(&title(checkpoint, now));
    if let Some(git) = &checkpoint.git {
        brief.line(&place(git));
    }
    let goal = &checkpoint.goal;
    brief.section(
        GOAL.heading,
        &[markdown::paragraph(&amount.cut(&goal.primary))],
    );
    brief.section(TASKS.heading, &tasks(&goal.tasks, amount));
    let summary = checkpoint.summary.as_deref();
    let summary = summary.map(|summary| markdown::lines(&amount.cut(summary)));
    brief.section(SUMMARY.heading, summary.as_slice());
    for (field, list) in checkpoint.lists() {
        brief.section(field.heading, &texts(field, list, amount));
    }
    let touched = &checkpoint.modified_files;
    brief.section(
        &format!("{} ({})", FILES.heading, touched.len()),
        &files(touched, amount),
    );
    brief.commands(&checkpoint.recent_commands, amount);
    if let Some((title, lines)) = after.map(Recovered::section) {
        brief.section(title, &lines);
    }
    brief.section("Since this checkpoint", &since(checkpoint, drift, amount));
    brief.0
}

fn title(checkpoint: &Checkpoint, now: Timestamp) -> String {
    let machine = checkpoint.meta.machine.as_deref().map(markdown::line);
    let machine = machine.map(|machine| format!(", from {machine}"));
    format!(
        "# Resuming: {} (checkpoint {}, {}{})",
        markdown::line(&checkpoint.project.name),
        time::saved(checkpoint.updated_at, now),
        checkpoint.updated_at.strftime("%Y-%m-%d %H:%M:%S UTC"),
        machine.unwrap_or_default(),
    )
}

pub(super) struct Brief(pub(super) String);

impl Brief {
    pub(super) fn new(notes: &[String]) -> Self {
        let mut brief = Self(String::new());
        for note in notes {
            brief.line(&markdown::paragraph(note));
        }
        if !notes.is_empty() {
            brief.line("");
        }
        brief
    }

    pub(super) fn line(&mut self, line: &str) {
        self.0.push_str(line);
        self.0.push('\n');
    }

    /// A section with one entry a line; an empty one is left out.
    pub(super) fn section(&mut self, title: &str, entries: &[String]) {
        if entries.is_empty() {
            return;
        }
        self.line("");
        self.line(&format!("## {title}"));
        for entry in entries {
            self.line(entry);
        }
    }

    fn commands(&mut self, commands: &[RecentCommand], amount: &Amount) {
        let shown = &commands[commands.len().saturating_sub(COMMANDS_SHOWN)..];
        let heading = COMMANDS.heading;
        let title = if shown.len() == commands.len() {
            format!("{heading} (last {}, oldest first)", shown.len())
        } else {
            format!(
                "{heading} (last {} of {}, oldest first)",
                shown.len(),
                commands.len()
            )
        };
        let lines = shown.iter().map(|entry| command(entry, amount));
        self.section(&title, &lines.collect::<Vec<_>>());
    }
}

fn place(git: &Git) -> String {
    let head = markdown::line(short(&git.head));
    let place = match &git.branch {
        Some(branch) => format!("Branch {} @ {head}", markdown::code(branch)),
        None => format!("Detached HEAD @ {head}"),
    };
    let state = if git.dirty {
        " (uncommitted changes)"
    } else {
        ""
    };
    place + state
}

/// The start of a commit id, as it is shown to a reader.
pub(crate) fn short(id: &str) -> &str {
    id.get(..SHORT_ID).unwrap_or(id)
}

fn tasks(tasks: &[Task], amount: &Amount) -> Vec<String> {
    let is_listed = |task: &&Task| amount.done_tasks || task.status != TaskStatus::Done;
    let mut lines: Vec<String> = tasks
        .iter()
        .filter(is_listed)
        .map(|it| task(it, amount))
        .collect();
    let done = tasks.len() - lines.len();
    if done > 0 {
        let plural = if done == 1 { "" } else { "s" };
        lines.insert(0, format!("- [x] {done} task{plural} done"));
    }
    lines
}

fn task(task: &Task, amount: &Amount) -> String {
    let mark = match task.status {
        TaskStatus::Done => "x",
        TaskStatus::InProgress => "~",
        TaskStatus::Blocked => "!",
        TaskStatus::Pending | TaskStatus::Other(_) => " ",
    };
    format!(
        "- [{mark}] {}",
        markdown::line(&amount.cut(&task.description))
    )
}

/// A list of texts; one that is made anew each time is a plan, whose entries have an order.
fn texts(field: &Field, list: &[String], amount: &Amount) -> Vec<String> {
    let entry = |(index, text): (usize, &String)| {
        let text = markdown::paragraph(&amount.cut(text));
        match field.grows {
            true => format!("- {text}"),
            false => format!("{}. {text}", index + 1),
        }
    };
    list.iter().enumerate().map(entry).collect()
}

fn files(files: &[ModifiedFile], amount: &Amount) -> Vec<String> {
    let mut shown: Vec<&ModifiedFile> = files.iter().collect();
    // A note is why the agent named the file, so those are the last to be left out.
    if shown.len() > amount.paths {
        shown.sort_by_key(|file| file.note.is_none());
        shown.truncate(amount.paths);
        shown.sort_by(|a, b| a.path.cmp(&b.path));
    }
    let mut entries: Vec<String> = shown.into_iter().map(|it| file(it, amount)).collect();
    entries.extend(markdown::more(files.len(), amount.paths).map(|more| format!("- {more}")));
    entries
}

fn file(file: &ModifiedFile, amount: &Amount) -> String {
    let note = match file.note.as_ref().filter(|_| amount.notes) {
        Some(note) => format!(" — {}", markdown::line(note)),
        None => String::new(),
    };
    let status = match (&file.status, &file.source) {
        (FileStatus::Other(word), _) => format!(" ({})", markdown::line(word)),
        // The word of the agent, or of a checkpoint before this one, does not say that it is modified.
        (FileStatus::Modified, Source::Agent) => String::new(),
        (status, _) => format!(" ({})", status.as_str()),
    };
    let entry = format!("{}{status}{note}", path::shown(&file.path));
    format!("- {}", markdown::escaped(&entry))
}

fn command(entry: &RecentCommand, amount: &Amount) -> String {
    let note = match entry.note.as_ref().filter(|_| amount.notes) {
        Some(note) => format!(" — {}", markdown::line(note)),
        None => String::new(),
    };
    let ending = markdown::ending(entry.exit_code);
    let command = markdown::code(&amount.cut(&entry.command));
    format!("- {ending} {command}{note}")
}

fn since(saved: &Checkpoint, drift: &Drift, amount: &Amount) -> Vec<String> {
    let mut lines = moved(saved, drift);
    if drift.recorded_only {
        lines.push(if saved.modified_files.is_empty() {
            "- Whether files changed cannot be known".to_owned()
        } else {
            "- Only the files listed above could be compared; others may have changed".to_owned()
        });
    }
    let is_partly_known = drift.lacks_files && !drift.recorded_only;
    if is_partly_known {
        lines.push(
            "- Not every uncommitted file was recorded; of the others, only those written since the save can be told \
             to have changed"
                .to_owned(),
        );
    }
    if !drift.unread.is_empty() {
        lines.push(format!(
            "- Whether anything changed in these submodules cannot be known: {}",
            markdown::paths(drift.unread.iter(), amount.paths)
        ));
    }
    let changed = drift.changed_since.iter().map(|changed| &changed.path);
    if !drift.changed_since.is_empty() {
        lines.push(format!(
            "- ⚠ Changed after the checkpoint, re-read before editing: {}",
            markdown::paths(changed, amount.paths)
        ));
    } else if !drift.recorded_only {
        lines.push(match (drift.is_none(), drift.unread.is_empty()) {
            _ if is_partly_known => "- No change was found".to_owned(),
            (true, true) => "Nothing changed since; the above can be trusted as it is.".to_owned(),
            (false, true) => "- No file changed".to_owned(),
            (_, false) => "- No other file changed".to_owned(),
        });
    } else if !saved.modified_files.is_empty() {
        lines.push("- None of them changed".to_owned());
    }
    lines
}

/// How branch and HEAD moved.
fn moved(saved: &Checkpoint, drift: &Drift) -> Vec<String> {
    let head = saved.git.as_ref();
    let head = head.map(|git| markdown::code(short(&git.head)));
    let head = head.unwrap_or_default();
    let mut lines = Vec::new();
    if drift.branch_changed == Some(true) {
        lines.push(match &drift.current_branch {
            Some(branch) => format!("- Branch changed: now on {}", markdown::code(branch)),
            None => "- Branch changed: HEAD is detached now".to_owned(),
        });
    }
    match drift.history {
        History::Unknown | History::Ahead { commits: 0 } => {}
        History::Ahead { commits } => lines.push(new_commits(commits)),
        History::Diverged { commits } => {
            lines.push(format!(
                "- HEAD no longer follows the saved commit {head} (rebased, reset, or another branch)"
            ));
            if commits > 0 {
                lines.push(new_commits(commits));
            }
        }
        History::Gone => lines.push(format!(
            "- The saved commit {head} is no longer in the repository"
        )),
        History::BeyondEdge => lines.push(format!(
            "- HEAD has moved since the saved commit {head}; by how many commits cannot be known, because this is a shallow clone"
        )),
    }
    lines
}

fn new_commits(commits: u64) -> String {
    let plural = if commits == 1 { "" } else { "s" };
    format!("- {commits} new commit{plural} on HEAD")
}
