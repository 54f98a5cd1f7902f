//! Where else there are checkpoints and sessions: in other stores of the repository, in other folders of it, and where a project
//! was before it was moved (docs/contract.md, section 2 and 15).

use std::path::{Path, PathBuf};

use super::{Context, Reader, counted};
use crate::checkpoint::text::one_line;
use crate::checkpoint::time;
use crate::store::nearby::{self, Nearby};
use crate::store::trees::Trees;
use crate::transcript::{self, Elsewhere, Transcripts};

/// How many folders are named that have sessions alone.
const WITH_SESSIONS_ALONE: usize = 5;

/// Another folder, and what is there.
struct OtherFolder {
    folder: PathBuf,
    checkpoints: Option<String>,
    sessions: Option<String>,
    /// What the folder is to this project.
    is_above: bool,
}

/// A sentence for each folder, those with checkpoints first; `transcripts` are those of the project, where they may be read.
pub(super) fn sentences(
    context: &Context,
    reader: Reader,
    transcripts: Option<&Transcripts>,
) -> Vec<String> {
    let mut folders = stores(context, reader);
    let sessions = transcripts.map_or(Vec::new(), |transcripts| sessions(context, transcripts));
    let mut without_store = 0;
    for elsewhere in sessions {
        let counted = counted(elsewhere.sessions, "session");
        let age = time::age(elsewhere.until, context.env.now);
        let sessions = Some(format!("{counted} (last active {age})"));
        let known = folders
            .iter_mut()
            .find(|known| known.folder == elsewhere.folder);
        match known {
            Some(folder) => folder.sessions = sessions,
            None if without_store == WITH_SESSIONS_ALONE => {}
            None => {
                without_store += 1;
                folders.push(OtherFolder {
                    folder: elsewhere.folder,
                    checkpoints: None,
                    sessions,
                    is_above: false,
                });
            }
        }
    }
    folders
        .iter()
        .map(|folder| folder.sentence(reader))
        .collect()
}

/// Such sentences, each on a line of its own below a text.
pub(super) fn lines(sentences: &[String]) -> String {
    let lines = sentences.iter();
    let lines = lines.map(|sentence| format!("\nElsewhere: {sentence}."));
    lines.collect()
}

/// What there is in the other stores alone.
pub(super) fn sentences_of_stores(context: &Context, reader: Reader) -> Vec<String> {
    let folders = stores(context, reader);
    folders
        .iter()
        .map(|folder| folder.sentence(reader))
        .collect()
}

fn stores(context: &Context, reader: Reader) -> Vec<OtherFolder> {
    let root = context.store.root();
    let trees = Trees::around(root);
    let below = trees.own().map_or(Vec::new(), |top| {
        transcript::folders_below(&context.env, top, transcript::Effort::Whatever)
    });
    let mut stores = nearby::stores(root, &below);
    if stores.is_empty() && reader == Reader::Person {
        let above = nearby::nearest(&context.env, root);
        stores.extend(above.map(Nearby::at));
    }
    let folder = |store: Nearby| OtherFolder {
        checkpoints: Some(store.summary(context.env.now)),
        is_above: root.starts_with(&store.root),
        folder: store.root,
        sessions: None,
    };
    stores.into_iter().map(folder).collect()
}

/// The folders that have sessions which may be of use here.
fn sessions(context: &Context, transcripts: &Transcripts) -> Vec<Elsewhere> {
    let root = context.store.root();
    let trees = Trees::around(root);
    let may_be_former = |folder: &Path| {
        let is_beside = folder.parent() == root.parent() || folder.file_name() == root.file_name();
        is_beside && !folder.exists()
    };
    let nothing_here = transcripts.sessions().is_empty()
        && context.store.selectors().is_ok_and(|all| all.is_empty());
    transcripts.elsewhere(|folder| trees.hold(folder) || nothing_here && may_be_former(folder))
}

impl OtherFolder {
    fn sentence(&self, reader: Reader) -> String {
        let Self {
            folder,
            checkpoints,
            sessions,
            is_above,
        } = self;
        let what = [checkpoints, sessions].into_iter().flatten().cloned();
        let what = what.collect::<Vec<_>>().join(" and ");
        let gone = !folder.exists();
        let folder = folder.display();
        if gone {
            return one_line(&format!(
                "{what} began in `{folder}`, which is gone: if that was this project, each can be loaded by its id"
            ))
            .into_owned();
        }
        let which = match is_above {
            true => "above this folder",
            false => "of the same repository",
        };
        let how = match reader {
            Reader::Agent => "as `projectRoot`",
            Reader::Person => "with -C",
        };
        one_line(&format!("{what} in `{folder}`, {which}: pass it {how}")).into_owned()
    }
}
