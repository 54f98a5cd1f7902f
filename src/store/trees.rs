//! The working trees of a repository, read where git writes them down (gitrepository-layout(5)): no git is started.

use std::fs;
use std::path::{Path, PathBuf};

/// The working trees of the repository around a folder.
pub(crate) struct Trees {
    root: PathBuf,
    tops: Vec<PathBuf>,
}

impl Trees {
    /// How many working trees are looked at.
    const MOST: usize = 20;

    pub(crate) fn around(root: &Path) -> Self {
        let mut tops = Vec::new();
        if let Some(top) = top(root) {
            tops.push(top.to_owned());
            let common = common(top);
            if let Some(main) = common
                .parent()
                .filter(|_| common.file_name() == Some(".git".as_ref()))
            {
                tops.push(main.to_owned());
            }
            let linked = fs::read_dir(common.join("worktrees"))
                .into_iter()
                .flatten()
                .flatten();
            tops.extend(linked.take(Self::MOST).filter_map(|linked| {
                let git = first_line(&linked.path().join("gitdir"))?;
                Some(Path::new(&git).parent()?.to_owned())
            }));
        }
        Self {
            root: root.to_owned(),
            tops,
        }
    }

    /// Their top folders, the one around the folder first.
    pub(crate) fn tops(&self) -> &[PathBuf] {
        &self.tops
    }

    /// The top of the one around the folder; None outside a repository.
    pub(crate) fn own(&self) -> Option<&Path> {
        self.tops.first().map(PathBuf::as_path)
    }

    /// Whether a folder is in one of them, and there, but not the one that they are around.
    pub(crate) fn hold(&self, folder: &Path) -> bool {
        folder != self.root
            && self.tops.iter().any(|top| folder.starts_with(top))
            && folder.is_dir()
    }
}

/// The top of the working tree around a folder; None outside a repository.
pub(crate) fn top(folder: &Path) -> Option<&Path> {
    let mut folders = folder.ancestors();
    folders.find(|folder| folder.join(".git").symlink_metadata().is_ok())
}

/// What the working trees of a repository share, for one of them.
fn common(top: &Path) -> PathBuf {
    let git = top.join(".git");
    let Some(own) =
        first_line(&git).and_then(|line| Some(line.strip_prefix("gitdir:")?.trim().to_owned()))
    else {
        return git;
    };
    let own = top.join(own);
    match first_line(&own.join("commondir")) {
        Some(common) => {
            let common = own.join(common);
            common.canonicalize().unwrap_or(common)
        }
        None => own,
    }
}

/// The first line of a short file; None where it is none.
fn first_line(path: &Path) -> Option<String> {
    const LONGEST: usize = 4 << 10;
    let text = super::read_file(path).ok()?;
    let text = String::from_utf8(text).ok()?;
    let first = text.lines().next().filter(|_| text.len() <= LONGEST)?;
    Some(first.to_owned())
}
