//! The facts as libgit2 reads them: HEAD and ignore rules; changes are in [`super::scan`], commits in
//! [`super::history`].

#[cfg(target_os = "linux")]
use std::cell::RefCell;
use std::iter;
use std::path::{Path, PathBuf};
#[cfg(target_os = "linux")]
use std::sync::Arc;

use anyhow::{anyhow, bail};
use git2::{Config, ErrorCode, Oid, RepositoryOpenFlags};
use memchr::memmem;

#[cfg(target_os = "linux")]
use super::index::RawIndex;
use super::settings::Settings;
use super::submodule::{Ignored, MODULES, MODULES_READ};
use super::worktree::{Kind, Worktree};
use super::{Head, Misread, Untracked, pieces, text};

/// A repository that libgit2 can open, seen from the project root.
pub(super) struct Reader {
    pub(super) repository: git2::Repository,
    pub(super) settings: Settings,
    /// The whole working tree of the repository, of which the project may be a subfolder.
    pub(super) worktree: Worktree,
    /// The project root inside the working tree, with a final `/`; empty where they are the same.
    pub(super) prefix: Vec<u8>,
    /// Where ignore rules of the person's own are unless the configuration says otherwise.
    #[cfg_attr(
        not(target_os = "linux"),
        allow(dead_code, reason = "it is for the walk of our own")
    )]
    pub(super) excludes: Vec<PathBuf>,
    /// The index as it was last read.
    #[cfg(target_os = "linux")]
    pub(super) last_index: RefCell<Option<Arc<RawIndex>>>,
}

/// Why libgit2 did not open a repository.
pub(super) enum Unopened {
    Absent,
    /// There is one that must not, or cannot, be read in any way.
    Refused(String),
    /// There is one in a form that libgit2 does not know.
    Unsupported(String),
}

impl Reader {
    /// Looks for a repository from `root` upwards on the same file system, as git does.
    pub(super) fn open(root: &Path, excludes: &[PathBuf]) -> Result<Self, Unopened> {
        if let Some(fault) = pieces::fault(root) {
            return Err(Unopened::Refused(fault));
        }
        // git does not hash what it reads from a pack either, and a walk over history takes a third longer.
        git2::opts::strict_hash_verification(false);
        // Nearly every object is read once; to keep all that a walk over history reads costs memory, and a system
        // call for each page of it.
        git2::opts::enable_caching(false);
        let none: [&std::ffi::OsStr; 0] = [];
        let opened = git2::Repository::open_ext(root, RepositoryOpenFlags::empty(), none);
        let repository = opened.map_err(|error| match error.code() {
            ErrorCode::NotFound if root.join(".git").is_file() => {
                Unopened::Refused("`.git` names a repository that is not there".to_owned())
            }
            ErrorCode::NotFound => Unopened::Absent,
            ErrorCode::Owner => Unopened::Refused(
                "the repository belongs to another user (see `safe.directory` in git-config(1))"
                    .to_owned(),
            ),
            _ => Unopened::Unsupported(message(&error)),
        })?;
        Self::new(repository, root, excludes)
    }

    fn new(
        repository: git2::Repository,
        root: &Path,
        excludes: &[PathBuf],
    ) -> Result<Self, Unopened> {
        let refused = |why: &str| Unopened::Refused(why.to_owned());
        let Some(top) = repository.workdir() else {
            return Err(refused("the repository is bare: it has no working tree"));
        };
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let (root, top) = (real(root), real(top));
        if root.starts_with(real(repository.path())) {
            return Err(refused("the project root is inside a `.git` directory"));
        }
        let prefix = root.strip_prefix(&top).ok().and_then(text::to_git);
        let Some(mut prefix) = prefix else {
            return Err(refused(
                "the project root is outside the working tree that `core.worktree` names",
            ));
        };
        if !prefix.is_empty() {
            prefix.push(b'/');
        }
        // libgit2 takes a HEAD that reftable keeps elsewhere for the branch `.invalid`.
        let head = repository.find_reference("HEAD");
        if head.is_ok_and(|head| head.symbolic_target_bytes() == Some(b"refs/heads/.invalid")) {
            let why = "its references are in a form that libgit2 does not know";
            return Err(Unopened::Unsupported(why.to_owned()));
        }
        let worktree = Worktree::open(&top).map_err(|error| refused(&format!("{error:#}")))?;
        let settings = Settings::read(&repository);
        let settings = settings.map_err(|error| Unopened::Unsupported(message(&error)))?;
        Ok(Self {
            repository,
            settings,
            worktree,
            prefix,
            excludes: excludes.to_owned(),
            #[cfg(target_os = "linux")]
            last_index: RefCell::default(),
        })
    }

    pub(super) fn head(&self) -> anyhow::Result<Option<Head>> {
        let head = self.repository.find_reference("HEAD")?;
        let branch = match head.symbolic_target_bytes() {
            Some(name) => {
                let name = name.strip_prefix(b"refs/heads/").unwrap_or(name);
                Some(String::from_utf8_lossy(name).into_owned())
            }
            None => None,
        };
        Ok(self.head_id()?.map(|id| Head {
            branch,
            commit: id.to_string(),
        }))
    }

    /// The commit that HEAD names; None before the first one.
    pub(super) fn head_id(&self) -> Result<Option<Oid>, git2::Error> {
        match self.repository.head() {
            Ok(head) => Ok(Some(head.peel_to_commit()?.id())),
            Err(error) if error.code() == ErrorCode::UnbornBranch => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Whether the rules ignore a path of the project, tracked or not.
    ///
    /// Fails where a file of rules is a link, which libgit2 follows and git does not.
    pub(super) fn is_ignored(&self, path: &[u8]) -> anyhow::Result<bool> {
        let path = [&self.prefix, path].concat();
        let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        let mut folders = iter::once(0).chain(slashes.map(|(at, _)| at + 1));
        let is_link = |end| self.kind(&[&path[..end], b".gitignore"].concat()) == Some(Kind::Link);
        if folders.any(is_link) {
            return Err(Misread.into());
        }
        Ok(self.ignores(&path))
    }

    /// Whether the rules ignore a path of the working tree, with or without a final `/`.
    pub(super) fn ignores(&self, path: &[u8]) -> bool {
        text::from_git(path.strip_suffix(b"/").unwrap_or(path))
            .and_then(|path| self.repository.is_path_ignored(path).ok())
            .unwrap_or(false)
    }

    /// Whether untracked files are wanted.
    pub(super) fn lists(&self, untracked: Untracked) -> bool {
        match untracked {
            Untracked::All => true,
            Untracked::AsConfigured => self.settings.lists_untracked,
            Untracked::None => false,
        }
    }

    /// What of the submodules under the project root is not to be seen.
    pub(super) fn ignored_in_submodules(&self, untracked: Untracked) -> anyhow::Result<Ignored> {
        let modules = self.modules()?;
        let config = self.repository.config().ok();
        let configured = |name: &str| config.as_ref()?.get_string(name).ok();
        let lists = self.lists(untracked);
        Ok(Ignored::new(&modules, configured, lists, &self.prefix))
    }

    /// The names and values of `.gitmodules`.
    fn modules(&self) -> anyhow::Result<Vec<(String, String)>> {
        let file = Path::new(MODULES);
        let index = self.repository.index()?;
        // In a conflict git reads none.
        if (1..=3).any(|stage| index.get_path(file, stage).is_some()) {
            return Ok(Vec::new());
        }
        if self.worktree.kind(file).is_none() && index.get_path(file, 0).is_none() {
            let head = self.head_tree()?;
            if head.is_none_or(|tree| tree.get_path(file).is_err()) {
                return Ok(Vec::new());
            }
        }
        let text = self.worktree.read(file, MODULES_READ);
        // libgit2 reads nothing but files, and what they include, wherever that is, which git does not.
        let is_plain =
            |text: Vec<u8>| memmem::find(&text.to_ascii_lowercase(), b"include").is_none();
        let (true, Some(top)) = (text.is_some_and(is_plain), self.repository.workdir()) else {
            bail!("`{MODULES}` can be read by the git command alone");
        };
        // A malformed one sets nothing; git says no more than that it is.
        Ok(Config::open(&top.join(file)).map_or_else(|_| Vec::new(), |config| entries(&config)))
    }
}

fn entries(config: &Config) -> Vec<(String, String)> {
    let mut found = Vec::new();
    if let Ok(entries) = config.entries(None) {
        // What is no text is of no submodule that could be told apart.
        let _ = entries.for_each(|entry| {
            // To ask for a value that is not there panics.
            if !entry.has_value() {
                return;
            }
            if let (Ok(name), Ok(value)) = (entry.name(), entry.value()) {
                found.push((name.to_owned(), value.to_owned()));
            }
        });
    }
    found
}

/// An error for people: what libgit2 says, without the class and code that its errors show beside it.
pub(super) fn plain(error: anyhow::Error) -> anyhow::Error {
    let causes = error.chain().map(|cause| match cause.downcast_ref() {
        Some(error) => message(error),
        None => cause.to_string(),
    });
    anyhow!(causes.collect::<Vec<_>>().join(": "))
}

/// libgit2's message as the end of a sentence.
fn message(error: &git2::Error) -> String {
    error.message().trim_end_matches('.').to_owned()
}
