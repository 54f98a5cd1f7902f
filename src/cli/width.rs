//! Text fitted to columns: wide characters take two, combining ones none.

use std::ops::Range;

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Columns that a text takes.
pub(super) fn width(text: &str) -> usize {
    text.width()
}

/// The text in at most `columns` columns, with `…` where something was cut off.
pub(super) fn cut(text: &str, columns: usize) -> String {
    // Nothing of a text this long is looked at to its end.
    let is_short = text.len() <= columns * 4;
    if is_short && text.width() <= columns {
        return text.to_owned();
    }
    let mut taken = 1;
    let mut cut = String::new();
    for c in text.chars() {
        taken += c.width().unwrap_or_default();
        if taken > columns {
            break;
        }
        cut.push(c);
    }
    if columns > 0 {
        cut.truncate(cut.trim_end().len());
        cut.push('…');
    }
    cut
}

/// Where to break a line so that every part fits, as ranges without the spaces at the breaks. Parts after
/// the first have `hanging` columns less. A word that is too long for a line stays whole.
pub(super) fn wrap(line: &str, columns: usize, hanging: usize) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut end = 0;
    let mut used = 0;
    let mut room = columns;
    for word in words(line) {
        let gap = line[end..word.start].width();
        let size = line[word.clone()].width();
        if used > 0 && used + gap + size > room {
            parts.push(start..end);
            start = word.start;
            used = size;
            room = columns.saturating_sub(hanging).max(1);
        } else {
            used += gap + size;
        }
        end = word.end;
    }
    parts.push(start..end);
    parts
}

fn words(line: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    line.split(' ').filter_map(move |word| {
        let start = at;
        at += word.len() + 1;
        (!word.is_empty()).then_some(start..start + word.len())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_text_fits_and_says_that_it_was_cut() {
        for (text, columns, expected) in [
            ("short", 5, "short"),
            ("longer", 5, "long…"),
            ("日本語", 6, "日本語"),
            ("日本語", 5, "日本…"),
            ("日本語", 4, "日…"),
            ("a bc", 3, "a…"),
            ("ab", 1, "…"),
            ("ab", 0, ""),
            ("e\u{301}te\u{301}s", 3, "e\u{301}t…"),
        ] {
            assert_eq!(cut(text, columns), expected, "{text} {columns}");
            assert!(width(&cut(text, columns)) <= columns);
        }
    }

    #[test]
    fn lines_break_at_spaces_and_hang() {
        let parts = |line: &str, columns, hanging| -> Vec<String> {
            let ranges = wrap(line, columns, hanging);
            ranges
                .into_iter()
                .map(|range| line[range].to_owned())
                .collect()
        };
        assert_eq!(parts("", 10, 0), [""]);
        assert_eq!(parts("one two three", 20, 0), ["one two three"]);
        assert_eq!(parts("one two three", 8, 0), ["one two", "three"]);
        assert_eq!(parts("- one two six", 8, 2), ["- one", "two", "six"]);
        assert_eq!(parts("- one  two six", 9, 2), ["- one", "two six"]);
        assert_eq!(parts("averylongword b", 4, 0), ["averylongword", "b"]);
        assert_eq!(parts("  日本 語", 6, 2), ["  日本", "語"]);
    }
}
