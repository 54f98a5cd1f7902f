//! The questions of `ckpt save`: what a checkpoint needs from a person.

use owo_colors::Style;

use super::editor::Editor;
use super::keys::Key;
use super::{Screen, leaves};
use crate::checkpoint::edits::Mode;
use crate::checkpoint::format::{Checkpoint, Task, TaskStatus};
use crate::checkpoint::{fields, markdown};
use crate::cli::look::Look;
use crate::cli::width::{cut, width};
use crate::commands::save;

const LABEL: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
const WRONG: Style = Style::new().magenta();

/// One question.
struct Question<'a> {
    label: &'a str,
    /// What stands below it.
    help: &'a str,
    /// Characters that an answer may have.
    limit: usize,
    /// Whether it has to be answered.
    required: bool,
}

/// Asks for what `request` lacks of goal, tasks and next steps, with what `own`, the session's own checkpoint,
/// has of it as answers to change. False where the person leaves.
pub(in crate::cli) fn complete(
    request: &mut save::Request,
    own: Option<&Checkpoint>,
    look: Look,
) -> anyhow::Result<bool> {
    let mut screen = Screen::open()?;
    let Some(goal) = goal(own, &mut screen, look)? else {
        return Ok(false);
    };
    let edits = &mut request.edits;
    edits.goal = Some(goal);
    if edits.tasks.is_empty() {
        let recorded = own.map_or(&[][..], |own| &own.goal.tasks);
        let question = Question {
            label: "Task: ",
            help: "`done:`, `in_progress:` or `blocked:` may come first; empty ends the list",
            limit: fields::TASKS.limit,
            required: false,
        };
        let recorded = recorded.iter().map(typed).collect();
        let Some(tasks) = list(
            &question,
            recorded,
            fields::TASKS.entries,
            &mut screen,
            look,
        )?
        else {
            return Ok(false);
        };
        edits.tasks = tasks.iter().map(|text| save::typed_task(text)).collect();
        edits.only_these_tasks = own.is_some();
    }
    if edits.next_steps.is_none() {
        let recorded = own.map_or(&[][..], |own| &own.next_steps);
        let question = Question {
            label: "Next step: ",
            help: "an empty line ends the list",
            limit: fields::NEXT_STEPS.limit,
            required: false,
        };
        let recorded = recorded.iter().map(|step| markdown::line(step)).collect();
        let Some(steps) = list(
            &question,
            recorded,
            fields::NEXT_STEPS.entries,
            &mut screen,
            look,
        )?
        else {
            return Ok(false);
        };
        edits.next_steps = Some(steps);
    }
    if own.is_some() {
        request.mode = Mode::Merge;
    }
    Ok(true)
}

fn goal(
    own: Option<&Checkpoint>,
    screen: &mut Screen,
    look: Look,
) -> anyhow::Result<Option<String>> {
    let recorded = own.map(|own| markdown::line(&own.goal.primary));
    let question = Question {
        label: "Goal: ",
        help: "what the session should achieve; Enter goes on, Esc leaves without saving",
        limit: fields::GOAL.limit,
        required: true,
    };
    question.ask(&recorded.unwrap_or_default(), screen, look)
}

/// First what is recorded, to be kept, changed or emptied; then new ones up to an empty one.
fn list(
    question: &Question<'_>,
    recorded: Vec<String>,
    most: usize,
    screen: &mut Screen,
    look: Look,
) -> anyhow::Result<Option<Vec<String>>> {
    let mut answers = Vec::new();
    for text in recorded {
        match question.ask(&text, screen, look)? {
            None => return Ok(None),
            Some(answer) if answer.is_empty() => {}
            Some(answer) => answers.push(answer),
        }
    }
    while answers.len() < most {
        match question.ask("", screen, look)? {
            None => return Ok(None),
            Some(answer) if answer.is_empty() => break,
            Some(answer) => answers.push(answer),
        }
    }
    Ok(Some(answers))
}

/// A task as `--task` takes it.
fn typed(recorded: &Task) -> String {
    let description = markdown::line(&recorded.description);
    match &recorded.status {
        TaskStatus::Pending | TaskStatus::Other(_)
            if save::typed_task(&description).status.is_none() =>
        {
            description
        }
        TaskStatus::Other(_) => format!("pending: {description}"),
        status => format!("{}: {description}", status.as_str()),
    }
}

impl Question<'_> {
    /// The answer, and it alone stays on the screen; None where the person leaves.
    fn ask(
        &self,
        initial: &str,
        screen: &mut Screen,
        look: Look,
    ) -> anyhow::Result<Option<String>> {
        let mut editor = Editor::new(initial);
        let mut fault: Option<String> = None;
        loop {
            let columns = screen.size().1.saturating_sub(1);
            let (shown, column) = editor.view(columns.saturating_sub(width(self.label)));
            let below = match &fault {
                Some(fault) => look.paint(&cut(fault, columns), WRONG),
                None => look.paint(&cut(self.help, columns), FAINT),
            };
            let line = look.paint(self.label, LABEL) + &shown;
            screen.draw(&[line, below], (0, width(self.label) + column))?;
            let key = match screen.key() {
                Ok(key) => key,
                Err(error) => {
                    screen.clear()?;
                    return Err(error.into());
                }
            };
            if leaves(&key, &editor.text()) {
                screen.clear()?;
                return Ok(None);
            }
            if key != Key::Enter {
                editor.press(&key);
                fault = None;
                continue;
            }
            let answer = editor.text().trim().to_owned();
            fault = self.fault(&answer);
            if fault.is_none() && answer.is_empty() {
                screen.clear()?;
                return Ok(Some(answer));
            }
            if fault.is_none() {
                let room = columns.saturating_sub(width(self.label));
                screen.leave(&(look.paint(self.label, LABEL) + &cut(&answer, room)))?;
                return Ok(Some(answer));
            }
        }
    }

    fn fault(&self, answer: &str) -> Option<String> {
        let length = answer.chars().count();
        if length > self.limit {
            Some(format!("{length} characters; at most {}", self.limit))
        } else if self.required && length == 0 {
            Some("nothing can be saved without it; Esc leaves".to_owned())
        } else {
            None
        }
    }
}
