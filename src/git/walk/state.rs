//! What becomes of an index entry, by what is on disk in its place.

use std::ffi::CStr;
use std::os::fd::OwnedFd;

use jiff::Timestamp;
use rustix::fs::statat;

use super::stat::{is_resized, modified};
use super::{NOFOLLOW, Walk, content};
use crate::git::index::Entry;
use crate::git::rules::Rules;

/// What an entry's stat data tell of the file, and when it was last modified.
pub(super) enum State {
    Untouched,
    Suspect(Option<Timestamp>),
    Rewritten(Option<Timestamp>),
}

impl Walk<'_> {
    pub(super) fn state(
        &self,
        entry: &Entry<'_>,
        here: Option<(&OwnedFd, &CStr)>,
        conversions: &Rules,
    ) -> State {
        let suspect_if = |suspect| match suspect {
            true => State::Suspect(None),
            false => State::Untouched,
        };
        if entry.stage() != 0 {
            return State::Suspect(None);
        }
        if entry.is_assumed() || entry.is_gitlink() {
            return State::Untouched;
        }
        if entry.is_skipped() {
            return suspect_if(here.is_some() && self.trust.skipped);
        }
        let Some((dir, name)) = here else {
            return State::Suspect(None);
        };
        let Ok(stat) = statat(dir, name, NOFOLLOW) else {
            return State::Suspect(None);
        };
        if self.trust.is_untouched(entry, &stat, self.index.written) {
            return State::Untouched;
        }
        let time = modified(&stat);
        if !self.trust.is_plain(entry, &stat) || conversions.may_match(name.to_bytes(), false) {
            return State::Suspect(time);
        }
        let line_ends = conversions.may_convert_line_ends(name.to_bytes());
        if !line_ends && is_resized(entry, &stat) {
            return State::Rewritten(time);
        }
        match content::is_same(dir, name, entry, line_ends) {
            Some(true) => State::Untouched,
            Some(false) => State::Rewritten(time),
            None => State::Suspect(time),
        }
    }
}
