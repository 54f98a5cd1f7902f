//! How random a string looks.

/// Most bytes of a string that are looked at; what comes later does not change the verdict.
const SAMPLE: usize = 256;

/// Shannon entropy of the bytes of `text`, in bits per byte.
pub(crate) fn shannon(text: &str) -> f64 {
    let mut counts = [0u32; 256];
    for byte in text.bytes().take(SAMPLE) {
        if let Some(count) = counts.get_mut(usize::from(byte)) {
            *count += 1;
        }
    }
    let total = text.len().min(SAMPLE) as f64;
    let seen = counts.iter().filter(|count| **count > 0);
    -seen
        .map(|count| f64::from(*count) / total)
        .map(|p| p * p.log2())
        .sum::<f64>()
}

/// Whether the part of a token after a known prefix is more than filler such as `xxxxxxxx`.
pub(crate) fn is_varied(text: &str) -> bool {
    let sample = text.get(..SAMPLE).unwrap_or(text);
    let filler = ["xxxx", "XXXX"]
        .iter()
        .any(|filler| sample.contains(filler));
    !filler && !sample.bytes().all(|byte| b"0_-.".contains(&byte))
}

/// As [`is_varied`], with a digit or an unbroken run that is too long for a word.
pub(crate) fn is_token(text: &str) -> bool {
    let sample = text.get(..SAMPLE).unwrap_or(text);
    let mut runs = sample.split(|c: char| !c.is_ascii_alphanumeric());
    is_varied(sample)
        && (sample.bytes().any(|byte| byte.is_ascii_digit()) || runs.any(|run| run.len() >= 16))
}

/// For shapes that leave no doubt.
pub(crate) fn is_any(_: &str) -> bool {
    true
}

/// As [`is_varied`], with a digit: for prefixes that also begin ordinary words.
pub(crate) fn is_varied_with_digit(text: &str) -> bool {
    is_varied(text) && text.bytes().any(|byte| byte.is_ascii_digit())
}

/// As [`is_varied`], with an unbroken run of letters and digits: of 24, of 10 with a digit, or of
/// 8 with a digit and an upper-case letter. For prefixes that also begin hyphenated words.
pub(crate) fn has_long_run(text: &str) -> bool {
    let sample = text.get(..SAMPLE).unwrap_or(text);
    is_varied(sample)
        && sample
            .split(|c: char| !c.is_ascii_alphanumeric())
            .any(|run| {
                let digit = run.bytes().any(|byte| byte.is_ascii_digit());
                let upper = run.bytes().any(|byte| byte.is_ascii_uppercase());
                let least = match (digit, upper) {
                    (true, true) => 8,
                    (true, false) => 10,
                    (false, _) => 24,
                };
                run.len() >= least
            })
}

/// Whether a machine made `text`: 16 bytes or more, a digit among them, 3.0 bits per byte or more.
pub(crate) fn is_opaque(text: &str) -> bool {
    text.len() >= 16
        && text.bytes().any(|byte| byte.is_ascii_digit())
        && text.bytes().any(|byte| byte.is_ascii_alphabetic())
        && shannon(text) >= 3.0
}
