//! Where a value stands: how sure it is that the text there is the value itself.

use super::class::Class;
use super::link::{Link, Linked, Name};
use super::looks;
use super::name::{self, Kind};
use super::reach;
use super::value::Value;
use super::vocabulary::{FLAG_WORDS, FUNCTION_WORDS, SWITCHING};

/// The position of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// `NAME=value`, `--flag value`: a bare word means itself.
    Shell,
    /// A string of code, JSON or YAML; the content of an element.
    Literal,
    /// The bare value that ends a line `name: value`.
    Setting,
    /// The bare value that ends a line `name = value`, which settings and code both have.
    Assigned,
    /// Bare, where code has variables, types and calls.
    Code,
    /// A string beside a name: in a call, a list, a comparison.
    Argument,
    /// A word of a sentence.
    Prose,
}

/// Most bytes looked at on either side of a name and its value.
const NEAR: usize = 160;

/// The place of `value`, which `linked` connects with `name`.
pub(super) fn of(text: &str, name: Name, kind: Kind, linked: Linked, value: Value) -> Place {
    let site = Site {
        text,
        name,
        kind,
        value,
    };
    match linked.link {
        Link::Comma if site.is_pair() => Place::Shell,
        Link::Comma | Link::Call | Link::Compare => Place::Argument,
        Link::Space if site.is_set() => Place::Shell,
        Link::Space if site.is_told() => Place::Literal,
        Link::Space => Place::Prose,
        Link::Tag => Place::Literal,
        Link::Flag => site.after_flag(),
        Link::Equals if value.quoted && site.is_constant() => Place::Shell,
        _ if value.quoted => Place::Literal,
        Link::Default => Place::Code,
        Link::Equals if site.is_code_field() || site.is_called() => Place::Code,
        Link::Equals => Place::Shell,
        Link::SpacedEquals if site.begins_line() && site.ends_line() => Place::Assigned,
        Link::SpacedEquals => Place::Code,
        Link::Colon => site.after_colon(),
    }
}

struct Site<'a> {
    text: &'a str,
    name: Name,
    kind: Kind,
    value: Value,
}

impl<'a> Site<'a> {
    fn identifier(&self) -> &'a str {
        self.text
            .get(self.name.start..self.name.end)
            .unwrap_or_default()
    }

    fn content(&self) -> &'a str {
        self.text
            .get(self.value.span.start..self.value.span.end)
            .unwrap_or_default()
    }

    fn is_constant(&self) -> bool {
        name::is_constant(self.identifier())
    }

    /// What is before the name on its line, as far as is near.
    fn before(&self) -> &'a str {
        let from = self
            .text
            .ceil_char_boundary(self.name.start.saturating_sub(NEAR));
        reach::count(NEAR);
        let before = self.text.get(from..self.name.start).unwrap_or_default();
        before.rsplit('\n').next().unwrap_or_default()
    }

    /// What is after the value, as far as is near.
    fn after(&self) -> &'a str {
        reach::count(NEAR);
        let to = self.text.floor_char_boundary(self.value.after + NEAR);
        self.text.get(self.value.after..to).unwrap_or_default()
    }

    /// `("NAME", "value")`, as functions that set a variable take it.
    fn is_pair(&self) -> bool {
        self.value.quoted
            && !self.content().contains(' ')
            && self.is_constant()
            && self.before().trim_end_matches(['"', '\'']).ends_with('(')
            && !self
                .content()
                .bytes()
                .all(|b| b.is_ascii_uppercase() || b == b'_')
    }

    /// `setx NAME value`, `set -x NAME value`, `ENV NAME value`, `machine h login u password value`.
    fn is_set(&self) -> bool {
        const COMMANDS: &[&str] = &[
            "setx ",
            "setenv ",
            "SetEnv ",
            "ENV ",
            "set -x ",
            "set -gx ",
            "set -xg ",
            "set -lx ",
            "set -Ux ",
            "set -Ugx ",
            "let-env ",
        ];
        let before = self.before();
        let direct = self.name.end + 1 == self.value.span.start || self.value.quoted;
        let netrc =
            self.kind == Kind::Password && before.contains("machine ") && before.contains("login ");
        direct && (netrc || COMMANDS.iter().any(|command| before.ends_with(command)))
    }

    /// `the password is "value"`: in quotes, after a word that connects.
    fn is_told(&self) -> bool {
        let between = self
            .text
            .get(self.name.end..self.value.span.start)
            .unwrap_or_default();
        self.value.quoted
            && matches!(self.kind, Kind::Password | Kind::Secret)
            && [" is ", " was ", "set to "]
                .iter()
                .any(|word| between.contains(word))
    }

    /// Whether the name is the first of its line or of the quotes it stands in.
    fn begins_line(&self) -> bool {
        let before = self.before();
        before.ends_with(['"', '\'', '`'])
            || !before.ends_with('$') && !before.contains(char::is_alphanumeric)
    }

    fn ends_line(&self) -> bool {
        let after = self.after();
        let rest = after.strip_prefix('.').unwrap_or(after);
        let rest = rest.trim_start_matches([' ', '\t']);
        let comment = rest.starts_with('#') || rest.starts_with("//");
        rest.is_empty()
            || rest.starts_with(['\n', '\r', '"', '\'', '`'])
            || comment && rest.len() < after.len()
    }

    /// Whether the value ends a part of a sentence.
    fn ends_clause(&self) -> bool {
        let after = self.after();
        let after = after.strip_prefix('.').unwrap_or(after);
        [", ", "; ", ")", " (", " - ", " – ", " — ", " /", " |"]
            .iter()
            .any(|end| after.starts_with(end))
    }

    /// Whether the value is a field of a structure or a keyword argument, on a line of its own.
    fn is_code_field(&self) -> bool {
        let after = self.after();
        let closed = after.trim_start().starts_with(['}', ')'])
            && after.trim_start_matches([' ', '\r']).starts_with('\n');
        let statement = after.starts_with(';') && self.identifier().contains('.');
        let argument = after.starts_with(',') && self.is_separated();
        statement || self.begins_line() && (argument || closed)
    }

    /// Whether a comma or semicolon ends the line after the value.
    fn is_separated(&self) -> bool {
        self.after().strip_prefix([',', ';']).is_some_and(|rest| {
            let rest = rest.trim_start_matches([' ', '\t', '\r']);
            rest.is_empty() || rest.starts_with('\n')
        })
    }

    /// The innermost bracket before the name that is still open on its line, and what is before it.
    fn enclosing(&self) -> Option<(char, &'a str)> {
        let before = self.before();
        let mut closed = 0;
        for (at, c) in before.char_indices().rev() {
            match c {
                ')' | '}' => closed += 1,
                '(' | '{' if closed > 0 => closed -= 1,
                '(' | '{' => return Some((c, before.get(..at)?)),
                _ => {}
            }
        }
        None
    }

    /// Whether the name is that of an argument in a call: `connect(host=h, password=word)`.
    fn is_called(&self) -> bool {
        self.enclosing().is_some_and(|(bracket, callee)| {
            bracket == '(' && callee.ends_with(|c: char| c.is_alphanumeric() || "_>]!".contains(c))
        })
    }

    fn after_colon(&self) -> Place {
        let enclosed = match self.enclosing() {
            Some(('{', _)) => !self.is_constant(),
            Some(_) => self.is_called(),
            None => false,
        };
        let case = self
            .before()
            .trim_end_matches(['"', '\''])
            .ends_with("case ");
        if enclosed || case || self.is_separated() || self.is_code_field() {
            return Place::Code;
        }
        // `image:tag` and `host:port` are no settings, but `-H X-Api-Key:value` is.
        if self.value.span.start == self.name.end + 1 && !self.begins_line() {
            return Place::Code;
        }
        let compound = self.identifier().contains(['_', '-']) || self.is_constant();
        let telling = self.kind == Kind::Password || compound;
        let setting =
            self.ends_line() && (telling || self.begins_line()) || self.ends_clause() && telling;
        if setting { Place::Setting } else { Place::Code }
    }

    /// `--token value` in a command, or a sentence that speaks of the flag.
    fn after_flag(&self) -> Place {
        let content = self.content();
        let first = self.identifier().split('-').next().unwrap_or_default();
        // `--no-ask-password restart`, and `config set --secret name value`.
        if SWITCHING.contains(&first) || self.before().contains("config set ") {
            return Place::Prose;
        }
        if self.value.quoted || looks::has_mixture(content) {
            return Place::Shell;
        }
        let is_word = |word: &str, lists: &[&[&str]]| {
            let word = word
                .trim_matches([',', '.', ';', ':', '(', ')'])
                .to_ascii_lowercase();
            lists.iter().any(|list| list.contains(&word.as_str()))
        };
        let gap = self
            .text
            .get(self.name.end..self.value.span.start)
            .unwrap_or_default();
        let help = gap.len() > 1 && !gap.contains('\n') && content.starts_with(char::is_uppercase);
        if help || is_word(content, &[FUNCTION_WORDS, FLAG_WORDS]) {
            return Place::Prose;
        }
        const END: Class = Class::of("|;&><)\"'`\\#-");
        let after = self.after();
        let rest = after.trim_start_matches([' ', '\t']);
        let line = rest.split('\n').next().unwrap_or_default();
        if line.trim().is_empty() && !after.starts_with(['.', ','])
            || line.bytes().next().is_some_and(|b| END.has(b))
        {
            return Place::Shell;
        }
        let sentence = |text: &str| {
            text.split(' ')
                .take(8)
                .any(|word| is_word(word, &[FUNCTION_WORDS]))
        };
        let before = self.before();
        let clause = before
            .rsplit(['|', ';', '&', '"', '\'', '`'])
            .next()
            .unwrap_or_default();
        if after.starts_with(['.', ',']) || sentence(line) || sentence(clause) {
            Place::Prose
        } else {
            Place::Shell
        }
    }
}
