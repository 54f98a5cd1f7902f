//! The prompts, which clients show to a person as commands.

use rmcp::ErrorData;
use rmcp::model::{GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role};
use serde_json::Value;

use crate::checkpoint::text;
use crate::commands::{Context, Scope, prompts};
use crate::env::Env;
use crate::error::Report;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    Resume,
    Save,
}

impl Named {
    const ALL: [Self; 2] = [Self::Resume, Self::Save];

    fn name(self) -> &'static str {
        match self {
            Self::Resume => "resume",
            Self::Save => "save",
        }
    }

    pub(super) fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|prompt| prompt.name() == name)
    }

    /// The one argument that it takes, what it stands for, and what the prompt does.
    fn about(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Resume => (
                "checkpoint",
                "A selector, or its start; without it this session's own",
                "Resume earlier work from a checkpoint",
            ),
            Self::Save => (
                "note",
                "What to keep in mind",
                "Save what this session knows as its checkpoint",
            ),
        }
    }

    fn definition(self) -> Prompt {
        let (name, meaning, description) = self.about();
        let argument = PromptArgument::new(name)
            .with_description(meaning)
            .with_required(false);
        Prompt::new(self.name(), Some(description), Some(vec![argument])).with_title(description)
    }

    /// The message in the person's place. Blocking; what went wrong is for the person to read.
    pub(super) fn message(
        self,
        scope: Scope,
        arguments: Option<&JsonObject>,
    ) -> Result<GetPromptResult, ErrorData> {
        let (name, _, description) = self.about();
        let given = arguments.and_then(|arguments| arguments.get(name));
        let given = given.and_then(Value::as_str).map(str::trim);
        let given = given.filter(|given| !given.is_empty());
        let text = match self {
            Self::Resume => Context::new(Env::from_process(), scope)
                .and_then(|context| prompts::resume(&context, given))
                .map_err(|error| refused(&error))?,
            Self::Save => prompts::save(given),
        };
        let text = text::lines(&text).into_owned();
        let message = PromptMessage::new_text(Role::User, text);
        Ok(GetPromptResult::new(vec![message]).with_description(description))
    }
}

pub(super) fn all() -> Vec<Prompt> {
    Named::ALL.into_iter().map(Named::definition).collect()
}

fn refused(error: &anyhow::Error) -> ErrorData {
    let Report { message, hint } = Report::from(error);
    let text = match hint {
        Some(hint) => format!("{message}; {hint}"),
        None => message,
    };
    ErrorData::invalid_params(text, None)
}
