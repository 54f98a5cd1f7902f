//! What connects a name with its value: `=`, `:`, a flag's space, a call's comma, a sentence.

use super::class::Class;
use super::identifier::Name;
use super::quotes::Bare;
use super::reach;
use super::vocabulary::{ACCOUNTS, CONNECTING, RELATING};

/// The connection of a name with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Link {
    /// `NAME=value`, `name := "value"`, `name => "value"`.
    Equals,
    /// `name = value`, with white space, as code and settings have it.
    SpacedEquals,
    /// `name: value`, `Header: value`, `name → value`.
    Colon,
    /// `--name value`.
    Flag,
    /// `"NAME", "value"`.
    Comma,
    /// `name("value")`, `get("name").or("value")`.
    Call,
    /// `name == "value"`.
    Compare,
    /// `${NAME:-value}`, `env.NAME || "value"`.
    Default,
    /// `<name>value</name>`.
    Tag,
    /// `name value` and `the name is value`.
    Space,
}

/// Where a value may be, and how it is connected.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Linked {
    pub(crate) link: Link,
    pub(crate) at: usize,
    pub(crate) bare: Bare,
}

/// Most bytes of a called path.
const LONGEST_PATH: usize = 48;

const BLANK: Class = Class::of(" \t");

/// Operators, longest first, with what they mean.
const OPERATORS: &[(&str, Link)] = &[
    ("===", Link::Compare),
    ("!==", Link::Compare),
    ("||=", Link::Equals),
    ("??=", Link::Equals),
    ("==", Link::Compare),
    ("!=", Link::Compare),
    (":=", Link::Equals),
    ("?=", Link::Equals),
    ("+=", Link::Equals),
    ("=>", Link::Equals),
    ("? ", Link::Space),
    ("| ", Link::Space),
    ("->", Link::Space),
    ("<- ", Link::SpacedEquals),
    (":-", Link::Default),
    ("||", Link::Default),
    ("??", Link::Default),
    ("→", Link::Space),
    ("：", Link::Colon),
    ("＝", Link::Colon),
    ("=", Link::Equals),
    (":", Link::Colon),
    (",", Link::Comma),
    ("(", Link::Call),
];

/// The value that belongs to `name`, if something connects them.
pub(crate) fn after(text: &str, name: Name) -> Option<Linked> {
    let bytes = text.as_bytes();
    let before = text.get(..name.start).unwrap_or_default();
    if before.ends_with("://") || before.ends_with("::") {
        return None;
    }
    let close = skip_closers(text, name.end);
    let at = BLANK.run_end(bytes, close);
    let spaced = at > close;
    let rest = text.get(at..)?;
    if rest.starts_with("::") {
        return call(text, at).filter(|_| !spaced);
    }
    if rest.starts_with(").") || rest.starts_with("].") {
        return call(text, at + 1);
    }
    if rest.starts_with('>') && !spaced {
        return tag(text, name, at);
    }
    if is_expansion(before, rest) {
        return None;
    }
    let operator = OPERATORS
        .iter()
        .find(|(operator, _)| rest.starts_with(operator));
    let Some((operator, link)) = operator else {
        return spaced_value(text, name, close, at);
    };
    let end = at + operator.len();
    let next = bytes.get(end).copied();
    let blank = next.is_none_or(|byte| byte.is_ascii_whitespace());
    // A cell of a table, not a pipe.
    if *operator == "| " && !before.ends_with("| ") && !before.ends_with("| `") {
        return None;
    }
    let found = |link, at, bare| Some(Linked { link, at, bare });
    match link {
        Link::Compare if !spaced && !blank && *operator == "==" => {
            found(Link::Equals, end, Bare::Word)
        }
        Link::Comma | Link::Call if spaced => spaced_value(text, name, close, at),
        Link::Comma | Link::Compare | Link::Call => {
            found(*link, next_argument(text, end), Bare::Word)
        }
        Link::Default => found(Link::Default, BLANK.run_end(bytes, end), Bare::Word),
        Link::Equals if spaced || blank => {
            found(Link::SpacedEquals, skip_space(text, end), Bare::Word)
        }
        Link::Equals => found(Link::Equals, continued(text, end), Bare::Word),
        Link::Colon if *operator == ":" => after_colon(text, before, spaced, end),
        _ => found(*link, skip_space(text, end), Bare::Line),
    }
}

/// Whether a name stands where a shell expands it to its value or something else, and gives it none: `${NAME}`,
/// `${NAME:?message}`, `${NAME:+other}`.
fn is_expansion(before: &str, rest: &str) -> bool {
    before.ends_with("${") && !rest.starts_with([':', '=', '-'])
        || rest.starts_with(":?")
        || rest.starts_with(":+")
}

/// Where the argument after the name begins, as in `fill_in 'Password', with: 'value'`.
fn next_argument(text: &str, at: usize) -> usize {
    const WITH: &str = "with: ";
    let next = skip_space(text, at);
    let rest = text.get(next..).unwrap_or_default();
    match rest.starts_with(WITH) {
        true => next + WITH.len(),
        false => next,
    }
}

/// The value behind a single colon: that of a key, or of a variable with its type.
fn after_colon(text: &str, before: &str, spaced: bool, end: usize) -> Option<Linked> {
    if let Some((kind, at)) = annotation(text, end) {
        return is_textual(kind).then_some(Linked {
            link: Link::SpacedEquals,
            at,
            bare: Bare::Word,
        });
    }
    let next = text.as_bytes().get(end).copied();
    let blank = next.is_none_or(|byte| byte.is_ascii_whitespace());
    // `arn:aws:secretsmanager:…:secret:name`, `token://…`.
    let inside = before
        .strip_suffix(':')
        .is_some_and(|b| b.ends_with(|c: char| c.is_ascii_alphanumeric()));
    // `PASSWORD :'variable'`, as psql has it.
    let variable = spaced && matches!(next, Some(b'"' | b'\''));
    let is_other = variable || !blank && (next == Some(b'/') || inside);
    (!is_other).then(|| Linked {
        link: Link::Colon,
        at: value_of_key(text, end),
        bare: Bare::Line,
    })
}

/// Where the value of `key:` begins: on its line, or on the next, indented one.
fn value_of_key(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let here = BLANK.run_end(bytes, at);
    let rest = text.get(here..).unwrap_or_default();
    let block = ["|-", ">-", "|+", ">+", "|", ">"]
        .iter()
        .find(|mark| rest.starts_with(**mark));
    let line_end = here + block.map_or(0, |mark| mark.len());
    let line_end = if bytes.get(line_end) == Some(&b'\r') {
        line_end + 1
    } else {
        line_end
    };
    if bytes.get(line_end) != Some(&b'\n') {
        return here;
    }
    let next = BLANK.run_end(bytes, line_end + 1);
    if next > line_end + 1 { next } else { here }
}

/// The literal in `::from("value")` or `.fill("value")` at `at`.
fn call(text: &str, at: usize) -> Option<Linked> {
    const CALLEE: Class = Class::of("A-Za-z0-9_:.");
    let bytes = text.as_bytes();
    let end = CALLEE.run_end(bytes.get(..at + LONGEST_PATH).unwrap_or(bytes), at);
    let opened = bytes.get(end) == Some(&b'(');
    opened.then(|| Linked {
        link: Link::Call,
        at: skip_space(text, end + 1),
        bare: Bare::Word,
    })
}

/// Elements of HTML that hold what a person reads.
const LABELS: &[&str] = &[
    "a", "button", "dd", "dt", "h1", "h2", "h3", "label", "legend", "li", "option", "p", "span",
    "tab", "td", "th", "tr",
];

/// The content of an element that is named, or has an attribute that is named, as a secret.
fn tag(text: &str, name: Name, at: usize) -> Option<Linked> {
    let content = reach::ahead(text, at + 1);
    let end = match content.strip_prefix("<![CDATA[") {
        Some(_) => reach::passed(content, content.find("]]>"))? + "]]>".len(),
        None => reach::passed(content, content.find('<'))?,
    };
    let before = name
        .start
        .checked_sub(1)
        .and_then(|i| text.as_bytes().get(i));
    let near = text.ceil_char_boundary(name.start.saturating_sub(LONGEST_PATH));
    let near = text.get(near..name.start).unwrap_or_default();
    let label = near.rsplit_once('<').is_some_and(|(_, tag)| {
        let element = tag.split([' ', '\n']).next().unwrap_or_default();
        LABELS.contains(&element)
    });
    if label || near.ends_with("class=\"") || near.ends_with("className=\"") {
        return None;
    }
    let element = before.is_some_and(|byte| b"<.:".contains(byte));
    let closed = content.get(end..)?.starts_with("</");
    ((element || name.quoted) && closed).then_some(Linked {
        link: Link::Tag,
        at: at + 1,
        bare: Bare::Line,
    })
}

/// The value after mere white space: a flag's, a setting's or a sentence's.
fn spaced_value(text: &str, name: Name, close: usize, at: usize) -> Option<Linked> {
    let next = skip_space(text, close);
    if next == close {
        return None;
    }
    if name.dashes > 0 && ends_line(text, close, next) {
        return None;
    }
    if name.dashes > 0 {
        return Some(Linked {
            link: Link::Flag,
            at: next,
            bare: Bare::Word,
        });
    }
    // `["db"]["password"] "value"`.
    if text
        .get(..close)
        .is_some_and(|before| before.ends_with(']'))
        && name.quoted
    {
        return Some(Linked {
            link: Link::Comma,
            at: next,
            bare: Bare::Word,
        });
    }
    if name.quoted
        || text.get(close..at)?.len() > 16
        || text.as_bytes().get(at).is_none_or(|b| *b == b'\n')
    {
        return None;
    }
    if let Some((_, value)) = annotation(text, at).filter(|(kind, _)| is_textual(kind)) {
        return Some(Linked {
            link: Link::SpacedEquals,
            at: value,
            bare: Bare::Word,
        });
    }
    Some(Linked {
        link: Link::Space,
        at: value_start(text, continued(text, at)),
        bare: Bare::Line,
    })
}

const SPACE: Class = Class::of(" \t\r\n");

/// Past the quotes and brackets that close around a name.
fn skip_closers(text: &str, end: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = end;
    for _ in 0..4 {
        match bytes.get(at) {
            Some(b'"' | b'\'' | b'`' | b']' | b'*') => at += 1,
            Some(b'\\') if matches!(bytes.get(at + 1), Some(b'"' | b'\'' | b'\\')) => at += 1,
            Some(b')') if bytes.get(at + 1) == Some(&b'.') => return at,
            _ => return at,
        }
    }
    at
}

/// Past white space, line continuations and an opening parenthesis.
fn skip_space(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = at;
    loop {
        let space = SPACE.run_end(bytes, at);
        let rest = bytes.get(space..).unwrap_or_default();
        at = match rest {
            [b'\\' | b'^' | b'`', b'\n', ..] => space + 2,
            [b'\\' | b'^' | b'`', b'\r', b'\n', ..] => space + 3,
            [b'(', b'\n' | b'"' | b'\'' | b' ', ..] => space + 1,
            _ => return space,
        };
    }
}

/// Whether the text between `at` and `end` ends a line that does not go on.
fn ends_line(text: &str, at: usize, end: usize) -> bool {
    text.get(at..end).is_some_and(|gap| {
        gap.split_inclusive('\n').any(|line| {
            let kept = line.trim_end_matches(['\r', '\n']);
            kept.len() < line.len() && !kept.ends_with(['\\', '^', '`'])
        })
    })
}

/// Past a line continuation right after an operator.
fn continued(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    if rest.starts_with("\\\n") || rest.starts_with("\\\r\n") {
        skip_space(text, at)
    } else {
        at
    }
}

/// Most bytes of an annotation.
const LONGEST_ANNOTATION: usize = 48;

/// A type annotation at `at`, and where the value after it begins: `: &'static str = "value"`.
fn annotation(text: &str, at: usize) -> Option<(&str, usize)> {
    const TYPE: Class = Class::of("A-Za-z0-9_&'<>[];:.?| ");
    let bytes = text.as_bytes();
    let end = TYPE.run_end(bytes.get(..at + LONGEST_ANNOTATION).unwrap_or(bytes), at);
    let annotation = text.get(at..end)?.strip_suffix(' ')?.trim_start();
    let single = annotation.bytes().filter(|byte| *byte == b' ').count() <= 1;
    let assigned = bytes.get(end) == Some(&b'=') && bytes.get(end + 1) != Some(&b'=');
    (assigned && single && !annotation.is_empty()).then(|| (annotation, skip_space(text, end + 1)))
}

/// Whether a value of the annotated type can be text.
fn is_textual(annotation: &str) -> bool {
    let annotation = annotation.to_ascii_lowercase();
    ["str", "char", "any", "byte", "u8", "secret", "text"]
        .iter()
        .any(|known| annotation.contains(known))
}

/// Most bytes of a phrase between a name and its value.
const LONGEST_PHRASE: usize = 64;

/// Where the value begins that the sentence, which goes on at `at` after a name, may tell.
fn value_start(text: &str, at: usize) -> usize {
    let mut at = aside_end(text, at)
        .or_else(|| relative_end(text, at))
        .unwrap_or(at);
    for _ in 0..5 {
        let (word, end) = word_at(text, at);
        let bare = word.trim_end_matches([':', ',']);
        if !CONNECTING
            .iter()
            .any(|known| known.eq_ignore_ascii_case(bare))
        {
            break;
        }
        let next = blank_end(text, end);
        if next == end {
            break;
        }
        at = next;
    }
    let rest = text.get(at..).unwrap_or_default();
    let opening = ["(", ": ", "= ", "→ ", "-> ", "- "]
        .iter()
        .find(|open| rest.starts_with(**open));
    at + opening.map_or(0, |open| open.len())
}

/// Past an aside and its colon: "(staging): ".
fn aside_end(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..text.floor_char_boundary(at + LONGEST_PHRASE))?;
    let (aside, after) = rest.strip_prefix('(')?.split_once(')')?;
    let after = after.strip_prefix(": ")?;
    (!aside.contains('\n')).then(|| at + rest.len() - after.len())
}

/// Past a phrase such as "on the build box is".
fn relative_end(text: &str, at: usize) -> Option<usize> {
    let (word, _) = word_at(text, at);
    if !RELATING.contains(&word) && !ACCOUNTS.contains(&word) {
        return None;
    }
    let phrase = text.get(at..text.floor_char_boundary(at + LONGEST_PHRASE))?;
    let sentence = phrase.find(['\n', ';', '"', ',']).unwrap_or(phrase.len());
    let phrase = phrase.get(..sentence)?;
    let (verb, found) = [
        " is ", " was ", ": ", " = ", " es ", " est ", " ist ", " é ", " è ",
    ]
    .iter()
    .filter_map(|verb| phrase.find(verb).map(|found| (verb, found)))
    .min_by_key(|(_, found)| *found)?;
    Some(at + found + verb.len())
}

fn word_at(text: &str, at: usize) -> (&str, usize) {
    let rest = reach::ahead(text, at);
    let end = reach::passed(rest, rest.find(char::is_whitespace));
    let length = end.unwrap_or(rest.len());
    (rest.get(..length).unwrap_or_default(), at + length)
}

fn blank_end(text: &str, at: usize) -> usize {
    const BLANK: Class = Class::of(" \t");
    BLANK.run_end(text.as_bytes(), at)
}
