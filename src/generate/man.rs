//! A man page for each command.

use anyhow::bail;
use clap::Command;
use clap_mangen::Man;

/// When the pages last changed in what they say; a page has to be dated (man-pages(7)).
const DATE: &str = "2026-11-30";
/// Bytes of a line of source, as linters of man pages want it.
const LINE: usize = 80;
/// What every section of clap_mangen begins with: an apostrophe that is no quotation mark.
const PREAMBLE: [&str; 2] = [r".ie \n(.g .ds Aq \(aq", ".el .ds Aq '"];

/// File names and pages, of the program itself and of each command that a person may type.
pub(super) fn pages(command: &Command) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let mut command = command.clone().disable_help_subcommand(true);
    command.build();
    let mut pages = vec![page(&command)?];
    for command in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        pages.push(page(command)?);
    }
    Ok(pages)
}

/// What a page says beyond the help: the description, then sections, of which SEE ALSO is the last.
fn text(command: &str) -> anyhow::Result<&'static str> {
    Ok(match command {
        "ckpt" => include_str!("pages/ckpt.1.in"),
        "save" => include_str!("pages/save.1.in"),
        "load" => include_str!("pages/load.1.in"),
        "list" => include_str!("pages/list.1.in"),
        "resume" => include_str!("pages/resume.1.in"),
        "diff" => include_str!("pages/diff.1.in"),
        "log" => include_str!("pages/log.1.in"),
        "restore" => include_str!("pages/restore.1.in"),
        "name" => include_str!("pages/name.1.in"),
        "done" => include_str!("pages/done.1.in"),
        "edit" => include_str!("pages/edit.1.in"),
        "prune" => include_str!("pages/prune.1.in"),
        "status" => include_str!("pages/status.1.in"),
        "sync" => include_str!("pages/sync.1.in"),
        "redact" => include_str!("pages/redact.1.in"),
        "serve" => include_str!("pages/serve.1.in"),
        "nudge" => include_str!("pages/nudge.1.in"),
        "guard" => include_str!("pages/guard.1.in"),
        "completions" => include_str!("pages/completions.1.in"),
        other => bail!("there is no text for the page of `{other}`"),
    })
}

fn page(command: &Command) -> anyhow::Result<(String, Vec<u8>)> {
    let text = text(command.get_name())?;
    let (text, see_also) = text.split_at(text.find(".SH SEE ALSO").unwrap_or(text.len()));
    let (description, more) = text.split_at(text.find(".SH ").unwrap_or(text.len()));
    let name = command.get_display_name().unwrap_or(command.get_name());
    let man = Man::new(command.clone())
        .title(name.to_uppercase())
        .date(DATE)
        .source(format!("ckpt {}", env!("CARGO_PKG_VERSION")))
        .manual("ckpt manual");
    let mut sections = Vec::new();
    man.render_title(&mut sections)?;
    man.render_name_section(&mut sections)?;
    sections.extend(synopsis(command).into_bytes());
    let mut page = PREAMBLE.join("\n") + "\n";
    page.push_str(&filled(&String::from_utf8(sections)?));
    page.push_str(".SH DESCRIPTION\n");
    page.push_str(description);
    let mut sections = Vec::new();
    man.render_options_section(&mut sections)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut sections)?;
    }
    page.push_str(&filled(&String::from_utf8(sections)?));
    page.push_str(more);
    if let Some(help) = command.get_after_help() {
        page.push_str(&below(&help.to_string()));
    }
    page.push_str(see_also);
    Ok((man.get_filename(), page.into_bytes()))
}

/// The usage that the help shows.
fn synopsis(command: &Command) -> String {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    format!(".SH SYNOPSIS\n{}\n", escaped(usage))
}

/// Text without the repeated preambles, in lines that are not too long.
fn filled(sections: &str) -> String {
    let mut text = String::new();
    let mut after = "";
    for line in sections.lines().filter(|line| !PREAMBLE.contains(line)) {
        let line = line.trim_end();
        // A request's arguments and the tag of an option have to stay on their line.
        if line.starts_with('.') || after == ".TP" {
            text.push_str(line);
        } else {
            let mut length = 0;
            for word in line.split(' ') {
                if length > 0 {
                    let breaks = length + 1 + bytes(word) > LINE;
                    text.push(if breaks { '\n' } else { ' ' });
                    length = if breaks { 0 } else { length + 1 };
                }
                if length == 0 && word.starts_with(['.', '\'']) {
                    text.push_str("\\&");
                }
                text.push_str(word);
                length += bytes(word);
            }
        }
        text.push('\n');
        after = line;
    }
    text
}

/// Bytes of a word as roff reads it: a character beyond ASCII becomes an escape such as `\[u2026]`.
fn bytes(word: &str) -> usize {
    const ESCAPE: usize = 8;
    word.chars()
        .map(|c| if c.is_ascii() { 1 } else { ESCAPE })
        .sum()
}

/// What stands below the help: notes, then examples, which are kept in their lines.
fn below(help: &str) -> String {
    let (notes, examples) = help.split_once("Examples:\n").unwrap_or((help, ""));
    let mut sections = String::new();
    if !notes.trim().is_empty() {
        sections.push_str(".SH NOTES\n");
        sections.push_str(&filled(&escaped(notes.trim())));
    }
    if !examples.is_empty() {
        sections.push_str(".SH EXAMPLES\n.nf\n");
        for line in examples.lines() {
            sections.push_str(&escaped(line.strip_prefix("  ").unwrap_or(line)));
            sections.push('\n');
        }
        sections.push_str(".fi\n");
    }
    sections
}

/// Text of which roff takes no character for a request or a typographic one (groff_char(7)).
fn escaped(text: &str) -> String {
    let text = text
        .replace('\\', "\\e")
        .replace('-', "\\-")
        .replace('\'', "\\(aq")
        .replace('~', "\\(ti")
        .replace('^', "\\(ha")
        .replace('`', "\\(ga");
    if text.starts_with('.') {
        format!("\\&{text}")
    } else {
        text
    }
}
