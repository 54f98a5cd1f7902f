//! Every row of every table against its own examples.

use super::super::shapes;
use super::super::{MARK, redact};
use super::{assert_redacted, text_of};
use crate::redact::find::call::FUNCTIONS;
use crate::redact::find::programs::COMMANDS;

/// A value that nothing but its place gives away.
const SAMPLE: &str = "Kd83-ks92w";

#[test]
fn every_shape_finds_its_examples_in_any_surroundings() {
    for shape in shapes::all() {
        assert!(!shape.hits.is_empty(), "{} has no example", shape.name);
        for hit in shape.hits {
            let token = shape.example(hit);
            for text in [
                token.clone(),
                format!("tried {token}, which failed"),
                format!("[\"{token}\"]"),
                format!("x='{token}';"),
                format!("first\n{token}\nlast"),
                format!("a\\n{token}\\nb"),
                format!("«{token}»"),
            ] {
                let redacted = redact(&text).text;
                let secret = token.get(token.len() - 8..).unwrap_or(&token);
                assert!(
                    redacted.contains(MARK),
                    "{}: {text} -> {redacted}",
                    shape.name
                );
                assert!(
                    !redacted.contains(secret),
                    "{}: {text} -> {redacted}",
                    shape.name
                );
            }
        }
    }
}

#[test]
fn no_shape_matches_its_counterexamples() {
    for shape in shapes::all() {
        for miss in shape.misses {
            let text = format!("see {} there", shape.example(miss));
            assert_eq!(redact(&text).text, text, "{}", shape.name);
        }
    }
}

#[test]
fn shapes_have_names_of_their_own() {
    let mut names: Vec<&str> = shapes::all().map(|shape| shape.name).collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
}

#[test]
fn every_command_gives_up_its_secret_and_nothing_else() {
    for command in COMMANDS {
        assert!(
            !command.hits.is_empty(),
            "{:?} has no example",
            command.programs
        );
        for hit in command.hits {
            assert_redacted(&hit.replace("SECRET", &format!("⟦{SAMPLE}⟧")));
        }
        for miss in command.misses {
            assert_redacted(miss);
        }
    }
}

#[test]
fn commands_are_found_within_other_commands() {
    for wrapped in [
        "sudo {}",
        "cd x && {}",
        "ssh h \"{}\"",
        "(cd x; {})",
        "$({})",
        "`{}`",
    ] {
        assert_redacted(&wrapped.replace("{}", "redis-cli -h h -a ⟦Kd83ks92w⟧ ping"));
    }
}

#[test]
fn every_function_gives_up_its_secret_and_nothing_else() {
    for function in FUNCTIONS {
        assert_redacted(&function.hit.replace("SECRET", "⟦Kd83ks92wLq0⟧"));
        assert_redacted(function.miss);
    }
}

#[test]
fn the_break_mark_of_examples_is_no_part_of_them() {
    assert_eq!(text_of("a¦b↵c"), "ab\nc");
}
