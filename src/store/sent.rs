//! What a sync of this folder sent: the commits, by which it knows its own again (docs/contract.md, section 18).

use anyhow::Context as _;

use super::file;
use super::{Store, names};

const SENT: &str = ".sent";
/// How many are remembered: one for each remote, and the rest is forgotten.
const REMEMBERED: usize = 100;

impl Store {
    /// The commits, the latest last. What cannot be read is none.
    pub(crate) fn sent(&self) -> anyhow::Result<Vec<String>> {
        let Some(dir) = self.sessions()? else {
            return Ok(Vec::new());
        };
        let bytes = file::read(&dir, SENT).ok().flatten().unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        Ok(text.lines().map(str::to_owned).collect())
    }

    /// Remembers a commit; a folder without checkpoints has nothing to remember it in.
    pub(crate) fn note_sent(&self, commit: &str) -> anyhow::Result<()> {
        let mut sent = self.sent()?;
        let dir = self.sessions()?;
        let Some(dir) = dir.filter(|_| !sent.iter().any(|known| known == commit)) else {
            return Ok(());
        };
        sent.push(commit.to_owned());
        let forgotten = sent.len().saturating_sub(REMEMBERED);
        let text: String = sent[forgotten..]
            .iter()
            .map(|commit| format!("{commit}\n"))
            .collect();
        file::replace(&dir, SENT, text.as_bytes())
            .with_context(|| format!("could not write `{}/{SENT}`", names::DIRECTORY))
    }
}
