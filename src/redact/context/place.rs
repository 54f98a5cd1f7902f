//! Where a value stands: how sure it is that the text there is the value itself.

use super::name::Kind;
use crate::redact::lex::class::Class;
use crate::redact::lex::identifier::{self, Name};
use crate::redact::lex::link::{Link, Linked};
use crate::redact::lex::quotes::Value;
use crate::redact::lex::reach;
use crate::redact::lex::vocabulary::{FLAG_WORDS, FUNCTION_WORDS, SETTERS, SWITCHING};
use crate::redact::value::looks;

/// The position of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// `NAME=value`, with the name of a variable: the text is the value beyond doubt.
    Exact,
    /// `name=value`, `--flag value`: a bare word means itself.
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

/// The place of `value`, which `linked` connects with `name`.
pub(crate) fn of(text: &str, name: Name, kind: Kind, linked: Linked, value: Value) -> Place {
    let site = Site {
        text,
        name,
        kind,
        value,
    };
    match linked.link {
        Link::Comma if site.is_pair() => Place::Shell,
        Link::Comma if site.is_flag_in_list() => Place::Literal,
        Link::Comma | Link::Call | Link::Compare => Place::Argument,
        Link::Space if site.is_set() => Place::Shell,
        Link::Space if site.is_told() || site.is_in_statement() => Place::Literal,
        Link::Space if kind == Kind::Weak && site.between().ends_with(" is ") => Place::Setting,
        Link::Space if site.is_listed() => Place::Code,
        Link::Space => Place::Prose,
        Link::Tag => Place::Literal,
        Link::Flag => site.after_flag(),
        Link::Equals if value.quoted && site.is_constant() => Place::Shell,
        _ if value.quoted => Place::Literal,
        Link::Default => Place::Code,
        Link::Equals if site.is_code_field() || site.is_called() => Place::Code,
        Link::Equals => Place::Shell,
        Link::SpacedEquals if site.is_member() => Place::Code,
        Link::SpacedEquals if site.begins_line() && site.ends_line() => Place::Assigned,
        Link::SpacedEquals => Place::Code,
        Link::Colon => site.after_colon(),
    }
}

/// Most bytes looked at on either side of a name and its value.
const NEAR: usize = 160;

/// A name and its value in a text.
pub(crate) struct Site<'a> {
    pub(crate) text: &'a str,
    pub(crate) name: Name,
    pub(crate) kind: Kind,
    pub(crate) value: Value,
}

impl<'a> Site<'a> {
    fn identifier(&self) -> &'a str {
        self.name.of(self.text)
    }

    fn content(&self) -> &'a str {
        self.value.span.of(self.text)
    }

    pub(crate) fn is_constant(&self) -> bool {
        identifier::is_constant(self.identifier())
    }

    /// What is before the name, as far as is near.
    fn near(&self) -> &'a str {
        let from = self
            .text
            .ceil_char_boundary(self.name.start.saturating_sub(NEAR));
        reach::spend(NEAR);
        self.text.get(from..self.name.start).unwrap_or_default()
    }

    /// The same, on the line of the name, which a string has as `\n`.
    fn before(&self) -> &'a str {
        let line = self.near().rsplit('\n').next().unwrap_or_default();
        line.rsplit("\\n").next().unwrap_or_default()
    }

    /// What is after the value, as far as is near.
    fn after(&self) -> &'a str {
        reach::spend(NEAR);
        let to = self.text.floor_char_boundary(self.value.after + NEAR);
        self.text.get(self.value.after..to).unwrap_or_default()
    }

    /// What is between the name and the value.
    pub(crate) fn between(&self) -> &'a str {
        self.text
            .get(self.name.end..self.value.span.start)
            .unwrap_or_default()
    }

    /// `self.token = next`.
    pub(crate) fn is_member(&self) -> bool {
        let root = self.identifier().split('.').next().unwrap_or_default();
        matches!(root, "self" | "this")
    }

    /// `("NAME", "value")`, as functions that set a variable or a header take it.
    pub(crate) fn is_pair(&self) -> bool {
        let header = self.identifier().starts_with(['X', 'x']) && self.identifier().contains('-');
        self.value.quoted
            && !self.content().contains(' ')
            && (self.is_constant() || header)
            && self
                .before()
                .trim_end_matches(['"', '\'', '\\', ' '])
                .ends_with('(')
            && !self
                .content()
                .bytes()
                .all(|b| b.is_ascii_uppercase() || b == b'_')
    }

    /// `["run", "--token", "value"]`.
    pub(crate) fn is_flag_in_list(&self) -> bool {
        let opened = self.before().rfind(['[', '(']);
        let bracket = opened.and_then(|at| self.before().get(at..));
        let list = bracket.is_some_and(|rest| rest.starts_with('['));
        self.name.dashes > 0 && list && self.value.quoted && !self.content().starts_with('-')
    }

    /// `CREATE USER name PASSWORD 'value'`, `OPTIONS (password 'value')`, `with password "value"`.
    pub(crate) fn is_in_statement(&self) -> bool {
        let before = self.before().to_ascii_lowercase();
        let statement = ["user ", "role ", "login ", "options "]
            .iter()
            .any(|word| before.contains(word));
        let step = before.ends_with("with ") && self.between() == " \"";
        self.kind == Kind::Password && (self.between() == " '" && statement || step)
    }

    /// `setx NAME value`, `set -x NAME value`, `ENV NAME value`, `machine h login u password value`.
    pub(crate) fn is_set(&self) -> bool {
        const GAP: [char; 4] = [' ', '\\', '\n', '\r'];
        let between = self.between();
        let near = self.near().trim_end_matches(GAP);
        // Other words follow `set` too: `set token limit`.
        let set = self.value.quoted && self.before().ends_with("set ");
        let direct = between.len() == 1
            || self.value.quoted
            || between.contains("\\\n") && between.trim_matches(GAP).is_empty();
        let netrc =
            self.kind == Kind::Password && near.contains("machine ") && near.contains("login ");
        let command = near.len() < self.near().len() || near.ends_with(':');
        set || direct && (netrc || command && SETTERS.iter().any(|known| near.ends_with(known)))
    }

    /// `the password is "value"`: in quotes, after a word that connects.
    pub(crate) fn is_told(&self) -> bool {
        self.value.quoted
            && matches!(self.kind, Kind::Password | Kind::Secret)
            && [" is ", " was ", "set to ", " ist ", " est ", " es "]
                .iter()
                .any(|word| self.between().contains(word))
    }

    /// `| NAME | value |`, `NAME -> value`, `NAME is "value"`.
    pub(crate) fn is_listed(&self) -> bool {
        let between = self.between();
        let marked = ["| ", "->", "→"].iter().any(|mark| between.contains(mark));
        let ends = self.ends_line() || self.after().trim_start().starts_with('|');
        let quoted = self.value.quoted && between.contains(" is ");
        self.is_compound() && (marked && ends || quoted)
    }

    /// Whether the name is one of several words that are written as one: `api_key`, `API_KEY`.
    fn is_compound(&self) -> bool {
        self.identifier().contains(['_', '-']) || self.is_constant()
    }

    /// Whether the name is the first of its line or of the quotes it stands in.
    pub(crate) fn begins_line(&self) -> bool {
        let before = self.before();
        before.ends_with(['"', '\'', '`'])
            || !before.ends_with('$') && !before.contains(char::is_alphanumeric)
    }

    pub(crate) fn ends_line(&self) -> bool {
        let after = self.after();
        let rest = after.strip_prefix('.').unwrap_or(after);
        let rest = rest.trim_start_matches([' ', '\t']);
        let comment = rest.starts_with('#') || rest.starts_with("//");
        rest.is_empty()
            || rest.starts_with(['\n', '\r', '"', '\'', '`'])
            || rest.starts_with("\\n")
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
    pub(crate) fn is_code_field(&self) -> bool {
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
    pub(crate) fn is_called(&self) -> bool {
        self.enclosing().is_some_and(|(bracket, callee)| {
            // Not in a string that the call takes: `connect("user=u password=word")`.
            let arguments = self.before().get(callee.len()..).unwrap_or_default();
            let told = self.kind == Kind::Password || self.is_constant();
            let string = told && arguments.matches('"').count() % 2 == 1;
            bracket == '('
                && !string
                && callee.ends_with(|c: char| c.is_alphanumeric() || "_>]!".contains(c))
        })
    }

    pub(crate) fn after_colon(&self) -> Place {
        // The subject of a commit begins with what it is about.
        if self.before().contains("git ") && self.before().contains("commit ") {
            return Place::Prose;
        }
        let before = self.before();
        // `/password:word`, as programs for Windows take it.
        if self.kind == Kind::Password && (before == "/" || before.ends_with(" /")) {
            return Place::Shell;
        }
        let quote = |c: Option<char>| c.filter(|c| matches!(c, '"' | '\'' | '`'));
        let opening = quote(self.before().chars().next_back());
        let whole = opening.is_some() && quote(self.after().chars().next()) == opening;
        let enclosed = match self.enclosing() {
            // All of a string: `{"header": "X-Api-Key: word"}`.
            Some(('{', _)) => !self.is_constant() && !whole,
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
        let telling = self.kind == Kind::Password || self.is_compound();
        let setting =
            self.ends_line() && (telling || self.begins_line()) || self.ends_clause() && telling;
        if setting { Place::Setting } else { Place::Code }
    }

    /// `--token value` in a command, or a sentence that speaks of the flag.
    pub(crate) fn after_flag(&self) -> Place {
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
        let gap = self.between();
        let help = gap.len() > 1 && !gap.contains('\n') && content.starts_with(char::is_uppercase);
        if help || is_word(content, &[FUNCTION_WORDS, FLAG_WORDS]) {
            return Place::Prose;
        }
        const END: Class = Class::of("|;&><)\"'`\\#-");
        let after = self.after();
        let rest = after.trim_start_matches([' ', '\t']);
        // Past the quote that ends it, the text is no longer about the command.
        let line = rest.split(['\n', '`', '"']).next().unwrap_or_default();
        let redirected = ["2>", "1>", "("].iter().any(|mark| rest.starts_with(mark));
        if redirected
            || line.trim().is_empty() && !after.starts_with(['.', ','])
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
