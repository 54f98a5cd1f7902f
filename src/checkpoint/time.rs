//! Points in time as checkpoints store them and as people read them.

use std::ops::RangeInclusive;

use jiff::civil::{DateTime, Time};
use jiff::fmt::temporal::Pieces;
use jiff::tz::{Offset, TimeZone};
use jiff::{SignedDuration, Span, Timestamp};
use serde::{Deserialize, Deserializer, Serializer};

/// RFC 3339 in UTC with milliseconds, such as `2026-10-08T02:23:55.000Z` (docs/contract.md, section 5).
pub(crate) fn format(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}

/// How long before `now` something happened, in its largest unit: `just now`, `2m ago`, `3d ago`.
///
/// A time ahead of `now` by no more than clocks differ counts as now; one farther ahead is `dated in the future`.
pub(crate) fn age(at: Timestamp, now: Timestamp) -> String {
    let seconds = now.as_second().saturating_sub(at.as_second());
    if is_future(at, now) {
        return "dated in the future".to_owned();
    }
    match seconds {
        ..60 => "just now".to_owned(),
        60..3_600 => format!("{}m ago", seconds / 60),
        3_600..86_400 => format!("{}h ago", seconds / 3_600),
        86_400..63_072_000 => format!("{}d ago", seconds / 86_400),
        _ => format!("{}y ago", seconds / 31_536_000),
    }
}

/// The moments that a person may mean, the first and the last of them: an age as `2h` or `3d`, a time, in UTC where it
/// names no offset, or a whole day of UTC.
pub(crate) fn meant(text: &str, now: Timestamp) -> Option<RangeInclusive<Timestamp>> {
    if let Ok(age) = text.parse::<Span>() {
        let at = before(now, age)?;
        return Some(at..=at);
    }
    let pieces = Pieces::parse(text).ok()?;
    let utc = |at: DateTime| Offset::UTC.to_timestamp(at).ok();
    match (pieces.time(), pieces.offset()) {
        (Some(_), Some(_)) => parse(text).map(|at| at..=at),
        (Some(time), None) => {
            let at = utc(pieces.date().to_datetime(time))?;
            Some(at..=at)
        }
        (None, _) => {
            let day = pieces.date();
            Some(utc(day.to_datetime(Time::MIN))?..=utc(day.to_datetime(Time::MAX))?)
        }
    }
}

/// How long ago a span began; None where it is no time back, or one too far.
pub(crate) fn before(now: Timestamp, age: Span) -> Option<Timestamp> {
    if age.is_negative() {
        return None;
    }
    let then = now.to_zoned_datetime(TimeZone::UTC).checked_sub(age).ok()?;
    Some(then.timestamp())
}

/// Whether a time lies farther ahead than the clocks of two machines differ.
pub(crate) fn is_future(at: Timestamp, now: Timestamp) -> bool {
    const TOLERANCE: SignedDuration = SignedDuration::from_secs(60);
    at.duration_since(now) > TOLERANCE
}

/// Whether a time lies so far ahead that the clock which it is from must be wrong.
pub(crate) fn is_impossible(at: Timestamp, now: Timestamp) -> bool {
    const SKEW: SignedDuration = SignedDuration::from_hours(24);
    at.duration_since(now) > SKEW
}

/// When a checkpoint was saved, in a sentence: `saved 2m ago`.
pub(crate) fn saved(at: Timestamp, now: Timestamp) -> String {
    match is_future(at, now) {
        true => age(at, now),
        false => format!("saved {}", age(at, now)),
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
            ("2027-10-08T02:26:00Z", "dated in the future"),
            ("2026-10-08T02:27:01Z", "dated in the future"),
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
    fn a_person_means_an_age_a_time_or_a_day() {
        let now: Timestamp = "2026-10-08T02:26:00Z".parse().unwrap();
        for (text, first, last) in [
            ("2h", "2026-10-08T00:26:00.000Z", "2026-10-08T00:26:00.000Z"),
            ("3d", "2026-10-05T02:26:00.000Z", "2026-10-05T02:26:00.000Z"),
            (
                "2026-10-07",
                "2026-10-07T00:00:00.000Z",
                "2026-10-07T23:59:59.999Z",
            ),
            (
                "2026-10-07 12:30",
                "2026-10-07T12:30:00.000Z",
                "2026-10-07T12:30:00.000Z",
            ),
            (
                "2026-10-07T12:30:01Z",
                "2026-10-07T12:30:01.000Z",
                "2026-10-07T12:30:01.000Z",
            ),
            (
                "2026-10-07T12:30+02:00",
                "2026-10-07T10:30:00.000Z",
                "2026-10-07T10:30:00.000Z",
            ),
        ] {
            let meant =
                meant(text, now).map(|meant| (format(*meant.start()), format(*meant.end())));
            assert_eq!(meant, Some((first.to_owned(), last.to_owned())), "{text}");
        }
        for text in [
            "",
            "x",
            "2",
            "-2h",
            "h",
            "2026-13-01",
            "99999y",
            "yesterday",
            "1970",
        ] {
            assert_eq!(meant(text, now), None, "{text}");
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
