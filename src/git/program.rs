//! The git program, and what of the surroundings it is given.
//!
//! Nothing that a repository brings along is started: a program counts only where both it and its folder, with every
//! link resolved, lie outside of everything that a clone could have filled.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::layout::GitDir;
use crate::env::Env;

/// Variables that git needs to start, to find the person's own configuration and to know which repositories are
/// theirs (git(1), git-config(1)).
const PASSED: &[&str] = &[
    "HOME",
    "XDG_CONFIG_HOME",
    "USERPROFILE",
    "HOMEDRIVE",
    "HOMEPATH",
    "APPDATA",
    "PROGRAMDATA",
    "SYSTEMROOT",
    "TMPDIR",
    "TEMP",
    "TMP",
    "SUDO_UID",
    "GIT_CEILING_DIRECTORIES",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_COUNT",
];
/// Where programs are looked for without a search path, as execvp(3) has it.
const PATH: &str = if cfg!(unix) { "/usr/bin:/bin" } else { "" };
/// Settings that the environment can hold, each in two variables; git itself reads as many as are counted.
const PAIRS: usize = 64;

/// Where distributions' packages of git have their one system-wide configuration.
#[cfg(target_os = "linux")]
const SYSTEM: (&str, &str) = ("/usr/bin", "/etc/gitconfig");
/// The same of a git that was built from its source, unless it was told to use another (`sysconfdir` in its Makefile).
#[cfg(target_os = "linux")]
const LOCAL: (&str, &str) = ("/usr/local/bin", "/usr/local/etc/gitconfig");

/// What starting git takes from the surroundings.
#[derive(Debug, Clone, Default)]
pub(super) struct Surroundings {
    /// None where there is no git command that may be run.
    pub(super) program: Option<PathBuf>,
    /// The folders of the search path that are trusted.
    pub(super) path: OsString,
    pub(super) variables: Vec<(String, OsString)>,
    /// The files of the person's and the machine's configuration; None where git alone knows them.
    pub(super) configured: Option<Vec<PathBuf>>,
}

impl Surroundings {
    /// For a project and every repository in it: none of them is to choose what is run for another.
    pub(super) fn new(env: &Env, project: &Path, git_dirs: &[GitDir]) -> Self {
        let grounds = grounds(project, git_dirs);
        let path = env.os_var("PATH").unwrap_or(OsStr::new(PATH));
        let folders = trusted(path, &grounds);
        let program = program(&folders, &grounds);
        let mut variables: Vec<(String, OsString)> = PASSED
            .iter()
            .filter_map(|name| Some(((*name).to_owned(), env.os_var(name)?.to_owned())))
            .collect();
        for number in 0..PAIRS {
            let [key, value] = ["KEY", "VALUE"].map(|it| format!("GIT_CONFIG_{it}_{number}"));
            let Some(name) = env.os_var(&key) else {
                break;
            };
            variables.push((key, name.to_owned()));
            // None is an error of git's; an empty one is not.
            let set = env.os_var(&value).unwrap_or_default().to_owned();
            variables.push((value, set));
        }
        let system = program.as_deref().and_then(|it| system(it, env));
        if let Some([file]) = system.as_deref()
            && env.os_var("GIT_CONFIG_SYSTEM").is_none()
        {
            // So that git reads what was looked at, and nothing else.
            variables.push(("GIT_CONFIG_SYSTEM".to_owned(), file.clone().into()));
        }
        Self {
            path: std::env::join_paths(&folders).unwrap_or_default(),
            configured: configured(env, system),
            program,
            variables,
        }
    }
}

/// Every folder that the project's repository, or one around it, may have filled.
fn grounds(project: &Path, git_dirs: &[GitDir]) -> Vec<PathBuf> {
    let mut grounds = vec![project.to_owned()];
    if let Some(git_dir) = git_dirs.first() {
        grounds.push(git_dir.folder.clone());
        // The main working tree of a linked one, and the repository around a submodule.
        for own in [&git_dir.own, &git_dir.common] {
            let own = own.canonicalize().unwrap_or_else(|_| own.clone());
            let tops = own
                .ancestors()
                .filter(|it| it.file_name() == Some(".git".as_ref()));
            grounds.extend(tops.filter_map(|it| Some(it.parent()?.to_owned())));
        }
    }
    grounds.sort_unstable();
    grounds.dedup();
    let resolved = grounds.iter().filter_map(|it| it.canonicalize().ok());
    let resolved: Vec<PathBuf> = resolved.collect();
    grounds.extend(resolved);
    grounds
}

/// The folders of a search path, resolved, that a clone cannot have put programs into.
fn trusted(path: &OsStr, grounds: &[PathBuf]) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for folder in std::env::split_paths(path).filter(|folder| folder.is_absolute()) {
        let Ok(resolved) = folder.canonicalize() else {
            continue;
        };
        let is_inside = |path: &Path| grounds.iter().any(|ground| path.starts_with(ground));
        // Windows resolves to a form of name that few programs take in a search path.
        let kept = if cfg!(windows) {
            folder
        } else {
            resolved.clone()
        };
        if !is_inside(&resolved) && !is_inside(&kept) && !folders.contains(&kept) {
            folders.push(kept);
        }
    }
    folders
}

fn program(folders: &[PathBuf], grounds: &[PathBuf]) -> Option<PathBuf> {
    let name = format!("git{}", std::env::consts::EXE_SUFFIX);
    let programs = folders.iter().map(|folder| folder.join(&name));
    let mut trusted = programs.filter(|program| {
        let resolved = program.canonicalize().ok().filter(|it| it.is_file());
        resolved.is_some_and(|it| !grounds.iter().any(|ground| it.starts_with(ground)))
    });
    trusted.find(|program| is_real(program))
}

/// Whether a program is git itself: without Apple's developer tools `/usr/bin/git` is a stand-in that opens a dialog.
#[cfg(target_os = "macos")]
fn is_real(program: &Path) -> bool {
    use std::process::{Command, Stdio};
    use std::sync::OnceLock;
    static HAS_TOOLS: OnceLock<bool> = OnceLock::new();
    program != Path::new("/usr/bin/git")
        || *HAS_TOOLS.get_or_init(|| {
            let mut select = Command::new("/usr/bin/xcode-select");
            select.arg("-p").stdin(Stdio::null());
            select.stdout(Stdio::null()).stderr(Stdio::null());
            select.status().is_ok_and(|status| status.success())
        })
}

#[cfg(not(target_os = "macos"))]
fn is_real(_: &Path) -> bool {
    true
}

/// The files of which one is the machine's configuration, if there is to be any; None where only git knows.
fn system(program: &Path, env: &Env) -> Option<Vec<PathBuf>> {
    if env.os_var("GIT_CONFIG_NOSYSTEM").is_some() {
        // Its value decides, by rules of git's.
        return (env.var("GIT_CONFIG_NOSYSTEM").as_deref() == Some("1")).then(Vec::new);
    }
    if let Some(file) = env.os_var("GIT_CONFIG_SYSTEM") {
        return Some(vec![PathBuf::from(file)]);
    }
    packaged(program)
}

#[cfg(target_os = "linux")]
fn packaged(program: &Path) -> Option<Vec<PathBuf>> {
    let is_in = |folder| program.parent() == Some(Path::new(folder));
    if is_in(SYSTEM.0) {
        return Some(vec![PathBuf::from(SYSTEM.1)]);
    }
    // A build may have been told to use the distribution's place, but not where there is nothing.
    let other = Path::new(SYSTEM.1).exists().then_some(SYSTEM.1);
    let files = [LOCAL.1].into_iter().chain(other).map(PathBuf::from);
    is_in(LOCAL.0).then(|| files.collect())
}

#[cfg(not(target_os = "linux"))]
fn packaged(_: &Path) -> Option<Vec<PathBuf>> {
    None
}

/// The files of configuration that git reads beside a repository's own (git-config(1), FILES).
fn configured(env: &Env, system: Option<Vec<PathBuf>>) -> Option<Vec<PathBuf>> {
    let in_environment = ["GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS"];
    if cfg!(windows) || in_environment.iter().any(|it| env.os_var(it).is_some()) {
        return None;
    }
    let mut files = system?;
    if let Some(file) = env.os_var("GIT_CONFIG_GLOBAL") {
        files.push(PathBuf::from(file));
        return Some(files);
    }
    let home = env.os_var("HOME").map(PathBuf::from);
    let folder = match env.os_var("XDG_CONFIG_HOME") {
        Some(folder) => Some(PathBuf::from(folder)),
        None => home.as_ref().map(|home| home.join(".config")),
    };
    files.extend(folder.map(|folder| folder.join("git/config")));
    files.extend(home.map(|home| home.join(".gitconfig")));
    Some(files)
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with programs named `git` inside a project and outside of it.
    fn surroundings() -> (tempfile::TempDir, PathBuf) {
        use std::fs;
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for folder in ["repository/bin", "repository/project", "outside", "other"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        for program in ["repository/bin/git", "outside/git"] {
            fs::write(root.join(program), "#!/bin/sh\n").unwrap();
            let executable = fs::Permissions::from_mode(0o755);
            fs::set_permissions(root.join(program), executable).unwrap();
        }
        symlink(root.join("repository/bin"), root.join("link")).unwrap();
        symlink(root.join("repository/bin/git"), root.join("other/git")).unwrap();
        (folder, root)
    }

    #[test]
    fn programs_of_the_repository_are_never_run_however_the_path_spells_them() {
        let (_folder, root) = surroundings();
        let grounds = [root.join("repository/project"), root.join("repository")];
        let found = |entries: &[&str]| {
            let entries = entries
                .iter()
                .map(|it| it.replace('~', root.to_str().unwrap()));
            let path = std::env::join_paths(entries).unwrap();
            program(&trusted(&path, &grounds), &grounds)
        };
        for entry in [
            "",
            ".",
            "bin",
            "../bin",
            "~/repository/bin",
            "~/outside/../repository/bin",
            "~/link",
            "~/other",
            "~/nowhere",
            "/proc/self/cwd/../../nowhere",
        ] {
            assert_eq!(found(&[entry]), None, "{entry}");
            assert_eq!(
                found(&[entry, "~/outside"]),
                Some(root.join("outside/git")),
                "{entry}"
            );
        }
    }

    #[test]
    fn a_path_through_the_working_directory_is_resolved() {
        let here = std::env::current_dir().unwrap().canonicalize().unwrap();
        let path = std::env::join_paths(["/proc/self/cwd/src", "/proc/self/cwd"]).unwrap();
        assert_eq!(trusted(&path, &[here]), Vec::<PathBuf>::new());
    }
}
