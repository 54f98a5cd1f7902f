//! The schemas of the tools' arguments and results.
//!
//! They are written out rather than derived: some client or other refuses references, lists of types,
//! compositions, formats, defaults, or an argument without a type and a description.

use serde_json::{Map, Value, json};

use crate::checkpoint::fields::{COMMANDS, FIELDS, FILES, Field, GOAL, NOTE, TASKS};
use crate::checkpoint::format::TaskStatus;

fn text(max: usize, description: &str) -> Value {
    json!({"type": "string", "maxLength": max, "description": description})
}

/// A text that must not be empty.
fn required_text(max: usize, description: &str) -> Value {
    json!({"type": "string", "minLength": 1, "maxLength": max, "description": description})
}

/// A field that agents write, as an argument.
fn written(field: &Field) -> Value {
    let items = match field.name {
        name if name == GOAL.name => return required_text(field.limit, field.about),
        _ if field.entries == 1 => return text(field.limit, field.about),
        name if name == TASKS.name => task(),
        name if name == FILES.name => file(),
        name if name == COMMANDS.name => command(),
        _ => json!({"type": "string", "maxLength": field.limit}),
    };
    json!({"type": "array", "maxItems": field.entries, "description": field.about, "items": items})
}

fn any_text(description: &str) -> Value {
    json!({"type": "string", "description": description})
}

fn project_root() -> Value {
    any_text("Absolute path, to work on another project")
}

fn session() -> Value {
    any_text("Session id from an earlier save")
}

fn warnings() -> Value {
    json!({"type": "array", "items": string()})
}

/// An object. Unknown members are not forbidden, for that would keep clients from passing on what a hook adds.
fn fields(required: &[&str], properties: Value) -> Value {
    let mut schema = json!({"type": "object", "properties": properties});
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

fn task() -> Value {
    fields(
        &["description"],
        json!({
            "description": required_text(TASKS.limit, "The task; a merge matches on it"),
            "status": {"type": "string", "enum": TaskStatus::WORDS, "description": "Default pending"},
        }),
    )
}

fn file() -> Value {
    fields(
        &["path"],
        json!({
            "path": required_text(FILES.limit, "Relative to the project root, or absolute"),
            "note": text(NOTE, "What was done or found there"),
        }),
    )
}

fn command() -> Value {
    fields(
        &["command"],
        json!({
            "command": required_text(COMMANDS.limit, "The command line"),
            "exitCode": {"type": "integer", "description": "Exit status, if known"},
            "note": text(NOTE, "What it showed"),
        }),
    )
}

pub(super) fn save_input() -> Value {
    let mut properties = Map::new();
    for field in FIELDS {
        properties.insert(field.name.to_owned(), written(field));
    }
    let others = json!({
        "mode": {
            "type": "string",
            "enum": ["replace", "merge"],
            "description": "replace (default) or add to what is recorded",
        },
        "resumedFrom": any_text("Selector from a load's resumeHint, on the next save"),
        "name": any_text("What to call the checkpoint"),
        "scope": {
            "type": "string",
            "enum": ["session", "project"],
            "description": "session (default), or project: what every session should know",
        },
        "session": session(),
        "projectRoot": project_root(),
    });
    properties.extend(others.as_object().cloned().unwrap_or_default());
    fields(&[GOAL.name], properties.into())
}

pub(super) fn load_input() -> Value {
    fields(
        &[],
        json!({
            "format": {
                "type": "string",
                "enum": ["brief", "full", "diff"],
                "description": "brief (default); full adds the checkpoint, diff the changed lines",
            },
            "checkpoint": any_text("Selector, or project; left out: this session's own"),
            "session": session(),
            "projectRoot": project_root(),
        }),
    )
}

pub(super) fn list_input() -> Value {
    fields(
        &[],
        json!({
            "limit": {"type": "integer", "minimum": 0, "description": "Default 10; 0 for all"},
            "query": any_text("Words that all have to occur in its texts"),
            "everywhere": flag("Every project that this machine's agents know, not this one alone"),
            "session": session(),
            "projectRoot": project_root(),
        }),
    )
}

fn counter(description: &str) -> Value {
    json!({"type": "integer", "description": description})
}

fn flag(description: &str) -> Value {
    json!({"type": "boolean", "description": description})
}

fn string() -> Value {
    json!({"type": "string"})
}

fn boolean() -> Value {
    json!({"type": "boolean"})
}

fn integer() -> Value {
    json!({"type": "integer"})
}

pub(super) fn save_output() -> Value {
    let counts = json!({
        "type": "object",
        "description": "What it holds",
        "properties": {
            "tasks": integer(),
            "modifiedFiles": integer(),
            "recentCommands": integer(),
            "redactions": integer(),
        },
    });
    fields(
        &["text", "path", "bytes", "mode", "counts", "warnings"],
        json!({
            "text": any_text("What was done"),
            "path": any_text("File written"),
            "bytes": counter("Its size"),
            "mode": any_text("replace or merge"),
            "counts": counts,
            "warnings": warnings(),
            "session": any_text("Session id used"),
            "sessionSource": any_text("hook, client, env, argument or minted"),
        }),
    )
}

pub(super) fn load_output() -> Value {
    let drift = json!({
        "type": "object",
        "description": "Changes since the save",
        "properties": {
            "branchChanged": boolean(),
            "currentBranch": string(),
            "commitsSince": integer(),
            "changedSince": {"type": "array", "items": string()},
        },
    });
    fields(
        &["text", "found", "warnings"],
        json!({
            "text": any_text("The brief, or why there is none"),
            "found": flag("Whether one was loaded"),
            "path": any_text("File read"),
            "fromBackup": flag("Whether that is the backup"),
            "updatedAt": any_text("Time of the save, UTC"),
            "drift": drift,
            "warnings": warnings(),
            "resumeHint": any_text("What to pass as resumedFrom"),
            "checkpoint": {"type": "object", "description": "The whole checkpoint"},
            "candidates": {
                "type": "array",
                "items": {"type": "object"},
                "description": "Entries to choose from, as in the list",
            },
            "total": counter("Candidates in all"),
            "omitted": integer(),
        }),
    )
}

pub(super) fn list_output() -> Value {
    let entry = json!({
        "type": "object",
        "properties": {
            "selector": string(),
            "goal": string(),
            "updatedAt": string(),
            "age": string(),
            "branch": string(),
            "name": string(),
            "tasksDone": integer(),
            "tasks": integer(),
            "allTasksDone": boolean(),
            "done": boolean(),
            "client": {"type": "object"},
            "isCurrentSession": boolean(),
            "fromBackup": boolean(),
            "recoverable": boolean(),
            "running": boolean(),
            "project": string(),
            "projectRoot": string(),
        },
    });
    fields(
        &["text", "path", "entries", "total", "omitted", "warnings"],
        json!({
            "text": any_text("The list to read"),
            "path": any_text("Directory"),
            "entries": {"type": "array", "items": entry, "description": "Newest first"},
            "total": counter("Checkpoints in all"),
            "omitted": integer(),
            "warnings": warnings(),
        }),
    )
}
