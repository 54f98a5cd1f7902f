//! The detectors: each finds secrets of one kind in a whole text.

pub(crate) mod assignment;
pub(crate) mod authorization;
pub(crate) mod block;
pub(crate) mod call;
pub(crate) mod command;
pub(crate) mod cookie;
pub(crate) mod markup;
pub(crate) mod note;
pub(crate) mod programs;
pub(crate) mod sql;
pub(crate) mod url;
