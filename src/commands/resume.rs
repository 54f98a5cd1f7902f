//! `resume`: the command line with which an agent goes on from a checkpoint (docs/contract.md, section 14).

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::{Context, Reader, Selector, everywhere, recover};
use crate::checkpoint::text::is_unprintable;
use crate::env::Env;
use crate::error::failure;
use crate::transcript::{CLAUDE_CODE, CODEX, GEMINI_CLI, Life, Lives};

/// A client that can go on with a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Agent {
    Claude,
    Codex,
    Gemini,
    OpenCode,
}

impl Agent {
    const ALL: [Self; 4] = [Self::Claude, Self::Codex, Self::Gemini, Self::OpenCode];

    /// What starts it.
    pub(crate) fn command(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::OpenCode => "opencode",
        }
    }

    /// What it calls itself to the servers that it starts, as a checkpoint keeps it. OpenCode's transcripts are not read.
    fn name(self) -> &'static str {
        match self {
            Self::Claude => CLAUDE_CODE,
            Self::Codex => CODEX,
            Self::Gemini => GEMINI_CLI,
            Self::OpenCode => "opencode",
        }
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|agent| agent.name() == name)
    }

    /// The arguments that go on with a conversation (measured on Claude Code 2.1.332, Codex 0.171.0, Gemini CLI 0.61.0
    /// and OpenCode 1.18.33).
    fn resuming(self, id: &str) -> Vec<OsString> {
        let words: [&str; 2] = match self {
            Self::Claude | Self::Gemini => ["--resume", id],
            Self::Codex => ["resume", id],
            Self::OpenCode => ["-s", id],
        };
        words.map(OsString::from).to_vec()
    }

    /// The arguments that begin a conversation with a prompt.
    fn beginning(self, prompt: &str) -> Vec<OsString> {
        let words: &[&str] = match self {
            Self::Claude | Self::Codex => &[prompt],
            Self::Gemini => &["-i", prompt],
            Self::OpenCode => &["--prompt", prompt],
        };
        words.iter().map(OsString::from).collect()
    }
}

#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) selector: Selector,
    /// The client to go on in; not given, the one in which it was saved.
    pub(crate) agent: Option<Agent>,
}

/// What to start, and where.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) agent: Agent,
    /// The program; None where it is not installed.
    pub(crate) program: Option<PathBuf>,
    pub(crate) arguments: Vec<OsString>,
    pub(crate) folder: PathBuf,
    /// Whether the conversation that is to go on runs already.
    pub(crate) is_running: bool,
}

impl Outcome {
    /// The command line as a person types it.
    pub(crate) fn command_line(&self) -> String {
        let mut words = vec![self.agent.command().to_owned()];
        words.extend(self.arguments.iter().map(|word| quoted(word)));
        format!(
            "cd {} && {}",
            quoted(self.folder.as_os_str()),
            words.join(" ")
        )
    }

    /// The error of a client that is not installed.
    pub(crate) fn not_installed(&self, selector: &Selector) -> anyhow::Error {
        let command = self.agent.command();
        failure(
            format!("`{command}` is not on the search path"),
            format!(
                "name an installed client with --in, or give the brief to it by hand: ckpt load {selector}"
            ),
        )
    }
}

pub(crate) fn run(context: &Context, request: &Request) -> anyhow::Result<Outcome> {
    let Request { selector, agent } = request;
    let loaded = context.load(selector)?;
    let saved_at = loaded.as_ref().map(|loaded| loaded.checkpoint.updated_at);
    let transcripts = recover::transcripts(context);
    let conversation = transcripts
        .as_ref()
        .and_then(|transcripts| transcripts.conversation(selector.as_str(), saved_at));
    if loaded.is_none() && conversation.is_none() {
        return Err(context.unknown(selector, Reader::Person)?);
    }
    // OpenCode's ids have a form of their own, and its conversations are not read.
    let is_open_code = selector.as_str().starts_with("ses_");
    let talked_in = match &conversation {
        Some(session) => Agent::named(session.client_name()),
        None => is_open_code.then_some(Agent::OpenCode),
    };
    let client = loaded.and_then(|loaded| loaded.checkpoint.client);
    let saved_in = client.and_then(|client| Agent::named(&client.name));
    let root = context.store.root();
    let agent = agent
        .or(talked_in)
        .or(saved_in)
        .or_else(|| {
            Agent::ALL
                .into_iter()
                .find(|agent| program(&context.env, root, *agent).is_some())
        })
        .unwrap_or(Agent::Claude);
    let goes_on = (talked_in == Some(agent)).then(|| match &conversation {
        Some(session) => session.id.clone(),
        None => selector.to_string(),
    });
    let last_in = transcripts
        .zip(conversation)
        .and_then(|(transcripts, session)| transcripts.last_in(&session));
    let folder = match (&goes_on, last_in) {
        (Some(_), Some(folder)) if folder.is_dir() => folder,
        _ => root.to_owned(),
    };
    let is_running = |id: &String| Lives::read(&context.env).of(id) == Life::Running;
    Ok(Outcome {
        program: program(&context.env, root, agent),
        is_running: goes_on.as_ref().is_some_and(is_running),
        arguments: match &goes_on {
            Some(id) => agent.resuming(id),
            None => agent.beginning(&prompt(selector)),
        },
        agent,
        folder,
    })
}

/// The projects in which a checkpoint is that is meant by the start of its id.
pub(crate) fn projects_of(
    context: &Context,
    typed: &str,
) -> anyhow::Result<Vec<(PathBuf, String)>> {
    let found = everywhere::entries(context, true)?.entries.into_iter();
    let meant = found.filter(|entry| entry.selector.starts_with(&typed.to_lowercase()));
    Ok(meant
        .filter_map(|entry| Some((PathBuf::from(entry.project_root?), entry.selector)))
        .collect())
}

/// What a new conversation is begun with.
fn prompt(selector: &Selector) -> String {
    format!(
        "Load the session checkpoint `{selector}`: call load_session_checkpoint with `checkpoint`: \"{selector}\", tell me in \
         short where the work stands, and go on from there. Pass `resumedFrom`: \"{selector}\" on your next save."
    )
}

/// The program of a client, from the folders of the search path that the project cannot have put it into.
fn program(env: &Env, project: &Path, agent: Agent) -> Option<PathBuf> {
    const ENDINGS: [&str; 3] = [".exe", ".cmd", ".bat"];
    let path = env.os_var("PATH").unwrap_or_default();
    let folders = std::env::split_paths(path);
    let outside = folders.filter(|folder| {
        let resolved = folder.canonicalize();
        folder.is_absolute() && !resolved.is_ok_and(|resolved| resolved.starts_with(project))
    });
    let names: Vec<String> = match cfg!(windows) {
        true => ENDINGS
            .iter()
            .map(|ending| format!("{}{ending}", agent.command()))
            .collect(),
        false => vec![agent.command().to_owned()],
    };
    let mut programs = outside.flat_map(|folder| {
        names
            .iter()
            .map(move |name| folder.join(name))
            .collect::<Vec<_>>()
    });
    programs.find(|program| program.is_file())
}

/// A word of a command line for a POSIX shell; one with bytes that are no text, or with characters that a terminal acts on
/// or does not show, is written with escapes.
fn quoted(word: &OsStr) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-=:,+@%".contains(c);
    let is_hidden = |c: char| c.is_control() || is_unprintable(c);
    if let Some(text) = word.to_str() {
        if !text.is_empty() && text.chars().all(is_plain) {
            return text.to_owned();
        }
        if !text.chars().any(is_hidden) {
            return format!("'{}'", text.replace('\'', r"'\''"));
        }
    }
    let escape = |bytes: &[u8]| -> String {
        let escaped = bytes.iter().map(|byte| format!(r"\x{byte:02x}"));
        escaped.collect()
    };
    let mut escaped = String::from("$'");
    for chunk in word.as_encoded_bytes().utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\'' | '\\' => escaped.extend(['\\', c]),
                '\n' => escaped.push_str(r"\n"),
                c if is_hidden(c) => escaped += &escape(c.encode_utf8(&mut [0; 4]).as_bytes()),
                c => escaped.push(c),
            }
        }
        escaped += &escape(chunk.invalid());
    }
    escaped + "'"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell_where_they_have_to_be() {
        for (word, expected) in [
            ("/home/me/app", "/home/me/app"),
            ("", "''"),
            ("a b", "'a b'"),
            ("it's", r"'it'\''s'"),
            ("$HOME `x` \"y\"", "'$HOME `x` \"y\"'"),
            ("a\nb's\\", r"$'a\nb\'s\\'"),
            ("\u{1b}[31m", r"$'\x1b[31m'"),
            ("\u{9b}", r"$'\xc2\x9b'"),
            ("a\u{202e}b", r"$'a\xe2\x80\xaeb'"),
        ] {
            assert_eq!(quoted(word.as_ref()), expected, "{word:?}");
        }
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt as _;
            let word = OsStr::from_bytes(b"/caf\xe9/\xc3\xa9");
            assert_eq!(quoted(word), r"$'/caf\xe9/é'");
        }
    }
}
