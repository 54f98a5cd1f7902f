//! Interleaved runs and their medians.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use tempfile::TempDir;

/// Runs of each side of a row, while they take less than [`PATIENCE`].
const RUNS: usize = 31;
/// Seconds after which a row has had enough runs, if they are five.
const PATIENCE: f64 = 20.0;

/// The arguments of a save as it is measured, and of a load of what it wrote.
pub(crate) const SAVE: [&str; 3] = ["save", "--goal", "a goal"];
pub(crate) const LOAD: [&str; 2] = ["load", "--latest"];

pub(crate) struct Bench {
    pub(crate) ckpt: PathBuf,
    programs: TempDir,
    words: Vec<String>,
}

impl Bench {
    pub(crate) fn new(words: Vec<String>) -> Self {
        let built = || env!("CARGO_BIN_EXE_ckpt").into();
        let ckpt = std::env::var_os("CKPT").map_or_else(built, PathBuf::from);
        let mut bench = Self {
            ckpt: PathBuf::new(),
            programs: TempDir::new().unwrap(),
            words,
        };
        bench.ckpt = bench.installed(&ckpt);
        bench
    }

    /// A copy of a program, as an installation makes one: the system maps it in larger pieces than a file that a
    /// linker has written, which is a sixth of a hook's time.
    pub(crate) fn installed(&self, program: &Path) -> PathBuf {
        let copy = self.programs.path().join(program.file_name().unwrap());
        fs::copy(program, &copy).unwrap();
        copy
    }

    pub(crate) fn wants(&self, row: &str) -> bool {
        self.words.is_empty() || self.words.iter().any(|word| row.contains(word.as_str()))
    }

    pub(crate) fn row(
        &self,
        what: &str,
        reference: &str,
        goal: f64,
        run: &mut dyn FnMut(),
        other: &mut dyn FnMut(),
    ) {
        let (mut times, mut others) = (Vec::new(), Vec::new());
        run();
        other();
        let start = Instant::now();
        while times.len() < RUNS && (times.len() < 5 || start.elapsed().as_secs_f64() < PATIENCE) {
            times.push(milliseconds(run));
            others.push(milliseconds(other));
        }
        let (time, other) = (median(times), median(others));
        let ratio = time / other;
        let goal = if goal.is_finite() {
            format!("{goal}")
        } else {
            "–".to_owned()
        };
        println!("| {what} | {reference} | {time:.2} | {other:.2} | {ratio:.2} | {goal} |");
    }
}

/// What runs a program to its end, with a file as its input.
pub(crate) fn command<'a>(
    program: &Path,
    folder: &Path,
    args: &[&str],
    input: Option<&'a Path>,
) -> impl FnMut() + use<'a> {
    command_with(program, folder, args, input, &[])
}

/// The same with variables that hold paths.
pub(crate) fn command_with<'a>(
    program: &Path,
    folder: &Path,
    args: &[&str],
    input: Option<&'a Path>,
    variables: &[(&str, &Path)],
) -> impl FnMut() + use<'a> {
    let mut command = Command::new(program);
    command
        .args(args)
        .current_dir(folder)
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env_remove("CLAUDE_CODE_SESSION_ID")
        .env("CHECKPOINT_SESSION_IDS", "legacy")
        .envs(variables.iter().copied())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    move || {
        let input = input.map_or_else(Stdio::null, |path| File::open(path).unwrap().into());
        let status = command.stdin(input).status().unwrap();
        assert!(status.success(), "{command:?}");
    }
}

/// The least that a durable replacement of a file of 4 KB costs.
pub(crate) fn write_and_rename(target: &Path) {
    let beside = target.with_extension("new");
    let mut file = File::create(&beside).unwrap();
    file.write_all(&[b' '; 4096]).unwrap();
    file.sync_all().unwrap();
    fs::rename(&beside, target).unwrap();
}

pub(crate) fn milliseconds(run: &mut dyn FnMut()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64() * 1e3
}

pub(crate) fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
