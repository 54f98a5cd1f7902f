//! The promise taken literally: a value under a secret's name goes, whatever it looks like, in every
//! syntax, and what only resembles such a value stays.

use super::super::{MARK, redact};
use super::assert_redacted;

const NAMES: &[&str] = &[
    "API_TOKEN",
    "DB_PASSWORD",
    "JWT_SECRET",
    "SIGNING_KEY",
    "api_token",
    "db-password",
    "client_secret",
    "encryption_key",
    "Auth-Token",
    "password",
];

/// Short, plain, in one case, numbers, like a colour, like a placeholder but none.
const VALUES: &[&str] = &[
    "x",
    "q7",
    "abc",
    "winter",
    "WINTER",
    "Winter!24",
    "hunter2",
    "12345",
    "#abc123",
    "example99",
    "your2cents",
    "tester-7",
    "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
];

/// Places where a bare word means itself: `N` is the name, `V` the value.
const BARE: &[&str] = &[
    "N=V",
    "export N=V && run",
    "run N=V other",
    "run --N=V",
    "run --N V",
    "run --N V --quiet",
    "run --N V | tee log",
    "N: V",
    "  N: V",
    "a: 1↵N: V↵b: 2",
    "curl -H 'N: V' h.example",
    "N = V",
    "N: |↵  V↵next: 1",
];

/// Places where the value is in quotes, and may be several words.
const QUOTED: &[&str] = &[
    "N=\"V\"",
    "export N='V'",
    "N: \"V\"",
    "N = 'V'",
    "{\"N\":\"V\"}",
    "{\"N\": \"V\", \"a\": 1}",
    "{\\\"N\\\":\\\"V\\\"}",
    "run --N \"V\" other",
    "{'N': 'V'}",
];

#[track_caller]
fn assert_gone(place: &str, name: &str, value: &str) {
    let text = place.replace('↵', "\n").replace('N', name);
    let expected = text.replace('V', MARK);
    let text = text.replace('V', value);
    assert_eq!(redact(&text).text, expected, "redacting {text}");
}

#[test]
fn any_value_of_a_secret_name_goes() {
    for name in NAMES.iter().filter(|name| !name.contains(['N', 'V'])) {
        for value in VALUES {
            for place in BARE.iter().chain(QUOTED) {
                // A comment begins with `#`.
                let comment =
                    value.starts_with('#') && (place.ends_with(" V") || place.contains(" V "));
                if !comment {
                    assert_gone(place, name, value);
                }
            }
        }
    }
}

#[test]
fn several_words_in_quotes_go_too() {
    for name in ["api_key", "db_password", "jwt_secret"] {
        for value in ["abc def", "correct horse battery staple", "blue dragon 42"] {
            for place in QUOTED {
                assert_gone(place, name, value);
            }
        }
    }
}

#[rustfmt::skip]
const LITERAL: &[&str] = &[
    "X-Api-Ke¦y: ⟦12345⟧",
    "Authorization: Bearer ⟦x⟧",
    "Authorization: Basic ⟦abc⟧",
    r#"{"Authorization": "Token ⟦abc⟧"}"#,
    "https://user:⟦pw⟧@host/x",
    "https://user:⟦password⟧@host/x",
    "redis://:⟦secret⟧@h:6379/0",
    "my_secret=⟦blue⟧",
    "POSTGRES_PASSWORD=⟦password⟧",
    "JWT_SECRET=⟦secret⟧",
    "TEST_PASSWORD=⟦test⟧",
    "PASSWORD=⟦example⟧",
    "user: scott, password: ⟦tiger⟧",
    r#"the wifi password is "⟦lemon⟧""#,
    "setx API_TOKEN ⟦maple⟧",
    "set -x DB_PASSWORD ⟦maple⟧",
    "ENV API_TOKEN ⟦maple⟧",
    "setenv(\"API_TOKEN\", \"⟦maple⟧\")",
    "machine h.example login bob password ⟦maple⟧",
    "- name: API_TOKEN↵  value: ⟦maple⟧",
    "PASSWORD=«redacted» and TOKEN=⟦abc⟧",
    "KEY='kept «redacted» near ⟦gh¦p_q8Zk2LwP0sVx7YbN4tRc6MdF1gHj3KaU9eQi⟧ in it'",
];

#[test]
fn the_promised_places_are_kept_to_the_letter() {
    LITERAL.iter().for_each(|line| assert_redacted(line));
}

/// References and placeholders: the text between a name and what is no secret.
#[rustfmt::skip]
const STAND_INS: &[&str] = &[
    "$TOKEN", "${TOKEN}", "${TOKEN:?unset}", "$(pass show x)", "%TOKEN%", "{{ token }}",
    "{{ .Values.token }}", "<token>", "<YOUR_API_KEY>", "YOUR_API_KEY", "your-api-key",
    "your_token_here", "xxxxxxxx", "***", "...", "[REDACTED]", "op://vault/item/field",
    "vault:secret/data/app#token", "${{ secrets.TOKEN }}", "#{token}", "@token.txt",
    "/run/secrets/token", "~/.config/token", "./token.txt", "${env:TOKEN}", "null",
    "arn:aws:secretsmanager:eu-west-1:123456789012:secret:x",
];

#[test]
fn what_stands_in_for_a_secret_stays() {
    for stand_in in STAND_INS {
        for place in [
            "API_TOKEN=V",
            "db_password: V",
            "\"client_secret\": \"V\"",
            "run --token V",
        ] {
            let text = place.replace('V', stand_in);
            assert_eq!(redact(&text).text, text);
        }
    }
}
