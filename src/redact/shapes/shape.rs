//! What a vendor's token looks like, and finding such tokens in a text.

use crate::redact::lex::class::{ALNUM, Class, HEX};
use crate::redact::span::Span;
use crate::redact::value::entropy;

/// One piece of a token, read from left to right. A run is always read to its end.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    /// At least this many bytes of the class.
    Run(Class, usize),
    /// Exactly this many bytes of the class, then none of the class.
    Exactly(Class, usize),
    /// This text.
    Text(&'static str),
}

/// One kind of token. Examples leave out the anchor, so that no scanner takes this source for a
/// leak; where there is a lead they have it, broken by `¦`.
pub(crate) struct Shape {
    #[cfg(test)]
    pub(crate) name: &'static str,
    /// Text that every token of the kind holds; the search starts at it.
    pub(crate) anchor: &'static str,
    /// Bytes right before the anchor that belong to the token: class, least and greatest number.
    pub(crate) lead: Option<(Class, usize, usize)>,
    parts: &'static [Part],
    /// Number of leading parts that stay readable, with the anchor; `None` lets nothing stay.
    kept: Option<usize>,
    /// Last check, on the token without its anchor.
    fits: fn(&str) -> bool,
    #[cfg(test)]
    pub(crate) hits: &'static [&'static str],
    #[cfg(test)]
    pub(crate) misses: &'static [&'static str],
}

impl Shape {
    /// Tokens that begin with `anchor` and go on with `parts`.
    #[cfg_attr(
        not(test),
        expect(unused_variables, reason = "the tests alone read them")
    )]
    pub(crate) const fn new(
        name: &'static str,
        anchor: &'static str,
        parts: &'static [Part],
        hits: &'static [&'static str],
        misses: &'static [&'static str],
    ) -> Self {
        Self {
            #[cfg(test)]
            name,
            anchor,
            lead: None,
            parts,
            kept: None,
            fits: entropy::is_varied,
            #[cfg(test)]
            hits,
            #[cfg(test)]
            misses,
        }
    }

    /// The same, with `least` to `greatest` bytes of `class` before the anchor.
    pub(crate) const fn after(mut self, class: Class, least: usize, greatest: usize) -> Self {
        self.lead = Some((class, least, greatest));
        self
    }

    /// The same, where the anchor and the first `parts` parts say where, not what, and stay.
    pub(crate) const fn keeping(mut self, parts: usize) -> Self {
        self.kept = Some(parts);
        self
    }

    /// The same, with another last check.
    pub(crate) const fn only_if(mut self, fits: fn(&str) -> bool) -> Self {
        self.fits = fits;
        self
    }

    /// The token that an example stands for.
    #[cfg(test)]
    pub(crate) fn example(&self, body: &str) -> String {
        let anchor = if self.lead.is_some() { "" } else { self.anchor };
        format!("{anchor}{}", body.replace('¦', ""))
    }

    /// The span to redact of the token whose anchor is at `at`.
    pub(crate) fn match_at(&self, text: &str, at: usize, runs: &mut Runs) -> Option<Span> {
        let bytes = text.as_bytes();
        if !bytes.get(at..)?.starts_with(self.anchor.as_bytes()) {
            return None;
        }
        let start = match self.lead {
            None => at,
            Some((class, least, greatest)) => {
                let from = at.saturating_sub(greatest + 1);
                let run = from + class.run_start(bytes.get(from..at)?, at - from);
                let start = if is_escape(bytes, run) { run + 1 } else { run };
                if !(least..=greatest).contains(&(at - start)) {
                    return None;
                }
                start
            }
        };
        if self.lead.is_some() && !starts_word(bytes, start) {
            return None;
        }
        // Two letters and a dash occur within any long random string.
        let within = at.checked_sub(1).and_then(|i| bytes.get(i));
        if self.anchor.len() <= 3
            && self.lead.is_none()
            && self.kept.is_none()
            && within.is_some_and(|b| b"-_+/.".contains(b))
        {
            return None;
        }
        let body = at + self.anchor.len();
        let mut end = body;
        let mut kept_to = if self.kept == Some(0) { body } else { start };
        for (number, part) in self.parts.iter().enumerate() {
            end = part.read(bytes, end, runs)?;
            if Some(number + 1) == self.kept {
                kept_to = end;
            }
        }
        while end > body && bytes.get(end - 1) == Some(&b'.') {
            end -= 1;
        }
        let checked = if self.lead.is_some() {
            start
        } else {
            body.max(kept_to)
        };
        let fits = text.get(checked..end).is_some_and(self.fits);
        fits.then_some(Span {
            start: kept_to,
            end,
        })
    }
}

impl Part {
    /// End of this part when it begins at `at`.
    fn read(self, bytes: &[u8], at: usize, runs: &mut Runs) -> Option<usize> {
        match self {
            Self::Text(text) => bytes
                .get(at..)?
                .starts_with(text.as_bytes())
                .then_some(at + text.len()),
            Self::Run(class, least) => {
                let mut end = runs.end(class, bytes, at);
                let mut length = end - at;
                while let Some(next) = continued(bytes, end).filter(|_| length > 0) {
                    let run = class.run_end(bytes, next);
                    if run == next {
                        break;
                    }
                    length += run - next;
                    end = run;
                }
                (length >= least).then_some(end)
            }
            Self::Exactly(class, length) => {
                let end = runs.end(class, bytes, at);
                (end - at == length).then_some(end)
            }
        }
    }
}

/// Whether the letter of an escape such as `\n` is at `at`.
fn is_escape(bytes: &[u8], at: usize) -> bool {
    let backslash = at.checked_sub(1).and_then(|i| bytes.get(i)) == Some(&b'\\');
    backslash && matches!(bytes.get(at), Some(b'n' | b't' | b'r'))
}

/// For each class, the run that was read last. Anchors that repeat within one long run, each the
/// beginning of no token, would otherwise have it read again and again.
#[derive(Default)]
pub(crate) struct Runs {
    last: Vec<(Class, Span)>,
}

impl Runs {
    /// End of the run of `class` that begins at `at` or before.
    fn end(&mut self, class: Class, bytes: &[u8], at: usize) -> usize {
        let known = self.last.iter_mut().find(|(known, _)| *known == class);
        if let Some((_, run)) = known
            .as_ref()
            .filter(|(_, run)| (run.start..run.end).contains(&at))
        {
            return run.end;
        }
        let run = Span {
            start: at,
            end: class.run_end(bytes, at),
        };
        match known {
            Some((_, last)) => *last = run,
            None => self.last.push((class, run)),
        }
        run.end
    }
}

/// Where the text goes on after a shell line continuation at `at`.
fn continued(bytes: &[u8], at: usize) -> Option<usize> {
    bytes.get(at..)?.starts_with(b"\\\n").then_some(at + 2)
}

/// Whether a token can begin at `at`: after no letter or digit, but for the letter of an escape
/// (`\n`) and the digits of a percent-encoded byte (`%3D`).
pub(crate) fn starts_word(bytes: &[u8], at: usize) -> bool {
    let before = |n: usize| at.checked_sub(n).and_then(|i| bytes.get(i)).copied();
    match before(1) {
        None => true,
        Some(byte) if !ALNUM.has(byte) => true,
        Some(_)
            if at
                .checked_sub(1)
                .is_some_and(|letter| is_escape(bytes, letter)) =>
        {
            true
        }
        Some(byte) => {
            HEX.has(byte) && before(2).is_some_and(|b| HEX.has(b)) && before(3) == Some(b'%')
        }
    }
}
