//! Points in time as checkpoints store them and as people read them.

use jiff::Timestamp;
use jiff::fmt::temporal::Pieces;
use serde::{Deserialize, Deserializer, Serializer};

/// RFC 3339 in UTC with milliseconds, such as `2026-10-08T02:23:55.000Z` (SPEC section 5).
pub(crate) fn format(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}

/// How long before `now` something happened, in its largest unit: `just now`, `2m ago`, `3d ago`.
///
/// A time ahead of `now`, as clocks that were set back leave it, counts as now.
pub(crate) fn age(at: Timestamp, now: Timestamp) -> String {
    let seconds = now.as_second().saturating_sub(at.as_second());
    match seconds {
        ..60 => "just now".to_owned(),
        60..3_600 => format!("{}m ago", seconds / 60),
        3_600..86_400 => format!("{}h ago", seconds / 3_600),
        86_400..63_072_000 => format!("{}d ago", seconds / 86_400),
        _ => format!("{}y ago", seconds / 31_536_000),
    }
}

pub(crate) fn serialize<S: Serializer>(at: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&format(*at))
}

/// A time of RFC 3339; the farthest that there is stands for one beyond it.
///
/// Some times of its years 0 and 9999 are further away than what jiff can hold, or than years of four digits in UTC can
/// write.
pub(crate) fn parse(text: &str) -> Option<Timestamp> {
    /// The first moment of the year 0.
    const EARLIEST: Timestamp = Timestamp::constant(-62_167_219_200, 0);
    if let Ok(at) = text.parse::<Timestamp>() {
        return Some(at.max(EARLIEST));
    }
    let pieces = Pieces::parse(text).ok()?;
    pieces.time().and(pieces.offset())?;
    Some(match pieces.date().year() {
        ..=0 => EARLIEST,
        _ => Timestamp::MAX,
    })
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Timestamp, D::Error> {
    let text = String::deserialize(deserializer)?;
    parse(&text)
        .ok_or_else(|| serde::de::Error::custom(format_args!("`{text}` is not an RFC 3339 time")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_use_their_largest_unit() {
        let now: Timestamp = "2026-10-08T02:26:00Z".parse().unwrap();
        for (at, expected) in [
            ("2026-10-08T02:27:00Z", "just now"),
            ("2026-10-08T02:25:01Z", "just now"),
            ("2026-10-08T02:24:00Z", "2m ago"),
            ("2026-10-08T00:25:00Z", "2h ago"),
            ("2026-10-01T02:26:00Z", "7d ago"),
            ("2024-10-01T02:26:00Z", "2y ago"),
        ] {
            assert_eq!(age(at.parse().unwrap(), now), expected, "{at}");
        }
    }

    #[test]
    fn every_time_of_rfc_3339_is_read_and_written_so_that_it_can_be_read() {
        for (text, expected) in [
            ("2026-10-08T02:23:55Z", Some("2026-10-08T02:23:55.000Z")),
            ("2026-10-08t02:23:55.5z", Some("2026-10-08T02:23:55.500Z")),
            (
                "2026-10-08T02:23:55-00:00",
                Some("2026-10-08T02:23:55.000Z"),
            ),
            ("2016-12-31T23:59:60Z", Some("2016-12-31T23:59:59.000Z")),
            ("9999-12-30T22:00:00Z", Some("9999-12-30T22:00:00.000Z")),
            ("9999-12-31T23:59:59.999Z", Some("9999-12-30T22:00:00.999Z")),
            (
                "9999-12-31T23:59:59-23:59",
                Some("9999-12-30T22:00:00.999Z"),
            ),
            ("0000-01-01T00:00:00Z", Some("0000-01-01T00:00:00.000Z")),
            (
                "0000-01-01T00:00:00+23:59",
                Some("0000-01-01T00:00:00.000Z"),
            ),
            ("9999-12-31T23:59:59", None),
            ("9999-12-31", None),
            ("9999-13-31T23:59:59Z", None),
            ("soon", None),
            ("", None),
        ] {
            let read = parse(text);
            assert_eq!(read.map(format).as_deref(), expected, "{text}");
            let again = read.and_then(|at| parse(&format(at)));
            assert_eq!(again.map(format).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn times_are_written_in_milliseconds() {
        let at: Timestamp = "2026-10-08T04:23:55.123456+02:00".parse().unwrap();
        assert_eq!(format(at), "2026-10-08T02:23:55.123Z");
    }
}
