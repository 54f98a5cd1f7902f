//! Man pages that the tools for them accept, and help that fits a screen.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::harness::{Output, Project, installed, skipped};

/// What a reader looks for in any page.
const SECTIONS: [&str; 6] = [
    "NAME",
    "SYNOPSIS",
    "DESCRIPTION",
    "EXIT STATUS",
    "EXAMPLES",
    "SEE ALSO",
];

fn pages() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("man");
    let entries = fs::read_dir(folder).unwrap();
    let mut pages: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    pages.sort();
    pages
}

/// mandoc's bound, held where there is no mandoc as well; it leaves out what is shown line by line.
#[test]
fn no_line_of_running_text_is_longer_than_80_bytes() {
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        let mut is_literal = false;
        for line in text.lines() {
            match line.split(' ').next() {
                Some(".nf" | ".EX") => is_literal = true,
                Some(".fi" | ".EE") => is_literal = false,
                _ => {}
            }
            let is_text = !is_literal && !line.starts_with('.');
            assert!(!is_text || line.len() <= 80, "{}: {line}", page.display());
        }
    }
}

#[test]
fn mandoc_finds_no_fault() {
    if !installed("mandoc") {
        skipped("no mandoc here");
        return;
    }
    for page in pages() {
        let output = Output::of(Command::new("mandoc").args(["-Tlint", "-Wall"]).arg(&page));
        assert_eq!(output.stdout, "", "{}", page.display());
        output.succeeds();
    }
}

#[test]
fn man_shows_every_page_without_warnings() {
    if !installed("man") {
        skipped("no man here");
        return;
    }
    for page in pages() {
        let mut command = Command::new("man");
        command
            .args(["--warnings", "-l"])
            .arg(&page)
            .env("MANWIDTH", "80")
            .env("LC_ALL", "C.UTF-8");
        let output = Output::of(&mut command).succeeds().stays_silent();
        for section in SECTIONS {
            let heading = output.stdout.lines().filter(|line| *line == section);
            assert_eq!(heading.count(), 1, "{section} of {}", page.display());
        }
    }
}

/// The commands that `ckpt --help` names.
fn commands(project: &Project) -> Vec<String> {
    let help = project.ckpt(["--help"]).succeeds().stdout;
    let listed = help.split("Commands:\n").nth(1).unwrap();
    let listed = listed.lines().take_while(|line| !line.is_empty());
    listed
        .map(|line| line.split_whitespace().next().unwrap().to_owned())
        .collect()
}

#[test]
fn every_command_has_a_page_and_a_help_that_fits_a_screen() {
    const ROWS: usize = 30;
    const COLUMNS: usize = 80;
    let project = Project::bare_folder();
    let names: Vec<String> = pages()
        .iter()
        .map(|page| page.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    let commands = commands(&project);
    assert!(commands.len() > 5, "{commands:?}");
    let mut helps = vec![(String::new(), project.ckpt(["--help"]))];
    for command in commands.into_iter().filter(|command| command != "help") {
        assert!(names.contains(&format!("ckpt-{command}.1")), "{names:?}");
        let help = project.ckpt([&command, "--help"]);
        helps.push((command, help));
    }
    for (command, help) in helps {
        let help = help.succeeds().stays_silent().stdout;
        // The overview has a line for each command beside.
        let rows = if command.is_empty() { 2 * ROWS } else { ROWS };
        assert!(help.lines().count() <= rows, "{command}:\n{help}");
        let widest = help.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(COLUMNS), "{command}:\n{help}");
    }
}

#[test]
fn a_mistyped_word_gets_a_suggestion() {
    let project = Project::bare_folder();
    for (arguments, expected) in [
        (&["lod"][..], "load"),
        (&["load", "--lates"], "--latest"),
        (&["save", "--gaol", "g"], "--goal"),
        (&["list", "--color", "nevr"], "never"),
    ] {
        project.ckpt(arguments).exits(2).errs(expected);
    }
}
