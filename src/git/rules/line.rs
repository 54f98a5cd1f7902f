//! One line of an ignore file or of a file of attributes.

use super::pattern::Pattern;

/// Attributes by which a file's content is another than what git stores (gitattributes(5)).
const CONVERTING: [&[u8]; 3] = [b"ident", b"filter", b"working-tree-encoding"];
/// Those by which only its line ends are.
const LINE_ENDS: [&[u8]; 3] = [b"text", b"crlf", b"eol"];

/// What a line of a file of rules says.
pub(super) enum Line {
    Nothing,
    Pattern(Pattern),
    /// Takes back what the pattern matches.
    Negated(Pattern),
    /// What matches it may have its line ends converted.
    Text(Pattern),
    /// It does not tell which names it matches.
    Unclear,
    /// libgit2 takes it for another pattern than git.
    Misread,
}

/// How the lines of a file are read.
pub(super) type Parse = fn(&[u8]) -> Line;

impl Line {
    /// A line of an ignore file (gitignore(5)).
    pub(super) fn ignoring(line: &[u8]) -> Self {
        match line {
            [] | b"\r" | [b'#', ..] => Self::Nothing,
            line if is_misread(line) => Self::Misread,
            [b'!', line @ ..] => Self::Negated(ignored(line).unwrap_or_else(Pattern::any)),
            line => ignored(line).map_or(Self::Unclear, Self::Pattern),
        }
    }

    /// A line of a file of attributes (gitattributes(5)), of which those count that convert content.
    pub(super) fn converting(line: &[u8]) -> Self {
        let line = line.trim_ascii();
        if matches!(line, [] | [b'#', ..]) {
            return Self::Nothing;
        }
        // A name in quotes, or one for several attributes.
        if matches!(line, [b'"' | b'[', ..]) {
            return Self::Unclear;
        }
        let mut words = line
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty());
        let pattern = words.next().unwrap_or_default();
        let pattern = |line: fn(Pattern) -> Self| Pattern::of(pattern).map_or(Self::Unclear, line);
        // What is taken back or unset converts nothing, and another word than these neither.
        let mut line_ends = false;
        for word in words {
            let name = word.split(|&byte| byte == b'=').next().unwrap_or_default();
            if CONVERTING.contains(&name) {
                return pattern(Self::Pattern);
            }
            line_ends |= LINE_ENDS.contains(&name);
        }
        match line_ends {
            true => pattern(Self::Text),
            false => Self::Nothing,
        }
    }
}

/// What is ignored; None where the end of the line does not tell.
fn ignored(line: &[u8]) -> Option<Pattern> {
    match line.last() {
        Some(b' ' | b'\t' | b'\r') => None,
        _ => Pattern::of(line),
    }
}

/// Whether libgit2 takes a line of an ignore file for another pattern than git: it drops tabs at the end, joins a
/// line that ends in a backslash to the next one, and matches files with what is for folders of any name.
fn is_misread(line: &[u8]) -> bool {
    let backslashes = line.iter().rev().take_while(|&&byte| byte == b'\\');
    line.ends_with(b"\t")
        || line.ends_with(b"**/")
        || backslashes.count() % 2 == 1
        || line.windows(2).any(|pair| pair == b"\\/")
}
