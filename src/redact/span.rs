//! Where in a text a secret is, and what stands there afterwards.

/// What stands where a secret was.
pub(crate) const MARK: &str = "«redacted»";

/// A range of bytes of the text, on character boundaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Span {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Span {
    /// What stands there in `text`.
    pub(crate) fn of(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or_default()
    }
}
