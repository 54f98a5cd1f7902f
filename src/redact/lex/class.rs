//! Sets of ASCII bytes, built at compile time, for matching and reading runs.

use super::reach;

/// A set of ASCII bytes. Bytes of other characters are never members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Class(u128);

pub(crate) const DIGIT: Class = Class::of("0-9");
pub(crate) const HEX: Class = Class::of("0-9a-fA-F");
pub(crate) const LOWER_HEX: Class = Class::of("0-9a-f");
pub(crate) const UPPER_ALNUM: Class = Class::of("A-Z0-9");
pub(crate) const LOWER_ALNUM: Class = Class::of("a-z0-9");
pub(crate) const ALNUM: Class = Class::of("A-Za-z0-9");
/// Letters, digits and the underscore: what an identifier is made of.
pub(crate) const WORD: Class = Class::of("A-Za-z0-9_");
pub(crate) const BASE64: Class = Class::of("A-Za-z0-9+/=");
pub(crate) const BASE64URL: Class = Class::of("A-Za-z0-9_-");
/// URL-safe Base64 whose padding or dots may follow.
pub(crate) const BASE64URL_DOT: Class = Class::of("A-Za-z0-9_.=-");
/// Both Base64 alphabets, which one token may mix.
pub(crate) const ANY_BASE64: Class = Class::of("A-Za-z0-9+/=_-");
/// Base64 as it looks in a URL or a cookie.
pub(crate) const PERCENT_ENCODED: Class = Class::of("A-Za-z0-9%+/=_-");
pub(crate) const UUID: Class = Class::of("0-9a-fA-F-");

impl Class {
    /// The class that `spec` describes: single characters and ranges such as `a-z`; a `-` at either
    /// end stands for itself.
    pub(crate) const fn of(spec: &str) -> Self {
        let spec = spec.as_bytes();
        let mut bits = 0u128;
        let mut i = 0;
        while i < spec.len() {
            let first = spec[i];
            let last = if i + 2 < spec.len() && spec[i + 1] == b'-' {
                i += 2;
                spec[i]
            } else {
                first
            };
            let mut byte = first;
            while byte <= last {
                bits |= 1 << byte;
                byte += 1;
            }
            i += 1;
        }
        Self(bits)
    }

    pub(crate) const fn has(self, byte: u8) -> bool {
        byte < 128 && self.0 >> byte & 1 == 1
    }

    /// Whether every byte of `text` is a member.
    pub(crate) fn covers(self, text: &str) -> bool {
        text.bytes().all(|byte| self.has(byte))
    }

    /// End of the run of members that starts at `at`.
    pub(crate) fn run_end(self, bytes: &[u8], at: usize) -> usize {
        let run = bytes.iter().skip(at).take_while(|byte| self.has(**byte));
        let length = run.count();
        reach::spend(length + 1);
        at + length
    }

    /// Start of the run of members that ends at `at`.
    pub(crate) fn run_start(self, bytes: &[u8], at: usize) -> usize {
        let run = bytes
            .iter()
            .take(at)
            .rev()
            .take_while(|byte| self.has(**byte));
        let length = run.count();
        reach::spend(length + 1);
        at - length
    }
}
