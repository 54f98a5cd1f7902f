//! Closed sets of words that stay readable when a later version adds one.

/// One of a set of words.
pub(super) trait Word {
    /// The word where it is none of the set.
    fn unknown(&mut self) -> Option<&mut String>;
}

/// Declares an enum of fixed words that keeps a word it does not know as it stands.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[serde(from = "String", into = "String")]
        pub(crate) enum $name {
            $($(#[$variant_meta])* $variant,)+
            /// A word of a later version or of another program.
            Other(String),
        }

        impl $name {
            pub(crate) fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $word,)+
                    Self::Other(word) => word,
                }
            }
        }

        impl $crate::checkpoint::words::Word for $name {
            fn unknown(&mut self) -> Option<&mut String> {
                match self {
                    Self::Other(word) => Some(word),
                    _ => None,
                }
            }
        }

        impl From<String> for $name {
            fn from(word: String) -> Self {
                match word.as_str() {
                    $($word => Self::$variant,)+
                    _ => Self::Other(word),
                }
            }
        }

        impl From<$name> for String {
            fn from(value: $name) -> Self {
                value.as_str().to_owned()
            }
        }
    };
}

pub(crate) use words;
