//! What a person wants to see of a list.

use regex::{Regex, RegexBuilder};

use super::Entry;

/// Which checkpoints are wanted; every condition that is given has to hold.
#[derive(Debug, Default)]
pub(crate) struct Filter {
    /// What all has to stand in goal, summary, tasks or decisions; see [`words`].
    pub(crate) words: Vec<Regex>,
    pub(crate) branch: Option<String>,
    /// Not those whose tasks are all done.
    pub(crate) open: bool,
}

impl Filter {
    pub(super) fn admits(&self, entry: &Entry) -> bool {
        let Self {
            words,
            branch,
            open,
        } = self;
        let on_branch = branch.is_none() || *branch == entry.branch;
        on_branch && !(*open && entry.all_tasks_done) && mentions(entry, words)
    }
}

/// The words of a text as patterns that match each of them in any case, as Unicode has it.
pub(crate) fn words(text: &str) -> anyhow::Result<Vec<Regex>> {
    let pattern = |word| {
        let mut pattern = RegexBuilder::new(&regex::escape(word));
        Ok(pattern.case_insensitive(true).build()?)
    };
    text.split_whitespace().map(pattern).collect()
}

fn mentions(entry: &Entry, words: &[Regex]) -> bool {
    if words.is_empty() {
        return true;
    }
    let texts: Vec<String> = match entry.contents() {
        None => vec![entry.goal.clone()],
        Some(checkpoint) => {
            let tasks = checkpoint.goal.tasks.into_iter();
            [checkpoint.goal.primary]
                .into_iter()
                .chain(checkpoint.summary)
                .chain(tasks.map(|task| task.description))
                .chain(checkpoint.decisions)
                .collect()
        }
    };
    words
        .iter()
        .all(|word| texts.iter().any(|text| word.is_match(text)))
}
