//! Everything that a person or a client can see of `ckpt`, tested on the real binary.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod authority;
mod backup;
mod bad_input;
mod brief;
#[cfg(unix)]
mod compaction;
#[cfg(unix)]
mod completions;
mod crowd;
mod diff;
mod drift;
#[cfg(unix)]
mod edit;
#[cfg(unix)]
mod edit_prompts;
mod everywhere;
mod faults;
mod fit;
mod foreign;
mod forgiving;
mod format;
mod frame;
mod halves;
mod harness;
mod history;
#[cfg(unix)]
mod home;
mod hooks;
mod hostile;
mod imports;
mod launcher;
mod lenient;
mod limits;
mod lines;
mod list;
#[cfg(unix)]
mod list_view;
mod load;
#[cfg(unix)]
mod man;
mod mcp;
mod merge;
mod names;
mod old_store;
mod parallel;
mod paths;
#[cfg(unix)]
mod picker;
#[cfg(unix)]
mod prompts;
mod prune;
#[cfg(unix)]
mod prune_prompts;
#[cfg(unix)]
mod readme;
mod recipes;
mod redaction;
mod refused;
mod reminders;
#[cfg(unix)]
mod resume;
mod resumed_from;
mod room;
mod root;
#[cfg(target_os = "linux")]
mod running;
mod save_cli;
mod security;
mod session;
#[cfg(unix)]
mod shared;
#[cfg(unix)]
mod signals;
mod status;
mod store;
mod streams;
mod submodules;
mod sync;
#[cfg(unix)]
mod terminal;
mod transcripts;
mod transcripts_branches;
mod transcripts_broken;
mod transcripts_codex;
mod transcripts_codex_older;
mod transcripts_found;
mod transcripts_gemini;
mod transcripts_kept;
mod transcripts_kept_files;
mod transcripts_live;
mod transcripts_many;
mod transcripts_moved;
mod transcripts_note;
mod transcripts_prompts;
mod transcripts_recorded;
mod transcripts_unsaved;
mod trust;
mod usage;
mod versions;
