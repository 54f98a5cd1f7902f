//! What the name of a value says, and what its place does.

pub(crate) mod name;
pub(crate) mod place;
