//! Which files a checkpoint records: what git found, what the agent named, what stood there before.

use std::collections::BTreeMap;

use super::format::{FileStatus, ModifiedFile, Source};

/// Files by path, each once; the order of the calls below is the order of precedence.
#[derive(Debug, Default)]
pub(crate) struct Files(BTreeMap<String, ModifiedFile>);

impl Files {
    /// What the scan of the repository found.
    pub(crate) fn add_scanned(&mut self, path: String, status: FileStatus) {
        self.0.entry(path).or_insert_with_key(|path| ModifiedFile {
            status,
            source: Source::Git,
            ..bare(path)
        });
    }

    /// What the agent named. A note that is given goes to the file wherever it came from.
    pub(crate) fn add_named(&mut self, path: String, note: Option<String>) {
        let file = self.0.entry(path).or_insert_with_key(|path| bare(path));
        if note.is_some() {
            file.note = note;
        }
    }

    /// What a merge carries over. A deletion stays one; the rest counts as named by the agent.
    pub(crate) fn add_recorded(&mut self, recorded: &[ModifiedFile]) {
        for old in recorded {
            let file = self
                .0
                .entry(old.path.clone())
                .or_insert_with(|| ModifiedFile {
                    status: match old.status {
                        FileStatus::Deleted => FileStatus::Deleted,
                        _ => FileStatus::Modified,
                    },
                    source: Source::Agent,
                    extra: old.extra.clone(),
                    ..bare(&old.path)
                });
            if file.note.is_none() {
                file.note.clone_from(&old.note);
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// At most `limit` files, by path: those with a note first, then the latest by `modified`, which is
    /// asked only where a choice has to be made; a file that is gone counts as the oldest.
    pub(crate) fn choose<T: Ord>(
        self,
        limit: usize,
        modified: impl Fn(&str) -> Option<T>,
    ) -> Vec<ModifiedFile> {
        let mut files: Vec<ModifiedFile> = self.0.into_values().collect();
        if files.len() > limit {
            files.sort_by_cached_key(|file| {
                std::cmp::Reverse((file.note.is_some(), modified(&file.path)))
            });
            files.truncate(limit);
            files.sort_by(|a, b| a.path.cmp(&b.path));
        }
        files
    }
}

fn bare(path: &str) -> ModifiedFile {
    ModifiedFile {
        path: path.to_owned(),
        status: FileStatus::Modified,
        source: Source::Agent,
        note: None,
        hash: None,
        extra: serde_json::Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn git_decides_status_and_source_and_notes_survive() {
        let mut files = Files::default();
        files.add_scanned("a".into(), FileStatus::Added);
        files.add_named("a".into(), Some("new note".into()));
        files.add_named("b".into(), None);
        let recorded = |path: &str, status| ModifiedFile {
            status,
            source: Source::Git,
            note: Some("old note".into()),
            hash: Some("0".into()),
            ..bare(path)
        };
        files.add_recorded(&[
            recorded("a", FileStatus::Untracked),
            recorded("b", FileStatus::Untracked),
            recorded("c", FileStatus::Renamed),
            recorded("d", FileStatus::Deleted),
        ]);
        let files = files.choose(100, |_| None::<u8>);
        let told: Vec<_> = files
            .iter()
            .map(|f| {
                (
                    f.path.as_str(),
                    f.status.as_str(),
                    f.source.as_str(),
                    f.note.as_deref(),
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                ("a", "A", "git", Some("new note")),
                ("b", "M", "agent", Some("old note")),
                ("c", "M", "agent", Some("old note")),
                ("d", "D", "agent", Some("old note")),
            ]
        );
        assert!(files.iter().all(|file| file.hash.is_none()));
    }

    #[test]
    fn over_the_limit_notes_and_then_the_latest_are_kept() {
        let mut files = Files::default();
        for (path, note) in [("1", None), ("2", None), ("3", Some("n")), ("4", None)] {
            files.add_named(path.into(), note.map(str::to_owned));
        }
        let kept = files.choose(2, |path| path.parse::<u8>().ok().filter(|n| *n != 4));
        let paths: Vec<_> = kept.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["2", "3"]);
    }
}
