//! The three tools as clients see them.

use std::sync::Arc;

use rmcp::model::{self, JsonObject, ToolAnnotations};
use serde_json::Value;

use super::schemas;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tool {
    Save,
    Load,
    List,
}

impl Tool {
    const ALL: [Self; 3] = [Self::Save, Self::Load, Self::List];

    fn name(self) -> &'static str {
        match self {
            Self::Save => "save_session_checkpoint",
            Self::Load => "load_session_checkpoint",
            Self::List => "list_session_checkpoints",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    fn definition(self) -> model::Tool {
        let (title, description, input, output) = match self {
            Self::Save => (
                "Save session checkpoint",
                "Save what this session knows to the project. Git branch, HEAD and uncommitted files are recorded by themselves.",
                schemas::save_input(),
                schemas::save_output(),
            ),
            Self::Load => (
                "Load session checkpoint",
                "Load a checkpoint as a short brief with what changed since. Without a checkpoint of this session it returns candidates; the user chooses.",
                schemas::load_input(),
                schemas::load_output(),
            ),
            Self::List => (
                "List session checkpoints",
                "List the project's checkpoints, newest first.",
                schemas::list_input(),
                schemas::list_output(),
            ),
        };
        model::Tool::new(self.name(), description, object(input))
            .with_title(title)
            .with_raw_output_schema(object(output))
            .with_annotations(self.hints())
    }

    fn hints(self) -> ToolAnnotations {
        let reads = self != Self::Save;
        // A save is no destructive update: it writes the session's own checkpoint alone, and what that held
        // stays as its backup. It is not idempotent, as each save makes the one before it the backup.
        ToolAnnotations::new()
            .read_only(reads)
            .destructive(false)
            .idempotent(reads)
            .open_world(false)
    }
}

pub(super) fn all() -> Vec<model::Tool> {
    Tool::ALL.into_iter().map(Tool::definition).collect()
}

fn object(schema: Value) -> Arc<JsonObject> {
    match schema {
        Value::Object(fields) => Arc::new(fields),
        _ => Arc::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_list_stays_small() {
        let bytes = serde_json::to_string(&all()).unwrap().len();
        assert!(bytes < 7_000, "{bytes} bytes");
    }

    #[test]
    fn every_tool_is_found_by_its_name() {
        for tool in Tool::ALL {
            assert_eq!(Tool::named(tool.name()), Some(tool));
        }
        assert_eq!(Tool::named("save"), None);
    }
}
