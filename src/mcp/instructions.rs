//! What the server tells every agent about itself.

/// Under 1,900 characters, the essentials first: clients cut instructions at 2,048 or 4,096 characters, and Codex shows
/// 250 of the first paragraph until a tool was searched for. Facts rather than commands, because imperative text from a
/// server can trip a client's injection defences.
pub(super) const INSTRUCTIONS: &str = "\
Keeps what a session knows. Loading (load_session_checkpoint) fits when the user continues earlier work or a note names checkpoints. Saving (save_session_checkpoint) fits after each milestone, before a risky step, and before context or session end.

Loading: the user confirms before a brief is acted on. `found: false` with `candidates`: the user chooses, then load with `checkpoint`. Only the files that the brief lists as changed need reading again. A selector with `@{N}` is the N-th save before the present one: `@{1}` alone is this session's last but one.

Saving: also whenever the user asks. Only the main agent saves; a subagent reports to its parent instead. Secrets are redacted, and best left out.

`session`: where a save returns `sessionSource` `minted` or `argument`, later calls pass the returned `session` back. Otherwise it is left out.
`resumedFrom`: after loading another session's checkpoint, the next save passes the selector that `resumeHint` names.
`mode`: `replace` (default) states everything anew; `merge` updates tasks by description, appends decisions and commands, and keeps what is left out.
`scope`: `project` keeps what every session and client has to know here, such as how to build and test, and standing decisions as `decisions`. Every brief ends with it; load it with `checkpoint`: \"project\".

Fields: goal, what the work is for; tasks with status; summary, where things stand; nextSteps, in order; decisions, choices with reasons, gotchas and dead ends; modifiedFiles, files worth a note (uncommitted ones, branch and HEAD are recorded from git anyway); recentCommands, the ones that matter, with exit code.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_stay_under_the_shortest_cut() {
        let length = INSTRUCTIONS.chars().count();
        assert!(length < 1_900, "{length} characters");
        let first = INSTRUCTIONS.lines().next().unwrap_or_default();
        let length = first.chars().count();
        assert!(length <= 250, "{length} characters");
        assert!(first.contains("Loading") && first.contains("Saving"));
    }
}
