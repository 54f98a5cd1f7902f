//! The domain: a checkpoint as bytes and values, without clock, environment or file system.

pub(crate) mod format;
pub(crate) mod path;
pub(crate) mod text;
pub(crate) mod time;
mod words;
