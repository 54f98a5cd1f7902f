//! What a session is given when its context is compacted: what the summary is to keep, and afterwards the brief
//! (docs/contract.md, section 12).

use super::{Context, Reader, load};
use crate::checkpoint::compaction;
use crate::checkpoint::text::shortened;

/// Characters of what is told after a compaction; the client passes on 10,000 of a hook's answer.
const LONGEST: usize = 9_000;
/// Those that stand before the brief.
const INTRO: usize = 160;

/// What the summary is to keep, as text of the client's own instructions for it.
pub(crate) fn before(context: &Context) -> anyhow::Result<String> {
    let loaded = match context.own_selector()? {
        // What cannot be read is told to nobody here; the load afterwards says so.
        Some(own) => context.load(&own).unwrap_or_default(),
        None => None,
    };
    Ok(match loaded {
        Some(loaded) => compaction::quotation(&loaded.checkpoint, context.env.now),
        None => compaction::WITHOUT.to_owned(),
    })
}

/// The brief of the session's own checkpoint, or else what its transcript tells; None where there is neither.
pub(crate) fn after(context: &Context) -> anyhow::Result<Option<String>> {
    let Some(own) = context.own_selector()? else {
        return Ok(None);
    };
    let brief = load::Request {
        longest: Some(LONGEST - INTRO),
        ..load::Request::default()
    };
    let (what, found) = match context.load(&own)? {
        Some(_) => (
            "its own checkpoint, with what changed since it was saved",
            Some(load::run(context, &brief)?),
        ),
        None => (
            "what its transcript tells, for it has saved no checkpoint",
            load::recovered(context, &own, Reader::Agent)?,
        ),
    };
    let intro =
        format!("The context was compacted, and the same session goes on. This is {what}:\n\n");
    Ok(found.map(|found| shortened(&(intro + &found.text), LONGEST - 1)))
}
