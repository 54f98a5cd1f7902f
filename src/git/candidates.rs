//! What a comparison has to look at: everything, or the few paths that a walk of our own could not rule out.

use std::collections::HashMap;

use git2::{Index, Tree};
use jiff::Timestamp;

use super::differences::Blob;
use super::libgit2::Reader;
use super::status::Statuses;

/// An index and the paths of it to compare.
pub(super) struct Candidates {
    /// All that comparing the paths takes of the index.
    pub(super) index: Index,
    /// Where the index may differ from the tree; None where anything may.
    pub(super) staged: Option<Vec<Vec<u8>>>,
    /// What a walk found; None where libgit2 has to walk itself.
    pub(super) walked: Option<Walked>,
}

/// What a walk over the working tree found.
pub(super) struct Walked {
    /// Tracked files that may differ from the index.
    pub(super) suspects: Vec<Vec<u8>>,
    /// Tracked files that differ in their content, and what the index has.
    pub(super) rewritten: Vec<(Vec<u8>, Blob)>,
    /// Paths that are not in the index and not ignored.
    pub(super) untracked: Statuses,
    /// When tracked files were last modified, as far as it was seen.
    pub(super) times: HashMap<Vec<u8>, Timestamp>,
}

impl Reader {
    /// What a comparison of `tree`, the index and the working tree under the project root has to look at.
    pub(super) fn candidates(
        &self,
        tree: Option<&Tree<'_>>,
        untracked: bool,
    ) -> anyhow::Result<Candidates> {
        #[cfg(target_os = "linux")]
        if let Some(candidates) = self.own_walk(tree, untracked)? {
            return Ok(candidates);
        }
        #[cfg(not(target_os = "linux"))]
        let _ = (tree, untracked);
        Ok(Candidates {
            index: self.index()?,
            staged: None,
            walked: None,
        })
    }
}

#[cfg(target_os = "linux")]
mod own {
    use std::collections::BTreeMap;
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::sync::Arc;

    use git2::{FileMode, Index, Oid, Tree};

    use super::{Blob, Candidates, Walked};
    use crate::git::Misread;
    use crate::git::index::{Entry, RawIndex};
    use crate::git::libgit2::Reader;
    use crate::git::rules::Rules;
    use crate::git::status::Status;
    use crate::git::walk::{Folder, Found, Question, Trust, Walk};
    use crate::git::{text, treediff};

    /// Where a file of rules is.
    enum Above {
        File(PathBuf),
        Nothing,
        /// In the index, or nowhere that this reads.
        Elsewhere,
    }

    impl Reader {
        /// None where the repository is one that the walk does not know.
        pub(super) fn own_walk(
            &self,
            tree: Option<&Tree<'_>>,
            untracked: bool,
        ) -> anyhow::Result<Option<Candidates>> {
            let Some(top) = self.repository.workdir() else {
                return Ok(None);
            };
            if self.settings.ignores_case {
                return Ok(None);
            }
            let Some(raw) = self.raw_index()? else {
                return Ok(None);
            };
            let staged = treediff::differing(&self.repository, &raw, tree, &self.prefix)?;
            let found = self.walk(&raw, top, untracked)?;
            if found.misread {
                return Err(Misread.into());
            }
            let suspects: Vec<usize> = found.suspects.iter().map(|(at, _)| *at).collect();
            let mut index = self.excerpt(&raw, &staged.entries, &suspects)?;
            // Attributes, line ends and submodules are looked up in the repository's index.
            self.repository.set_index(&mut index)?;
            let path = |at: usize| Some(raw.get(at)?.path.to_vec());
            let seen = found.suspects.iter().chain(&found.rewritten);
            let times = seen.filter_map(|&(at, time)| Some((path(at)?, time?)));
            let rewritten = found.rewritten.iter().filter_map(|&(at, _)| {
                let entry = raw.get(at)?;
                let blob = Blob {
                    id: Oid::from_bytes(entry.id()).ok()?,
                    mode: match entry.mode() & 0o111 {
                        0 => FileMode::Blob,
                        _ => FileMode::BlobExecutable,
                    },
                };
                Some((entry.path.to_vec(), blob))
            });
            Ok(Some(Candidates {
                index,
                staged: Some(staged.paths),
                walked: Some(Walked {
                    times: times.collect(),
                    suspects: suspects.into_iter().filter_map(path).collect(),
                    rewritten: rewritten.collect(),
                    untracked: found.untracked,
                }),
            }))
        }

        /// The index as it is on disk now; None where it is of a kind that is not known here.
        pub(in crate::git) fn raw_index(&self) -> anyhow::Result<Option<Arc<RawIndex>>> {
            let path = self.repository.path().join("index");
            let last = self.last_index.take();
            let index = match last.filter(|index| index.is_from(&path)) {
                Some(index) => Some(index),
                None => RawIndex::read(&path)?.map(Arc::new),
            };
            self.last_index.replace(index.clone());
            Ok(index)
        }

        fn walk(&self, raw: &RawIndex, top: &Path, untracked: bool) -> anyhow::Result<Found> {
            let trust = Trust {
                ctime: self.settings.trusts_ctime,
                owner: !self.settings.checks_little,
                mode: self.settings.has_modes,
                skipped: self.settings.expects_no_skipped,
            };
            let walk = Walk::new(raw, trust, top)?;
            let rules = self.rules(raw, top);
            let conversions = self.conversions(raw, top);
            let mut found = Found {
                misread: conversions.is_misread()
                    || untracked && (rules.is_misread() || rules.misreads_folder(&self.prefix)),
                ..Found::default()
            };
            let mut folders = vec![Folder {
                path: self.prefix.clone(),
                range: raw.beginning_with(&self.prefix, 0..raw.len()),
                rules,
                conversions,
                list: untracked && (self.prefix.is_empty() || !self.ignores(&self.prefix)),
                nested: false,
            }];
            while !folders.is_empty() && !found.misread {
                walk.run(folders, &mut found);
                folders = Vec::new();
                for question in found.questions.drain(..) {
                    match question {
                        Question::File(path) => {
                            if !self.ignores(&path) {
                                found.untracked.push(Status::untracked(path, None));
                            }
                        }
                        Question::Folder(mut folder) => {
                            folder.list = !self.ignores(&folder.path);
                            if folder.list || !folder.range.is_empty() {
                                folders.push(folder);
                            }
                        }
                    }
                }
            }
            Ok(found)
        }

        /// The ignore rules that hold around the project root (gitignore(5)).
        fn rules(&self, raw: &RawIndex, top: &Path) -> Arc<Rules> {
            let mut files = self.common_files(top, self.settings.excludes.as_deref(), "ignore");
            files.push(self.repository.commondir().join("info/exclude"));
            let none = Arc::default();
            let common = files
                .iter()
                .fold(none, |rules, file| Rules::with(&rules, file));
            let above = self.above(".gitignore");
            let above =
                above.map(|path| self.above_is(raw, top, &path, |entry| entry.is_skipped()));
            gathered(common, above, Rules::with)
        }

        /// What may convert the content of files around the project root (gitattributes(5)).
        fn conversions(&self, raw: &RawIndex, top: &Path) -> Arc<Rules> {
            let rules = match self.settings.converts_line_ends {
                true => Rules::all_line_ends(),
                false => Arc::default(),
            };
            let mut files =
                self.common_files(top, self.settings.attributes.as_deref(), "attributes");
            files.push(PathBuf::from("/etc/gitattributes"));
            files.push(self.repository.commondir().join("info/attributes"));
            let common = files
                .iter()
                .fold(rules, |rules, file| Rules::with_conversions(&rules, file));
            let above = self.above(".gitattributes");
            let above = above.map(|path| self.above_is(raw, top, &path, |_| true));
            gathered(common, above, Rules::with_conversions)
        }

        /// Where git reads a file of rules above the project root, whose entry of the index counts in its absence where
        /// it is `meant`.
        fn above_is(
            &self,
            raw: &RawIndex,
            top: &Path,
            path: &[u8],
            meant: impl Fn(&Entry<'_>) -> bool,
        ) -> Above {
            let Some(file) = text::from_git(path).map(|path| top.join(path)) else {
                return Above::Elsewhere;
            };
            let mut entries = raw.entries(raw.file(0, path, 0..raw.len()));
            match fs::symlink_metadata(&file) {
                // git follows no link here.
                Ok(metadata) if metadata.is_symlink() => Above::Elsewhere,
                Ok(_) => Above::File(file),
                Err(_) if entries.any(|(_, entry)| meant(&entry)) => Above::Elsewhere,
                Err(_) => Above::Nothing,
            }
        }

        /// The person's own files of one kind: the one that a setting names, or those in the usual places.
        fn common_files(&self, top: &Path, set: Option<&Path>, usual: &str) -> Vec<PathBuf> {
            match set {
                Some(file) => vec![top.join(file)],
                None => {
                    let excludes = self.excludes.iter();
                    excludes.map(|file| file.with_file_name(usual)).collect()
                }
            }
        }

        /// The paths of a name in the folders of the working tree around the project root, from the top.
        fn above(&self, name: &str) -> impl Iterator<Item = Vec<u8>> {
            let slashes = self.prefix.iter().enumerate();
            let slashes = slashes.filter(|(_, byte)| **byte == b'/');
            slashes.map(move |(at, _)| {
                let start = self.prefix[..at].iter().rposition(|&byte| byte == b'/');
                let folder = &self.prefix[..start.map_or(0, |slash| slash + 1)];
                [folder, name.as_bytes()].concat()
            })
        }

        /// An index of the entries to compare, and of all that libgit2 looks up beside them.
        fn excerpt(
            &self,
            raw: &RawIndex,
            staged: &[usize],
            suspects: &[usize],
        ) -> Result<Index, git2::Error> {
            let mut chosen: BTreeMap<usize, bool> = BTreeMap::new();
            chosen.extend(raw.beside.iter().map(|&at| (at, false)));
            chosen.extend(staged.iter().map(|&at| (at, false)));
            chosen.extend(suspects.iter().map(|&at| (at, true)));
            let mut index = Index::new()?;
            for (at, suspect) in chosen {
                if let Some(entry) = raw.get(at) {
                    index.add(&entry.to_git2(suspect)?)?;
                }
            }
            Ok(index)
        }
    }

    /// The rules with those of the files above the project root, from the top.
    fn gathered(
        common: Arc<Rules>,
        mut above: impl Iterator<Item = Above>,
        add: fn(&Arc<Rules>, &Path) -> Arc<Rules>,
    ) -> Arc<Rules> {
        let gathered = above.try_fold(common, |rules, file| match file {
            Above::File(file) => Ok(add(&rules, &file)),
            Above::Nothing => Ok(rules),
            Above::Elsewhere => Err(Rules::misread(&rules)),
        });
        gathered.unwrap_or_else(|misread| misread)
    }
}
