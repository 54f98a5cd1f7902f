//! Untrusted text inside the brief's Markdown: it stays on its line and in its section.

use super::path;
use super::text::one_line;

/// Text on one line: every run of white space becomes a space, what must not be shown becomes `�`.
pub(crate) fn line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in one_line(text).split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// Text as a paragraph of its own that cannot start a heading, a fence or any other block.
pub(crate) fn paragraph(text: &str) -> String {
    escaped(&line(text))
}

/// Text of several lines, none of which can start a heading, a fence, a rule or an HTML block.
pub(crate) fn lines(text: &str) -> String {
    let lines: Vec<String> = text
        .trim()
        .lines()
        .map(|line| escaped(&one_line(line.trim_end())))
        .collect();
    lines.join("\n")
}

/// A code span that its own text cannot end (CommonMark section 6.1), on one line and otherwise as the text is: a path
/// or a command with other white space is another one.
pub(crate) fn code(text: &str) -> String {
    let text = one_line(text.trim_matches(['\n', '\r']));
    let is_padded = text.starts_with(' ') || text.ends_with(' ') || text.is_empty();
    let longest_run = text
        .split(|c| c != '`')
        .map(str::len)
        .max()
        .unwrap_or_default();
    let fence = "`".repeat(longest_run + 1);
    if longest_run == 0 && !is_padded {
        format!("{fence}{text}{fence}")
    } else {
        format!("{fence} {text} {fence}")
    }
}

/// How many entries a list has beyond those that are shown; None where that is all.
pub(crate) fn more(total: usize, shown: usize) -> Option<String> {
    let left = total.saturating_sub(shown);
    (left > 0).then(|| format!("… and {left} more"))
}

/// The first of the paths as code spans, and how many more there are.
pub(super) fn paths<'a>(all: impl ExactSizeIterator<Item = &'a String>, shown: usize) -> String {
    let more = more(all.len(), shown);
    let shown = all.take(shown).map(|path| code(&path::shown(path)));
    shown.chain(more).collect::<Vec<_>>().join(", ")
}

/// How a command ended, as it is shown to a reader.
pub(crate) fn ending(exit_code: Option<i64>) -> String {
    match exit_code {
        None => "·".to_owned(),
        Some(0) => "✓".to_owned(),
        Some(code) => format!("✗ exit {code}"),
    }
}

/// The line with a backslash before what would make it more than a line of text or an item of a list.
pub(crate) fn escaped(line: &str) -> String {
    let content = line.trim_start();
    let content = if starts_block(content) {
        content
    } else {
        // A block can start inside an item as well.
        after_marks(content)
    };
    if starts_block(content) {
        let before = &line[..line.len() - content.len()];
        format!("{before}\\{content}")
    } else {
        line.to_owned()
    }
}

fn starts_block(content: &str) -> bool {
    let only = |marks: &[char]| {
        let mut rest = content.chars().filter(|c| !c.is_whitespace());
        !content.is_empty() && rest.all(|c| marks.contains(&c))
    };
    content.starts_with(['#', '<', '>', '|'])
        || content.starts_with("```")
        || content.starts_with("~~~")
        || content.starts_with("+++")
        || starts_definition(content)
        || only(&['='])
        || only(&['-', '*', '_'])
}

/// Whether it may be what a link or a footnote leads to, which is shown elsewhere or not at all; a name in brackets can go
/// on in the next line.
fn starts_definition(content: &str) -> bool {
    content.starts_with('[') && (content.contains("]:") || !content.contains(']'))
}

/// What follows the marks of lists that a line starts with; those of definitions, which some readers of Markdown
/// know, need no space after them.
fn after_marks(content: &str) -> &str {
    if let Some(rest) = content.strip_prefix(':') {
        return after_marks(rest.trim_start());
    }
    let digits = content.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = if digits.len() < content.len() {
        digits.strip_prefix(['.', ')'])
    } else {
        content.strip_prefix(['-', '*', '+'])
    };
    match rest {
        Some(rest) if rest.starts_with(' ') => after_marks(rest.trim_start()),
        _ => content,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_stays_one_and_hides_nothing() {
        assert_eq!(line("  a\n\n## b\t c "), "a ## b c");
        assert_eq!(
            line("a\u{1b}[31m\u{202e}b\u{2028}c"),
            "a\u{fffd}[31m\u{fffd}b c"
        );
    }

    #[test]
    fn no_line_of_a_text_starts_a_block() {
        for (text, expected) in [
            ("# a\ntext # b", "\\# a\ntext # b"),
            ("a\n===\nb\n---", "a\n\\===\nb\n\\---"),
            ("```\ncode\n~~~", "\\```\ncode\n\\~~~"),
            ("  <!-- gone", "\\<!-- gone"),
            ("a\n  <div>", "a\n  \\<div>"),
            ("- item\n* item\n1. item", "- item\n* item\n1. item"),
            ("> quote\r\n\tx", "\\> quote\n x"),
            ("* * *", "\\* * *"),
            ("- # a\n1. ```\n+ 2) <b>", "- \\# a\n1. \\```\n+ 2) \\<b>"),
            ("a\n:# b\n : - > c", "a\n:\\# b\n : - \\> c"),
            (
                "[^a]: b\n- [c d]: /e\n[f\ng]: h\n[i](j): [x]",
                "\\[^a]: b\n- \\[c d]: /e\n\\[f\ng]: h\n[i](j): [x]",
            ),
            ("+++\na\n+++\n+ b", "\\+++\na\n\\+++\n+ b"),
            ("-1 # a\n2.5 < 3\n-", "-1 # a\n2.5 < 3\n\\-"),
        ] {
            assert_eq!(lines(text), expected);
        }
    }

    #[test]
    fn a_code_span_holds_its_backticks() {
        assert_eq!(code("ls -l"), "`ls -l`");
        assert_eq!(code("echo `id`"), "`` echo `id` ``");
        assert_eq!(code("a ``` b\n# c"), "```` a ``` b # c ````");
    }

    #[test]
    fn a_code_span_keeps_its_white_space() {
        for (text, expected) in [
            ("two  spaces.txt", "`two  spaces.txt`"),
            ("at 9.41\u{202f}AM.png", "`at 9.41\u{202f}AM.png`"),
            ("echo \"a   b\"\n", "`echo \"a   b\"`"),
            ("if a\n  b\nfi", "`if a   b fi`"),
            (" lead", "`  lead `"),
            ("\u{202e}a\u{2028}b", "`\u{fffd}a b`"),
            ("", "`  `"),
        ] {
            assert_eq!(code(text), expected, "{text:?}");
        }
    }
}
