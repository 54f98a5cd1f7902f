//! Points in time as checkpoints store them and as people read them.

use jiff::Timestamp;
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

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Timestamp, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse()
        .map_err(|_| serde::de::Error::custom(format_args!("`{text}` is not an RFC 3339 time")))
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
    fn times_are_written_in_milliseconds() {
        let at: Timestamp = "2026-10-08T04:23:55.123456+02:00".parse().unwrap();
        assert_eq!(format(at), "2026-10-08T02:23:55.123Z");
    }
}
