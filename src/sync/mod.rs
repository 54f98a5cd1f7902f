//! How machines exchange checkpoints: each owns one ref of a git remote and reads the others' (docs/contract.md, section 18).
//!
//! The git command does all of it, in a scratch repository that is deleted afterwards. The project's repository is asked
//! only for a few of its settings. Whatever comes from a remote is taken to be hostile: its size is bounded here, and
//! whoever reads it judges what it is.

mod git;
mod machine;
mod names;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, bail};
use jiff::{SignedDuration, Timestamp};

use crate::env::Env;
use crate::error::failure;
use crate::files::hash::blob_id;
use crate::process::Answer;
use git::{Allowed, Git};
pub(crate) use machine::Machine;
pub(crate) use names::{machine as machine_name, project as project_name};

/// The most files that are read from one machine, and sent from this one.
pub(crate) const FILES: usize = 500;
/// The largest file that is read, in bytes.
const FILE_BYTES: u64 = 65_536;
/// The most machines that are read.
const MACHINES: usize = 100;
/// The most bytes of all files together.
const BYTES: u64 = 128 << 20;
/// The most bytes that `git cat-file --batch` prints for an object besides its content.
const HEADER: u64 = 128;
/// The file by which a machine recognises its own ref.
const OWNER: &str = "_machine";
const REFS: &str = "refs/ckpt";
/// What the names of scratch repositories begin with.
const SCRATCH: &str = "ckpt-sync-";
/// From what age on a scratch repository must be one that a killed sync left behind.
const LEFT_BEHIND: SignedDuration = SignedDuration::from_hours(1);

/// What a project says of the remote to use.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    /// `ckpt.sync`: a URL, or the name of a remote.
    pub(crate) remote: Option<String>,
    /// `ckpt.machine`.
    pub(crate) machine: Option<String>,
    /// The URL of each remote by its name.
    pub(crate) urls: BTreeMap<String, String>,
}

/// Reads the settings that git has for a folder, which need not be in a repository.
///
/// Fails where there is no git command.
pub(crate) fn settings(env: &Env, project: &Path) -> anyhow::Result<Settings> {
    let git = Git::new(env, project)?;
    let args = [
        "config",
        "--null",
        "--get-regexp",
        r"^(ckpt\.|remote\..*\.url$)",
    ];
    let mut settings = Settings::default();
    // The status is 1 where nothing matches.
    let answer = git.run(project, &args, Vec::new(), Allowed::short())?;
    let said = git::ended_with(answer, &[0, 1]).context("could not read git's settings")?;
    for entry in said.output.split(|byte| *byte == 0) {
        let entry = String::from_utf8_lossy(entry);
        let Some((name, value)) = entry.split_once('\n') else {
            continue;
        };
        let value = Some(value.to_owned()).filter(|value| !value.is_empty());
        match name {
            "ckpt.sync" => settings.remote = value,
            "ckpt.machine" => settings.machine = value,
            _ => {
                let remote = name
                    .strip_prefix("remote.")
                    .and_then(|name| name.strip_suffix(".url"));
                if let (Some(remote), Some(url)) = (remote, value) {
                    // git takes the first of several.
                    settings.urls.entry(remote.to_owned()).or_insert(url);
                }
            }
        }
    }
    Ok(settings)
}

/// A remote, seen from one machine of one project.
pub(crate) struct Remote {
    git: Git,
    scratch: tempfile::TempDir,
    url: String,
    project: String,
    machine: String,
}

/// What the remote holds.
#[derive(Debug, Default)]
pub(crate) struct Held {
    /// What is kept under this machine's own name.
    pub(crate) own: Option<Shelf>,
    pub(crate) others: Vec<Shelf>,
    /// What could not be read or was left out.
    pub(crate) warnings: Vec<String>,
}

/// What one machine sent.
#[derive(Debug)]
pub(crate) struct Shelf {
    pub(crate) machine: String,
    commit: String,
    /// Who owns the ref; None where it does not say.
    pub(crate) owner: Option<String>,
    listed: Vec<Listed>,
    /// Names and bytes as they came; of this machine's own ref those that [`Remote::read_own`] was asked for.
    pub(crate) files: Vec<(String, Vec<u8>)>,
}

/// An entry of a machine's tree.
#[derive(Debug)]
struct Listed {
    name: String,
    id: String,
    size: u64,
}

impl Remote {
    /// Prepares a scratch repository; nothing is asked of the remote yet.
    pub(crate) fn new(
        env: &Env,
        root: &Path,
        url: &str,
        project: &str,
        machine: &str,
    ) -> anyhow::Result<Self> {
        let scratch = tempfile::Builder::new()
            .prefix(SCRATCH)
            .tempdir()
            .context("could not make a folder for the exchange")?;
        sweep(scratch.path(), env.now);
        let remote = Self {
            git: Git::new(env, root)?,
            scratch,
            url: url.to_owned(),
            project: project.to_owned(),
            machine: machine.to_owned(),
        };
        let init = ["init", "--quiet", "--bare", "--template="];
        let answer = remote.run(&init, Vec::new(), Allowed::short())?;
        git::succeeded(answer).context("could not make a repository for the exchange")?;
        Ok(remote)
    }

    fn run(&self, args: &[&str], input: Vec<u8>, allowed: Allowed) -> anyhow::Result<Answer> {
        self.git.run(self.scratch.path(), args, input, allowed)
    }

    fn reference(&self, machine: &str) -> String {
        format!("{REFS}/{}/{machine}", self.project)
    }

    /// Reads what every machine sent for the project.
    pub(crate) fn read(&self) -> anyhow::Result<Held> {
        let mut held = Held::default();
        let machines = self.machines(&mut held.warnings)?;
        if machines.is_empty() {
            return Ok(held);
        }
        let mut fetch = vec![
            "fetch".to_owned(),
            "--quiet".to_owned(),
            "--no-tags".to_owned(),
            "--depth=1".to_owned(),
            "--no-write-fetch-head".to_owned(),
            "--no-auto-maintenance".to_owned(),
            "--no-recurse-submodules".to_owned(),
            "--".to_owned(),
            self.url.clone(),
        ];
        fetch.extend(machines.keys().map(|machine| {
            let reference = self.reference(machine);
            format!("+{reference}:{reference}")
        }));
        let fetch: Vec<&str> = fetch.iter().map(String::as_str).collect();
        let answer = self.run(&fetch, Vec::new(), Allowed::remote());
        let answer = answer.and_then(git::succeeded);
        answer.context("could not fetch from the remote")?;
        let mut shelves = Vec::new();
        for (machine, commit) in machines {
            match self.shelf(&machine, commit, &mut held.warnings) {
                Ok(shelf) => shelves.push(shelf),
                Err(error) if machine == self.machine => return Err(error),
                Err(error) => held.warnings.push(format!(
                    "what machine `{machine}` sent cannot be read: {error:#}"
                )),
            }
        }
        // This machine's own comes first, so that there is always room for it.
        shelves.sort_by_key(|shelf| shelf.machine != self.machine);
        self.fill(&mut shelves, &mut held.warnings)?;
        for shelf in shelves {
            match shelf.machine == self.machine {
                true => held.own = Some(shelf),
                false => held.others.push(shelf),
            }
        }
        Ok(held)
    }

    /// The machines that have a ref, each with its commit.
    fn machines(&self, warnings: &mut Vec<String>) -> anyhow::Result<BTreeMap<String, String>> {
        let pattern = self.reference("*");
        let list = ["ls-remote", "--refs", "--", &self.url, &pattern];
        let answer = self.run(&list, Vec::new(), Allowed::remote());
        let said = answer.and_then(git::succeeded);
        let said = said.context("could not read the remote")?;
        if said.is_cut {
            bail!(failure(
                "the remote lists more refs than machines can have made",
                "use a repository that holds nothing else",
            ));
        }
        let prefix = self.reference("");
        let mut machines = BTreeMap::new();
        let mut left_out = 0;
        for line in String::from_utf8_lossy(&said.output).lines() {
            let Some((commit, name)) = line.split_once('\t') else {
                continue;
            };
            let Some(machine) = name.strip_prefix(&prefix) else {
                continue;
            };
            // Deeper ones belong to a project whose name begins like this one's.
            if machine.contains('/') {
                continue;
            }
            let is_plain = names::machine(machine).as_deref() == Some(machine);
            let has_room = machines.len() < MACHINES || machine == self.machine;
            if !(is_plain && has_room) {
                left_out += 1;
            } else {
                machines.insert(machine.to_owned(), commit.to_owned());
            }
        }
        if left_out > 0 {
            warnings.push(format!(
                "{left_out} refs of the remote were left out: at most {MACHINES} machines are read, and only those with plain names"
            ));
        }
        Ok(machines)
    }

    /// What a machine sent, but for the contents of its files.
    fn shelf(
        &self,
        machine: &str,
        commit: String,
        warnings: &mut Vec<String>,
    ) -> anyhow::Result<Shelf> {
        Ok(Shelf {
            machine: machine.to_owned(),
            listed: self.listed(machine, &commit, warnings)?,
            commit,
            owner: None,
            files: Vec::new(),
        })
    }

    /// Reads the contents of all machines' files; of this machine only who owns its ref.
    fn fill(&self, shelves: &mut [Shelf], warnings: &mut Vec<String>) -> anyhow::Result<()> {
        let is_read = |shelf: &Shelf, name: &str| shelf.machine != self.machine || name == OWNER;
        let mut room = BYTES;
        let mut input = String::new();
        for shelf in shelves.iter_mut() {
            let read = shelf.listed.iter().filter(|it| is_read(shelf, &it.name));
            let read: Vec<&Listed> = read.collect();
            let size = read.iter().map(|listed| listed.size + HEADER).sum();
            let Some(left) = room.checked_sub(size) else {
                warnings.push(format!(
                    "machine `{}` was left out: all together sent more than {} MiB",
                    shelf.machine,
                    BYTES >> 20
                ));
                shelf.listed.clear();
                continue;
            };
            room = left;
            for listed in read {
                input.push_str(&listed.id);
                input.push('\n');
            }
        }
        let said = self.objects(input)?;
        let mut rest = &said[..];
        for shelf in shelves {
            let is_own = shelf.machine == self.machine;
            for Listed { name, .. } in &shelf.listed {
                if is_own && name != OWNER {
                    continue;
                }
                let (content, after) = object(rest).context("git's answer makes no sense")?;
                rest = after;
                match name.as_str() {
                    OWNER => shelf.owner = Some(String::from_utf8_lossy(content).trim().to_owned()),
                    _ => shelf.files.push((name.clone(), content.to_vec())),
                }
            }
        }
        Ok(())
    }

    /// Reads the contents of those of this machine's own files that are wanted.
    pub(crate) fn read_own(
        &self,
        own: &mut Shelf,
        is_wanted: impl Fn(&str) -> bool,
    ) -> anyhow::Result<()> {
        let listed = own.listed.iter();
        let wanted = listed.filter(|it| it.name != OWNER && is_wanted(&it.name));
        let wanted: Vec<&Listed> = wanted.collect();
        if wanted.is_empty() {
            return Ok(());
        }
        let input = wanted.iter().map(|it| format!("{}\n", it.id)).collect();
        let said = self.objects(input)?;
        let mut rest = &said[..];
        for listed in wanted {
            let (content, after) = object(rest).context("git's answer makes no sense")?;
            rest = after;
            own.files.push((listed.name.clone(), content.to_vec()));
        }
        Ok(())
    }

    /// What git prints of objects whose ids stand on a line each.
    fn objects(&self, ids: String) -> anyhow::Result<Vec<u8>> {
        let allowed = Allowed::output(BYTES);
        let answer = self.run(&["cat-file", "--batch"], ids.into_bytes(), allowed)?;
        let said = git::succeeded(answer).context("could not read what machines sent")?;
        Ok(said.output)
    }

    /// The regular files of a machine's tree that are small enough to be checkpoints.
    fn listed(
        &self,
        machine: &str,
        commit: &str,
        warnings: &mut Vec<String>,
    ) -> anyhow::Result<Vec<Listed>> {
        let args = ["ls-tree", "-z", "-l", "--full-tree", commit];
        let said = git::succeeded(self.run(&args, Vec::new(), Allowed::short())?)?;
        let mut entries: Vec<&[u8]> = said.output.split(|byte| *byte == 0).collect();
        // What follows the last NUL is nothing, or an entry that was cut off.
        entries.pop();
        let mut listed = Vec::new();
        let mut left_out = 0;
        for entry in entries {
            match file(entry) {
                Some(file) if listed.len() <= FILES => listed.push(file),
                _ => left_out += 1,
            }
        }
        if left_out > 0 || said.is_cut {
            warnings.push(format!(
                "machine `{machine}` sent more than {FILES} files, or some that are not checkpoints; those were left out"
            ));
        }
        Ok(listed)
    }

    /// Makes a commit of named files and returns its id. The same files always make the same commit.
    pub(crate) fn commit(
        &self,
        owner: &str,
        files: &[(String, Vec<u8>)],
    ) -> anyhow::Result<String> {
        let mut stream = Vec::new();
        stream.extend_from_slice(
            b"feature done\ncommit refs/heads/out\nmark :1\ncommitter ckpt <> 0 +0000\ndata 0\n",
        );
        let owner = (OWNER.to_owned(), format!("{owner}\n").into_bytes());
        for (name, bytes) in std::iter::once(&owner).chain(files) {
            stream.extend_from_slice(
                format!("M 100644 inline {name}\ndata {}\n", bytes.len()).as_bytes(),
            );
            stream.extend_from_slice(bytes);
            stream.push(b'\n');
        }
        stream.extend_from_slice(b"get-mark :1\ndone\n");
        let answer = self.run(&["fast-import", "--quiet"], stream, Allowed::short())?;
        let said =
            git::succeeded(answer).context("could not write the checkpoints for the remote")?;
        Ok(String::from_utf8_lossy(&said.output).trim().to_owned())
    }

    /// Replaces what this machine's ref was when it was read, by a commit or by nothing.
    ///
    /// Fails, leaving the remote as it was, where somebody else wrote to the ref meanwhile.
    pub(crate) fn push(&self, commit: Option<&str>, own: Option<&Shelf>) -> anyhow::Result<()> {
        let reference = self.reference(&self.machine);
        let expected = own.map_or("", |shelf| &shelf.commit);
        let lease = format!("--force-with-lease={reference}:{expected}");
        let refspec = format!("{}:{reference}", commit.unwrap_or_default());
        let args = [
            "push",
            "--quiet",
            "--porcelain",
            "--no-verify",
            "--no-signed",
            "--no-follow-tags",
            "--recurse-submodules=no",
            &lease,
            "--",
            &self.url,
            &refspec,
        ];
        let said = self.run(&args, Vec::new(), Allowed::remote())?;
        if String::from_utf8_lossy(&said.output).contains("stale info") {
            bail!(failure(
                format!(
                    "another machine wrote to `{reference}` at the same moment, so nothing was sent"
                ),
                "run ckpt sync again; if two machines have the same name, give this one another: git config --global ckpt.machine NAME",
            ));
        }
        git::succeeded(said).context("could not send to the remote")?;
        Ok(())
    }
}

impl Shelf {
    /// The files of the checkpoints that it holds.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let names = self.listed.iter().map(|listed| listed.name.as_str());
        names.filter(|name| *name != OWNER)
    }

    /// Whether it holds a file with this name and content.
    pub(crate) fn holds(&self, name: &str, bytes: &[u8]) -> bool {
        let mut listed = self.listed.iter();
        listed.any(|listed| listed.name == name && listed.id == blob_id(&listed.id, bytes))
    }

    /// Whether it is exactly this commit, which [`Remote::commit`] made; the same files make the same one.
    pub(crate) fn is(&self, commit: &str) -> bool {
        self.commit == commit
    }
}

/// Removes the scratch repositories beside this one that killed syncs left behind.
fn sweep(scratch: &Path, now: Timestamp) {
    let beside = scratch
        .parent()
        .and_then(|folder| fs::read_dir(folder).ok());
    for entry in beside.into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_scratch = name.to_str().is_some_and(|name| name.starts_with(SCRATCH));
        // The entry itself, not what a link leads to.
        let Some(metadata) = is_scratch.then(|| entry.metadata().ok()).flatten() else {
            continue;
        };
        let written = metadata.modified().ok().and_then(|at| at.try_into().ok());
        let age = written.map(|at: Timestamp| now.duration_since(at));
        let is_old = age.is_some_and(|age| age > LEFT_BEHIND);
        if metadata.is_dir() && is_old && entry.path() != scratch {
            // Another user's cannot be removed, and stays.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// A regular file of `git ls-tree -l`: mode, type, id and size, then a tab and the name.
fn file(entry: &[u8]) -> Option<Listed> {
    let entry = std::str::from_utf8(entry).ok()?;
    let (facts, name) = entry.split_once('\t')?;
    let mut facts = facts.split_ascii_whitespace();
    let (mode, kind, id, size) = (facts.next()?, facts.next()?, facts.next()?, facts.next()?);
    let size = size.parse().ok().filter(|size| *size <= FILE_BYTES)?;
    (mode == "100644" && kind == "blob").then(|| Listed {
        name: name.to_owned(),
        id: id.to_owned(),
        size,
    })
}

/// The first object of what `git cat-file --batch` prints, and what follows it.
fn object(printed: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = printed.iter().position(|byte| *byte == b'\n')?;
    let header = std::str::from_utf8(&printed[..end]).ok()?;
    let size: usize = header.rsplit_once(' ')?.1.parse().ok()?;
    let content = printed.get(end + 1..)?;
    let after = content.get(size..)?.strip_prefix(b"\n")?;
    Some((&content[..size], after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_follow_each_other_whatever_they_hold() {
        let printed = b"aa blob 3\na\nb\nbb blob 0\n\n";
        let (first, rest) = object(printed).unwrap();
        assert_eq!(first, b"a\nb");
        let (second, rest) = object(rest).unwrap();
        assert_eq!((second, rest), (&b""[..], &b""[..]));
        assert!(object(b"aa missing\n").is_none());
        assert!(object(b"aa blob 9\nshort").is_none());
    }

    #[test]
    fn only_regular_files_of_a_checkpoints_size_are_taken() {
        for (entry, taken) in [
            ("100644 blob aa      12\tone.json", true),
            ("100755 blob aa      12\tone.json", false),
            ("120000 blob aa      12\tone.json", false),
            ("040000 tree aa       -\tone", false),
            ("160000 commit aa       -\tone", false),
            ("100644 blob aa   65536\tone.json", true),
            ("100644 blob aa   65537\tone.json", false),
        ] {
            assert_eq!(file(entry.as_bytes()).is_some(), taken, "{entry}");
        }
    }
}
