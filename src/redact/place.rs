//! Where a value stands: how sure it is that the text there is the value itself.

use super::link::{Link, Linked, Name};
use super::name::Kind;
use super::site::Site;
use super::value::Value;

/// The position of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// `NAME=value`, `--flag value`: a bare word means itself.
    Shell,
    /// A string of code, JSON or YAML; the content of an element.
    Literal,
    /// The bare value that ends a line `name: value`.
    Setting,
    /// The bare value that ends a line `name = value`, which settings and code both have.
    Assigned,
    /// Bare, where code has variables, types and calls.
    Code,
    /// A string beside a name: in a call, a list, a comparison.
    Argument,
    /// A word of a sentence.
    Prose,
}

/// The place of `value`, which `linked` connects with `name`.
pub(super) fn of(text: &str, name: Name, kind: Kind, linked: Linked, value: Value) -> Place {
    let site = Site {
        text,
        name,
        kind,
        value,
    };
    match linked.link {
        Link::Comma if site.is_pair() => Place::Shell,
        Link::Comma if site.is_flag_in_list() => Place::Literal,
        Link::Comma | Link::Call | Link::Compare => Place::Argument,
        Link::Space if site.is_set() => Place::Shell,
        Link::Space if site.is_told() || site.is_in_statement() => Place::Literal,
        Link::Space if kind == Kind::Weak && site.between().ends_with(" is ") => Place::Setting,
        Link::Space if site.is_listed() => Place::Code,
        Link::Space => Place::Prose,
        Link::Tag => Place::Literal,
        Link::Flag => site.after_flag(),
        Link::Equals if value.quoted && site.is_constant() => Place::Shell,
        _ if value.quoted => Place::Literal,
        Link::Default => Place::Code,
        Link::Equals if site.is_code_field() || site.is_called() => Place::Code,
        Link::Equals => Place::Shell,
        Link::SpacedEquals if site.is_member() => Place::Code,
        Link::SpacedEquals if site.begins_line() && site.ends_line() => Place::Assigned,
        Link::SpacedEquals => Place::Code,
        Link::Colon => site.after_colon(),
    }
}
