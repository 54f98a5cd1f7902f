//! `ckpt guard`: tells the server whose call it is, and keeps subagents from saving over what their parent knows.

use serde_json::value::RawValue;

use super::{Decision, Input};
use crate::store::selector::SessionId;
use crate::store::session::NOT_BY_A_SUBAGENT;

const SAVE_TOOL: &str = "_save_session_checkpoint";
/// The others that have a session; further tools of an agent's are none of ours.
const BOUND_TOOLS: [&str; 3] = [
    SAVE_TOOL,
    "_load_session_checkpoint",
    "_list_session_checkpoints",
];

/// The denial of a subagent's save, or the input with the session's id; None lets the call pass as it is.
pub(super) fn decide(input: &Input) -> Option<Decision> {
    let tool = input.tool_name.as_deref();
    let from_subagent = input.agent_id.as_deref().is_some_and(|id| !id.is_empty());
    if from_subagent && tool.is_none_or(|name| name.ends_with(SAVE_TOOL)) {
        let (why, instead) = NOT_BY_A_SUBAGENT;
        return Some(Decision::Denial {
            permission_decision: "deny",
            permission_decision_reason: format!("{why}; {instead}"),
        });
    }
    let is_ours = BOUND_TOOLS
        .iter()
        .any(|end| tool.is_some_and(|name| name.ends_with(end)));
    let session = SessionId::parse(input.session_id.as_deref()?).ok()?;
    let updated_input = bound(input.tool_input.as_deref()?, &session).filter(|_| is_ours)?;
    Some(match input.hook_event_name.as_deref() {
        Some("BeforeTool") => Decision::BeforeTool {
            tool_input: updated_input,
        },
        _ => Decision::Rewrite { updated_input },
    })
}

/// The arguments of a call with the session that makes it; None where they are no object.
///
/// The client takes what is answered for the whole of the input, so nothing of it is left out. An id that stands there
/// already is not the hook's; of two members of a name the last counts.
fn bound(arguments: &RawValue, session: &SessionId) -> Option<Box<RawValue>> {
    let members = arguments
        .get()
        .trim()
        .strip_prefix('{')?
        .strip_suffix('}')?;
    let comma = if members.trim().is_empty() { "" } else { "," };
    let id = session.as_str();
    RawValue::from_string(format!(r#"{{{members}{comma}"hookSession":"{id}"}}"#)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    const SAVE: &str = "mcp__plugin_session-checkpoint_ckpt__save_session_checkpoint";

    fn decision(input: Value) -> Value {
        let input: Input = serde_json::from_value(input).unwrap();
        serde_json::to_value(decide(&input)).unwrap()
    }

    #[test]
    fn only_a_subagents_save_is_denied() {
        let load = "mcp__ckpt__load_session_checkpoint";
        for (agent, tool, is_denied) in [
            (json!({"agent_id": "a1"}), SAVE, true),
            (
                json!({"agent_id": "a1", "agent_type": "Explore"}),
                SAVE,
                true,
            ),
            (json!({"agent_id": "a1"}), load, false),
            (json!({"agent_id": ""}), SAVE, false),
            (json!({"agent_id": null}), SAVE, false),
            (json!({"agent_type": "reviewer"}), SAVE, false),
            (json!({}), SAVE, false),
        ] {
            let mut input = agent;
            input["session_id"] = json!("s1");
            input["tool_name"] = json!(tool);
            input["tool_input"] = json!({"goal": "g"});
            let told = decision(input.clone());
            let expected = match is_denied {
                true => json!("deny"),
                false => Value::Null,
            };
            assert_eq!(told["permissionDecision"], expected, "{input}");
            assert_eq!(told["updatedInput"].is_null(), is_denied, "{input}");
        }
    }

    #[test]
    fn every_call_of_ours_is_bound_to_its_session_and_decided_by_nobody() {
        for tool in [
            SAVE,
            "mcp__ckpt__load_session_checkpoint",
            "mcp__c__list_session_checkpoints",
        ] {
            let input = json!({"session_id": "s1", "tool_name": tool, "tool_input": {}});
            assert_eq!(
                decision(input),
                json!({"hookEventName": "PreToolUse", "updatedInput": {"hookSession": "s1"}}),
            );
        }
        for tool in ["Bash", "mcp__other__save", "save_session_checkpoints"] {
            let input = json!({"session_id": "s1", "tool_name": tool, "tool_input": {}});
            assert_eq!(decision(input), Value::Null, "{tool}");
        }
    }

    #[test]
    fn gemini_is_answered_in_its_own_form() {
        let input = json!({
            "hook_event_name": "BeforeTool", "session_id": "s1", "tool_name": "mcp_ckpt_save_session_checkpoint",
            "tool_input": {"goal": "g"},
        });
        assert_eq!(
            decision(input),
            json!({"hookEventName": "BeforeTool", "tool_input": {"goal": "g", "hookSession": "s1"}}),
        );
    }

    #[test]
    fn the_input_stays_whole_to_the_byte() {
        let written = r#"{"goal" : "ü\u00fc }{ ", "n": 1e400, "deep": {"a": [{}]}, "hookSession": "forged" }"#;
        let text = format!(r#"{{"session_id":"s1","tool_name":"{SAVE}","tool_input":{written}}}"#);
        let input: Input = serde_json::from_str(&text).unwrap();
        let Some(Decision::Rewrite { updated_input }) = decide(&input) else {
            panic!("not bound");
        };
        let expected = written.strip_suffix('}').unwrap().to_owned() + r#","hookSession":"s1"}"#;
        assert_eq!(updated_input.get(), expected);
    }

    #[test]
    fn what_is_no_object_or_names_no_session_is_left_alone() {
        for (session, arguments) in [
            (json!("s1"), json!(null)),
            (json!("s1"), json!([])),
            (json!("s1"), json!("{}")),
            (json!("../s1"), json!({})),
            (json!(""), json!({})),
            (json!(null), json!({})),
        ] {
            let input = json!({"session_id": session, "tool_name": SAVE, "tool_input": arguments});
            assert_eq!(decision(input.clone()), Value::Null, "{input}");
        }
    }
}
