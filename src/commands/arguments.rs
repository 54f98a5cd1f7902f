//! Arguments as JSON, from a tool call or from `ckpt save --input`, made into a scope and a request.

use std::path::PathBuf;

use anyhow::Context as _;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::env::{self, Env};
use crate::error::failure;
use crate::store::selector::SessionId;

/// Where a command works and for whom, as its caller put it; [`super::Context`] is what comes of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scope {
    /// The argument `projectRoot` or the option `--project-root`; absolute.
    pub(crate) project_root: Option<PathBuf>,
    /// The argument `session` or the option `--session`.
    pub(crate) session: Option<String>,
    /// The argument `hookSession`, which the hook `ckpt guard` adds to a call; anything but a session id counts as absent.
    pub(crate) hook_session: Option<SessionId>,
    /// What the client's call says of its session beside the arguments.
    pub(crate) hint: CallerHint,
    /// The first root that an MCP client names; counts only where nothing else names one.
    pub(crate) client_root: Option<PathBuf>,
}

/// What a client's call says of its session, beside the arguments.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum CallerHint {
    #[default]
    None,
    /// Claude Code: the id of the call, which stands in the transcript of the session that makes it.
    ToolUse(String),
    /// Codex: the session itself.
    Thread { id: String, is_subagent: bool },
}

impl Scope {
    /// Whether the client's roots would decide the project root (SPEC section 2).
    pub(crate) fn wants_client_root(&self, env: &Env) -> bool {
        self.project_root.is_none() && env.os_var(env::PROJECT_ROOT).is_none()
    }
}

/// The arguments of one call. `null` and `""` count as not given, at any depth.
#[derive(Debug, Default)]
pub(crate) struct Arguments(Map<String, Value>);

impl Arguments {
    pub(crate) fn new(arguments: Map<String, Value>) -> Self {
        match without_absent(Value::Object(arguments)) {
            Some(Value::Object(arguments)) => Self(arguments),
            _ => Self::default(),
        }
    }

    /// Takes out `projectRoot` and `session`, which every command has, and what a hook added.
    pub(crate) fn take_scope(&mut self) -> anyhow::Result<Scope> {
        let hook_session = self.0.shift_remove("hookSession");
        let hook_session = hook_session.as_ref().and_then(Value::as_str);
        Ok(Scope {
            project_root: self.take_string("projectRoot")?.map(PathBuf::from),
            session: self.take_string("session")?,
            hook_session: hook_session.and_then(|id| SessionId::parse(id).ok()),
            hint: CallerHint::None,
            client_root: None,
        })
    }

    /// What is left as a command's own request.
    pub(crate) fn into_request<T: DeserializeOwned>(self) -> anyhow::Result<T> {
        serde_path_to_error::deserialize(Value::Object(self.0)).map_err(|error| {
            failure(
                format!("wrong arguments: {error}"),
                "correct the named argument and call again; nothing was done",
            )
        })
    }

    fn take_string(&mut self, name: &str) -> anyhow::Result<Option<String>> {
        self.0
            .shift_remove(name)
            .map(|value| {
                serde_json::from_value(value).with_context(|| format!("wrong argument `{name}`"))
            })
            .transpose()
    }
}

fn without_absent(value: Value) -> Option<Value> {
    match value {
        Value::Null => None,
        Value::String(text) if text.is_empty() => None,
        Value::Array(items) => Some(items.into_iter().filter_map(without_absent).collect()),
        Value::Object(fields) => Some(Value::Object(
            fields
                .into_iter()
                .filter_map(|(name, value)| Some((name, without_absent(value)?)))
                .collect(),
        )),
        value => Some(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::save;
    use serde_json::json;

    fn arguments(value: Value) -> Arguments {
        match value {
            Value::Object(fields) => Arguments::new(fields),
            _ => unreachable!("a test passes objects"),
        }
    }

    #[test]
    fn null_and_empty_count_as_not_given() {
        let mut arguments = arguments(json!({
            "goal": "g", "summary": null, "tasks": "", "session": "", "projectRoot": null, "mode": "",
            "recentCommands": [{"command": "ls", "exitCode": null, "note": ""}], "decisions": ["", null, "d"],
        }));
        let scope = arguments.take_scope().unwrap();
        assert!(scope.session.is_none() && scope.project_root.is_none());
        let args: save::Args = arguments.into_request().unwrap();
        let request = args.into_request().unwrap();
        assert_eq!(request.edits.decisions, ["d"]);
        assert!(request.edits.tasks.is_empty() && request.edits.summary.is_none());
        assert_eq!(request.edits.recent_commands[0].note, None);
    }

    #[test]
    fn wrong_arguments_are_named_with_their_place() {
        for (given, expected) in [
            (
                json!({"goal": 1}),
                "goal: invalid type: integer `1`, expected a string",
            ),
            (
                json!({"tasks": [{"description": "a", "status": "doing"}]}),
                "`doing` is none of pending, in_progress, done, blocked",
            ),
            (
                json!({"next_steps": ["a"]}),
                "unknown field `next_steps`, expected one of `goal`",
            ),
            (
                json!({"mode": "append"}),
                "unknown variant `append`, expected `replace` or `merge`",
            ),
            (
                json!({"tasks": "one"}),
                "tasks: invalid type: string \"one\", expected a sequence",
            ),
        ] {
            let error = arguments(given)
                .into_request::<save::Args>()
                .unwrap_err()
                .to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
