//! The reminder to save, once the context holds much that no checkpoint does.

use std::path::Path;

use super::Input;
use crate::env::{self, Env};
use crate::store::names;
use crate::store::selector::SessionId;
use crate::transcript::{self, Fill};

/// How a reminder begins, by which the next one knows that it was said.
const SAID: &str = "Checkpoint reminder: the context ";
/// Tokens since the last save, where the variable names no number.
const GROWTH: u64 = 80_000;
/// Tokens that a session holds which saved nothing, where it is not known what it can hold.
const UNSAVED: u64 = 140_000;

/// One sentence for the agent; None where it has saved lately, or was reminded since.
pub(super) fn decide(input: &Input, root: &Path, env: &Env) -> Option<String> {
    let calls = input.tool_calls.as_ref().map(|calls| calls.get());
    if env.is_off(env::REMIND)
        || calls.is_some_and(|calls| calls.contains("save_session_checkpoint"))
    {
        return None;
    }
    let transcript = Path::new(input.transcript_path.as_deref()?);
    let Fill {
        tokens,
        grown,
        saved,
        limit,
    } = transcript::fill(env, transcript, SAID)?;
    let own = SessionId::parse(input.session_id.as_deref()?).ok()?;
    let what = if saved || names::has(root, &own) {
        let growth = env.var(env::REMIND).and_then(|tokens| tokens.parse().ok());
        let since = format!(
            "has grown by about {} tokens since this session's last save",
            rounded(grown)
        );
        (grown >= growth.unwrap_or(GROWTH)).then_some(since)
    } else {
        let held = format!(
            "holds about {} tokens, and this session has saved no checkpoint",
            rounded(tokens)
        );
        (tokens >= limit.map_or(UNSAVED, |limit| limit / 10 * 7)).then_some(held)
    };
    // The rest of the sentence starts as SAID ends.
    Some(format!(
        "{SAID}{}. The tool save_session_checkpoint keeps what a compaction or a crash would lose.",
        what?
    ))
}

/// A number of tokens, as exact as is of use: `84,000`.
fn rounded(tokens: u64) -> String {
    format!("{},000", tokens / 1_000)
}
