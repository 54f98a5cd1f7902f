//! What a value looks like, blind to its name and its place.

pub(crate) mod code;
pub(crate) mod entropy;
pub(crate) mod looks;
pub(crate) mod public;
pub(crate) mod reference;
