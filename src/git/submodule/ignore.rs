//! What changes of a submodule are not to be seen (git-config(1), `submodule.<name>.ignore`).

use std::collections::BTreeMap;

/// The file of the submodules' settings at the top of a working tree (gitmodules(5)).
pub(in crate::git) const MODULES: &str = ".gitmodules";
/// Bytes of it that are read; 10,000 submodules take about a megabyte.
pub(in crate::git) const MODULES_READ: u64 = 16 * 1024 * 1024;

/// From what hides the least to what hides the most.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::git) enum Ignore {
    #[default]
    Nothing,
    Untracked,
    /// Everything but its commit.
    Dirty,
    All,
}

impl Ignore {
    fn parse(word: &str) -> Option<Self> {
        match word {
            "none" => Some(Self::Nothing),
            "untracked" => Some(Self::Untracked),
            "dirty" => Some(Self::Dirty),
            "all" => Some(Self::All),
            _ => None,
        }
    }
}

/// What is ignored of each submodule.
#[derive(Debug, Default)]
pub(in crate::git) struct Ignored {
    by_path: BTreeMap<Vec<u8>, Ignore>,
    /// `diff.ignoreSubmodules`, for those without a setting of their own.
    others: Ignore,
}

impl Ignored {
    /// From the names and values of `.gitmodules` (gitmodules(5)) and what the configuration says of a name, which
    /// comes first. Only submodules below `prefix` count, and their paths are taken relative to it.
    ///
    /// Where untracked files are not listed, those in submodules without a setting of their own are not either.
    pub(in crate::git) fn new(
        modules: &[(String, String)],
        configured: impl Fn(&str) -> Option<String>,
        lists_untracked: bool,
        prefix: &[u8],
    ) -> Self {
        let configured = |name: &str| configured(name).and_then(|word| Ignore::parse(&word));
        let own: BTreeMap<&str, Ignore> = modules
            .iter()
            .filter(|(name, _)| name.ends_with(".ignore"))
            .filter_map(|(name, word)| Some((name.as_str(), Ignore::parse(word)?)))
            .collect();
        let ignored = modules.iter().filter_map(|(name, path)| {
            let name = name.strip_prefix("submodule.")?.strip_suffix(".path")?;
            let name = is_allowed(name).then(|| format!("submodule.{name}.ignore"))?;
            let path = path.as_bytes().strip_prefix(prefix)?;
            let ignore = configured(&name).or(own.get(name.as_str()).copied())?;
            Some((path.to_vec(), ignore))
        });
        let least = match lists_untracked {
            true => Ignore::Nothing,
            false => Ignore::Untracked,
        };
        let others = configured("diff.ignoresubmodules").unwrap_or_default();
        Self {
            by_path: ignored.collect(),
            others: others.max(least),
        }
    }

    /// What is ignored of the submodule at a path.
    pub(in crate::git) fn at(&self, path: &[u8]) -> Ignore {
        self.by_path.get(path).copied().unwrap_or(self.others)
    }
}

/// Whether git takes a name in `.gitmodules` for one of a submodule: it could be a path below `.git/modules`.
fn is_allowed(name: &str) -> bool {
    !name.is_empty() && !name.split(['/', '\\']).any(|part| part == "..")
}
