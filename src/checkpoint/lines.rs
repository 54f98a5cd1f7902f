//! What changed in files, line by line, and how much of that is shown (docs/contract.md, section 8, Lines).

use std::time::Duration;

use serde::Serialize;
use similar::{ChangeTag, TextDiff};

use super::{markdown, path};

/// Characters of all differences that an agent gets.
const TOTAL: usize = 8_000;
/// Characters of the difference of one file.
const EACH: usize = 2_000;
/// Files that are named without their lines.
const NAMED: usize = 40;
/// Lines of context around a change.
const CONTEXT: usize = 3;
/// How long one file may take to compare well; beyond, more lines than need be count as changed.
const PATIENCE: Duration = Duration::from_millis(200);
/// Bytes in which git looks for a NUL to tell that a file is no text.
const LOOKED_AT: usize = 8_000;

/// A file at the save or now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Content {
    /// There is none.
    Absent,
    Bytes(Vec<u8>),
    /// Why it is not compared, as the end of a sentence.
    Unknown(&'static str),
}

/// The lines of a file that changed, or why they are not there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Patch {
    pub(crate) path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) added: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) removed: Option<usize>,
    /// Hunks as `diff -u` has them, without a header for the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) diff: Option<String>,
    /// Why there are no lines, as the end of a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<&'static str>,
}

/// A file to compare. It is compared as a person sees it: by what its bytes are as text, whatever ends its lines.
#[derive(Debug)]
pub(crate) struct Compared {
    path: String,
    sides: Result<(String, String), &'static str>,
    added: usize,
    removed: usize,
    /// Why its lines are not shown, although they are known.
    named_only: Option<&'static str>,
}

impl Compared {
    pub(crate) fn new(
        path: String,
        before: Content,
        now: Content,
        named_only: Option<&'static str>,
    ) -> Self {
        let sides = text(before).and_then(|before| Ok((before, text(now)?)));
        let (mut added, mut removed) = (0, 0);
        if let Ok((before, now)) = &sides {
            for change in compare(before, now).iter_all_changes() {
                match change.tag() {
                    ChangeTag::Insert => added += 1,
                    ChangeTag::Delete => removed += 1,
                    ChangeTag::Equal => {}
                }
            }
        }
        Self {
            path,
            sides,
            added,
            removed,
            named_only,
        }
    }

    /// The whole difference, of texts from which `redact` took what nobody is to see.
    pub(crate) fn patch(&self, redact: impl Fn(&str) -> String) -> Patch {
        let (before, now) = match (&self.sides, self.named_only) {
            (Ok((before, now)), None) => (redact(before), redact(now)),
            (Ok(_), Some(why)) => return self.named(why),
            (Err(why), _) => return self.named(why),
        };
        if self.added == 0 && self.removed == 0 {
            return self.named("only its line endings differ, or bytes that are not text");
        }
        let compared = compare(&before, &now);
        let mut hunks = compared.unified_diff();
        let diff = hunks.context_radius(CONTEXT).to_string();
        if diff.is_empty() {
            return self.named("only redacted values differ");
        }
        Patch {
            diff: Some(diff),
            why: None,
            ..self.named("")
        }
    }

    fn named(&self, why: &'static str) -> Patch {
        let counts = self.sides.is_ok() && self.added + self.removed > 0;
        Patch {
            path: self.path.clone(),
            added: counts.then_some(self.added),
            removed: counts.then_some(self.removed),
            diff: None,
            why: Some(why),
        }
    }
}

/// The section of a brief with what changed line by line, the shortest differences first; `more` further files changed.
/// Empty where there is nothing to tell.
pub(crate) fn section(files: &[Compared], more: usize, redact: impl Fn(&str) -> String) -> String {
    if files.is_empty() {
        return String::new();
    }
    let mut order: Vec<&Compared> = files.iter().collect();
    order.sort_by_key(|file| (file.added + file.removed, file.path.len()));
    let names: usize = order
        .iter()
        .take(NAMED)
        .map(|file| length(&name(file, None)))
        .sum();
    let mut section = String::from("\n## Changed lines, from the save to now\n");
    let mut room = TOTAL.saturating_sub(length(&section) + names + 100);
    let mut named = Vec::new();
    for file in order {
        let patch = match room {
            0 => file.named("left out to keep this short"),
            _ => file.patch(&redact),
        };
        let shown = patch.diff.as_deref().map(|diff| block(file, diff));
        match shown {
            Some(shown) if length(&shown) <= room => {
                room -= length(&shown);
                section.push_str(&shown);
            }
            Some(_) => named.push(name(file, None)),
            None => named.push(name(file, patch.why)),
        }
    }
    let rest = more + named.len().saturating_sub(NAMED);
    named.truncate(NAMED);
    section.extend(named);
    if rest > 0 {
        section.push_str(&format!("- … and {rest} more\n"));
    }
    section
}

/// A file's difference, cut where it is long, in a fence that nothing in it can end.
fn block(file: &Compared, diff: &str) -> String {
    let mut shown = String::new();
    let mut lines = diff.lines();
    let mut left = 0;
    for line in lines.by_ref() {
        if length(&shown) + length(line) > EACH {
            left = 1;
            break;
        }
        shown.push_str(line);
        shown.push('\n');
    }
    left += lines.count();
    let longest = diff.split(|c| c != '`').map(str::len).max();
    let fence = "`".repeat(longest.unwrap_or_default().max(2) + 1);
    let cut = match left {
        0 => String::new(),
        left => format!("… {left} more lines of this difference\n"),
    };
    format!("{}{fence}diff\n{shown}{fence}\n{cut}", name(file, None))
}

/// An item of a list with a file's name and counts.
fn name(file: &Compared, why: Option<&str>) -> String {
    let path = markdown::code(&path::shown(&file.path));
    let counts = match &file.sides {
        Ok(_) => format!(" +{} −{}", file.added, file.removed),
        Err(_) => String::new(),
    };
    let why = why.map(|why| format!(": {why}")).unwrap_or_default();
    format!("- {path}{counts}{why}\n")
}

fn length(text: &str) -> usize {
    text.chars().count()
}

fn compare<'a>(before: &'a str, now: &'a str) -> TextDiff<'a, 'a, str> {
    TextDiff::configure()
        .timeout(PATIENCE)
        .diff_lines(before, now)
}

/// A content as text, with every line ended in the same way.
fn text(content: Content) -> Result<String, &'static str> {
    let bytes = match content {
        Content::Absent => return Ok(String::new()),
        Content::Unknown(why) => return Err(why),
        Content::Bytes(bytes) => bytes,
    };
    if bytes[..bytes.len().min(LOOKED_AT)].contains(&0) {
        return Err("it is not text");
    }
    Ok(String::from_utf8_lossy(&bytes).replace("\r\n", "\n"))
}

/// Whether a file is one in which a package manager keeps versions, which nobody reads line by line.
pub(crate) fn is_lock_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let endings = [
        ".lock",
        ".lockb",
        "-lock.json",
        "-lock.yaml",
        ".lockfile",
        ".lock.hcl",
    ];
    let names = ["go.sum", "npm-shrinkwrap.json", "packages.lock.json"];
    endings.iter().any(|ending| name.ends_with(ending)) || names.contains(&name)
}
