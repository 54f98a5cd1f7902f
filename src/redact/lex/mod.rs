//! What stands where in a text: bytes, identifiers, quotes, links between a name and a value, commands.

pub(crate) mod class;
pub(crate) mod haystack;
pub(crate) mod identifier;
pub(crate) mod link;
pub(crate) mod literal;
pub(crate) mod quotes;
pub(crate) mod reach;
pub(crate) mod shell;
pub(crate) mod vocabulary;
