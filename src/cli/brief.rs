//! A brief on a terminal: its own Markdown, wrapped and coloured.

use std::ops::Range;

use owo_colors::Style;

use super::look::{Look, printable};
use super::width::{cut, width, wrap};

/// Characters of one line of the brief; a checkpoint written by hand can have lines without an end.
const LINE: usize = 5_000;

const TITLE: Style = Style::new().bold();
const HEADING: Style = Style::new().bold();
const CODE: Style = Style::new().magenta();
const FAINT: Style = Style::new().dimmed();
const GOOD: Style = Style::new().green();
const BAD: Style = Style::new().red();
const CAREFUL: Style = Style::new().magenta().bold();

/// Beginnings of lines that stand out, as [`crate::checkpoint::brief`] writes them.
const MARKS: [(&str, Style); 9] = [
    ("- [x]", GOOD),
    ("- [~]", CAREFUL),
    ("- [!]", BAD),
    ("- [ ]", FAINT),
    ("- ✓", GOOD),
    ("- ✗", BAD),
    ("- ·", FAINT),
    (WARNING, CAREFUL),
    ("Warning:", CAREFUL),
];
const WARNING: &str = "- ⚠";

/// The brief as a terminal shows it; off a terminal, without colours, byte for byte as it is.
pub(super) fn render(markdown: &str, look: Look) -> String {
    if look.width.is_none() && !look.colored {
        return markdown.to_owned();
    }
    let mut text = String::with_capacity(markdown.len());
    for line in markdown.lines() {
        let line = printable(&cut(line, LINE));
        let spans = spans(&line);
        let hanging = hanging(&line);
        let columns = look.width.unwrap_or(usize::MAX);
        let parts = wrap(&line, columns, hanging);
        for (index, part) in parts.into_iter().enumerate() {
            if index > 0 {
                text.push_str(&" ".repeat(hanging));
            }
            paint(&line, part, &spans, look, &mut text);
            text.push('\n');
        }
    }
    text
}

/// Columns by which the lines after the first are indented: under the text of a list's item.
fn hanging(line: &str) -> usize {
    let content = line.trim_start_matches(' ');
    let digits = content.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = content.len() - digits.len();
    let mark = match content {
        item if item.starts_with("- [") && item.get(4..6) == Some("] ") => 6,
        item if item.starts_with("- ✓ ") || item.starts_with("- · ") => 4,
        item if item.starts_with("- ") => 2,
        _ if number > 0 && digits.starts_with(". ") => number + 2,
        _ => 0,
    };
    width(&line[..line.len() - content.len()]) + mark
}

/// Parts of a line with a style of their own, in order.
fn spans(line: &str) -> Vec<(Range<usize>, Style)> {
    if line.starts_with("# ") {
        return vec![(0..line.len(), TITLE)];
    }
    if line.starts_with("## ") {
        return vec![(0..line.len(), HEADING)];
    }
    let mut spans = Vec::new();
    let mark = MARKS.iter().find(|(mark, _)| line.starts_with(mark));
    let mut start = 0;
    if let Some((mark, style)) = mark {
        // The warning about changed files is one up to the colon.
        let end = match line.find(": ") {
            Some(colon) if *mark == WARNING => colon + 1,
            _ => mark.len(),
        };
        spans.push((0..end, *style));
        start = end;
    }
    spans.extend(code(line, start).into_iter().map(|range| (range, CODE)));
    spans
}

/// The code spans of a line: from a run of backticks to the next of the same length (CommonMark 6.1).
fn code(line: &str, mut from: usize) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    while let Some(run) = backticks(line, from) {
        let mut rest = run.end;
        let closing = std::iter::from_fn(|| {
            let run = backticks(line, rest)?;
            rest = run.end;
            Some(run)
        })
        .find(|closing| closing.len() == run.len());
        from = match closing {
            Some(closing) => {
                spans.push(run.start..closing.end);
                closing.end
            }
            None => run.end,
        };
    }
    spans
}

fn backticks(line: &str, from: usize) -> Option<Range<usize>> {
    let rest = line.get(from..)?;
    let start = rest.find('`')?;
    let length = rest[start..].len() - rest[start..].trim_start_matches('`').len();
    Some(from + start..from + start + length)
}

fn paint(
    line: &str,
    part: Range<usize>,
    spans: &[(Range<usize>, Style)],
    look: Look,
    text: &mut String,
) {
    let mut at = part.start;
    for (span, style) in spans {
        let start = span.start.clamp(at, part.end);
        let end = span.end.clamp(at, part.end);
        text.push_str(&line[at..start]);
        text.push_str(&look.paint(&line[start..end], *style));
        at = end;
    }
    text.push_str(&line[at..part.end]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(markdown: &str, colored: bool, width: Option<usize>) -> String {
        render(markdown, Look { colored, width })
    }

    #[test]
    fn off_a_terminal_it_stays_as_it_is() {
        let brief = "# Resuming: a\n\n## Tasks\n- [x] `a`   b\n\nno newline";
        assert_eq!(shown(brief, false, None), brief);
    }

    #[test]
    fn items_hang_and_code_keeps_its_colour_over_the_break() {
        assert_eq!(
            shown("- [~] one two three\n", false, Some(12)),
            "- [~] one\n      two\n      three\n"
        );
        assert_eq!(shown("10. one two\n", false, Some(8)), "10. one\n    two\n");
        assert_eq!(
            shown("a `b c` d\n", true, Some(5)),
            "a \x1b[35m`b\x1b[0m\n\x1b[35mc`\x1b[0m d\n"
        );
        assert_eq!(
            shown("`` a ` b `` `\n", true, None),
            "\x1b[35m`` a ` b ``\x1b[0m `\n"
        );
    }

    #[test]
    fn what_stands_out_is_coloured() {
        assert_eq!(
            shown("- [x] done\n## Goal\n", true, None),
            "\x1b[32m- [x]\x1b[0m done\n\x1b[1m## Goal\x1b[0m\n"
        );
        assert_eq!(
            shown("- ⚠ Changed: `a`\n", true, None),
            "\x1b[35;1m- ⚠ Changed:\x1b[0m \x1b[35m`a`\x1b[0m\n"
        );
    }
}
