//! Characters that must not reach a reader as they are.

/// Whether a character moves the cursor, changes the direction of text or cannot be seen.
///
/// Control characters (Unicode category Cc), line and paragraph separators, and the format characters
/// (Cf) that reorder, hide or smuggle text: bidirectional controls, zero-width characters, tags.
pub(crate) fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

/// Text that stays on its line and hides nothing, and is otherwise as it was.
pub(crate) fn one_line(text: &str) -> String {
    let harmless = |c: char| match c {
        '\n' | '\r' | '\t' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => ' ',
        c if is_unprintable(c) => '\u{fffd}',
        c => c,
    };
    text.chars().map(harmless).collect()
}

/// The first characters of a text, with an ellipsis where there are more.
pub(crate) fn shortened(text: &str, shown: usize) -> String {
    match text.char_indices().nth(shown) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_is_one_line() {
        assert_eq!(
            one_line("a  b\r\n# c\u{2028}d\u{1b}[2J\u{202e}"),
            "a  b  # c d\u{fffd}[2J\u{fffd}"
        );
    }

    #[test]
    fn what_is_cut_says_so() {
        assert_eq!(shortened("äöü", 3), "äöü");
        assert_eq!(shortened("äöü", 2), "äö…");
    }
}
