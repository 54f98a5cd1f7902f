//! What holds for any text, tried on texts from a fixed pseudo-random sequence.

use super::super::shapes;
use super::super::{MARK, cost, redact};

/// Marsaglia's xorshift generator: enough for choosing, the same on every run.
struct Choices(u64);

impl Choices {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).unwrap()
    }

    fn of<'a>(&mut self, options: &[&'a str]) -> &'a str {
        options[self.below(options.len())]
    }

    fn joined(&mut self, options: &[&str], count: usize) -> String {
        (0..count).map(|_| self.of(options)).collect()
    }
}

/// Words of prose and code without a secret.
const PLAIN: &[&str] = &[
    "the",
    "cache",
    "is",
    "warm",
    "fixed",
    "in",
    "src/main.rs",
    "and",
    "42",
    "tests",
    "green",
    "naïve",
    "Übung",
    "日本語",
    "→",
    "—",
    "3f2a9b8c1d2e",
    "v1.2.3",
    "(see",
    "#12)",
    "fn",
    "run()",
];

/// Pieces that detectors react to, put together without sense.
const PIECES: &[&str] = &[
    "password",
    "TOKEN",
    "api_key",
    "secret",
    "=",
    ":",
    ": ",
    " ",
    " ",
    "\"",
    "'",
    "\\",
    "\\\"",
    "`",
    "\n",
    "\t",
    "(",
    ")",
    "{",
    "}",
    "<",
    ">",
    "://",
    "@",
    "/",
    "?",
    "&",
    "|",
    ";",
    ",",
    "$",
    "${",
    "%",
    "Authorization",
    "Bearer ",
    "Basic ",
    "Cookie: a=",
    "mysql -p",
    "curl -u ",
    "echo ",
    "--token ",
    "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----",
    "sk-",
    "eyJ",
    "AKIA",
    "hunter2x9",
    "Kd83ks92wLq0Kd83ks92",
    "0123456789abcdef",
    "é",
    "密码：",
    "«",
    "»",
    "🔑",
    "\u{0}",
    "VALUES (",
    "IDENTIFIED BY ",
    "name: ",
    "value: ",
    "kind: Secret\ndata:\n  a: ",
    "1:2345:a:b:",
    "postgres://u:",
    "**",
    "is ",
    "=>",
    "||",
    MARK,
];

#[test]
fn redacting_twice_changes_nothing() {
    let mut choices = Choices(0x9E37_79B9_7F4A_7C15);
    for _ in 0..4_000 {
        let length = 1 + choices.below(24);
        let text = choices.joined(PIECES, length);
        let once = redact(&text);
        let twice = redact(&once.text);
        assert_eq!(twice.text, once.text, "from {text:?}");
        assert_eq!(twice.count, 0, "from {text:?}");
    }
}

#[test]
fn text_without_secrets_stays_byte_for_byte() {
    let mut choices = Choices(0xD1B5_4A32_D192_ED03);
    for _ in 0..1_000 {
        let words: Vec<&str> = (0..1 + choices.below(30))
            .map(|_| choices.of(PLAIN))
            .collect();
        let text = words.join(" ");
        let redacted = redact(&text);
        assert_eq!(redacted.text, text);
        assert_eq!(redacted.count, 0);
    }
}

#[test]
fn a_token_is_gone_wherever_it_stands() {
    let mut choices = Choices(0x94D0_49BB_1331_11EB);
    for shape in shapes::all() {
        for hit in shape.hits {
            let token = shape.example(hit);
            let secret = &token[token.len() - 8..];
            for _ in 0..8 {
                let (before, after) = (choices.below(6), choices.below(6));
                let mut words: Vec<&str> = (0..before).map(|_| choices.of(PLAIN)).collect();
                words.push(&token);
                words.extend((0..after).map(|_| choices.of(PLAIN)));
                let redacted = redact(&words.join(" ")).text;
                assert!(!redacted.contains(secret), "{}: {redacted}", shape.name);
            }
        }
    }
}

#[test]
fn any_characters_are_taken_without_panic() {
    let mut choices = Choices(0xBF58_476D_1CE4_E5B9);
    for _ in 0..3_000 {
        let mut text = String::new();
        for _ in 0..choices.below(40) {
            let ceiling = [0x80, 0x800, 0x1_0000, 0x11_0000][choices.below(4)];
            text.extend(char::from_u32(
                u32::try_from(choices.below(ceiling)).unwrap(),
            ));
            if choices.below(4) == 0 {
                text.push_str(choices.of(PIECES));
            }
        }
        let redacted = redact(&text);
        assert_eq!(redact(&redacted.text).text, redacted.text, "from {text:?}");
    }
}

#[test]
fn what_surrounds_a_secret_stays() {
    let mut choices = Choices(0x2545_F491_4F6C_DD1D);
    for _ in 0..500 {
        let before = choices.joined(&["a", "é", " ", "日", "\n"], 12);
        let after = choices.joined(&["b", "ü", " ", "本", "\n"], 12);
        let text = format!("{before} DB_PASSWORD='Kd83ks92w' {after}");
        let expected = format!("{before} DB_PASSWORD='{MARK}' {after}");
        assert_eq!(redact(&text).text, expected);
    }
}

/// Pieces that, said again and again, would make a detector look far each time.
#[rustfmt::skip]
const UNITS: &[&str] = &[
    "token=", "token=\"", "token>", "token='", "password: ", "the password is ", "--token x ",
    "sk-", "eyJ", "://", "a:b@", "\"\\", "${token-", "$(echo ", "token=$(echo -", "echo(",
    "mysql -p", "curl -u ", "echo x|", "Authorization: a=b ", "Authorization: Basic ", "Cookie: a",
    "cookies={", "(token) VALUES (", "PASSWORD FOR ", "AUTH ", "IDENTIFIED BY '", "name=token ",
    "<key>token", "key: token value", "seed phrase ", "h:5432:d:u:", "1:2345:", "BEGIN PRIVATE KEY",
    "-----BEGIN PRIVATE KEY-----.", "Private-Lines:", "::add-mask::", "jwt.sign(", "jdbc:oracle:thin:a",
    "?key=", "(", "((a:", "{a: ", "\"d\":", "root/", "login: a/", "password**", "token.token.",
    "\u{ab}redacted\u{bb}", "\u{e9}", " ", "\n", "a", "token=token=a\"", "token=a\"", "token=a(\"",
    "?key=a&", "curl -u a:\"", "mysql -p\" ", "docker login -p ", "cookie: a=b;", "密码：", "pw ",
    "htpasswd -b ", "{\"token\":{\"token\":", "password:a\"b", "token=winter,", "token=\"\"\"",
    "password: hunter2x9\n", "KEY=a,", "phrasephrase", "a/b/c/d ", "'\\''", "--token=a ",
];

/// Words without a secret, `length` bytes of them.
fn plain(length: usize) -> String {
    let mut choices = Choices(0xDA94_2042_E4DD_58B5);
    let mut text = String::new();
    while text.len() < length {
        text.push_str(choices.of(PLAIN));
        text.push(' ');
    }
    text.truncate(text.floor_char_boundary(length));
    text
}

#[test]
fn no_text_costs_more_than_twenty_times_what_plain_words_cost() {
    for length in [512, 4_096] {
        let most = 20 * cost(&plain(length));
        for unit in UNITS {
            let text = unit.repeat(length / unit.len());
            assert!(cost(&text) <= most, "{unit:?}, {length} bytes");
        }
    }
}

#[test]
fn a_text_that_is_built_to_cost_much_is_taken_out_whole() {
    for unit in ["token=token=a\"", "curl -u a:\"", "?key="] {
        let redacted = redact(&unit.repeat(600));
        assert_eq!(
            (redacted.text.as_str(), redacted.count),
            (MARK, 1),
            "{unit:?}"
        );
    }
}

#[test]
fn a_text_full_of_secrets_costs_no_more_than_it_may() {
    for (line, expected) in [
        ("password: hunter2x9\n", "password: «redacted»\n"),
        ("curl -u a:hunter2x9 h\n", "curl -u a:«redacted» h\n"),
        ("API_KEY=hunter2x9 ", "API_KEY=«redacted» "),
        ("https://a:hunter2x9@h/ ", "https://a:«redacted»@h/ "),
        ("{\"token\":\"hunter2x9\"},", "{\"token\":\"«redacted»\"},"),
    ] {
        let redacted = redact(&line.repeat(400));
        assert_eq!(redacted.text, expected.repeat(400));
        assert_eq!(redacted.count, 400);
    }
}

/// Taking out what was found brings more into view, again and again.
#[test]
fn a_text_that_takes_many_rounds_is_redacted_once_and_for_all() {
    for layers in [4, 10, 100] {
        let layers = "{ \"i_key:.T".repeat(layers);
        let text = format!("i_key:.T`i_key:.{{\"\"x`i_key:.T{layers} \"");
        let once = redact(&text);
        assert_eq!(redact(&once.text).count, 0, "{}", once.text);
    }
}
