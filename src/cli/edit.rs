//! `ckpt edit`

use anyhow::anyhow;

use super::editor::Editor;
use super::output::Output;
use super::{Ended, confirm, select};
use crate::commands::edit::{Opened, Outcome, Request, Written};
use crate::commands::{self, Context};

const DETAILS: &str = "\
The editor is $VISUAL, else $EDITOR. It gets the goal, tasks, summary, next steps, decisions, commands and
the notes on files as TOML; empty the text to change nothing. The branch, the files with their hashes and
the time of the save stay as they are, so that what changed since is still told exactly.

Examples:
  ckpt edit                               edit this session's checkpoint
  ckpt edit 0f9c                          edit another one
  EDITOR='code --wait' ckpt edit legacy";

#[derive(Debug, clap::Args)]
#[command(after_help = DETAILS)]
pub(super) struct Args {
    /// A session id, the start of one (4 characters or more), or `legacy`; not given: the session's own
    selector: Option<String>,
}

pub(super) fn run(args: &Args, context: &Context, output: &Output) -> anyhow::Result<Ended> {
    let Some(selector) = select::typed_or_own(args.selector.as_deref(), "edit", context, output)?
    else {
        return Ok(Ended::NotFound);
    };
    let editor = Editor::find(&context.env, output.asks)?;
    let opened = commands::edit::open(context, selector)?;
    output.warnings(&opened.warnings);
    let draft = context.store.draft(&opened.text)?;
    let mut edit = || {
        editor.edit(draft.path())?;
        draft.read()
    };
    match until_written(&mut edit, &opened, context, output) {
        Ok(written) => {
            draft.remove()?;
            match written {
                Some(written) => show(&written, output)?,
                None => output.note("Nothing changed."),
            }
            Ok(Ended::Done)
        }
        // Nothing was typed that could be lost.
        Err(error) if draft.read().is_ok_and(|text| text == opened.text) => {
            draft.remove()?;
            Err(error)
        }
        Err(error) => {
            output.error(&error);
            output.hint(&format!(
                "your text is kept in `{}`",
                draft.path().display()
            ));
            Ok(Ended::Failed)
        }
    }
}

/// Edits until the text can be written or the person gives up, which is an error; None where it changes nothing.
fn until_written(
    edit: &mut impl FnMut() -> anyhow::Result<String>,
    opened: &Opened,
    context: &Context,
    output: &Output,
) -> anyhow::Result<Option<Written>> {
    loop {
        let text = edit()?;
        let request = Request {
            opened,
            text: &text,
        };
        let faults = match commands::edit::run(context, &request)? {
            Outcome::Unchanged => return Ok(None),
            Outcome::Written(written) => return Ok(Some(written)),
            Outcome::Overtaken => {
                return Err(anyhow!(
                    "checkpoint `{}` was saved or deleted by somebody else meanwhile, so nothing was written",
                    opened.selector
                ));
            }
            Outcome::Invalid(faults) => faults,
        };
        let error = anyhow!(
            "this cannot be written as a checkpoint: {}",
            faults.join("; ")
        );
        if !output.asks {
            return Err(error);
        }
        output.error(&error);
        if !confirm::confirm("Edit it again?", true)? {
            return Err(anyhow!("given up, so nothing was written"));
        }
    }
}

fn show(written: &Written, output: &Output) -> anyhow::Result<()> {
    let Written {
        path,
        bytes,
        warnings,
    } = written;
    output.warnings(warnings);
    output.data(&format!("Wrote {path}\n{bytes} bytes"))
}
