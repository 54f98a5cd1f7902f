//! What the server tells every agent about itself.

/// Under 1,900 characters, the essentials first: clients cut instructions at 2,048 or 4,096 characters.
/// Facts rather than commands, because imperative text from a server can trip a client's injection defences.
pub(super) const INSTRUCTIONS: &str = "\
Session checkpoints keep what a session knows (goal, tasks, decisions, files) in the project, so that work can go on after a crash, /clear or compaction.

Loading (load_session_checkpoint) fits when the user wants to continue earlier work, after /clear or compaction, or when a note says that checkpoints exist. The user confirms before a brief is acted on. `found: false` with `candidates`: the user chooses, then load with `checkpoint`. Only the files that the brief lists as changed need reading again.

Saving (save_session_checkpoint) fits after each milestone, before the context fills up or a risky step, when the user asks, and before the session ends. Only the main agent saves; a subagent reports to its parent instead.

`session`: where a save returns `sessionSource` `minted` or `argument`, later calls pass the returned `session` back. With `env` it is left out.
`resumedFrom`: after loading another session's checkpoint, the next save passes the selector that `resumeHint` names.

`mode`: `replace` (default) states everything anew; `merge` updates tasks by description, appends decisions and commands, and keeps what is left out.

Fields: goal, what the work is for; tasks with status; summary, where things stand; nextSteps, in order; decisions, choices with reasons, gotchas and dead ends; modifiedFiles, files worth a note (uncommitted ones, branch and HEAD are recorded from git anyway); recentCommands, the ones that matter, with exit code. Secrets are redacted, and best left out.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_stay_under_the_shortest_cut() {
        let length = INSTRUCTIONS.chars().count();
        assert!(length < 1_900, "{length} characters");
    }
}
