//! What a person wants to see of a list.

use std::iter;

use jiff::Timestamp;
use regex::RegexSet;

use super::Entry;
use crate::checkpoint::format::Checkpoint;
use crate::checkpoint::time;

/// Which checkpoints are wanted; every condition that is given has to hold.
#[derive(Debug, Default)]
pub(crate) struct Filter {
    /// What all has to stand in its texts; see [`words`].
    pub(crate) words: RegexSet,
    pub(crate) branch: Option<String>,
    /// Not those whose tasks are all done.
    pub(crate) open: bool,
    /// Not those that somebody said are finished.
    pub(crate) without_done: bool,
    /// Not those that were saved before.
    pub(crate) since: Option<Timestamp>,
}

impl Filter {
    pub(super) fn admits(&self, entry: &Entry) -> bool {
        let Self {
            words,
            branch,
            open,
            without_done,
            since,
        } = self;
        let is_finished = *open && entry.all_tasks_done || (*open || *without_done) && entry.done;
        let saved = entry.updated_at.as_deref().and_then(time::parse);
        let is_old = since.is_some_and(|since| saved.is_none_or(|saved| saved < since));
        let on_branch = branch.is_none() || *branch == entry.branch;
        on_branch && !is_finished && !is_old && mentions(entry, words)
    }
}

/// The words of a text as a set that matches each of them in any case.
///
/// It is made of capitals and matched against capitals: the package's own table of cases would be in every start
/// of the program, which has to relocate it.
pub(crate) fn words(text: &str) -> anyhow::Result<RegexSet> {
    let capitals = text.to_uppercase();
    let patterns = capitals.split_whitespace().map(regex::escape);
    Ok(RegexSet::new(patterns)?)
}

/// The texts, besides the goal, in which a person may remember that something stood.
pub(crate) fn remembered(checkpoint: &Checkpoint) -> impl Iterator<Item = &str> {
    let tasks = checkpoint.goal.tasks.iter();
    let tasks = tasks.map(|task| task.description.as_str());
    let summary = checkpoint.summary.as_deref().into_iter();
    let lists = checkpoint.lists().into_iter();
    let lists = lists.flat_map(|(_, list)| list.iter().map(String::as_str));
    let commands = checkpoint.recent_commands.iter();
    let commands = commands.flat_map(|ran| [Some(ran.command.as_str()), ran.note.as_deref()]);
    let notes = checkpoint
        .modified_files
        .iter()
        .map(|file| file.note.as_deref());
    summary
        .chain(tasks)
        .chain(lists)
        .chain(commands.flatten())
        .chain(notes.flatten())
}

pub(super) fn mentions(entry: &Entry, words: &RegexSet) -> bool {
    if words.is_empty() {
        return true;
    }
    let contents = entry.contents();
    let goal = contents.as_ref().map_or(&entry.goal, |it| &it.goal.primary);
    let texts = iter::once(goal.as_str())
        .chain(entry.name.as_deref())
        .chain(contents.iter().flat_map(remembered));
    let mut mentioned = vec![false; words.len()];
    for text in texts {
        for word in words.matches(&text.to_uppercase()) {
            mentioned[word] = true;
        }
    }
    !mentioned.contains(&false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_match_in_any_case() {
        for (word, text) in [
            ("github", "Sign in with GitHub"),
            ("GITHUB", "github"),
            ("größe", "GRÖSSE"),
            ("οδος", "ΟΔΟΣ"),
            ("ΟΔΟΣ", "οδος"),
            ("ТЕСТ", "тест"),
            ("a.b", "A.B"),
            ("c++", "C++"),
        ] {
            let words = words(word).unwrap();
            assert!(words.is_match(&text.to_uppercase()), "{word} in {text}");
        }
        assert!(!words("a.b").unwrap().is_match("AXB"));
    }
}
