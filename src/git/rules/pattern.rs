//! What a rule's pattern says of the last part of the paths that it matches.

/// What the last part of every path that a rule matches looks like.
#[derive(Debug)]
pub(super) struct Pattern {
    start: Vec<u8>,
    /// None where the start is all.
    end: Option<Vec<u8>>,
    folders_only: bool,
    /// Whether every path matches whose last part looks like it.
    exact: bool,
}

impl Pattern {
    /// A pattern that may match anything.
    pub(super) fn any() -> Self {
        Self {
            start: Vec::new(),
            end: Some(Vec::new()),
            folders_only: false,
            exact: false,
        }
    }

    /// The pattern of a line; None where its end does not tell what it matches.
    pub(super) fn of(line: &[u8]) -> Option<Self> {
        let (line, folders_only) = match line.strip_suffix(b"/") {
            Some(line) => (line, true),
            None => (line, false),
        };
        let name = match line.iter().rposition(|&byte| byte == b'/') {
            // A slash may stand inside brackets or behind an escape.
            Some(slash) if line[..slash].iter().any(|byte| b"[\\".contains(byte)) => {
                return None;
            }
            Some(slash) => &line[slash + 1..],
            None => line,
        };
        let special = |byte: &u8| b"*?[]\\".contains(byte);
        let start = name.iter().position(special);
        let end = name.iter().rposition(special);
        let is_star = |at: usize| name[at] == b'*';
        Some(Self {
            // One star at the most, and no folder in front.
            exact: start == end && start.is_none_or(is_star) && name.len() == line.len(),
            start: name[..start.unwrap_or(name.len())].to_vec(),
            end: end.map(|end| name[end + 1..].to_vec()),
            folders_only,
        })
    }

    /// Whether it matches a path for the last part alone.
    pub(super) fn matches(&self, name: &[u8], folder: bool) -> bool {
        let end = self.end.as_ref().map_or(0, Vec::len);
        self.exact && name.len() >= self.start.len() + end && self.may_match(name, folder)
    }

    pub(super) fn may_match(&self, name: &[u8], folder: bool) -> bool {
        if self.folders_only && !folder {
            return false;
        }
        match &self.end {
            Some(end) => name.starts_with(&self.start) && name.ends_with(end),
            None => name == self.start,
        }
    }
}
