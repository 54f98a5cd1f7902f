//! A man page for each command.

use clap::Command;
use clap_mangen::Man;

/// When the pages last changed in what they say; a page has to be dated (man-pages(7)).
const DATE: &str = "2026-10-08";

/// File names and pages, of the program itself and of each command that a person may type.
pub(super) fn pages(command: &Command) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let mut command = command.clone().disable_help_subcommand(true);
    command.build();
    let mut pages = Vec::new();
    let commands = command.get_subcommands().filter(|sub| !sub.is_hide_set());
    for command in [&command].into_iter().chain(commands) {
        pages.push(page(command)?);
    }
    Ok(pages)
}

fn page(command: &Command) -> anyhow::Result<(String, Vec<u8>)> {
    let man = Man::new(command.clone())
        .date(DATE)
        .source(format!("ckpt {}", env!("CARGO_PKG_VERSION")))
        .manual("ckpt manual");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    if command.get_arguments().any(|arg| !arg.is_hide_set()) {
        man.render_options_section(&mut page)?;
    }
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    if let Some(examples) = command.get_after_help() {
        page.extend(examples_section(&examples.to_string()).into_bytes());
    }
    Ok((man.get_filename(), page))
}

/// The examples below the help, kept in their lines.
fn examples_section(help: &str) -> String {
    let mut section = ".SH EXAMPLES\n.nf\n".to_owned();
    for line in help.lines().skip(1) {
        let line = line.strip_prefix("  ").unwrap_or(line);
        let line = line.replace('\\', "\\e").replace('-', "\\-");
        // A line that starts with one of these would be a request (groff(7)).
        let guard = if line.starts_with(['.', '\'']) {
            "\\&"
        } else {
            ""
        };
        section.push_str(&format!("{guard}{line}\n"));
    }
    section + ".fi\n"
}
