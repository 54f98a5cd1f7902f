//! Untrusted text inside the brief's Markdown: it stays on its line and in its section.

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

/// A code span that its own text cannot end (CommonMark section 6.1).
pub(crate) fn code(text: &str) -> String {
    let text = line(text);
    let longest_run = text
        .split(|c| c != '`')
        .map(str::len)
        .max()
        .unwrap_or_default();
    let fence = "`".repeat(longest_run + 1);
    if longest_run == 0 {
        format!("{fence}{text}{fence}")
    } else {
        format!("{fence} {text} {fence}")
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
}
