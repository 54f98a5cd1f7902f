//! What a machine remembers of its exchanges, in the person's own folder for such things: who it is, and which remotes
//! somebody agreed to.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::env::Env;
use crate::error::failure;
use crate::files;

const FILE: &str = "ckpt/sync.json";
/// Bytes of it, at most.
const LARGEST: u64 = 1 << 20;

/// This machine, as it is remembered.
#[derive(Debug)]
pub(crate) struct Machine {
    path: PathBuf,
    memory: Memory,
}

#[derive(Debug, Serialize, Deserialize)]
struct Memory {
    /// Tells this machine's ref from that of another one with the same name.
    owner: String,
    /// The remotes that were agreed to, without their credentials.
    #[serde(default)]
    remotes: Vec<String>,
}

impl Machine {
    /// Reads what is remembered; a machine that remembers nothing is a new one.
    pub(crate) fn recall(env: &Env) -> anyhow::Result<Self> {
        let folder = env.state_folder().ok_or_else(|| {
            failure(
                "there is no home folder to remember remotes in",
                "set HOME, or XDG_STATE_HOME",
            )
        })?;
        let path = folder.join(FILE);
        let memory = match read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| {
                failure(
                    format!("`{}` is damaged: {error}", path.display()),
                    "move it away; ckpt sync then asks again about the remotes that it names",
                )
            })?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Memory {
                owner: Uuid::new_v4().to_string(),
                remotes: Vec::new(),
            },
            Err(error) => {
                return Err(error).with_context(|| format!("could not read `{}`", path.display()));
            }
        };
        Ok(Self { path, memory })
    }

    /// By what it knows its own refs again.
    pub(crate) fn owner(&self) -> &str {
        &self.memory.owner
    }

    pub(crate) fn knows(&self, remote: &str) -> bool {
        self.memory.remotes.iter().any(|known| known == remote)
    }

    /// Remembers that somebody agreed to a remote.
    pub(crate) fn agree(&mut self, remote: &str) -> anyhow::Result<()> {
        if self.knows(remote) {
            return Ok(());
        }
        self.memory.remotes.push(remote.to_owned());
        self.write()
            .with_context(|| format!("could not write `{}`", self.path.display()))
    }

    fn write(&self) -> anyhow::Result<()> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        // For its owner alone, and gone where it does not come to its name.
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(&serde_json::to_vec_pretty(&self.memory)?)?;
        file.as_file().sync_all()?;
        file.persist(&self.path)?;
        Ok(())
    }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let bytes = files::read(path, LARGEST)?;
    bytes.ok_or_else(|| io::Error::other("it is not a file that ckpt wrote"))
}
