//! This program in the place of a git command that is not there: the few questions that are asked of git, answered
//! through libgit2 in git's own forms.
//!
//! It runs in a process of its own. libgit2 reads what others wrote, and what it makes of that may be slow, large or the
//! end of the process: so neither server nor hook ends with it, and what is cut off is over.

use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::path::Path;

use anyhow::{Context as _, anyhow, bail};
use git2::{
    DiffDelta, DiffFile, DiffOptions, ErrorCode, FileMode, IndexEntry, Oid, Repository,
    RepositoryOpenFlags, Sort, Status, StatusEntry, StatusOptions, Tree,
};

use super::porcelain::{SUBMODULE, empty_tree};
use crate::files::names;
use crate::process::bound_memory;

/// The first argument by which this program answers as git; the folder comes next.
pub(crate) const SUBSTITUTE: &str = "__answer-as-git";

/// The exit status of git where something goes wrong.
const FATAL: u8 = 128;
/// Bytes that a commit or a tree may have, which libgit2 reads whole; some 800,000 files in one folder.
const LARGEST: usize = 1 << 25;

/// Bytes of memory that an answer may take, with room for the index of a million files. A tree below the first one is told
/// by them alone.
const MEMORY: u64 = 512 << 20;

/// Answers one question about the repository around a folder; gives the exit status.
pub(crate) fn answer(args: &[OsString], folder: &Path, output: &mut dyn Write) -> u8 {
    let args: Vec<&str> = args.iter().filter_map(|arg| arg.to_str()).collect();
    bound_memory(MEMORY);
    match Source::open(folder).and_then(|source| source.answer(&args, output)) {
        Ok(status) => status,
        Err(error) => {
            // There is nobody else to tell.
            let _ = writeln!(io::stderr(), "fatal: {}", plain(&error));
            FATAL
        }
    }
}

/// A repository that libgit2 can open, seen from the project root.
struct Source {
    repository: Repository,
    /// The project root inside the working tree, with a final `/`; empty where they are the same.
    prefix: Vec<u8>,
}

impl Source {
    fn open(root: &Path) -> anyhow::Result<Self> {
        let root = root.canonicalize()?;
        let none: [&std::ffi::OsStr; 0] = [];
        let opened = Repository::open_ext(&root, RepositoryOpenFlags::empty(), none);
        // In the words of git, which the reader knows.
        let repository = opened.map_err(|error| match error.code() {
            ErrorCode::NotFound if root.join(".git").is_file() => anyhow!("not a git repository"),
            ErrorCode::NotFound => {
                anyhow!("not a git repository (or any of the parent directories)")
            }
            ErrorCode::Owner => anyhow!("detected dubious ownership"),
            _ => anyhow!(message(&error)),
        })?;
        let top = repository
            .workdir()
            .context("this operation must be run in a work tree")?;
        let top = top.canonicalize()?;
        if root.starts_with(repository.path().canonicalize()?) {
            bail!("this operation must be run in a work tree");
        }
        let prefix = names::prefix(&top, &root);
        let prefix = prefix.context("the project root is outside the working tree")?;
        // libgit2 takes a HEAD that reftable keeps elsewhere for the branch `.invalid`.
        let head = repository.find_reference("HEAD");
        if head.is_ok_and(|head| head.symbolic_target_bytes() == Some(b"refs/heads/.invalid")) {
            bail!("only the git command knows the form of its references");
        }
        Ok(Self { repository, prefix })
    }

    /// Fails where HEAD or a commit that a question names is of a size that nobody makes: a few bytes of a clone can
    /// stand for a gigabyte. The header says how many before anything else is read.
    fn refuse_bombs(&self, args: &[&str]) -> anyhow::Result<()> {
        let odb = self.repository.odb()?;
        let refuse = |id: Oid| match odb.read_header(id) {
            Ok((size, _)) if size > LARGEST => bail!("object {id} has {size} bytes"),
            // What is not there is told by the answer.
            Ok(_) | Err(_) => Ok(()),
        };
        let words = args
            .iter()
            .flat_map(|arg| arg.split(|c: char| !c.is_ascii_hexdigit()));
        let named = words
            .filter(|word| word.len() == ID)
            .filter_map(|word| Oid::from_str(word).ok());
        let head = self.repository.refname_to_id("HEAD").ok();
        for id in named.chain(head) {
            refuse(id)?;
            if let Ok(commit) = self.repository.find_commit(id) {
                refuse(commit.tree_id())?;
            }
        }
        Ok(())
    }

    fn answer(&self, args: &[&str], output: &mut dyn Write) -> anyhow::Result<u8> {
        self.refuse_bombs(args)?;
        match args {
            ["status", ..] => self.status(output)?,
            ["diff-tree", .., base, head, "--", "."] => self.moved(base, head, output)?,
            ["rev-list", "--left-right", "--count", range, "--"] => self.count(range, output)?,
            ["rev-list", "--topo-order", most, _, _, range, "--"] => {
                self.subjects(most, range, output)?;
            }
            ["check-ignore", .., path] => {
                let path = path.strip_prefix("./").unwrap_or(path);
                let path = [&self.prefix, path.as_bytes()].concat();
                let path = names::from_git(&path).context("a name is not valid Unicode")?;
                return Ok(u8::from(!self.repository.is_path_ignored(path)?));
            }
            ["ls-files", .., "--", top] => self.staged(top, output)?,
            ["cat-file", form] => {
                self.objects(*form == "--batch", &mut io::stdin().lock(), output)?
            }
            ["rev-parse", "--show-toplevel"] => {
                let top = self.repository.workdir().unwrap_or(Path::new(""));
                writeln!(output, "{}", top.display())?;
            }
            _ => bail!("`{}` cannot be answered without git", args.join(" ")),
        }
        Ok(0)
    }

    /// The objects of the names that are read, as `git cat-file` prints them.
    fn objects(
        &self,
        whole: bool,
        names: &mut dyn BufRead,
        output: &mut dyn Write,
    ) -> anyhow::Result<()> {
        let odb = self.repository.odb()?;
        for name in names.split(b'\n') {
            let name = name?;
            let text = std::str::from_utf8(&name).ok();
            self.refuse_bombs(text.as_slice())?;
            let found = text.and_then(|name| self.repository.revparse_single(name).ok());
            let Some(id) = found.map(|object| object.id()) else {
                output.write_all(&[&name, &b" missing\n"[..]].concat())?;
                continue;
            };
            let (size, kind) = odb.read_header(id)?;
            writeln!(output, "{id} {kind} {size}")?;
            if whole {
                output.write_all(&[odb.read(id)?.data(), b"\n"].concat())?;
            }
        }
        Ok(())
    }

    /// HEAD's commit, None before the first one, and its branch, None where it is detached.
    fn head(&self) -> anyhow::Result<(Option<Oid>, Option<String>)> {
        let head = self.repository.find_reference("HEAD")?;
        let branch = head.symbolic_target_bytes().map(|name| {
            let name = name.strip_prefix(b"refs/heads/").unwrap_or(name);
            String::from_utf8_lossy(name).into_owned()
        });
        let commit = match self.repository.head() {
            Ok(head) => head.peel_to_commit().map(|commit| Some(commit.id())),
            Err(error) if error.code() == ErrorCode::UnbornBranch => Ok(None),
            Err(error) => Err(error),
        };
        Ok((commit.context("could not read HEAD")?, branch))
    }

    fn options(&self) -> DiffOptions {
        let mut options = DiffOptions::new();
        options
            .disable_pathspec_match(true)
            .include_typechange(true);
        if let Some(root) = self.prefix.strip_suffix(b"/") {
            options.pathspec(root);
        }
        options
    }

    fn status(&self, output: &mut dyn Write) -> anyhow::Result<()> {
        let (commit, branch) = self.head()?;
        let commit = commit.map_or("(initial)".to_owned(), |id| id.to_string());
        let branch = branch.unwrap_or("(detached)".to_owned());
        write!(output, "# branch.oid {commit}\0# branch.head {branch}\0")?;
        let mut options = StatusOptions::new();
        options
            .include_untracked(true)
            .recurse_untracked_dirs(true)
            .renames_head_to_index(true)
            .disable_pathspec_match(true);
        if let Some(root) = self.prefix.strip_suffix(b"/") {
            options.pathspec(root);
        }
        for entry in self.repository.statuses(Some(&mut options))?.iter() {
            self.write_entry(&entry, output)?;
        }
        Ok(())
    }

    fn write_entry(&self, entry: &StatusEntry<'_>, output: &mut dyn Write) -> anyhow::Result<()> {
        let staged = entry.head_to_index();
        // Of a rename the entry itself names what it was before.
        let renamed = staged
            .as_ref()
            .filter(|_| entry.status().is_index_renamed());
        let renamed = renamed.and_then(|staged| staged.new_file().path_bytes());
        let (status, path) = (entry.status(), renamed.unwrap_or(entry.path_bytes()));
        if status.is_conflicted() {
            let index = self.repository.index()?;
            let is_ours = |it: &IndexEntry| it.path == path && it.flags >> 12 & 3 == OURS;
            let ours = index.iter().find(is_ours);
            let (mode, id) = ours.map_or((0, Oid::ZERO_SHA1), |it| (it.mode, it.id));
            let modes = format!("{mode:06o} {mode:06o} {mode:06o} {mode:06o}");
            write!(output, "u UU N... {modes} {id} {id} {id} ")?;
            return Ok(output.write_all(&[path, b"\0"].concat())?);
        }
        let (x, y) = codes(status);
        let found = entry.index_to_workdir();
        if (x, y) != ('.', '.') {
            let found = found.as_ref().filter(|_| !status.is_wt_new());
            let index = || {
                let staged = staged.as_ref().map(DiffDelta::new_file);
                staged.or(found.map(DiffDelta::old_file))
            };
            let head = staged.as_ref().map(DiffDelta::old_file).or_else(index);
            let (head_mode, head_id) = mode_and_id(head);
            let (index_mode, index_id) = mode_and_id(index());
            let (mode, _) = mode_and_id(found.map(DiffDelta::new_file).or_else(index));
            let kind = if x == 'R' { 2 } else { 1 };
            let modes = format!("{head_mode:06o} {index_mode:06o} {mode:06o}");
            write!(output, "{kind} {x}{y} N... {modes} {head_id} {index_id} ")?;
            let from = staged
                .as_ref()
                .and_then(|staged| staged.old_file().path_bytes());
            match from.filter(|_| x == 'R') {
                Some(from) => output.write_all(&[b"R100 ", path, b"\0", from, b"\0"].concat())?,
                None => output.write_all(&[path, b"\0"].concat())?,
            }
        }
        if status.is_wt_new() {
            output.write_all(&[b"? ", path, b"\0"].concat())?;
        }
        Ok(())
    }

    /// The tree of a commit; None for the id of the tree without entries.
    fn tree(&self, name: &str) -> anyhow::Result<Option<Tree<'_>>> {
        if name == empty_tree(ID) {
            return Ok(None);
        }
        Ok(Some(self.repository.revparse_single(name)?.peel_to_tree()?))
    }

    fn moved(&self, base: &str, head: &str, output: &mut dyn Write) -> anyhow::Result<()> {
        let (base, head) = (self.tree(base)?, self.tree(head)?);
        let mut options = self.options();
        let (base, head) = (base.as_ref(), head.as_ref());
        let diff = self
            .repository
            .diff_tree_to_tree(base, head, Some(&mut options))?;
        for delta in diff.deltas() {
            let (old, new) = (delta.old_file(), delta.new_file());
            let Some(path) = new.path_bytes().or(old.path_bytes()) else {
                continue;
            };
            let ((old_mode, old_id), (new_mode, new_id)) =
                (mode_and_id(Some(old)), mode_and_id(Some(new)));
            write!(
                output,
                ":{old_mode:06o} {new_mode:06o} {old_id} {new_id} M\0"
            )?;
            output.write_all(&[path, b"\0"].concat())?;
        }
        Ok(())
    }

    fn count(&self, range: &str, output: &mut dyn Write) -> anyhow::Result<()> {
        let base = range.strip_suffix("...HEAD").context("no range")?;
        let base = Oid::from_str(base)?;
        let head = self.head()?.0.context("HEAD has no commit")?;
        let (ahead, behind) = self.repository.graph_ahead_behind(head, base)?;
        Ok(writeln!(output, "{behind}\t{ahead}")?)
    }

    fn subjects(&self, most: &str, range: &str, output: &mut dyn Write) -> anyhow::Result<()> {
        let most = most
            .strip_prefix("--max-count=")
            .context("no limit")?
            .parse()?;
        let base = range.strip_suffix("..HEAD").context("no range")?;
        let mut walk = self.repository.revwalk()?;
        walk.set_sorting(Sort::TOPOLOGICAL | Sort::TIME)?;
        walk.push_head()?;
        walk.hide(Oid::from_str(base)?)?;
        for id in walk.take(most) {
            let commit = self.repository.find_commit(id?)?;
            let subject = commit.summary_bytes().unwrap_or_default();
            output.write_all(&[b"\t", subject, b"\n"].concat())?;
        }
        Ok(())
    }

    /// The index's entries at and below a name, in whatever case, relative to the project root.
    fn staged(&self, spec: &str, output: &mut dyn Write) -> anyhow::Result<()> {
        let (_, top) = spec.split_once(')').unwrap_or(("", spec));
        for entry in self.repository.index()?.iter() {
            let Some(path) = entry.path.strip_prefix(self.prefix.as_slice()) else {
                continue;
            };
            let first = path.split(|&byte| byte == b'/').next().unwrap_or_default();
            if first.eq_ignore_ascii_case(top.as_bytes()) {
                write!(output, "{:06o} {} 0\t", entry.mode, entry.id)?;
                output.write_all(&[path, b"\0"].concat())?;
            }
        }
        Ok(())
    }
}

/// The stage of an index's entry that is HEAD's side of a conflict (gitformat-index(5)).
const OURS: u16 = 2;

/// Characters of an object id, of the only format that libgit2 reads.
const ID: usize = 40;

/// git's two letters, but for what is untracked.
fn codes(status: Status) -> (char, char) {
    let first = |letters: &[(Status, char)]| {
        let found = letters.iter().find(|(flag, _)| status.contains(*flag));
        found.map_or('.', |(_, letter)| *letter)
    };
    let index = [
        (Status::INDEX_NEW, 'A'),
        (Status::INDEX_DELETED, 'D'),
        (Status::INDEX_RENAMED, 'R'),
        (Status::INDEX_MODIFIED, 'M'),
        (Status::INDEX_TYPECHANGE, 'T'),
    ];
    let worktree = [
        (Status::WT_DELETED, 'D'),
        (Status::WT_MODIFIED, 'M'),
        (Status::WT_TYPECHANGE, 'T'),
    ];
    (first(&index), first(&worktree))
}

/// What one side of a comparison has, in the numbers that git prints.
fn mode_and_id(file: Option<DiffFile<'_>>) -> (u32, Oid) {
    let file = file.filter(|file| file.mode() != FileMode::Unreadable);
    file.map_or((0, Oid::ZERO_SHA1), |file| {
        let mode = match file.mode() {
            FileMode::Commit => SUBMODULE,
            mode => u32::from(mode),
        };
        (mode, file.id())
    })
}

/// What libgit2 says, without the class and code that its errors show beside it.
fn plain(error: &anyhow::Error) -> String {
    let causes = error.chain().map(|cause| match cause.downcast_ref() {
        Some(error) => message(error),
        None => cause.to_string(),
    });
    causes.collect::<Vec<_>>().join(": ")
}

/// libgit2's message as the end of a sentence.
fn message(error: &git2::Error) -> String {
    error.message().trim_end_matches('.').to_owned()
}
