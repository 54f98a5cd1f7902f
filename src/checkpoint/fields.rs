//! The fields that agents write: the one table from which the schemas, limits, options, headings and the merging of
//! lists are made.

/// A field that agents write.
#[derive(Debug)]
pub(crate) struct Field {
    /// In the format, among the arguments of the tools, and in the editor's form.
    pub(crate) name: &'static str,
    /// The option of the command line that gives it.
    pub(crate) option: &'static str,
    /// What the tools say of it.
    pub(crate) about: &'static str,
    /// What stands above it in a brief.
    pub(crate) heading: &'static str,
    /// What stands above it in a comparison.
    pub(crate) title: &'static str,
    /// How many entries it may have; 1 where it is no list.
    pub(crate) entries: usize,
    /// The text that every entry has, such as `.path`; empty where an entry is a text.
    pub(crate) part: &'static str,
    /// Characters of that text.
    pub(crate) limit: usize,
    /// Whether a merge adds to it, at its end; else it takes the place of what was there.
    pub(crate) grows: bool,
}

/// Characters of a note on a file or a command.
pub(crate) const NOTE: usize = 300;
/// The part of an entry that is one.
pub(super) const NOTE_PART: &str = ".note";
/// The part of an entry that names a file.
pub(super) const PATH_PART: &str = ".path";

pub(crate) static GOAL: Field = Field {
    name: "goal",
    option: "--goal",
    about: "What the session should achieve",
    heading: "Goal",
    title: "Goal",
    entries: 1,
    part: "",
    limit: 500,
    grows: false,
};
pub(crate) static TASKS: Field = Field {
    name: "tasks",
    option: "--task",
    about: "Tasks with their status",
    heading: "Tasks",
    title: "Tasks",
    entries: 30,
    part: ".description",
    limit: 300,
    grows: true,
};
pub(crate) static SUMMARY: Field = Field {
    name: "summary",
    option: "--summary",
    about: "Where things stand",
    heading: "Where things stand",
    title: "Summary",
    entries: 1,
    part: "",
    limit: 4_000,
    grows: false,
};
pub(crate) static NEXT_STEPS: Field = Field {
    name: "nextSteps",
    option: "--next",
    about: "What comes next, in order",
    heading: "Next steps",
    title: "Next steps",
    entries: 20,
    part: "",
    limit: 500,
    grows: false,
};
pub(crate) static DECISIONS: Field = Field {
    name: "decisions",
    option: "--decision",
    about: "With reasons; gotchas and dead ends too",
    heading: "Decisions & gotchas",
    title: "Decisions",
    entries: 20,
    part: "",
    limit: 500,
    grows: true,
};
pub(crate) static FILES: Field = Field {
    name: "modifiedFiles",
    option: "--file",
    about: "Files worth a note, or outside git",
    heading: "Files touched",
    title: "Files",
    entries: 100,
    part: PATH_PART,
    limit: 1_024,
    grows: true,
};
pub(crate) static COMMANDS: Field = Field {
    name: "recentCommands",
    option: "--command",
    about: "Commands that matter, oldest first",
    heading: "Recent commands",
    title: "Commands",
    entries: 50,
    part: ".command",
    limit: 1_000,
    grows: true,
};

/// How many of them are lists of texts.
pub(super) const LISTS: usize = 2;

/// All of them, in the order in which they are told.
pub(crate) static FIELDS: [&Field; 7] = [
    &GOAL,
    &TASKS,
    &SUMMARY,
    &NEXT_STEPS,
    &DECISIONS,
    &FILES,
    &COMMANDS,
];
