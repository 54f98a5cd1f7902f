//! Selectors as a person types them: whole, or by their start (SPEC section 3).

use anyhow::bail;
use uuid::Uuid;

use super::session::Selector;
use crate::error::failure;

/// Characters that the start of a selector must have at least.
const SHORTEST_PREFIX: usize = 4;

/// What a person typed for a selector: a whole one, or a prefix that only one of `known`, which is sorted, has.
pub(crate) fn expand(typed: &str, known: &[Selector]) -> anyhow::Result<Selector> {
    if let Some(exact) = known.iter().find(|selector| selector.as_str() == typed) {
        return Ok(exact.clone());
    }
    let mut matches = known
        .iter()
        .filter(|selector| **selector != Selector::Legacy && selector.as_str().starts_with(typed));
    match (
        typed.len() >= SHORTEST_PREFIX,
        matches.next(),
        matches.next(),
    ) {
        (true, Some(only), None) => Ok(only.clone()),
        (true, Some(first), Some(second)) => {
            let all = [first, second].into_iter().chain(matches);
            let all: Vec<String> = all
                .map(|selector| format!("`{}`", shortened(selector, known)))
                .collect();
            bail!(failure(
                format!(
                    "`{typed}` is the start of {} selectors: {}",
                    all.len(),
                    all.join(", ")
                ),
                "type more of the one that you mean",
            ))
        }
        _ => Selector::parse(typed)
            .map_err(|why| failure(why.to_string(), "list those that there are: ckpt list")),
    }
}

/// How the sentence ends that a person's selector names nothing: one that is meant as a start may be too short for that.
pub(crate) fn perhaps_too_short(typed: &Selector) -> String {
    match typed.as_str().len() < SHORTEST_PREFIX {
        true => {
            format!(", and the start of a session id needs at least {SHORTEST_PREFIX} characters")
        }
        false => String::new(),
    }
}

/// The start of a selector that names it alone among `known`, which is sorted, and is long enough to be told apart at a glance.
///
/// Only ids that nobody reads as words are cut at the shortest.
pub(crate) fn shortened<'a>(selector: &'a Selector, known: &[Selector]) -> &'a str {
    const SHORTEST_UUID: usize = 8;
    const SHORTEST: usize = 20;
    let whole = selector.as_str();
    let shared = |other: &Selector| {
        let pairs = whole.bytes().zip(other.as_str().bytes());
        pairs.take_while(|(a, b)| a == b).count()
    };
    // Of a sorted list, the neighbours share most.
    let after = known.partition_point(|other| other <= selector);
    let before = known.partition_point(|other| other < selector);
    let neighbours = known[..before].last().into_iter().chain(known.get(after));
    let unique = neighbours.map(shared).max().unwrap_or_default() + 1;
    let shortest = match Uuid::try_parse(whole) {
        Ok(_) => SHORTEST_UUID,
        Err(_) => SHORTEST,
    };
    whole.get(..unique.max(shortest)).unwrap_or(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shortened_selector_names_the_one_it_came_from() {
        let known: Vec<Selector> = [
            "legacy",
            "0f9c1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2b",
            "77aa01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b",
            "77aa01ce-3c4d-4e5f-9a6b-7c8d9e0f1a2b",
            "auth",
            "auth-refactor-of-the-cookie",
            "auth-refactor-of-the-session",
        ]
        .map(|text| Selector::parse(text).unwrap())
        .to_vec();
        let short: Vec<&str> = known.iter().map(|s| shortened(s, &known)).collect();
        assert_eq!(
            short,
            [
                "legacy",
                "0f9c1a2b",
                "77aa01ce-3c4d-4e5f-8",
                "77aa01ce-3c4d-4e5f-9",
                "auth",
                "auth-refactor-of-the-c",
                "auth-refactor-of-the-s",
            ]
        );
        for (short, selector) in short.into_iter().zip(&known) {
            assert_eq!(expand(short, &known).unwrap(), *selector);
        }
    }

    #[test]
    fn a_prefix_of_four_characters_names_its_only_match() {
        let known: Vec<Selector> = ["legacy", "abcd1", "abcd2", "abce", "ab"]
            .map(|text| Selector::parse(text).unwrap())
            .to_vec();
        assert_eq!(expand("abce", &known).unwrap().as_str(), "abce");
        assert_eq!(expand("abcd1", &known).unwrap().as_str(), "abcd1");
        assert_eq!(expand("ab", &known).unwrap().as_str(), "ab");
        assert_eq!(expand("abc", &known).unwrap().as_str(), "abc");
        assert_eq!(expand("lega", &known).unwrap().as_str(), "lega");
        let error = expand("abcd", &known).unwrap_err().to_string();
        assert!(error.contains("`abcd1`, `abcd2`"), "{error}");
        assert!(expand("../x", &known).is_err());
    }
}
