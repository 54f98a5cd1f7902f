//! Which files a checkpoint records: what git found, what the agent named, what stood there before.

use std::collections::BTreeMap;

use super::format::{FileStatus, ModifiedFile, Source};

/// Files by path, each once; the order of the calls below is the order of precedence.
#[derive(Debug, Default)]
pub(crate) struct Files(BTreeMap<String, Candidate>);

#[derive(Debug)]
struct Candidate {
    file: ModifiedFile,
    /// Whether it is known from the checkpoint that a merge builds on alone.
    is_carried: bool,
}

/// The files to record, and how many had no room.
#[derive(Debug, PartialEq)]
pub(crate) struct Choice {
    pub(crate) files: Vec<ModifiedFile>,
    pub(crate) left_out: LeftOut,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LeftOut {
    /// Uncommitted or untracked ones.
    pub(crate) changed: usize,
    /// Those that the agent named, now or before, and of which git says nothing.
    pub(crate) others: usize,
}

impl Files {
    /// What the scan of the repository found.
    pub(crate) fn add_scanned(&mut self, path: String, status: FileStatus) {
        self.0.entry(path).or_insert_with_key(|path| Candidate {
            file: ModifiedFile {
                status,
                source: Source::Git,
                ..bare(path)
            },
            is_carried: false,
        });
    }

    /// What the agent named. A note that is given goes to the file wherever it came from.
    pub(crate) fn add_named(&mut self, path: String, note: Option<String>) {
        let entry = self.0.entry(path).or_insert_with_key(|path| Candidate {
            file: bare(path),
            is_carried: false,
        });
        if note.is_some() {
            entry.file.note = note;
        }
    }

    /// What a merge carries over. It counts as named by the agent; see [`ModifiedFile::settle`] for its status.
    pub(crate) fn add_recorded(&mut self, recorded: &[ModifiedFile]) {
        for old in recorded {
            let entry = self.0.entry(old.path.clone()).or_insert_with(|| Candidate {
                file: bare(&old.path),
                is_carried: true,
            });
            let file = &mut entry.file;
            if file.note.is_none() {
                file.note.clone_from(&old.note);
            }
            // Whoever wrote them, they are this file's, whatever became of it.
            for (name, value) in &old.extra {
                let known = file.extra.entry(name.clone());
                known.or_insert_with(|| value.clone());
            }
        }
    }

    /// At most `limit` files, by path: those with a note first, then the uncommitted ones and those that were
    /// named now, of these the latest by `modified`, which is asked only where a choice has to be made. A file
    /// that is gone counts as the oldest.
    pub(crate) fn choose<T: Ord>(
        self,
        limit: usize,
        modified: impl Fn(&str) -> Option<T>,
    ) -> Choice {
        let mut candidates: Vec<Candidate> = self.0.into_values().collect();
        let mut left_out = LeftOut::default();
        if candidates.len() > limit {
            candidates.sort_by_cached_key(|Candidate { file, is_carried }| {
                std::cmp::Reverse((file.note.is_some(), !is_carried, modified(&file.path)))
            });
            for Candidate { file, .. } in candidates.drain(limit..) {
                match file.source {
                    Source::Git => left_out.changed += 1,
                    _ => left_out.others += 1,
                }
            }
            candidates.sort_by(|a, b| a.file.path.cmp(&b.file.path));
        }
        let files = candidates.into_iter().map(|candidate| candidate.file);
        Choice {
            files: files.collect(),
            left_out,
        }
    }
}

impl ModifiedFile {
    /// Records how the file stands where git says nothing of it: gone, or there, whatever it was before.
    pub(crate) fn settle(&mut self, is_there: impl FnOnce() -> bool) {
        if self.source != Source::Git {
            self.status = match self.hash.is_some() || is_there() {
                true => FileStatus::Modified,
                false => FileStatus::Deleted,
            };
        }
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
        let Choice { files, left_out } = files.choose(100, |_| None::<u8>);
        assert_eq!(left_out, LeftOut::default());
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
                ("d", "M", "agent", Some("old note")),
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
        let paths: Vec<_> = kept.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["2", "3"]);
    }

    #[test]
    fn what_is_carried_over_makes_room_for_what_is_uncommitted() {
        let mut files = Files::default();
        files.add_scanned("1".into(), FileStatus::Modified);
        files.add_scanned("2".into(), FileStatus::Deleted);
        files.add_named("3".into(), None);
        files.add_recorded(&["7", "8", "9"].map(bare));
        let modified = |path: &str| path.parse::<u8>().ok().filter(|n| *n != 2);
        let Choice { files, left_out } = files.choose(4, modified);
        let paths: Vec<_> = files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["1", "2", "3", "9"]);
        let others = 2;
        assert_eq!(left_out, LeftOut { changed: 0, others });
    }

    #[test]
    fn a_file_of_which_git_says_nothing_is_there_or_gone() {
        for (hash, is_there, status) in [(true, true, "M"), (false, true, "M"), (false, false, "D")]
        {
            let mut file = ModifiedFile {
                status: FileStatus::Deleted,
                hash: hash.then(|| "0".to_owned()),
                ..bare("a")
            };
            file.settle(|| is_there);
            assert_eq!(file.status.as_str(), status);
        }
    }

    #[test]
    fn unknown_fields_of_a_file_survive_wherever_it_is_found_again() {
        let mut files = Files::default();
        files.add_scanned("a".into(), FileStatus::Modified);
        files.add_recorded(&["a", "b"].map(|path| {
            let mut file = bare(path);
            file.extra.insert("theirs".into(), 1.into());
            file
        }));
        let files = files.choose(100, |_| None::<u8>).files;
        assert!(files.iter().all(|file| file.extra["theirs"] == 1));
    }
}
