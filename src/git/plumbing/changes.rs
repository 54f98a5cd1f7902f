//! Which paths differ, from what git compares.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, bail};

use super::Asker;
use crate::checkpoint::format::FileStatus;
use crate::git::Untracked;
use crate::git::porcelain::{Record, fields};
use crate::git::status::{Found, Staged, Status, combined};
use crate::git::submodule::{Link, Listing};

impl Asker {
    /// Everything under the project root that is uncommitted or untracked.
    pub(in crate::git) fn changes(&self, untracked: Untracked) -> anyhow::Result<Listing> {
        let submodules = self.submodules()?;
        let mut args = vec![
            "status",
            "--porcelain=v2",
            "-z",
            "--ignore-submodules=dirty",
            "--no-renames",
        ];
        match untracked {
            Untracked::All => args.push("--untracked-files=all"),
            Untracked::AsConfigured => {}
            Untracked::None => args.push("--untracked-files=no"),
        }
        let output = self.under_root(&args, &submodules.closed())?;
        let mut staged_links: BTreeMap<&[u8], Staged> = BTreeMap::new();
        let mut codes: BTreeMap<&[u8], (Option<Staged>, Option<Found>)> = BTreeMap::new();
        let mut uncertain = BTreeMap::new();
        for field in fields(&output) {
            let record = Record::parse(field)
                .with_context(|| format!("git: `{}` is no status", field.escape_ascii()))?;
            let (staged, found) = record.codes();
            if record.is_submodule {
                staged_links.extend(staged.map(|staged| (record.path, staged)));
                continue;
            }
            if let (None, Some(Found::Modified), Some(id)) = (staged, found, record.same_mode) {
                uncertain.insert(record.path.to_vec(), id.to_owned());
            }
            let known = codes.entry(record.path).or_default();
            *known = (staged.or(known.0), found.or(known.1));
        }
        let same = self.unchanged_by_filters(&uncertain)?;
        let statuses = codes
            .into_iter()
            .filter(|(path, _)| !same.contains(*path))
            .filter_map(|(path, (staged, found))| {
                let path = self.inside(path)?.to_vec();
                Some(Status::new(path, combined(staged, found)))
            });
        let links = submodules.all.iter().filter_map(|(path, id)| {
            let staged = staged_links.get(path.as_slice()).copied();
            let link = Link::uncommitted(self.inside(path)?.to_vec(), id.clone(), staged);
            Some(link.unless_unseen(submodules.unseen.contains(path)))
        });
        Ok(Listing {
            statuses: statuses.collect(),
            links: links.collect(),
        })
    }

    /// Where the working tree under the project root differs from `base`; an empty tree where it is None.
    pub(in crate::git) fn changes_since(&self, base: Option<&str>) -> anyhow::Result<Listing> {
        let submodules = self.submodules()?;
        let closed = submodules.closed();
        let base = match base {
            Some(commit) => self
                .commit(commit)?
                .with_context(|| format!("there is no commit {commit}"))?,
            None => {
                let id = self.git.output(&["hash-object", "-t", "tree", "--stdin"])?;
                String::from_utf8_lossy(&id).trim_end().to_owned()
            }
        };
        let args = ["diff-index", "--raw", "-z", "--no-abbrev", "--no-renames"];
        let plain = [
            "--no-ext-diff",
            "--no-textconv",
            "--ignore-submodules=dirty",
            &base,
        ];
        let output = self.under_root(&[&args[..], &plain].concat(), &closed)?;
        let mut statuses = BTreeMap::new();
        let mut uncertain = BTreeMap::new();
        let mut links = Vec::new();
        let mut told = BTreeSet::new();
        let mut parts = fields(&output);
        while let (Some(meta), Some(path)) = (parts.next(), parts.next()) {
            let meta = std::str::from_utf8(meta)?;
            let mut parts = meta.trim_start_matches(':').split(' ');
            let (Some(old), Some(new), Some(id), Some(_), Some(code)) = (
                parts.next(),
                parts.next(),
                parts.next(),
                parts.next(),
                parts.next(),
            ) else {
                bail!("git: `{meta}` is no difference");
            };
            if let Some(link) = self.link_since(path, (old, id, code), &submodules) {
                told.insert(path);
                links.push(link.unless_unseen(submodules.unseen.contains(path)));
                continue;
            }
            // What the index no longer has may still be there, untracked or ignored.
            let here = (code == "D").then(|| self.mode(path)).flatten();
            let (code, new) = here.map_or((code, new), |mode| ("M", mode));
            let status = match code {
                "A" => FileStatus::Added,
                "D" => FileStatus::Deleted,
                "U" => FileStatus::Unmerged,
                _ => FileStatus::Modified,
            };
            if code == "M" && old == new && self.mode(path).is_some() {
                uncertain.insert(path.to_vec(), id.to_owned());
                continue;
            }
            // A conflict is told twice, the second time with what the working tree has.
            statuses.insert(path.to_vec(), status);
        }
        let others = ["ls-files", "-z", "--others", "--exclude-standard"];
        let untracked = self.under_root(&others, &closed)?;
        for path in fields(&untracked) {
            let path = path.strip_suffix(b"/").unwrap_or(path).to_vec();
            if !uncertain.contains_key(&path) && !told.contains(path.as_slice()) {
                // What the base has and the index has not is here, and is not the same.
                statuses
                    .entry(path)
                    .and_modify(|status| *status = FileStatus::Modified)
                    .or_insert(FileStatus::Untracked);
            }
        }
        for path in self.differing(uncertain)? {
            statuses.insert(path, FileStatus::Modified);
        }
        let alike = submodules.all.iter();
        let alike = alike.filter(|(path, _)| !told.contains(path.as_slice()));
        links.extend(alike.filter_map(|(path, id)| {
            let link = Link::alike(self.inside(path)?.to_vec(), id.clone());
            Some(link.unless_unseen(submodules.unseen.contains(path)))
        }));
        let statuses = statuses
            .into_iter()
            .filter_map(|(path, status)| Some(Status::new(self.inside(&path)?.to_vec(), status)));
        Ok(Listing {
            statuses: statuses.collect(),
            links,
        })
    }
}
