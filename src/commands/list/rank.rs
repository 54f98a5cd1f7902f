//! How well a checkpoint fits what a person types to find it.

use super::Entry;
use super::filter::remembered;

/// The words that are looked for.
pub(crate) struct Rank(Vec<String>);

/// How much a place tells where a word stands; a word as a whole counts more than the start of one, and that more than a
/// piece.
const GOAL: usize = 30;
const NAMES: usize = 20;
const TEXTS: usize = 10;
const WHOLE: usize = 3;
const START: usize = 2;
const PIECE: usize = 1;

impl Rank {
    pub(crate) fn new(typed: &str) -> Self {
        Self(typed.split_whitespace().map(str::to_lowercase).collect())
    }

    /// The higher the better; None where a word stands nowhere: in goal, name, branch, texts, or at the start of the id.
    pub(crate) fn of(&self, entry: &Entry) -> Option<usize> {
        let Self(words) = self;
        if words.is_empty() {
            return Some(0);
        }
        let goal = entry.goal.to_lowercase();
        let branch = entry.branch.as_deref().unwrap_or_default().to_lowercase();
        let name = entry.name.as_deref().unwrap_or_default().to_lowercase();
        let id = entry.selector.to_lowercase();
        let texts = entry.checkpoint.iter().flat_map(remembered);
        let texts: Vec<String> = texts.map(str::to_lowercase).collect();
        let best = |word: &String| {
            let in_goal = fit(&goal, word).map(|fit| GOAL + fit);
            let in_names = fit(&branch, word).max(fit(&name, word));
            let in_names = in_names.map(|fit| NAMES + fit);
            let in_id = id.starts_with(word.as_str()).then_some(NAMES + START);
            let in_texts = texts.iter().filter_map(|text| fit(text, word)).max();
            [in_goal, in_names, in_id, in_texts.map(|fit| TEXTS + fit)]
                .into_iter()
                .flatten()
                .max()
        };
        let fits: Option<Vec<usize>> = words.iter().map(best).collect();
        // Of those that hold all words, the one is best that holds them as they were typed.
        let as_typed = fit(&goal, &words.join(" ")) == Some(WHOLE);
        Some(fits?.iter().sum::<usize>() + usize::from(as_typed))
    }
}

/// How a word stands in a text, at its best place.
fn fit(text: &str, word: &str) -> Option<usize> {
    let is_part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let fits = text.match_indices(word).map(|(at, _)| {
        let before = is_part(text[..at].chars().next_back());
        let after = is_part(text[at + word.len()..].chars().next());
        match (before, after) {
            (false, false) => WHOLE,
            (false, true) => START,
            (true, _) => PIECE,
        }
    });
    fits.max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_fit_better_than_pieces() {
        assert_eq!(fit("fix bug 9", "9"), Some(WHOLE));
        assert_eq!(fit("fix bug 189, then 9", "9"), Some(WHOLE));
        assert_eq!(fit("fix bug 91", "9"), Some(START));
        assert_eq!(fit("fix bug 189", "9"), Some(PIECE));
        assert_eq!(fit("größe", "röß"), Some(PIECE));
        assert_eq!(fit("fix bug", "9"), None);
    }
}
