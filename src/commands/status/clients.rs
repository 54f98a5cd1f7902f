//! Which clients of this machine have the server and the hooks, as their own settings say (read, never written).

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;

use crate::env::{self, Env};
use crate::files;

/// Bytes of settings that are read; Claude Code's grow with every project that it knows.
const LIMIT: u64 = 16 << 20;
/// How the plugin is called in Claude Code's settings, before its marketplace.
const PLUGIN: &str = "session-checkpoint@";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Client {
    pub(crate) name: &'static str,
    /// Whether it starts `ckpt serve`.
    pub(crate) server: bool,
    /// Whether it runs `ckpt nudge`.
    pub(crate) hooks: bool,
}

/// The clients that left settings on this machine, for the project at `root`.
pub(super) fn find(env: &Env, root: &Path) -> Vec<Client> {
    let Some(home) = env.home() else {
        return Vec::new();
    };
    let folder = |variable: &str, name: &str| match env.os_var(variable) {
        Some(folder) => PathBuf::from(folder),
        None => home.join(name),
    };
    let claude = folder(env::CLAUDE_CONFIG, ".claude");
    let codex = folder(env::CODEX_HOME, ".codex");
    let known = [
        (claude.clone(), claude_code(&claude, &home, root)),
        (codex.clone(), codex_cli(&codex)),
        (home.join(".gemini"), gemini_cli(&home, root)),
        (home.join(".config/opencode"), opencode(&home, root)),
    ];
    let there = known.into_iter().filter(|(folder, _)| folder.is_dir());
    there.map(|(_, client)| client).collect()
}

fn claude_code(config: &Path, home: &Path, root: &Path) -> Client {
    // With a folder of its own, this file is in it.
    let mut state = json(&config.join(".claude.json"));
    if state.is_null() {
        state = json(&home.join(".claude.json"));
    }
    let project = &state["projects"][root.to_string_lossy().as_ref()];
    let shared = json(&root.join(".mcp.json"));
    let settings = [
        config.join("settings.json"),
        root.join(".claude/settings.json"),
        root.join(".claude/settings.local.json"),
    ]
    .map(|file| json(&file));
    let has_plugin = settings.iter().any(|settings| {
        let plugins = settings["enabledPlugins"].as_object().into_iter().flatten();
        let mut enabled = plugins.filter(|(_, is_enabled)| **is_enabled == Value::Bool(true));
        enabled.any(|(name, _)| name.starts_with(PLUGIN))
    });
    let servers = [&state, project, &shared].map(|it| &it["mcpServers"]);
    Client {
        name: "Claude Code",
        server: has_plugin || servers.into_iter().any(|it| serves(&it.to_string())),
        hooks: has_plugin || settings.iter().any(|it| nudges(&it["hooks"].to_string())),
    }
}

fn codex_cli(config: &Path) -> Client {
    let settings = text(&config.join("config.toml"));
    let hooks = text(&config.join("hooks.json"));
    Client {
        name: "Codex CLI",
        server: settings.contains("mcp_servers") && serves(&settings),
        hooks: nudges(&settings) || nudges(&hooks),
    }
}

fn gemini_cli(home: &Path, root: &Path) -> Client {
    let files = [home, root].map(|folder| json(&folder.join(".gemini/settings.json")));
    Client {
        name: "Gemini CLI",
        server: files.iter().any(|it| serves(&it["mcpServers"].to_string())),
        hooks: files.iter().any(|it| nudges(&it["hooks"].to_string())),
    }
}

fn opencode(home: &Path, root: &Path) -> Client {
    let folders = [home.join(".config/opencode"), root.to_owned()];
    let names = ["opencode.json", "opencode.jsonc"];
    let files = folders
        .iter()
        .flat_map(|it| names.map(|name| it.join(name)));
    Client {
        name: "OpenCode",
        server: files.map(|file| text(&file)).any(|it| serves(&it)),
        // It has none that a command could be.
        hooks: true,
    }
}

fn serves(settings: &str) -> bool {
    settings.contains("ckpt") && settings.contains("serve")
}

fn nudges(settings: &str) -> bool {
    settings.contains("ckpt") && settings.contains("nudge")
}

fn json(file: &Path) -> Value {
    serde_json::from_str(&text(file)).unwrap_or_default()
}

/// What a file holds; nothing where it cannot be read.
fn text(file: &Path) -> String {
    let bytes = files::read(file, LIMIT).ok().flatten();
    String::from_utf8(bytes.unwrap_or_default()).unwrap_or_default()
}
