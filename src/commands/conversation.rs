//! The conversation that a checkpoint was saved in, where Claude Code still has it.

use std::path::Path;

use super::Context;
use crate::env::{self, Env};

/// The id under which Claude Code resumes the conversation of a session; None where its transcript is not
/// there, or another client had the session.
pub(crate) fn resumable<'a>(context: &Context, session: &'a str) -> Option<&'a str> {
    let projects = configuration(&context.env)?.join("projects");
    let folder = encoded(context.store.root());
    let transcript = projects.join(folder).join(format!("{session}.jsonl"));
    transcript.is_file().then_some(session)
}

fn configuration(env: &Env) -> Option<std::path::PathBuf> {
    match env.os_var(env::CLAUDE_CONFIG) {
        Some(directory) => Some(directory.into()),
        None => Some(env.home()?.join(".claude")),
    }
}

/// A folder's name among the transcripts: the path with a dash for each UTF-16 unit that is no ASCII letter
/// or digit (observed with Claude Code 2.1).
fn encoded(directory: &Path) -> String {
    let path = directory.to_string_lossy();
    let encoded = path.chars().map(|c| match c {
        c if c.is_ascii_alphanumeric() => c.to_string(),
        c => "-".repeat(c.len_utf16()),
    });
    encoded.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_named_as_the_client_names_them() {
        assert_eq!(encoded(Path::new("/home/me/my_app.2")), "-home-me-my-app-2");
        assert_eq!(encoded(Path::new("/ü/😀")), "-----");
    }
}
