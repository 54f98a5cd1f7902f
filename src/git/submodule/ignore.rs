//! What changes of a submodule are not to be seen (git-config(1), `submodule.<name>.ignore`).

use std::collections::BTreeMap;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
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
    pub(in crate::git) fn new(
        modules: &[(String, String)],
        configured: impl Fn(&str) -> Option<String>,
        prefix: &[u8],
    ) -> Self {
        let configured = |name: &str| configured(name).and_then(|word| Ignore::parse(&word));
        let own: BTreeMap<&str, Ignore> = modules
            .iter()
            .filter(|(name, _)| name.ends_with(".ignore"))
            .filter_map(|(name, word)| Some((name.as_str(), Ignore::parse(word)?)))
            .collect();
        let ignored = modules.iter().filter_map(|(name, path)| {
            let name = format!("{}.ignore", name.strip_suffix(".path")?);
            let path = path.as_bytes().strip_prefix(prefix)?;
            let ignore = configured(&name).or(own.get(name.as_str()).copied())?;
            Some((path.to_vec(), ignore))
        });
        Self {
            by_path: ignored.collect(),
            others: configured("diff.ignoresubmodules").unwrap_or_default(),
        }
    }

    /// What is ignored of the submodule at a path.
    pub(in crate::git) fn at(&self, path: &[u8]) -> Ignore {
        self.by_path.get(path).copied().unwrap_or(self.others)
    }
}
