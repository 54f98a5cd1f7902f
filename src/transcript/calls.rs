//! In which session's transcript a tool call stands (Claude Code, measured on 2.1.332: 67 ms after the call reaches the
//! server, 102 at most).

use std::collections::HashMap;
use std::iter;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use memchr::memmem;
use serde::Deserialize;

use super::claude::{self, ClaudeCode};
use super::client::Client as _;
use super::file::TranscriptFile;
use super::paths;
use crate::env::{self, Deadline, Env};

/// How long to wait before the files are looked at again.
const PAUSE: Duration = Duration::from_millis(8);
/// How many sessions are looked at in each folder, and how many subagents of each, the last written first.
const SESSIONS: usize = 8;
const SUBAGENTS: usize = 8;
/// Bytes at a file's end that are searched.
const TAIL: u64 = 1 << 20;

/// Where a call stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CallPlace {
    pub(crate) session: String,
    pub(crate) is_subagent: bool,
}

/// Waits until a tool call stands in a transcript of one of these folders; None where it does not in time, or where the
/// user does not want transcripts read.
pub(crate) fn locate_call(
    env: &Env,
    folders: &[PathBuf],
    call: &str,
    deadline: Deadline,
) -> Option<CallPlace> {
    if env.is_off(env::TRANSCRIPTS) {
        return None;
    }
    let projects = ClaudeCode.folder(env)?;
    let call = Call {
        id: call,
        quoted: memmem::Finder::new(call),
    };
    // How long each file was when the call did not stand in it yet.
    let mut searched = HashMap::new();
    loop {
        let mut transcripts = folders_of(&projects, folders)
            .into_iter()
            .flat_map(sessions);
        let found = transcripts.find_map(|(file, place)| {
            let length = file.length();
            let before = searched.insert(file.path(), length);
            let is_new = before != Some(length);
            is_new.then(|| call.place_in(&file, place)).flatten()
        });
        if found.is_some() || deadline.has_passed() {
            return found;
        }
        thread::sleep(PAUSE.min(deadline.remaining()));
    }
}

/// The folders of transcripts that a client which was started in one of `folders` writes to: the project's, and those of
/// the working trees that it makes itself below the project's.
fn folders_of(projects: &Path, folders: &[PathBuf]) -> Vec<PathBuf> {
    let roots = folders
        .iter()
        .map(|folder| paths::plain(&folder.to_string_lossy()));
    let found = roots.flat_map(|root| claude::folders(projects, &root));
    found.map(|(folder, _)| folder).collect()
}

/// The transcripts of a folder's latest sessions, each with those of its subagents, and whose they are.
fn sessions(folder: PathBuf) -> impl Iterator<Item = (TranscriptFile, CallPlace)> {
    let sessions = claude::in_folder(&folder, None).into_iter();
    sessions.take(SESSIONS).flat_map(move |session| {
        let place = |is_subagent| CallPlace {
            session: session.id.clone(),
            is_subagent,
        };
        let (own, theirs) = (place(false), place(true));
        let subagents = claude::subagents(&folder, &session.id)
            .into_iter()
            .take(SUBAGENTS);
        iter::once((session.file, own)).chain(subagents.map(move |file| (file, theirs.clone())))
    })
}

struct Call<'a> {
    id: &'a str,
    quoted: memmem::Finder<'a>,
}

/// What of a line tells that a call stands in it.
#[derive(Deserialize)]
struct CallLine {
    /// Set in the lines of a subagent's that older versions wrote into the session's own transcript.
    #[serde(rename = "isSidechain", default)]
    is_sidechain: bool,
    message: Message,
}

#[derive(Deserialize)]
struct Message {
    content: Vec<Block>,
}

#[derive(Deserialize)]
struct Block {
    #[serde(rename = "type")]
    kind: String,
    id: Option<String>,
}

impl Call<'_> {
    fn place_in(&self, file: &TranscriptFile, place: CallPlace) -> Option<CallPlace> {
        let mut found = None;
        file.backwards(TAIL, |line| match self.stands_in(line) {
            Some(is_sidechain) => {
                found = Some(CallPlace {
                    is_subagent: place.is_subagent || is_sidechain,
                    ..place.clone()
                });
                ControlFlow::Break(())
            }
            None => ControlFlow::Continue(()),
        });
        found
    }

    /// None where the line does not make the call, though it may speak of it.
    fn stands_in(&self, line: &[u8]) -> Option<bool> {
        self.quoted.find(line)?;
        let line: CallLine = serde_json::from_slice(line).ok()?;
        let mut blocks = line.message.content.iter();
        let makes =
            |block: &Block| block.kind == "tool_use" && block.id.as_deref() == Some(self.id);
        blocks.any(makes).then_some(line.is_sidechain)
    }
}
