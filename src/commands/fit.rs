//! Results that every client shows whole (docs/contract.md, section 10): Gemini CLI cuts the middle out of what is longer than
//! 40,000 characters, Codex than 48,000, Claude Code than 50,000.

use serde::Serialize;

use super::counted;
use crate::checkpoint::text::shortened;

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
