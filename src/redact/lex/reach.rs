//! How far and how much a redaction looks: one look takes in a fixed number of bytes, and all looks
//! at a text together no more than a multiple of its length, whatever it holds.

use std::cell::Cell;

/// Most bytes that one look takes in. A value that is longer is no value.
pub(crate) const REACH: usize = 4_096;

/// What a text of plain words costs, as a multiple of its length in bytes: once for each detector.
pub(crate) const PLAIN: usize = 12;

/// Most that any text may cost, as a multiple of what plain words of its length cost.
pub(crate) const MOST: usize = 11;

/// Length from which on the multiples count; a shorter text may cost as much as one of this length.
const LEAST_LENGTH: usize = 512;

thread_local! {
    /// What this thread's redaction may still look at, in bytes.
    static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// What may be looked at for a text of `length` bytes.
pub(crate) fn allowance(length: usize) -> usize {
    MOST * PLAIN * length.max(LEAST_LENGTH)
}

/// Begins a redaction that may look at `allowance` bytes.
pub(crate) fn begin(allowance: usize) {
    LEFT.set(allowance);
}

/// Notes that `bytes` were looked at.
pub(crate) fn spend(bytes: usize) {
    LEFT.set(LEFT.get().saturating_sub(bytes));
}

/// What may still be looked at. Once there is nothing left, whatever is found no longer counts, and
/// looks come back empty.
pub(crate) fn left() -> usize {
    LEFT.get()
}

/// The text from `at` on, as far as one look reaches.
pub(crate) fn ahead(text: &str, at: usize) -> &str {
    let end = text.floor_char_boundary(at.saturating_add(REACH.min(left())));
    text.get(at..end).unwrap_or_default()
}

/// The text before `at`, as far as one look reaches.
pub(crate) fn behind(text: &str, at: usize) -> &str {
    let start = text.ceil_char_boundary(at.saturating_sub(REACH.min(left())));
    text.get(start..at).unwrap_or_default()
}

/// Where a search of `seen`, from its start, has `found` something; it looked at all before that.
pub(crate) fn passed(seen: &str, found: Option<usize>) -> Option<usize> {
    spend(found.unwrap_or(seen.len()) + 1);
    found
}
