//! What the git command prints for programs to read.

use super::status::{Found, Staged};

/// One line of `git status --porcelain=v2` (git-status(1), "Porcelain Format Version 2").
pub(super) struct Record<'a> {
    kind: u8,
    /// In the index, and in the working tree.
    code: (u8, u8),
    /// The index's blob, where the working tree has a file of the same mode.
    pub(super) same_mode: Option<&'a str>,
    /// Whether the index has a submodule there.
    pub(super) is_submodule: bool,
    pub(super) path: &'a [u8],
}

impl<'a> Record<'a> {
    pub(super) fn parse(field: &'a [u8]) -> Option<Self> {
        let kind = *field.first()?;
        // The path is the last of so many parts, and may hold spaces.
        let count = match kind {
            b'1' => 9,
            b'u' => 11,
            b'?' => 2,
            _ => return None,
        };
        let parts: Vec<&[u8]> = field.splitn(count, |&byte| byte == b' ').collect();
        let path = *parts.get(count - 1)?;
        let code = match parts[1] {
            [x, y] if kind != b'?' => (*x, *y),
            _ => (b'?', b'?'),
        };
        let same_mode = kind == b'1' && parts[4] == parts[5];
        Some(Self {
            kind,
            code,
            same_mode: same_mode
                .then(|| std::str::from_utf8(parts[7]).ok())
                .flatten(),
            is_submodule: kind == b'1' && parts[4] == b"160000",
            path: path.strip_suffix(b"/").unwrap_or(path),
        })
    }

    pub(super) fn codes(&self) -> (Option<Staged>, Option<Found>) {
        match self.kind {
            b'u' => return (Some(Staged::Conflicted), Some(Found::Conflicted)),
            b'?' => return (None, Some(Found::Untracked)),
            _ => {}
        }
        let staged = match (self.code.0, self.code.1) {
            (b'.', b'A') | (b'A', _) => Some(Staged::Added),
            (b'.', _) => None,
            (b'D', _) => Some(Staged::Deleted),
            _ => Some(Staged::Modified),
        };
        let found = match self.code.1 {
            b'.' => None,
            b'D' => Some(Found::Deleted),
            _ => Some(Found::Modified),
        };
        (staged, found)
    }
}

/// Fields that NUL ends.
pub(super) fn fields(output: &[u8]) -> impl Iterator<Item = &[u8]> {
    output
        .split(|&byte| byte == 0)
        .filter(|field| !field.is_empty())
}
