//! Decides whether a value is a secret, from its name, its place and what it looks like.

use super::looks::{self, Looks};
use super::name::{self, Kind};
use super::place::Place;

/// A value's name, and where the value stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Named<'a> {
    pub(super) identifier: &'a str,
    pub(super) kind: Kind,
    pub(super) place: Place,
    pub(super) quoted: bool,
}

impl Named<'_> {
    /// Whether the name is written as environment variables are.
    pub(super) fn is_constant(self) -> bool {
        name::is_constant(self.identifier)
    }
}

/// Whether `value` is a secret there.
pub(super) fn is_secret(value: &str, named: Named<'_>) -> bool {
    least(named.place, named.kind).is_some_and(|least| looks::of(value, named) >= least)
}

/// The least that a value must look like. The surer it is that the text at a place is the value
/// itself, and the plainer its name says that it is secret, the less: where both leave no doubt,
/// any word counts, for people choose words. No place and no name makes a reference a secret.
fn least(place: Place, kind: Kind) -> Option<Looks> {
    use Looks::{Chosen, Generated, Opaque, Word};
    let [password, secret, token, vague, weak] = match place {
        Place::Shell | Place::Literal | Place::Setting | Place::Assigned => [
            Some(Word),
            Some(Word),
            Some(Word),
            Some(Chosen),
            Some(Opaque),
        ],
        Place::Code => [
            Some(Chosen),
            Some(Chosen),
            Some(Chosen),
            Some(Generated),
            Some(Opaque),
        ],
        Place::Argument | Place::Prose => [
            Some(Chosen),
            Some(Chosen),
            Some(Generated),
            Some(Generated),
            None,
        ],
    };
    match kind {
        Kind::Password => password,
        Kind::Secret => secret,
        Kind::Token => token,
        Kind::Vague => vague,
        Kind::Weak => weak,
        Kind::Authorization | Kind::Cookie => None,
    }
}
