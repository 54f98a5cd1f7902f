//! Replaces secrets in free text (commands, notes, summaries) with [`MARK`].
//!
//! Every detector reports byte spans of the original text. The spans are merged and replaced in one
//! go, so no detector sees a text that another has changed. Only the secret itself goes: names, flags, schemes,
//! users and hosts stay readable. Text that merely refers to a secret (`$TOKEN`, `<password>`,
//! `process.env.KEY`) stays as it is.

mod context;
mod decide;
mod find;
mod lex;
mod shapes;
mod span;
pub(crate) mod stream;
mod value;

#[cfg(test)]
mod tests;

pub(crate) use span::MARK;

use find::{assignment, block, call, command, markup, note, sql, url};
use lex::haystack::Haystack;
use lex::reach;
use span::Span;

/// A text without its secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Redacted {
    /// The text, with [`MARK`] in place of every secret.
    pub(crate) text: String,
    /// Number of secrets replaced now; marks that were there before do not count.
    pub(crate) count: usize,
}

/// A detector: adds the spans of the secrets it knows how to find to those that others found.
type Detector = fn(&Haystack<'_>, &mut Vec<Span>);

/// Names are looked for once programs' arguments are known: `-pSomeKey` is no name.
const DETECTORS: [Detector; 9] = [
    shapes::find,
    command::find,
    assignment::find,
    note::find,
    url::find,
    block::find,
    markup::find,
    sql::find,
    call::find,
];

/// Most times a text is searched. Taking one secret out can, in contrived text, bring another into
/// view; searching until nothing is found makes redaction idempotent.
const MAX_ROUNDS: usize = 16;

/// Replaces the secrets in `text`. Redacting the result again changes nothing.
pub(crate) fn redact(text: &str) -> Redacted {
    let mut redacted = Redacted {
        text: text.to_owned(),
        count: 0,
    };
    reach::begin(reach::allowance(text.len()));
    for _ in 0..MAX_ROUNDS {
        reach::spend(redacted.text.len() * reach::PLAIN);
        let spans = secrets(&redacted.text);
        if reach::left() == 0 {
            break;
        }
        if spans.is_empty() {
            return redacted;
        }
        redacted.count += spans.len();
        redacted.text = replace(&redacted.text, &spans);
    }
    // What was built to be searched for ever is kept from nobody but its builder.
    Redacted {
        text: MARK.to_owned(),
        count: redacted.count.max(1),
    }
}

/// Bytes that redacting `text` looks at.
#[cfg(any(test, fuzzing))]
pub(crate) fn cost(text: &str) -> usize {
    redact(text);
    reach::allowance(text.len()) - reach::left()
}

/// Spans of the secrets in `text`: in order, apart from each other and from every mark.
fn secrets(text: &str) -> Vec<Span> {
    let haystack = Haystack::new(text);
    let mut found = Vec::new();
    for detect in DETECTORS {
        detect(&haystack, &mut found);
        if reach::left() == 0 {
            return found;
        }
    }
    if found.is_empty() {
        return found;
    }
    let marks: Vec<Span> = text
        .match_indices(MARK)
        .map(|(start, mark)| Span {
            start,
            end: start + mark.len(),
        })
        .collect();
    // What touches a mark is the rest of a value that was redacted.
    found.retain(|span| {
        let next = marks.partition_point(|mark| mark.end < span.start);
        marks.get(next).is_none_or(|mark| mark.start > span.end)
    });
    found.sort_unstable();
    let mut merged: Vec<Span> = Vec::with_capacity(found.len());
    for span in found {
        match merged.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ => merged.push(span),
        }
    }
    merged
}

/// `text` with a mark in place of each of `spans`, which are in order and do not overlap.
fn replace(text: &str, spans: &[Span]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for span in spans {
        out.push_str(text.get(done..span.start).unwrap_or_default());
        out.push_str(MARK);
        done = span.end;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}
