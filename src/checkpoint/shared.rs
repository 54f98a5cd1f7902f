//! The project's own checkpoint: what every session of a project should know (docs/contract.md, section 17).

use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};

use super::edits::Edits;
use super::format::{Checkpoint, RecentCommand, TaskStatus, Times};
use super::merge::{self, Facts};
use super::text::shortened;
use super::{markdown, time};

/// How long after it is done a task stays.
const DONE_STAYS: SignedDuration = SignedDuration::from_hours(14 * 24);
/// Characters of the section of a brief.
pub(crate) const LONGEST: usize = 800;
const HEADING: &str = "## Project";
/// Characters of a text that are shown.
const WIDTH: usize = 200;
/// Characters kept for saying how many more there are.
const ROOM: usize = 24;

/// The edits on top of what there is, with the names of the lists that had to drop their oldest entries. A note or a
/// command that is there already is replaced; a task that was done two weeks ago leaves.
pub(crate) fn merge(
    base: Option<Checkpoint>,
    edits: Edits,
    facts: Facts,
) -> (Checkpoint, Vec<&'static str>) {
    let now = facts.now;
    let Some(mut base) = base else {
        let goal = edits.goal.clone();
        let goal =
            goal.unwrap_or_else(|| "What every session of this project should know".to_owned());
        let mut next = merge::replace(goal, edits, facts);
        next.times = Some(times_of(&next, &HashMap::new(), &HashMap::new(), now));
        return (next, Vec::new());
    };
    let times = base.times.take().unwrap_or_default();
    let decisions = base.decisions.iter().cloned();
    let mut written = known(decisions, &times.decisions);
    let tasks = base.goal.tasks.iter().map(|task| task.description.clone());
    let done = known(tasks, &times.done);
    for decision in edits.decisions.iter().flatten() {
        base.decisions.retain(|old| old != decision);
        written.remove(decision);
    }
    let is_anew = |old: &RecentCommand| {
        let mut new = edits.recent_commands.iter();
        new.any(|new| new.command == old.command)
    };
    base.recent_commands.retain(|old| !is_anew(old));
    base.goal.tasks.retain(|task| {
        let at = done.get(&task.description).copied();
        let is_long_done = at.is_some_and(|at| now.duration_since(at) > DONE_STAYS);
        task.status != TaskStatus::Done || !is_long_done
    });
    let (mut next, dropped) = merge::merge(base, edits, facts);
    next.times = Some(times_of(&next, &written, &done, now));
    (next, dropped)
}

/// The times of texts, where there is one for each.
fn known(
    texts: impl ExactSizeIterator<Item = String>,
    times: &[String],
) -> HashMap<String, Timestamp> {
    if texts.len() != times.len() {
        return HashMap::new();
    }
    let times = times.iter().map(|at| time::parse(at));
    let pairs = texts.zip(times);
    pairs.filter_map(|(text, at)| Some((text, at?))).collect()
}

/// The times of what a checkpoint holds now: those known, or else `now`.
fn times_of(
    next: &Checkpoint,
    written: &HashMap<String, Timestamp>,
    done: &HashMap<String, Timestamp>,
    now: Timestamp,
) -> Times {
    let of = |known: &HashMap<String, Timestamp>, text: &String| {
        time::format(known.get(text).copied().unwrap_or(now))
    };
    let tasks = next.goal.tasks.iter();
    Times {
        decisions: next
            .decisions
            .iter()
            .map(|text| of(written, text))
            .collect(),
        done: tasks
            .map(|task| match task.status {
                TaskStatus::Done => of(done, &task.description),
                _ => String::new(),
            })
            .collect(),
    }
}

/// The times of texts that were edited, of which each comes from one of before, by index, or is of `now`.
pub(crate) fn rearranged(
    times: &[String],
    origins: &[Option<usize>],
    now: Timestamp,
) -> Vec<String> {
    let of = |origin: &Option<usize>| origin.and_then(|origin| times.get(origin).cloned());
    let times = origins.iter().map(of);
    times
        .map(|at| at.unwrap_or_else(|| time::format(now)))
        .collect()
}

/// The section that ends every brief; None where there is nothing to tell. `changed` says which of a note's words names
/// a file that changed after a time.
pub(crate) fn section(
    checkpoint: &Checkpoint,
    warning: Option<&str>,
    changed: impl Fn(&str, Timestamp) -> Option<String>,
    now: Timestamp,
) -> Option<String> {
    let text = |text: &str| shortened(&markdown::line(text), WIDTH);
    let tasks = checkpoint.goal.tasks.iter();
    let open = tasks.filter(|task| task.status != TaskStatus::Done);
    let open = open.map(|task| format!("- [ ] {}", text(&task.description)));
    let commands = checkpoint.recent_commands.iter().rev().map(|entry| {
        let note = entry.note.as_deref();
        let note = note.map_or(String::new(), |note| format!(" — {}", text(note)));
        format!(
            "- {}{note}",
            markdown::code(&shortened(&entry.command, WIDTH))
        )
    });
    let times = checkpoint.times.as_ref();
    let times = times.map_or(&[][..], |times| &times.decisions);
    let written = known(checkpoint.decisions.iter().cloned(), times);
    let notes = checkpoint.decisions.iter().rev().map(|note| {
        let at = written.get(note).copied();
        let age = at.map_or(String::new(), |at| format!(" ({})", time::age(at, now)));
        let file = at.and_then(|at| changed(note, at));
        let mark = file.map_or(String::new(), |file| {
            format!(" ⚠ {} changed since", markdown::code(&file))
        });
        format!("- {}{age}{mark}", text(note))
    });
    let lines: Vec<String> = open.chain(commands).chain(notes).collect();
    if lines.is_empty() {
        return None;
    }
    let mut section = HEADING.to_owned();
    if let Some(warning) = warning {
        section.push_str(&format!("\nWarning: {warning}"));
    }
    let mut room = LONGEST.saturating_sub(section.chars().count() + ROOM);
    let mut shown = 0;
    for line in &lines {
        let length = line.chars().count() + 1;
        if length > room {
            break;
        }
        room -= length;
        section.push('\n');
        section.push_str(line);
        shown += 1;
    }
    if let Some(more) = markdown::more(lines.len(), shown) {
        section.push_str(&format!("\n- {more}"));
    }
    section.push('\n');
    Some(section)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_section_has_open_tasks_then_commands_then_the_newest_notes_and_ends_early() {
        let now: Timestamp = "2026-10-08T02:00:00Z".parse().unwrap();
        let checkpoint = |decisions: Vec<String>| -> Checkpoint {
            let times = vec!["2026-10-05T02:00:00.000Z"; decisions.len()];
            serde_json::from_value(json!({
                "version": 1, "createdAt": "2026-10-08T02:00:00Z", "updatedAt": "2026-10-08T02:00:00Z",
                "goal": {"primary": "g", "tasks": [{"description": "open"}, {"description": "over", "status": "done"}]},
                "recentCommands": [{"command": "make", "note": "builds"}],
                "decisions": decisions, "times": {"decisions": times},
            }))
            .unwrap()
        };
        let changed = |note: &str, _| note.contains("a.rs").then(|| "a.rs".to_owned());
        let few = checkpoint(vec!["old".to_owned(), "see a.rs".to_owned()]);
        assert_eq!(
            section(&few, None, changed, now).unwrap(),
            "## Project\n- [ ] open\n- `make` — builds\n- see a.rs (3d ago) ⚠ `a.rs` changed since\n- old (3d ago)\n"
        );
        let many = checkpoint(
            (0..20)
                .map(|n| format!("{n} {}", "ü".repeat(400)))
                .collect(),
        );
        let text = section(&many, Some("careful"), changed, now).unwrap();
        assert!(text.chars().count() <= LONGEST, "{text}");
        assert!(
            text.contains("Warning: careful\n- [ ] open\n") && text.ends_with(" more\n"),
            "{text}"
        );
        let mut nothing = checkpoint(Vec::new());
        nothing.goal.tasks.clear();
        nothing.recent_commands.clear();
        assert_eq!(section(&nothing, None, changed, now), None);
    }
}
