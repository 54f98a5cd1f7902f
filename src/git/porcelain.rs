//! What git prints for programs to read.

use super::{Error, Head, Result};
use crate::checkpoint::format::FileStatus;

/// The modes of what a tree or an index has at a path (gitformat-index(5)).
pub(super) const FOLDER: u32 = 0o040_000;
pub(super) const REGULAR: u32 = 0o100_000;
pub(super) const LINK: u32 = 0o120_000;
pub(super) const SUBMODULE: u32 = 0o160_000;
pub(super) const EXECUTABLE: u32 = 0o100_755;
pub(super) const FILE: u32 = 0o100_644;
/// The bits of a mode that say of what kind it is.
pub(super) const KIND: u32 = 0o170_000;

/// The id of the tree without entries, which every repository knows, in the format of ids of a length.
pub(super) fn empty_tree(length: usize) -> &'static str {
    match length {
        64 => "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
        _ => "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    }
}

/// What a tree or the index has at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) mode: u32,
    /// The object id in hexadecimal.
    pub(super) id: String,
}

impl Entry {
    /// None for the mode that stands for nothing.
    fn new(mode: &str, id: &str) -> Option<Self> {
        let mode = u32::from_str_radix(mode, 8)
            .ok()
            .filter(|mode| *mode != 0)?;
        let id = id.to_owned();
        Some(Self { mode, id })
    }

    pub(super) fn is_submodule(&self) -> bool {
        self.mode == SUBMODULE
    }
}

/// The output of `git status --porcelain=v2 --branch -z` (git-status(1), "Porcelain Format Version 2").
#[derive(Debug, Default)]
pub(super) struct Status {
    /// None before the first commit.
    pub(super) head: Option<Head>,
    pub(super) records: Vec<Record>,
}

/// What differs at a path.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) kind: Kind,
    /// How the index differs from HEAD, and the working tree from the index; `.` where it does not.
    pub(super) code: (u8, u8),
    pub(super) head: Option<Entry>,
    pub(super) index: Option<Entry>,
    /// The mode in the working tree; 0 where nothing is there.
    pub(super) mode: u32,
    /// `S` for a submodule, and whether it differs by its commit (`C`), changed (`M`) or untracked files (`U`).
    pub(super) submodule: [u8; 4],
    pub(super) path: Vec<u8>,
    /// Where a renamed or copied file was before.
    pub(super) from: Option<Vec<u8>>,
    /// Whether an untracked path is a repository of its own.
    pub(super) is_folder: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Tracked,
    Unmerged,
    Untracked,
}

impl Status {
    pub(super) fn parse(output: &[u8]) -> Result<Self> {
        let mut status = Self::default();
        let (mut commit, mut branch) = (None, None);
        let mut fields = fields(output);
        while let Some(field) = fields.next() {
            if let Some(header) = field.strip_prefix(b"# ") {
                match String::from_utf8_lossy(header).split_once(' ') {
                    Some(("branch.oid", id)) if id != "(initial)" => commit = Some(id.to_owned()),
                    Some(("branch.head", name)) if name != "(detached)" => {
                        branch = Some(name.to_owned());
                    }
                    _ => {}
                }
                continue;
            }
            let mut record = Record::parse(field).ok_or_else(|| unknown("status", field))?;
            if field.starts_with(b"2") {
                record.from = fields.next().map(<[u8]>::to_vec);
            }
            status.records.push(record);
        }
        status.head = commit.map(|commit| Head { branch, commit });
        Ok(status)
    }
}

impl Record {
    fn parse(field: &[u8]) -> Option<Self> {
        // The path is the last of so many parts, and may hold spaces.
        let (kind, count) = match field.first()? {
            b'1' => (Kind::Tracked, 9),
            b'2' => (Kind::Tracked, 10),
            b'u' => (Kind::Unmerged, 11),
            b'?' => (Kind::Untracked, 2),
            _ => return None,
        };
        let parts: Vec<&[u8]> = field.splitn(count, |&byte| byte == b' ').collect();
        let path = *parts.get(count - 1)?;
        let text = |at: usize| std::str::from_utf8(parts[at]).ok();
        let mode = |at: usize| u32::from_str_radix(text(at)?, 8).ok();
        let submodule = match kind {
            Kind::Untracked => *b"N...",
            _ => (*parts.get(2)?).try_into().ok()?,
        };
        let (code, head, index, mode) = match kind {
            Kind::Untracked => ((b'?', b'?'), None, None, 0),
            // HEAD's side of a conflict is the second one.
            Kind::Unmerged => ((b'U', b'U'), Entry::new(text(4)?, text(8)?), None, mode(6)?),
            Kind::Tracked => {
                let [x, y] = parts[1] else { return None };
                let head = Entry::new(text(3)?, text(6)?);
                ((*x, *y), head, Entry::new(text(4)?, text(7)?), mode(5)?)
            }
        };
        let name = path.strip_suffix(b"/").unwrap_or(path);
        Some(Self {
            kind,
            code,
            head,
            index,
            mode,
            submodule,
            path: name.to_vec(),
            from: None,
            is_folder: name.len() < path.len(),
        })
    }

    /// Whether the file was moved away from [`Record::from`].
    pub(super) fn is_renamed(&self) -> bool {
        self.code.0 == b'R' || self.code.1 == b'R'
    }

    /// Whether git found a change in the content alone, between the index and the working tree.
    pub(super) fn is_rewritten(&self) -> bool {
        let is_same_mode = self
            .index
            .as_ref()
            .is_some_and(|entry| entry.mode == self.mode);
        self.kind == Kind::Tracked && self.code == (b'.', b'M') && is_same_mode
    }

    /// One status out of the two: what is on disk decides over what is staged. A file that is gone is deleted,
    /// whatever the index has, and a new one stays added when it is edited again.
    pub(super) fn status(&self) -> FileStatus {
        let (x, y) = self.code;
        match self.kind {
            Kind::Unmerged => FileStatus::Unmerged,
            Kind::Untracked => FileStatus::Untracked,
            Kind::Tracked if y == b'D' || x == b'D' => FileStatus::Deleted,
            Kind::Tracked if [x, y].iter().any(|code| matches!(code, b'A' | b'C')) => {
                FileStatus::Added
            }
            Kind::Tracked if self.is_renamed() => FileStatus::Renamed,
            Kind::Tracked => FileStatus::Modified,
        }
    }
}

/// What two trees have at a path where they differ.
#[derive(Debug)]
pub(super) struct Moved {
    pub(super) path: Vec<u8>,
    pub(super) old: Option<Entry>,
    pub(super) new: Option<Entry>,
}

impl Moved {
    /// The output of `git diff-tree --raw -r -z --no-abbrev` (git-diff-tree(1), "Raw output format").
    pub(super) fn parse(output: &[u8]) -> Result<Vec<Self>> {
        let mut fields = fields(output);
        let mut all = Vec::new();
        while let (Some(meta), Some(path)) = (fields.next(), fields.next()) {
            let text = std::str::from_utf8(meta).unwrap_or_default();
            let parts: Vec<&str> = text.trim_start_matches(':').split(' ').collect();
            let [old, new, old_id, new_id, _] = parts[..] else {
                return Err(unknown("difference", meta));
            };
            all.push(Self {
                path: path.to_vec(),
                old: Entry::new(old, old_id),
                new: Entry::new(new, new_id),
            });
        }
        Ok(all)
    }
}

/// One line of `git ls-files -z --stage`.
pub(super) struct Indexed<'a> {
    pub(super) entry: Entry,
    pub(super) path: &'a [u8],
}

impl<'a> Indexed<'a> {
    pub(super) fn parse(field: &'a [u8]) -> Option<Self> {
        let tab = field.iter().position(|&byte| byte == b'\t')?;
        let meta = std::str::from_utf8(&field[..tab]).ok()?;
        let mut parts = meta.split(' ');
        Some(Self {
            entry: Entry::new(parts.next()?, parts.next()?)?,
            path: field.get(tab + 1..)?,
        })
    }
}

fn unknown(what: &str, field: &[u8]) -> Error {
    let field = &field[..field.len().min(100)];
    Error::Failed(format!(
        "git: `{}` in its {what} is not understood",
        field.escape_ascii()
    ))
}

/// Fields that NUL ends.
pub(super) fn fields(output: &[u8]) -> impl Iterator<Item = &[u8]> {
    output
        .split(|&byte| byte == 0)
        .filter(|field| !field.is_empty())
}
