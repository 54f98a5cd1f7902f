//! Secrets among the arguments of known programs, where no name announces them.

use super::cookie;
use super::programs::{COMMANDS, Command, SINKS, Take};
use crate::redact::context::name::{self, Kind};
use crate::redact::lex::class::{Class, WORD};
use crate::redact::lex::haystack::Haystack;
use crate::redact::lex::reach;
use crate::redact::lex::shell::{self, unquoted};
use crate::redact::span::Span;
use crate::redact::value::code;
use crate::redact::value::entropy;
use crate::redact::value::public::is_number;
use crate::redact::value::reference::is_reference;
use std::sync::LazyLock;

/// The commands of a table by the first byte of a program's name.
static BY_FIRST_BYTE: LazyLock<Vec<Vec<(&'static str, &'static Command)>>> = LazyLock::new(|| {
    let mut table = vec![Vec::new(); 128];
    for command in COMMANDS {
        for program in command.programs {
            let first = program.bytes().next().map(usize::from);
            if let Some(bucket) = first.and_then(|byte| table.get_mut(byte)) {
                bucket.push((*program, command));
            }
        }
    }
    table
});

/// What a program's name is written with.
const PROGRAM: Class = Class::of("A-Za-z0-9_.+-");

/// Adds the spans of the secret arguments of all commands in `text`.
pub(crate) fn find(haystack: &Haystack<'_>, spans: &mut Vec<Span>) {
    let text = haystack.text();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() && reach::left() > 0 {
        let end = PROGRAM.run_end(bytes, at);
        // `https://…` runs nothing.
        if end > at && begins_command(bytes, at) && bytes.get(end) != Some(&b':') {
            let word = text.get(at..end).unwrap_or_default();
            let word = word.strip_suffix(".exe").unwrap_or(word);
            let known = bytes
                .get(at)
                .and_then(|first| BY_FIRST_BYTE.get(usize::from(*first)));
            let mut matching = known
                .into_iter()
                .flatten()
                .filter(|(program, _)| *program == word)
                .peekable();
            if matching.peek().is_some() {
                let line = shell::command(text, at);
                for (_, command) in matching {
                    arguments(text, command, &line, spans);
                }
            }
        }
        at = end.max(at) + 1;
    }
}

fn begins_command(bytes: &[u8], at: usize) -> bool {
    at.checked_sub(1)
        .and_then(|i| bytes.get(i))
        .is_none_or(|b| b.is_ascii_whitespace() || b"\"'`(;|&/{[:>=".contains(b))
}

/// Adds the secret arguments of `line`, which runs `command`.
fn arguments(text: &str, command: &Command, line: &shell::SimpleCommand, spans: &mut Vec<Span>) {
    let arguments: Vec<Argument<'_>> = line
        .words
        .iter()
        .skip(1)
        .filter_map(|span| {
            text.get(span.start..span.end)
                .map(|raw| Argument { raw, span: *span })
        })
        .collect();
    reach::spend(line.words.len() * (command.with.len() + 2 * command.takes.len()));
    let has = |needed: &str| {
        arguments
            .iter()
            .any(|argument| match needed.strip_suffix('…') {
                Some(start) => argument.raw.starts_with(start),
                None => argument.raw == needed,
            })
    };
    if !command.with.iter().all(|needed| has(needed)) {
        return;
    }
    for take in command.takes {
        if let Take::PipedOut = take {
            piped(text, line, spans);
        }
        if let Take::Nth(after, number) = *take {
            spans.extend(
                nth_operand(&arguments, after, number).and_then(|word| operand(text, word)),
            );
        }
        for (index, argument) in arguments.iter().enumerate() {
            let next = arguments.get(index + 1).map(|argument| argument.span);
            if let (Take::Cookies(option), Some(list)) = (take, next)
                && argument.raw == *option
            {
                cookie::header(text, unquoted(text, list), spans);
            }
            spans.extend(taken(text, *take, *argument, next));
        }
    }
}

/// A word after a program's name, as it is written, and where.
#[derive(Clone, Copy)]
struct Argument<'a> {
    raw: &'a str,
    span: Span,
}

impl Argument<'_> {
    /// Its last `length` bytes.
    fn tail(self, length: usize) -> Span {
        Span {
            start: self.span.end - length,
            end: self.span.end,
        }
    }
}

/// The secret that `take` finds in `argument`, or in the `next` one.
fn taken(text: &str, take: Take, argument: Argument<'_>, next: Option<Span>) -> Option<Span> {
    let raw = argument.raw;
    match take {
        Take::Option(option) | Take::Separate(option) if raw == option => {
            let span = secret(text, next?)?;
            // `-p 2222`: of the many programs, the one that runs here has ports.
            let port = option == "-p" && span.end - span.start <= 5;
            let number = text.get(span.start..span.end).is_some_and(is_number);
            (!port || !number).then_some(span)
        }
        Take::Option(option) if option.starts_with("--") => {
            let value = raw.strip_prefix(option)?.strip_prefix('=')?;
            secret(text, argument.tail(value.len()))
        }
        Take::Option(option) | Take::Glued(option) => {
            let value = raw.strip_prefix(option).filter(|value| !value.is_empty())?;
            secret(
                text,
                argument.tail(value.strip_prefix('=').unwrap_or(value).len()),
            )
        }
        Take::Login(option, separator) => match login_at(raw, option)? {
            "" => login(text, next?, separator),
            glued => login(text, argument.tail(glued.len()), separator),
        },
        Take::Logins(separator) => login(text, argument.span, separator),
        Take::HereString if raw == "<<<" => secret(text, next?),
        Take::Literals => {
            let pair = argument.tail(raw.strip_prefix("--from-literal=")?.len());
            let pair = unquoted(text, pair);
            let (name, value) = text.get(pair.start..pair.end)?.split_once('=')?;
            let value = Span {
                start: pair.end - value.len(),
                end: pair.end,
            };
            secret(text, value).filter(|_| !matches!(name, "user" | "username"))
        }
        Take::Headers => in_header(text, argument.span),
        Take::Pairs => {
            let (_, value) = raw
                .split_once('=')
                .filter(|(name, _)| !name.starts_with('-'))?;
            secret(text, argument.tail(value.len()))
        }
        Take::Cookies(_)
        | Take::Separate(_)
        | Take::HereString
        | Take::Nth(..)
        | Take::PipedOut => None,
    }
}

/// The secret of a header by its name; those of other kinds have rules of their own.
fn in_header(text: &str, argument: Span) -> Option<Span> {
    let header = unquoted(text, argument);
    let (name, value) = text.get(header.start..header.end)?.split_once(':')?;
    let value = value.trim_start();
    let span = Span {
        start: header.end - value.len(),
        end: header.end,
    };
    let kind = name::classify(name)?;
    let told = !matches!(kind, Kind::Weak | Kind::Authorization | Kind::Cookie);
    secret(text, span)
        .filter(|_| told && !value.starts_with(['=', '/', '@', '`']) && !is_reference(value, false))
}

/// The operand at `number`, counted from 1, after the word `after` (the program, when empty).
fn nth_operand(arguments: &[Argument<'_>], after: &str, number: usize) -> Option<Span> {
    let from = match after {
        "" => 0,
        word => arguments.iter().position(|argument| argument.raw == word)? + 1,
    };
    let is_operand = |argument: &&Argument<'_>| {
        let windows_switch = argument.raw.starts_with('/') && argument.raw.contains(':');
        !argument.raw.starts_with('-') && !windows_switch
    };
    let mut operands = arguments.get(from..)?.iter().filter(is_operand);
    operands
        .nth(number.checked_sub(1)?)
        .map(|operand| operand.span)
}

/// The secret that the operand `word` is, which names no variable and sets no other thing.
fn operand(text: &str, word: Span) -> Option<Span> {
    let span = secret(text, word)?;
    let content = text.get(span.start..span.end)?;
    let set = content
        .split_once('=')
        .is_some_and(|(name, value)| WORD.covers(name) && !value.trim_matches('=').is_empty());
    (!set && !code::is_constant(content)).then_some(span)
}

/// What is glued to `option` in `word` (nothing when the next word is its value): `-sSuX` is curl's
/// `-s -S -u X`.
fn login_at<'a>(word: &'a str, option: &str) -> Option<&'a str> {
    if let Some(rest) = word.strip_prefix(option) {
        let long = option.starts_with("--");
        return if rest.is_empty() || !long {
            Some(rest)
        } else {
            rest.strip_prefix('=')
        };
    }
    let letter = option.strip_prefix('-').filter(|rest| rest.len() == 1)?;
    let (switches, rest) = word.strip_prefix('-')?.split_once(letter)?;
    let plain = switches
        .bytes()
        .all(|b| b"sSkLfvgijInNOJ#0146".contains(&b));
    plain.then_some(rest)
}

/// Adds the last word that `line` writes into a program that reads a secret from there.
fn piped(text: &str, line: &shell::SimpleCommand, spans: &mut Vec<Span>) {
    let Some(sink) = line.piped_to.map(|at| shell::command(text, at)) else {
        return;
    };
    let words: Vec<&str> = sink
        .words
        .iter()
        .filter_map(|word| text.get(word.start..word.end))
        .collect();
    let has = |need: &&str| {
        words
            .iter()
            .any(|word| word.rsplit('/').next() == Some(*need) && !word.starts_with("/etc/"))
    };
    if !SINKS.iter().any(|row| row.iter().all(has)) {
        return;
    }
    let is_format = |raw: &str| {
        ["-", "%", "\"%", "'%"]
            .iter()
            .any(|start| raw.starts_with(start))
    };
    let written = line.words.iter().skip(1).rfind(|word| {
        text.get(word.start..word.end)
            .is_some_and(|raw| !is_format(raw))
    });
    let Some(written) = written.map(|word| unquoted(text, *word)) else {
        return;
    };
    spans.extend(if has(&"chpasswd") {
        login(text, written, ':')
    } else {
        secret(text, written)
    });
}

/// The secret that `word` is, without its quotes and without the `pass:` of OpenSSL.
fn secret(text: &str, word: Span) -> Option<Span> {
    let span = unquoted(text, word);
    let content = text.get(span.start..span.end)?;
    if ["file:", "env:", "fd:", "@keychain:", "@env:"]
        .iter()
        .any(|source| content.starts_with(source))
        || content == "stdin"
    {
        return None;
    }
    let content = content.strip_prefix("pass:").unwrap_or(content);
    let option = content.starts_with(['-', '<', '>', '(']);
    let told = content.len() >= 2 && !option && !content.contains("://");
    let reference = is_reference(content, true) && is_reference(shell::meant(text, span), true);
    (told && !reference).then_some(Span {
        start: span.end - content.len(),
        end: span.end,
    })
}

/// The password of the `user:password` that `word` is, or the user when it is the token itself.
fn login(text: &str, word: Span, separator: char) -> Option<Span> {
    let span = unquoted(text, word);
    let (user, password) = text.get(span.start..span.end)?.split_once(separator)?;
    // `:X` is a token without a user.
    if user.is_empty() && !entropy::is_opaque(password)
        || user.contains("//")
        || password.starts_with("//")
    {
        return None;
    }
    if password.is_empty() {
        let token = Span {
            start: span.start,
            end: span.start + user.len(),
        };
        return entropy::is_opaque(user).then_some(token);
    }
    // `user/password@database`.
    let database = match password.rsplit_once('@') {
        Some((_, host)) if separator == '/' => host.len() + 1,
        _ => 0,
    };
    secret(
        text,
        Span {
            start: span.end - password.len(),
            end: span.end - database,
        },
    )
}
