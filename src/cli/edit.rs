//! `ckpt edit`

use anyhow::anyhow;

use super::editor::Editor;
use super::output::Output;
use super::prompt::confirm::confirm;
use super::{Ended, select};
use crate::commands::edit::{Opened, Outcome, Request, Written};
use crate::commands::{self, Context, Name};
use crate::generate::SELECTOR;

const DETAILS: &str = "\
The editor is $VISUAL, else $EDITOR, else vi (Notepad on Windows). It gets goal, tasks, summary, next steps, decisions, commands and the \
notes on files as TOML; empty the text to change nothing. Branch, files with their hashes and the time of \
the save stay as they are, so that `ckpt diff` still tells exactly what changed since.

Examples:
  ckpt edit                               edit this session's checkpoint
  ckpt edit 0f9c                          edit another one
  ckpt edit auth --copy auth-docs         split a part of it off
  EDITOR='code --wait' ckpt edit legacy";

#[derive(Debug, clap::Args)]
#[command(after_help = DETAILS)]
pub(super) struct Args {
    /// A session id or the start of it, `latest` or `legacy`
    #[arg(value_hint = SELECTOR)]
    selector: Option<String>,
    /// Write it as a new checkpoint of this name, and leave the other as it is
    #[arg(long, value_name = "NAME", value_hint = clap::ValueHint::Other)]
    copy: Option<String>,
}

impl Args {
    /// Those that edit a checkpoint.
    pub(super) fn of(selector: String) -> Self {
        Self {
            selector: Some(selector),
            copy: None,
        }
    }
}

pub(super) fn run(args: &Args, context: &Context, output: &Output) -> anyhow::Result<Ended> {
    let copy = args.copy.as_deref().map(Name::parse).transpose()?;
    let typed = args.selector.as_deref();
    let selected = select::typed_or_own(typed, "edit", output.asks, context, output)?;
    let Some(selector) = selected else {
        return Ok(Ended::NotFound);
    };
    let opened = commands::edit::open(context, selector, copy.as_ref())?;
    let editor = Editor::find(&context.env, output.asks)?;
    output.warnings(&opened.warnings);
    let draft = context.store.draft(&opened.text)?;
    let mut edit = || {
        editor.edit(draft.path())?;
        draft.read()
    };
    match until_written(&mut edit, &opened, copy.as_ref(), context, output) {
        Ok(End::Written(written)) => {
            draft.remove()?;
            show(&written, copy.as_ref(), output)?;
            return Ok(Ended::Done);
        }
        Ok(End::Unchanged) => {
            draft.remove()?;
            output.note("Nothing changed.");
            return Ok(Ended::Done);
        }
        Ok(End::GivenUp) => {}
        // Nothing was typed that could be lost.
        Err(error) if draft.read().is_ok_and(|text| text == opened.text) => {
            draft.remove()?;
            return Err(error);
        }
        Err(error) => output.error(&error),
    }
    if draft.is_there() {
        let path = draft.path().display();
        output.hint(&format!("your text is kept, unredacted, in `{path}`"));
    }
    Ok(Ended::Failed)
}

enum End {
    Written(Written),
    Unchanged,
    /// It cannot be written, which was told.
    GivenUp,
}

/// Edits until the text can be written or the person gives up.
fn until_written(
    edit: &mut impl FnMut() -> anyhow::Result<String>,
    opened: &Opened,
    copy: Option<&Name>,
    context: &Context,
    output: &Output,
) -> anyhow::Result<End> {
    loop {
        let text = edit()?;
        let request = Request {
            opened,
            text: &text,
            copy,
        };
        let faults = match commands::edit::run(context, &request)? {
            Outcome::Unchanged => return Ok(End::Unchanged),
            Outcome::Written(written) => return Ok(End::Written(written)),
            Outcome::Overtaken => {
                return Err(anyhow!(
                    "checkpoint `{}` was saved or deleted by somebody else meanwhile, so nothing was written",
                    opened.selector
                ));
            }
            Outcome::Invalid(faults) => faults,
        };
        output.error(&anyhow!("this cannot be written as a checkpoint:"));
        for fault in faults {
            output.note(&format!("  {fault}"));
        }
        if !output.asks || !confirm("Edit it again?", true, output.err)? {
            return Ok(End::GivenUp);
        }
    }
}

fn show(written: &Written, copy: Option<&Name>, output: &Output) -> anyhow::Result<()> {
    let Written {
        selector,
        path,
        bytes,
        warnings,
    } = written;
    output.warnings(warnings);
    output.data(&format!("Saved {path}\n{bytes} bytes"))?;
    if let Some(name) = copy {
        output.note(&format!("Checkpoint `{selector}` is called `{name}`."));
    }
    Ok(())
}
