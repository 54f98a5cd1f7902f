//! The table of token shapes, by kind of service. A new shape is one row in one of these files.

mod ai;
mod business;
mod cloud;
mod forge;
mod messaging;
mod payment;
mod platform;
mod registry;

use super::shape::Shape;

/// All known token shapes. Of two that match at one place, the earlier wins.
pub(super) fn all() -> impl Iterator<Item = &'static Shape> {
    [
        ai::SHAPES,
        business::SHAPES,
        cloud::SHAPES,
        forge::SHAPES,
        messaging::SHAPES,
        payment::SHAPES,
        platform::SHAPES,
        registry::SHAPES,
    ]
    .into_iter()
    .flatten()
}
