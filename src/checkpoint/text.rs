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
