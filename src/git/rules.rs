//! Ignore rules, as far as it takes to see that none can match a name.
//!
//! libgit2 decides over a path, slowly. Most names share no more with any rule than that they are names, and
//! of those it need not be asked.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

/// The rules that hold in a folder: those of one file, and those of the files above it.
#[derive(Debug, Default)]
pub(super) struct Rules {
    above: Option<Arc<Rules>>,
    patterns: Vec<Pattern>,
    /// A rule is there that is not understood here.
    unclear: bool,
}

/// What the last part of every path that a rule matches looks like.
#[derive(Debug)]
struct Pattern {
    start: Vec<u8>,
    /// None where the start is all.
    end: Option<Vec<u8>>,
    folders_only: bool,
}

impl Rules {
    /// The rules of a file in addition to those above; the same where there is no such file.
    pub(super) fn with(above: &Arc<Self>, file: &Path) -> Arc<Self> {
        let unclear = || Self {
            unclear: true,
            ..Self::default()
        };
        let mut rules = match fs::metadata(file) {
            Err(error) if error.kind() == ErrorKind::NotFound => return above.clone(),
            // What is no file may never end.
            Ok(metadata) if metadata.is_file() => {
                fs::read(file).map_or_else(|_| unclear(), |text| Self::parse(&text))
            }
            _ => unclear(),
        };
        rules.above = Some(above.clone());
        Arc::new(rules)
    }

    fn parse(text: &[u8]) -> Self {
        let mut rules = Self::default();
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        for line in text.split(|&byte| byte == b'\n') {
            // What a rule takes back, another must have matched first.
            if !matches!(line, [] | b"\r" | [b'#' | b'!', ..]) {
                match Pattern::parse(line) {
                    Some(pattern) => rules.patterns.push(pattern),
                    None => rules.unclear = true,
                }
            }
        }
        rules
    }

    /// False where no rule can match the name itself, whatever folder it is in.
    pub(super) fn may_match(&self, name: &[u8], folder: bool) -> bool {
        let matches = |pattern: &Pattern| pattern.may_match(name, folder);
        self.unclear
            || self.patterns.iter().any(matches)
            || self
                .above
                .as_ref()
                .is_some_and(|above| above.may_match(name, folder))
    }
}

impl Pattern {
    /// None where the end of the pattern does not tell (gitignore(5)).
    fn parse(line: &[u8]) -> Option<Self> {
        if line.last()?.is_ascii_whitespace() {
            return None;
        }
        let (line, folders_only) = match line.strip_suffix(b"/") {
            Some(line) => (line, true),
            None => (line, false),
        };
        let name = match line.iter().rposition(|&byte| byte == b'/') {
            // A slash may stand inside brackets or behind an escape.
            Some(slash) if line[..slash].iter().any(|byte| b"[\\".contains(byte)) => return None,
            Some(slash) => &line[slash + 1..],
            None => line,
        };
        let special = |byte: &u8| b"*?[]\\".contains(byte);
        let start = name.iter().position(special);
        let end = name.iter().rposition(special);
        Some(Self {
            start: name[..start.unwrap_or(name.len())].to_vec(),
            end: end.map(|end| name[end + 1..].to_vec()),
            folders_only,
        })
    }

    fn may_match(&self, name: &[u8], folder: bool) -> bool {
        if self.folders_only && !folder {
            return false;
        }
        match &self.end {
            Some(end) => name.starts_with(&self.start) && name.ends_with(end),
            None => name == self.start,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_asked(rule: &str, names: &[&str], others: &[&str]) {
        let rules = Rules::parse(rule.as_bytes());
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

    #[test]
    fn every_name_is_asked_about_where_a_rule_is_unclear() {
        assert_asked("x[a/b]", &["xa", "anything"], &[]);
        assert_asked("x\\ ", &["x ", "anything"], &[]);
        assert_asked("x\r\n", &["x", "anything"], &[]);
    }

    #[test]
    fn rules_for_folders_leave_files_alone() {
        let rules = Rules::parse(b"\xef\xbb\xbfbuild/\n");
        assert!(rules.may_match(b"build", true));
        assert!(!rules.may_match(b"build", false));
    }
}
