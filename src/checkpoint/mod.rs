//! The domain: a checkpoint as bytes and values, without clock, environment or file system.

pub(crate) mod bound;
pub(crate) mod brief;
pub(crate) mod compaction;
pub(crate) mod compare;
pub(crate) mod drift;
pub(crate) mod edits;
pub(crate) mod fields;
pub(crate) mod files;
pub(crate) mod form;
pub(crate) mod format;
pub(crate) mod lines;
pub(crate) mod markdown;
mod mend;
pub(crate) mod merge;
pub(crate) mod path;
pub(crate) mod recovered;
pub(crate) mod shared;
pub(crate) mod surrogates;
pub(crate) mod text;
mod texts;
pub(crate) mod time;
pub(crate) mod unsaved;

mod words;
