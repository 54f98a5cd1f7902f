//! One file of a checkpoint, read and judged.

use cap_std::fs::Dir;

use super::file::{self, Content};
use super::selector::Selector;
use crate::checkpoint::format::{Checkpoint, Invalid};

/// One of a checkpoint's two files.
pub(super) enum Stored {
    Missing,
    Valid(Box<Checkpoint>, Content),
    Invalid(Invalid),
    /// The checkpoint of a session whose id differs in case alone, on a file system that does not tell them apart.
    Others(String),
    /// Not readable, or not a regular file, and why: what follows its name in a sentence.
    Refused(String),
}

impl Stored {
    pub(super) fn read(dir: &Dir, name: &str, selector: &Selector) -> Self {
        match file::read_content(dir, name) {
            Ok(None) => Self::Missing,
            Ok(Some(content)) => Self::judge(content, selector),
            Err(refusal) => Self::Refused(refusal.predicate()),
        }
    }

    pub(super) fn judge(content: Content, selector: &Selector) -> Self {
        match Checkpoint::parse(&content.bytes) {
            Ok(Checkpoint {
                session_id: Some(id),
                ..
            }) if selector.is_in_other_case(&id) => Self::Others(id),
            Ok(mut checkpoint) => {
                checkpoint.cut_to_bounds(content.bytes.len());
                Self::Valid(Box::new(checkpoint), content)
            }
            Err(invalid) => Self::Invalid(invalid),
        }
    }

    /// Why it cannot be used, as what follows its name in a sentence; None where it can.
    pub(super) fn fault(&self) -> Option<String> {
        match self {
            Self::Missing => Some("is missing".to_owned()),
            Self::Valid(..) => None,
            Self::Invalid(invalid) => Some(format!("is {invalid}")),
            Self::Others(id) => Some(format!(
                "is the checkpoint of session `{id}`, whose id differs in case alone"
            )),
            Self::Refused(why) => Some(why.clone()),
        }
    }
}
