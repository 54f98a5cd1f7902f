//! Private keys in armor (PEM, OpenPGP, OpenSSH) and in PuTTY's key files.

use super::Span;
use super::class::{BASE64, Class, HEX, WORD};
use super::haystack::Haystack;
use super::reach;

/// Adds the spans of the bodies of all private keys in the text.
pub(super) fn find(haystack: &Haystack<'_>, spans: &mut Vec<Span>) {
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
        let rest = reach::ahead(text, from);
        let Some(label_end) = reach::passed(rest, rest.find("--")) else {
            continue;
        };
        let label = rest.get(..label_end).unwrap_or_default();
        let private = label.len() <= 64
            && (label.contains("PRIVATE KEY") || label.contains("OpenVPN Static key"));
        if !private
            || !text
                .get(..begin)
                .is_some_and(|before| before.ends_with("--") || before.ends_with("-- "))
        {
            continue;
        }
        let dashes = rest
            .bytes()
            .skip(label_end)
            .take_while(|b| *b == b'-')
            .count();
        let body = from + label_end + dashes;
        let rest = text.get(body..).unwrap_or_default();
        let end = if body < last_end {
            rest.find("-END ").or_else(|| rest.find("- END "))
        } else {
            None
        };
        let end = match end {
            Some(end) => {
                body + rest
                    .get(..end)
                    .unwrap_or_default()
                    .trim_end_matches('-')
                    .len()
            }
            None => body + unfinished_body(rest),
        };
        from = end;
        let content = text.get(body..end).unwrap_or_default();
        let lead = content.len()
            - content
                .trim_start_matches(is_frame)
                .trim_start_matches("\\n")
                .trim_start_matches(is_frame)
                .len();
        let tail = content.len() - trim_end(content).len();
        let span = Span {
            start: body + lead,
            end: (end - tail).max(body + lead),
        };
        let letters = content.bytes().filter(|b| BASE64.has(*b)).count();
        if letters >= 16 {
            spans.push(span);
        }
    }
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
