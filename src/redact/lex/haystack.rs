//! A text with a filter that tells, for most literals it does not hold, that it does not.

/// Number of 64-bit words of the filter; a power of two.
const WORDS: usize = 256;

/// A text to search for many literals, most of which it does not hold.
pub(crate) struct Haystack<'a> {
    text: &'a str,
    /// One bit for each hash of three adjacent bytes that the text holds, in lower case.
    trigrams: [u64; WORDS],
}

impl<'a> Haystack<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let mut trigrams = [0; WORDS];
        let mut packed = 0;
        for (at, byte) in text.bytes().enumerate() {
            packed = packed << 8 | u32::from(byte.to_ascii_lowercase());
            if at >= 2 {
                let (word, bit) = place(packed & 0xFF_FFFF);
                if let Some(bits) = trigrams.get_mut(word) {
                    *bits |= bit;
                }
            }
        }
        Self { text, trigrams }
    }

    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    /// Whether the text may hold `literal`, in any case; `false` is certain.
    pub(crate) fn may_hold(&self, literal: &str) -> bool {
        let mut places = literal.as_bytes().windows(3).map(|bytes| {
            place(bytes.iter().fold(0, |packed, byte| {
                packed << 8 | u32::from(byte.to_ascii_lowercase())
            }))
        });
        places.all(|(word, bit)| self.trigrams.get(word).is_some_and(|bits| bits & bit != 0))
    }

    /// Where `literal` begins, for each of its occurrences.
    pub(crate) fn find_all(&self, literal: &'static str) -> impl Iterator<Item = usize> + use<'a> {
        let found = self
            .may_hold(literal)
            .then(|| self.text.match_indices(literal));
        found.into_iter().flatten().map(|(at, _)| at)
    }
}

/// The bit of the filter for three packed bytes: the index of its word, and the bit in there.
fn place(packed: u32) -> (usize, u64) {
    let hash = packed.wrapping_mul(0x9E37_79B1) >> 18;
    (hash as usize / 64 % WORDS, 1 << (hash % 64))
}
