//! Ignore rules, and attributes that convert content, as far as it takes to see that none can match a name.
//!
//! libgit2 decides over a path, slowly. Most names share no more with any rule than that they are names, and
//! of those it need not be asked.

mod line;
mod pattern;

use std::fs;
use std::io::ErrorKind;
use std::iter;
use std::path::Path;
use std::sync::Arc;

use line::{Line, Parse};
use pattern::Pattern;

/// The rules that hold in a folder: those of one file, and those of the files above it.
#[derive(Debug, Default)]
pub(super) struct Rules {
    above: Option<Arc<Rules>>,
    patterns: Vec<Pattern>,
    /// What is taken back of what others ignore.
    negated: Vec<Pattern>,
    /// Of files whose line ends alone may be converted.
    line_ends: Vec<Pattern>,
    /// The line ends of all files may be converted.
    all_line_ends: bool,
    /// A rule is there that is not understood here.
    unclear: bool,
    /// A rule is there that libgit2 understands in another way than git.
    misread: bool,
}

/// What the ignore rules say of an untracked path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Listed,
    Ignored,
    /// More than the name decides.
    Unclear,
    /// More than the name decides, and libgit2 would decide otherwise than git.
    Misread,
}

impl Rules {
    /// The rules of an ignore file in addition to those above; the same where there is no such file.
    pub(super) fn with(above: &Arc<Self>, file: &Path) -> Arc<Self> {
        Self::read(above, file, Line::ignoring)
    }

    /// The rules of a file of attributes that convert content, in addition to those above.
    pub(super) fn with_conversions(above: &Arc<Self>, file: &Path) -> Arc<Self> {
        Self::read(above, file, Line::converting)
    }

    /// Rules of which git and libgit2 make different ones.
    pub(super) fn misread(above: &Arc<Self>) -> Arc<Self> {
        Arc::new(Self {
            above: Some(above.clone()),
            misread: true,
            ..Self::default()
        })
    }

    /// Whether git and libgit2 read these rules, or those above, differently.
    pub(super) fn is_misread(&self) -> bool {
        self.files().any(|file| file.misread)
    }

    /// Rules that may match any name.
    pub(super) fn unclear() -> Arc<Self> {
        Arc::new(Self {
            unclear: true,
            ..Self::default()
        })
    }

    /// Rules by which the line ends of any file may be converted.
    pub(super) fn all_line_ends() -> Arc<Self> {
        Arc::new(Self {
            all_line_ends: true,
            ..Self::default()
        })
    }

    fn read(above: &Arc<Self>, file: &Path, parse: Parse) -> Arc<Self> {
        let text = match fs::metadata(file) {
            Err(error) if error.kind() == ErrorKind::NotFound => return above.clone(),
            // What is no file may never end.
            Ok(metadata) if metadata.is_file() => fs::read(file).ok(),
            _ => None,
        };
        let Some(text) = text else {
            return Self::unclear();
        };
        Arc::new(Self {
            above: Some(above.clone()),
            ..Self::parse(&text, parse)
        })
    }

    fn parse(text: &[u8], parse: Parse) -> Self {
        let mut rules = Self::default();
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        for line in text.split(|&byte| byte == b'\n') {
            match parse(line) {
                Line::Nothing => {}
                Line::Pattern(pattern) => rules.patterns.push(pattern),
                Line::Negated(pattern) => rules.negated.push(pattern),
                Line::Text(pattern) => rules.line_ends.push(pattern),
                Line::Unclear => rules.unclear = true,
                Line::Misread => rules.misread = true,
            }
        }
        rules
    }

    /// False where no rule can match the name itself, whatever folder it is in.
    pub(super) fn may_match(&self, name: &[u8], folder: bool) -> bool {
        let matches = |pattern: &Pattern| pattern.may_match(name, folder);
        self.files()
            .any(|file| file.unclear || file.patterns.iter().any(matches))
    }

    /// Whether the last part of a path decides if it is ignored, and how; `around` is the folder that it is in, from
    /// the top of the working tree.
    pub(super) fn verdict(&self, around: &[u8], name: &[u8], folder: bool) -> Verdict {
        if !self.may_match(name, folder) {
            return Verdict::Listed;
        }
        let matches = |pattern: &Pattern| pattern.may_match(name, folder);
        // libgit2 does not see that a rule of one file takes back one of another, and of one file not always.
        if self.files().any(|file| file.negated.iter().any(matches)) {
            return Verdict::Misread;
        }
        let decides = |pattern: &Pattern| pattern.matches(name, folder);
        let is_plain = self.files().all(|file| !file.unclear)
            && self.files().any(|file| file.patterns.iter().any(decides));
        match self.may_take_back(around) {
            _ if is_plain => Verdict::Ignored,
            true => Verdict::Misread,
            false => Verdict::Unclear,
        }
    }

    /// Whether some folder of a path may have been taken back of what is ignored.
    fn may_take_back(&self, path: &[u8]) -> bool {
        let mut negated = self.files().flat_map(|file| &file.negated);
        negated.any(|pattern| parts(path).any(|(_, name)| pattern.may_match(name, true)))
    }

    /// Whether git and libgit2 may differ about a folder being ignored, for what is taken back.
    pub(super) fn misreads_folder(&self, path: &[u8]) -> bool {
        let is_listed = |(around, name)| self.verdict(around, name, true) == Verdict::Listed;
        self.may_take_back(path) && !parts(path).all(is_listed)
    }

    fn files(&self) -> impl Iterator<Item = &Self> {
        iter::successors(Some(self), |file| file.above.as_deref())
    }

    /// False where no rule can have the line ends of a file of that name converted.
    pub(super) fn may_convert_line_ends(&self, name: &[u8]) -> bool {
        let matches = |pattern: &Pattern| pattern.may_match(name, false);
        self.files()
            .any(|file| file.all_line_ends || file.line_ends.iter().any(matches))
    }
}

/// The names in a folder's path, each with what is before it.
fn parts(path: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let slashes = path.iter().enumerate();
    let ends = slashes.filter_map(|(at, byte)| (*byte == b'/').then_some(at));
    let mut start = 0;
    ends.map(move |end| {
        let part = (&path[..start], &path[start..end]);
        start = end + 1;
        part
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_asked(rule: &str, names: &[&str], others: &[&str]) {
        assert_matches(Line::ignoring, rule, names, others);
    }

    #[track_caller]
    fn assert_matches(parse: Parse, rule: &str, names: &[&str], others: &[&str]) {
        let rules = Rules::parse(rule.as_bytes(), parse);
        for name in names {
            assert!(rules.may_match(name.as_bytes(), true), "{rule:?} {name}");
        }
        for name in others {
            assert!(!rules.may_match(name.as_bytes(), true), "{rule:?} {name}");
        }
    }

    #[test]
    fn a_name_is_asked_about_if_a_rule_can_match_it() {
        assert_asked("build", &["build"], &["build2", "abuild", "Build"]);
        assert_asked("/a/b.c", &["b.c"], &["a", "b"]);
        assert_asked("*.log", &["x.log", ".log"], &["x.lo", "log"]);
        assert_asked("a*z", &["az", "abz"], &["bz", "ab"]);
        assert_asked("doc/**", &["anything"], &[]);
        assert_asked("**/x", &["x"], &["y"]);
        assert_asked("[a-c]x", &["ax", "dx"], &["ab"]);
        assert_asked("\\!bang", &["!bang"], &["bang!"]);
        assert_asked("a\\*", &["a*"], &["b*"]);
    }

    #[test]
    fn what_is_no_rule_matches_nothing() {
        assert_asked("# x\n\n!x\n\r\n", &[], &["x", "# x", "", "!x"]);
    }

    #[track_caller]
    fn assert_verdicts(files: &[&str], verdicts: &[(&str, Verdict)]) {
        let rules = files.iter().fold(Rules::default(), |above, text| Rules {
            above: Some(Arc::new(above)),
            ..Rules::parse(text.as_bytes(), Line::ignoring)
        });
        for (name, verdict) in verdicts {
            assert_eq!(
                rules.verdict(b"", name.as_bytes(), true),
                *verdict,
                "{files:?} {name}"
            );
        }
    }

    #[test]
    fn a_name_decides_where_a_rule_is_plain_and_nothing_is_taken_back() {
        use Verdict::{Ignored, Listed, Misread, Unclear};
        assert_verdicts(
            &["*.log\nbuild/\na*a"],
            &[
                ("x.log", Ignored),
                ("build", Ignored),
                ("aba", Ignored),
                ("a", Unclear),
                ("x", Listed),
            ],
        );
        for pattern in ["/x", "d/x", "**/x", "[x]", "?", "\\x", "x*x*"] {
            assert_verdicts(&[pattern], &[("xx", Listed), ("x", Unclear)][1..]);
        }
        assert_verdicts(
            &["*.log\n!keep.log"],
            &[("keep.log", Misread), ("x.log", Ignored)],
        );
        assert_verdicts(
            &["*.log", "!keep.log"],
            &[("keep.log", Misread), ("x.log", Ignored)],
        );
        assert_verdicts(&["!keep.log", "*.log"], &[("keep.log", Misread)]);
        assert_verdicts(&["*.log", "!k*\n*.log"], &[("keep.log", Misread)]);
        assert_verdicts(&["*.log", "!x \n"], &[("keep.log", Misread), ("y", Listed)]);
        assert_verdicts(&["*.log\ny ", ""], &[("x.log", Unclear)]);
    }

    #[test]
    fn what_is_below_a_folder_that_is_taken_back_is_gits() {
        let rules = Rules::parse(b"/*\n!/src/\n", Line::ignoring);
        assert_eq!(rules.verdict(b"a/", b"x", false), Verdict::Unclear);
        assert_eq!(rules.verdict(b"a/src/b/", b"x", false), Verdict::Misread);
        assert!(rules.misreads_folder(b"src/a/"));
        assert!(!rules.misreads_folder(b"a/b/"));
    }

    #[test]
    fn every_name_is_asked_about_where_a_rule_is_unclear() {
        assert_asked("x[a/b]", &["xa", "anything"], &[]);
        assert_asked("x\\ ", &["x ", "anything"], &[]);
        assert_asked("x\r\n", &["x", "anything"], &[]);
    }

    #[test]
    fn rules_for_folders_leave_files_alone() {
        let rules = Rules::parse(b"\xef\xbb\xbfbuild/\n", Line::ignoring);
        assert!(rules.may_match(b"build", true));
        assert!(!rules.may_match(b"build", false));
    }

    #[test]
    fn only_attributes_that_convert_count() {
        let assert = |rule, names: &[&str], others: &[&str]| {
            assert_matches(Line::converting, rule, names, others);
        };
        assert("*.c text ident", &["a.c"], &["a.rs"]);
        assert("  a/b.bin\tdiff  filter=lfs -text\r", &["b.bin"], &["a"]);
        assert(
            "*.png binary\n*.c diff=cpp\n* -text\n# * text",
            &[],
            &["a.png"],
        );
        assert("* !eol", &[], &["a"]);
        assert("\"a b\" text", &["anything"], &[]);
        assert("[attr]mine text", &["anything"], &[]);
        assert("*.txt text=auto eol=crlf", &[], &["a.txt"]);
    }

    #[test]
    fn line_ends_stand_apart() {
        let text = b"*.txt text=auto eol=crlf\n*.c text ident\n*.png -text\n";
        let rules = Rules::parse(text, Line::converting);
        assert!(rules.may_convert_line_ends(b"a.txt"));
        for name in ["a.c", "a.png", "a"] {
            assert!(!rules.may_convert_line_ends(name.as_bytes()), "{name}");
        }
    }
}
