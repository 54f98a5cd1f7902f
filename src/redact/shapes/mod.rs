//! The table of token shapes, by kind of service. A new shape is one row in one of these files.

use crate::redact::lex::class::ALNUM;
use crate::redact::lex::haystack::Haystack;
use crate::redact::span::Span;
use shape::{Runs, Shape, starts_word};
use std::sync::LazyLock;

mod ai;
mod business;
mod cloud;
mod forge;
mod messaging;
mod payment;
mod platform;
mod registry;
mod shape;

/// All known token shapes. Of two that match at one place, the earlier wins.
pub(super) fn all() -> impl Iterator<Item = &'static Shape> {
    [
        ai::SHAPES,
        business::SHAPES,
        cloud::SHAPES,
        forge::SHAPES,
        messaging::SHAPES,
        payment::SHAPES,
        platform::SHAPES,
        registry::SHAPES,
    ]
    .into_iter()
    .flatten()
}

/// The shapes by the first byte of their anchor: those that only begin a word, and the others.
struct Index {
    at_word_start: Vec<Vec<&'static Shape>>,
    anywhere: Vec<Vec<&'static Shape>>,
}

static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let mut index = Index {
        at_word_start: vec![Vec::new(); 128],
        anywhere: vec![Vec::new(); 128],
    };
    for shape in all() {
        let Some(first) = shape.anchor.bytes().next() else {
            continue;
        };
        let word = ALNUM.has(first) && shape.lead.is_none();
        let table = if word {
            &mut index.at_word_start
        } else {
            &mut index.anywhere
        };
        if let Some(bucket) = table.get_mut(usize::from(first)) {
            bucket.push(shape);
        }
    }
    index
});

/// Adds the spans of all vendor tokens in the text.
pub(crate) fn find(haystack: &Haystack<'_>, spans: &mut Vec<Span>) {
    let text = haystack.text();
    let index = &*INDEX;
    let bytes = text.as_bytes();
    let mut runs = Runs::default();
    let mut at = 0;
    while let Some(first) = bytes.get(at).map(|byte| usize::from(*byte)) {
        let words = index
            .at_word_start
            .get(first)
            .filter(|shapes| !shapes.is_empty() && starts_word(bytes, at));
        let mut shapes = words.into_iter().chain(index.anywhere.get(first)).flatten();
        let found = shapes.find_map(|shape| shape.match_at(text, at, &mut runs));
        spans.extend(found);
        at = found.map_or(at + 1, |span| span.end.max(at + 1));
    }
}
