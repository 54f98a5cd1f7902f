//! Secrets that a block of text holds: key sets, password files, manifests, recovery phrases.

use crate::redact::lex::class::{BASE64, BASE64URL, Class, DIGIT, HEX, WORD};
use crate::redact::lex::haystack::Haystack;
use crate::redact::lex::reach;
use crate::redact::span::Span;
use crate::redact::value::entropy;
use crate::redact::value::reference::is_reference;

/// Adds the secrets of all blocks in `text`.
pub(crate) fn find(haystack: &Haystack<'_>, spans: &mut Vec<Span>) {
    let text = haystack.text();
    if haystack.may_hold("kty") {
        json_web_keys(text, spans);
    }
    password_file(text, spans);
    private_keys(haystack, spans);
    if haystack.may_hold("kind: Secret") {
        kubernetes_secret(text, spans);
    }
    recovery_phrase(haystack, spans);
    if haystack.may_hold("AKIA") || haystack.may_hold("ASIA") {
        aws_pairs(text, spans);
    }
}

/// The private members of JSON Web Keys.
fn json_web_keys(text: &str, spans: &mut Vec<Span>) {
    const LINK: Class = Class::of(": \"\\");
    let bytes = text.as_bytes();
    for (colon, _) in text.match_indices("\":").chain(text.match_indices("\" :")) {
        // Within a string, the quotes are escaped.
        let name = text.get(..colon).unwrap_or_default();
        let name = name.trim_end_matches('\\');
        let member = name.rsplit('"').next().unwrap_or_default();
        if !["d", "p", "q", "dp", "dq", "qi", "k"].contains(&member) {
            continue;
        }
        let start = LINK.run_end(bytes, colon);
        let end = BASE64URL.run_end(bytes, start);
        if end - start >= 16 {
            spans.push(Span { start, end });
        }
    }
}

/// The last field of `host:port:database:user:password` lines, as `.pgpass` has them.
fn password_file(text: &str, spans: &mut Vec<Span>) {
    const FIELD: Class = Class::of("A-Za-z0-9_.*-");
    let bytes = text.as_bytes();
    for (colon, _) in text.match_indices(':') {
        let host = FIELD.run_start(bytes, colon);
        let port = FIELD.run_end(bytes, colon + 1);
        let is_port = text
            .get(colon + 1..port)
            .is_some_and(|p| p == "*" || p.len() >= 4 && p.bytes().all(|b| b.is_ascii_digit()));
        let named = text
            .get(host..colon)
            .is_some_and(|h| h == "*" || !DIGIT.covers(h));
        let preceded = host.checked_sub(1).and_then(|i| bytes.get(i)) == Some(&b':');
        if host == colon || preceded || !named || !is_port || bytes.get(port) != Some(&b':') {
            continue;
        }
        let database = FIELD.run_end(bytes, port + 1);
        let user = FIELD.run_end(bytes, database + 1);
        if database == port + 1
            || user == database + 1
            || bytes.get(database) != Some(&b':')
            || bytes.get(user) != Some(&b':')
            || text
                .get(database + 1..user)
                .is_none_or(|name| DIGIT.covers(name))
        {
            continue;
        }
        let rest = reach::ahead(text, user + 1);
        let end = rest.find(|c: char| c.is_whitespace() || "'\"`".contains(c));
        let length = reach::passed(rest, end).unwrap_or(rest.len());
        let password = rest.get(..length).unwrap_or_default();
        if password.len() >= 4 && !is_reference(password, true) {
            spans.push(Span {
                start: user + 1,
                end: user + 1 + length,
            });
        }
    }
}

/// The values under `data:` and `stringData:` of a Kubernetes `kind: Secret`.
fn kubernetes_secret(text: &str, spans: &mut Vec<Span>) {
    if !text.lines().any(|line| line.trim_end() == "kind: Secret") {
        return;
    }
    let mut at = 0;
    let mut inside: Option<usize> = None;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let content = line.trim_start();
        let indent = line.len() - content.len();
        let content = content.trim_end();
        if matches!(content, "data:" | "stringData:") {
            inside = Some(indent);
            continue;
        }
        if inside.is_some_and(|outer| indent <= outer) {
            inside = None;
        }
        let Some((name, value)) = content.split_once(": ").filter(|_| inside.is_some()) else {
            continue;
        };
        let value = value.trim().trim_matches(['"', '\'']);
        let from = start + indent + name.len() + 2;
        let lead = text
            .get(from..)
            .and_then(|rest| rest.find(value))
            .unwrap_or_default();
        if value.len() >= 4 && !is_reference(value, true) {
            spans.push(Span {
                start: from + lead,
                end: from + lead + value.len(),
            });
        }
    }
}

/// Twelve or more words after `seed phrase` or the like.
fn recovery_phrase(haystack: &Haystack<'_>, spans: &mut Vec<Span>) {
    let text = haystack.text();
    for name in [
        "phrase", "mnemonic", "MNEMONIC", "Mnemonic", "Phrase", "seed",
    ] {
        for at in haystack.find_all(name) {
            let rest = reach::ahead(text, at + name.len());
            let lead = rest
                .bytes()
                .take_while(|b| b" :=\"'`(is".contains(b))
                .count();
            let start = at + name.len() + lead;
            let words = reach::ahead(text, start);
            let mut end = 0;
            let mut count = 0;
            for word in words.split_inclusive([' ', '\n']).take(25) {
                reach::spend(word.len());
                let letters =
                    word.trim_end_matches([' ', '\n', '\r', '"', '\'', '`', '.', ')', ',']);
                if !(3..=8).contains(&letters.len())
                    || !letters.bytes().all(|b| b.is_ascii_lowercase())
                {
                    break;
                }
                end += letters.len();
                count += 1;
                if letters.len() + 1 < word.len() || !word.ends_with(' ') {
                    break;
                }
                end += 1;
            }
            if count >= 12 {
                let phrase = words.get(..end).unwrap_or_default().trim_end();
                spans.push(Span {
                    start,
                    end: start + phrase.len(),
                });
            }
        }
    }
}

/// Secret access keys (40 bytes of Base64) in a text that has an access key id of AWS.
fn aws_pairs(text: &str, spans: &mut Vec<Span>) {
    const SECRET: Class = Class::of("A-Za-z0-9+/");
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let end = SECRET.run_end(bytes, at);
        let run = text.get(at..end).unwrap_or_default();
        let upper = run.bytes().any(|b| b.is_ascii_uppercase());
        let lower = run.bytes().any(|b| b.is_ascii_lowercase());
        if run.len() == 40 && upper && lower && entropy::is_opaque(run) {
            spans.push(Span { start: at, end });
        }
        at = end + 1;
    }
}

/// Adds the spans of the bodies of all private keys in the text.
fn private_keys(haystack: &Haystack<'_>, spans: &mut Vec<Span>) {
    if haystack.may_hold("BEGIN ") {
        armored(haystack.text(), spans);
    }
    putty(haystack, spans);
}

/// Bodies of `-----BEGIN … PRIVATE KEY-----` blocks, on one line or many, whole or cut off.
fn armored(text: &str, spans: &mut Vec<Span>) {
    let mut from = 0;
    let last_end = text.rfind("END ").unwrap_or_default();
    while let Some(begin) = text
        .get(from..)
        .and_then(|rest| rest.find("BEGIN "))
        .map(|n| from + n)
    {
        from = begin + 6;
        let Some(body) = body_of_key(text, begin, from) else {
            continue;
        };
        let rest = text.get(body..).unwrap_or_default();
        let end = match body < last_end {
            true => rest.find("-END ").or_else(|| rest.find("- END ")),
            false => None,
        };
        let length = match end {
            Some(end) => rest
                .get(..end)
                .map_or(0, |it| it.trim_end_matches('-').len()),
            None => unfinished_body(rest),
        };
        from = body + length;
        let content = rest.get(..length).unwrap_or_default();
        let start = content.trim_start_matches(is_frame);
        let start = start.trim_start_matches("\\n").trim_start_matches(is_frame);
        let lead = length - start.len();
        let span = Span {
            start: body + lead,
            end: body + trim_end(content).len().max(lead),
        };
        let letters = content.bytes().filter(|b| BASE64.has(*b)).count();
        if letters >= 16 {
            spans.push(span);
        }
    }
}

/// Where the body begins of the private key whose label follows `BEGIN `, at `label`.
fn body_of_key(text: &str, begin: usize, label: usize) -> Option<usize> {
    let rest = reach::ahead(text, label);
    let end = reach::passed(rest, rest.find("--"))?;
    let name = rest.get(..end)?;
    let is_private =
        name.len() <= 64 && (name.contains("PRIVATE KEY") || name.contains("OpenVPN Static key"));
    let before = text.get(..begin)?;
    if !is_private || !(before.ends_with("--") || before.ends_with("-- ")) {
        return None;
    }
    let dashes = rest.bytes().skip(end).take_while(|b| *b == b'-').count();
    Some(label + end + dashes)
}

fn is_frame(c: char) -> bool {
    c.is_whitespace() || matches!(c, '>' | '"' | '\'' | '+' | '|' | '#' | '*')
}

fn trim_end(content: &str) -> &str {
    let content = content.trim_end_matches(is_frame);
    content
        .strip_suffix("\\n")
        .unwrap_or(content)
        .trim_end_matches(is_frame)
}

/// Length of what looks like the body of a key that has no end line.
fn unfinished_body(rest: &str) -> usize {
    const BODY: Class = Class::of("A-Za-z0-9+/= \\\r\n\t>:,-");
    let mut end = 0;
    for line in rest.split_inclusive('\n') {
        let content = line.trim().trim_start_matches(['>', ' ', '\\', 'n']);
        let header = content
            .split_once(": ")
            .is_some_and(|(name, _)| WORD.covers(&name.replace('-', "")));
        let key = BODY.covers(content) && !content.contains(' ');
        if !(content.is_empty() || key || header) {
            // The key may end within the line, before a quote.
            return end + BODY.run_end(line.as_bytes(), 0);
        }
        end += line.len();
    }
    end
}

/// `Private-Lines: N` of a PuTTY key file and the N lines after it.
fn putty(haystack: &Haystack<'_>, spans: &mut Vec<Span>) {
    let text = haystack.text();
    for at in haystack.find_all("Private-Lines:") {
        let body = at + "Private-Lines:".len();
        let rest = text.get(body..).unwrap_or_default();
        let near = reach::ahead(text, body);
        let Some(line) = reach::passed(near, near.find('\n')) else {
            continue;
        };
        let lines = rest.get(line + 1..).unwrap_or_default();
        let length = lines.find("Private-").unwrap_or(lines.len());
        let content = lines.get(..length).unwrap_or_default().trim_end();
        let start = body + line + 1;
        if !content.is_empty() {
            spans.push(Span {
                start,
                end: start + content.len(),
            });
        }
    }
    for at in haystack.find_all("Private-MAC: ") {
        let start = at + "Private-MAC: ".len();
        let end = HEX.run_end(text.as_bytes(), start);
        if end - start >= 32 {
            spans.push(Span { start, end });
        }
    }
}
