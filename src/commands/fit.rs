//! Results that every client shows whole (docs/contract.md, section 10): Gemini CLI cuts the middle out of what is longer than
//! 40,000 characters, Codex than 48,000, Claude Code than 50,000. And checkpoints that fit into their file (section 5).

use serde::Serialize;

use super::counted;
use crate::checkpoint::bound;
use crate::checkpoint::format::Checkpoint;
use crate::checkpoint::text::shortened;
use crate::error::failure;

/// Characters of a result.
const LONGEST: usize = 39_000;
/// Characters of a result's warnings, which stand in it twice.
const WARNINGS: usize = 8_000;
/// Of many or long warnings the beginnings, and how many more there are.
pub(super) fn warnings(mut warnings: Vec<String>) -> Vec<String> {
    const SHOWN: usize = 300;
    const TOLD: usize = 20;
    let characters: usize = warnings.iter().map(|warning| warning.chars().count()).sum();
    if characters <= WARNINGS {
        return warnings;
    }
    let more = warnings.len().saturating_sub(TOLD);
    warnings.truncate(TOLD);
    let cut = warnings.iter().map(|warning| shortened(warning, SHOWN));
    let more = (more > 0).then(|| format!("{} more", counted(more, "warning")));
    cut.chain(more).collect()
}

/// Whether a result can be returned as it is.
pub(super) fn fits(result: &impl Serialize) -> anyhow::Result<bool> {
    // Warnings of what was left out are still to come.
    const ROOM: usize = 3_000;
    Ok(serde_json::to_string(result)?.chars().count() + ROOM <= LONGEST)
}

/// The bytes to write, with a warning about what had to be dropped to fit the limit.
pub(super) fn checkpoint(
    checkpoint: &mut Checkpoint,
    warnings: &mut Vec<String>,
) -> anyhow::Result<Vec<u8>> {
    let limit = bound::FILE_BYTES;
    let (bytes, dropped) = bound::fit(checkpoint)?.map_err(|bytes| {
        failure(
            format!(
                "the checkpoint would have {bytes} bytes (limit {limit}), so nothing was saved"
            ),
            "shorten the longest texts and save again",
        )
    })?;
    if dropped != bound::Dropped::default() {
        let commands = counted(dropped.commands, "command");
        let files = counted(dropped.files, "file");
        warnings.push(format!(
            "{commands} and {files} were dropped to stay within {limit} bytes"
        ));
    }
    Ok(bytes)
}
