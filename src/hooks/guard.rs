//! `ckpt guard`: a subagent does not save, for it would replace what its parent knows.

use super::{Decision, Input};

const SAVE_TOOL: &str = "__save_session_checkpoint";

/// The denial of a subagent's save; None lets the call pass.
pub(super) fn decide(input: &Input) -> Option<Decision> {
    let from_subagent = input.agent_id.as_deref().is_some_and(|id| !id.is_empty());
    let saves = input
        .tool_name
        .as_deref()
        .is_none_or(|name| name.ends_with(SAVE_TOOL));
    (from_subagent && saves).then_some(Decision::PreToolUse {
        permission_decision: "deny",
        permission_decision_reason: "Checkpoints are saved by the main agent alone: a subagent's save would replace \
             the session's checkpoint. Report what should be kept to the parent agent instead.",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_subagents_save_is_denied() {
        let input = |text: &str| serde_json::from_str::<Input>(text).unwrap();
        let save = "mcp__ckpt__save_session_checkpoint";
        for (agent, tool, denied) in [
            (r#""agent_id":"a1""#, save, true),
            (r#""agent_id":"a1","agent_type":"Explore""#, save, true),
            (
                r#""agent_id":"a1""#,
                "mcp__plugin_session-checkpoint_ckpt__save_session_checkpoint",
                true,
            ),
            (
                r#""agent_id":"a1""#,
                "mcp__ckpt__load_session_checkpoint",
                false,
            ),
            (r#""agent_id":"""#, save, false),
            (r#""agent_id":null"#, save, false),
            (r#""agent_type":"reviewer""#, save, false),
            (r#""session_id":"s""#, save, false),
        ] {
            let input = input(&format!(r#"{{{agent},"tool_name":"{tool}"}}"#));
            assert_eq!(decide(&input).is_some(), denied, "{agent} {tool}");
        }
    }
}
