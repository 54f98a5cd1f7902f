//! The parsing of lines, and what is gathered from them.
