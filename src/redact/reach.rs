//! How far a detector looks from where it stands: a fixed number of bytes, so that the time a text
//! takes grows with its length and no faster, whatever it holds.

/// Most bytes that one look takes in. A value that is longer is no value.
pub(super) const REACH: usize = 4_096;

/// The text from `at` on, as far as one look reaches.
pub(super) fn ahead(text: &str, at: usize) -> &str {
    let end = text.floor_char_boundary(at.saturating_add(REACH));
    let seen = text.get(at..end).unwrap_or_default();
    count(seen.len());
    seen
}

/// The text before `at`, as far as one look reaches.
pub(super) fn behind(text: &str, at: usize) -> &str {
    let start = text.ceil_char_boundary(at.saturating_sub(REACH));
    let seen = text.get(start..at).unwrap_or_default();
    count(seen.len());
    seen
}

/// Notes that `bytes` were looked at. Tests compare the sums for texts of different lengths.
#[cfg(not(test))]
pub(super) const fn count(_bytes: usize) {}

#[cfg(test)]
pub(super) fn count(bytes: usize) {
    counted::LOOKED_AT.with(|sum| sum.set(sum.get() + bytes));
}

#[cfg(test)]
pub(super) mod counted {
    //! The sum of all looks of this thread.

    use std::cell::Cell;

    thread_local! {
        pub(in super::super) static LOOKED_AT: Cell<usize> = const { Cell::new(0) };
    }

    /// Bytes that `work` looks at.
    pub(in super::super) fn during(work: impl FnOnce()) -> usize {
        LOOKED_AT.with(|sum| sum.set(0));
        work();
        LOOKED_AT.with(Cell::get)
    }
}
