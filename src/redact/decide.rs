//! Decides whether a value is a secret, by one table: what its name says, where it stands, and what
//! it looks like.

use crate::redact::context::name::Kind::{self, Password, Secret, Token, Vague, Weak};
use crate::redact::context::place::Place::{
    self, Argument, Assigned, Code, Exact, Literal, Prose, Setting, Shell,
};
use crate::redact::lex::class::HEX;
use crate::redact::lex::identifier;
use crate::redact::lex::vocabulary::SWITCHING;
use crate::redact::value::looks::{self, Looks};
use crate::redact::value::{code, public, reference};

/// A value's name, and where the value stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Named<'a> {
    pub(crate) identifier: &'a str,
    pub(crate) kind: Kind,
    pub(crate) place: Place,
    pub(crate) quoted: bool,
}

/// Whether `value` is a secret there: it looks at least as secret as its name and its place ask
/// for, and no exception spares it.
pub(crate) fn is_secret(value: &str, named: Named<'_>) -> bool {
    let constant = identifier::is_constant(named.identifier);
    let named = Named {
        place: match named.place {
            Shell if constant => Exact,
            place => place,
        },
        ..named
    };
    // In prose a word may have stars around it, or a question mark behind it.
    let value = match named.place {
        Prose => value.trim_end_matches(['*', '?']),
        _ => value,
    };
    least(named.place, named.kind).is_some_and(|least| looks::of(value) >= least)
        && !exceptions().any(|exception| exception.spares(value, named, constant))
}

#[cfg(not(test))]
fn exceptions() -> impl Iterator<Item = &'static Exception> {
    EXCEPTIONS.iter()
}

#[cfg(test)]
fn exceptions() -> impl Iterator<Item = &'static Exception> {
    let without = tests::WITHOUT.get();
    let rows = EXCEPTIONS.iter().enumerate();
    rows.filter(move |(row, _)| Some(*row) != without)
        .map(|(_, exception)| exception)
}

/// How secret a value must look at the least. The surer the place makes it that the text is the value, and the
/// plainer the name says that it is secret, the less is asked. Where neither leaves a doubt any word counts,
/// because people choose words as passwords.
#[rustfmt::skip] // A table reads by the row.
fn least(place: Place, kind: Kind) -> Option<Looks> {
    use Looks::{Chosen, Generated, Opaque, Passphrase, Word};
    let [password, secret, token, vague, weak] = match place {
        Exact | Shell | Literal | Setting | Assigned
                         => [Some(Word),       Some(Word),   Some(Word),      Some(Chosen),    Some(Opaque)],
        Code             => [Some(Passphrase), Some(Chosen), Some(Chosen),    Some(Generated), Some(Opaque)],
        Argument | Prose => [Some(Passphrase), Some(Chosen), Some(Generated), Some(Generated), None],
    };
    match kind {
        Password => password,
        Secret => secret,
        Token => token,
        Vague => vague,
        Weak => weak,
        Kind::Authorization | Kind::Cookie => None,
    }
}

/// Values that are not secret, whatever they look like.
struct Exception {
    names: &'static [Kind],
    spelled: Spelled,
    places: &'static [Place],
    written: Written,
    looks: Test,
    /// A text whose value only this row spares.
    #[cfg(test)]
    example: &'static str,
}

/// How a name is spelled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spelled {
    Anyhow,
    /// `DB_PASSWORD`
    AsConstant,
    /// `password`, `apiKey`
    Otherwise,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Written {
    Anyhow,
    Bare,
}

/// What an excepted value looks like.
enum Test {
    Any(fn(&str) -> bool),
    /// One word.
    Word(fn(&str) -> bool),
    /// Several words.
    Words(fn(&str) -> bool),
    /// Beside its name, which comes first.
    Beside(fn(&str, &str) -> bool),
}

const ANY: &[Kind] = &[Password, Secret, Token, Vague, Weak];
const ANYWHERE: &[Place] = &[
    Exact, Shell, Literal, Setting, Assigned, Code, Argument, Prose,
];
/// Places where the text may not be the value.
const INEXACT: &[Place] = &[Shell, Literal, Setting, Assigned, Code, Argument, Prose];
/// Where a bare word may be code.
const OPEN: &[Place] = &[Literal, Setting, Assigned, Code, Argument, Prose];

#[cfg_attr(
    not(test),
    expect(unused_variables, reason = "the tests alone read them")
)]
const fn except(
    names: &'static [Kind],
    spelled: Spelled,
    places: &'static [Place],
    written: Written,
    looks: Test,
    example: &'static str,
) -> Exception {
    Exception {
        names,
        spelled,
        places,
        written,
        looks,
        #[cfg(test)]
        example,
    }
}

use Spelled::{AsConstant, Otherwise};
use Test::{Any, Beside, Word, Words};
use Written::Bare;
const ANY_CASE: Spelled = Spelled::Anyhow;
const ANY_WAY: Written = Written::Anyhow;

#[rustfmt::skip] // A table reads by the row.
const EXCEPTIONS: &[Exception] = &[
    // It says where a secret is, or stands in for one
    except(ANY, ANY_CASE, ANYWHERE, ANY_WAY, Any(reference::stands_for), "PASSWORD=\"$1\""),
    except(ANY, ANY_CASE, ANYWHERE, ANY_WAY, Any(has_no_letters), "--token ?"),
    // The name once more, as labels and variables have it
    except(ANY, ANY_CASE, ANYWHERE, ANY_WAY, Beside(is_part_of_name), "export const STRUCTURAL_ANNOTATION_KEY = \"~structural\""),
    except(ANY, Otherwise, OPEN, Bare, Beside(is_within_name), "rubygems_api_key: gems"),
    except(ANY, ANY_CASE, ANYWHERE, ANY_WAY, Beside(is_entry_of_key), "const TOKEN_KEY = 'token';"),
    except(ANY, ANY_CASE, ANYWHERE, ANY_WAY, Any(is_label), "\"token\": \"Token\","),
    except(ANY, ANY_CASE, &[Assigned, Code, Argument, Prose], ANY_WAY, Any(reference::is_of_name_words), "token = key"),
    except(&[Secret, Token, Vague, Weak], ANY_CASE, &[Setting], ANY_WAY, Any(reference::is_of_name_words), "X-Api-Key: token"),
    except(ANY, Otherwise, ANYWHERE, ANY_WAY, Beside(ends_name), "confirmPassword: \"password\","),
    except(ANY, AsConstant, ANYWHERE, ANY_WAY, Beside(is_name), "PASSWORD=password ./run.sh"),
    // Several words about a secret
    except(ANY, ANY_CASE, ANYWHERE, ANY_WAY, Words(looks::tells_of_secret), "password = input(\"Password: \")"),
    except(ANY, ANY_CASE, INEXACT, ANY_WAY, Words(looks::is_sentence_or_label), "\"password\": \"Wrong again\""),
    // States, versions, numbers
    except(ANY, ANY_CASE, ANYWHERE, ANY_WAY, Word(code::is_switch), "PASSWORD=false"),
    except(ANY, ANY_CASE, INEXACT, ANY_WAY, Word(code::is_state_word), "password: str"),
    except(ANY, ANY_CASE, ANYWHERE, ANY_WAY, Word(public::is_release), "token=v1.2.3"),
    except(ANY, ANY_CASE, ANYWHERE, ANY_WAY, Word(public::is_fingerprint), "ssh_key=16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48"),
    except(&[Token, Vague], ANY_CASE, ANYWHERE, ANY_WAY, Word(public::is_ledger_address), "swap token 0xb01143aB6C8AeEf38Ca425a7671fb1f19d2Cdb4d"),
    except(&[Token, Vague], ANY_CASE, ANYWHERE, ANY_WAY, Word(public::is_selector), "token=0xe7897444"),
    except(&[Token, Vague], ANY_CASE, ANYWHERE, ANY_WAY, Word(public::is_variable_name), "token=RICH_MARKUP_MODE"),
    except(ANY, ANY_CASE, ANYWHERE, ANY_WAY, Beside(is_switched), "USE_TOKEN=1"),
    except(&[Secret, Token, Vague, Weak], Otherwise, ANYWHERE, Bare, Word(is_count), "token=42"),
    except(&[Secret, Token, Vague, Weak], ANY_CASE, &[Assigned], Bare, Word(is_long_count), "token = 4096"),
    except(&[Token], Otherwise, &[Literal], ANY_WAY, Beside(is_color_of_token), "Token: '#ABB2BF',"),
    except(&[Vague], ANY_CASE, ANYWHERE, ANY_WAY, Word(public::is_mundane), "mappingKey: \"sha256\""),
    // Code
    except(ANY, ANY_CASE, ANYWHERE, Bare, Word(code::is_expression), "token = get_token()"),
    except(ANY, Otherwise, &[Shell], Bare, Word(code::is_rooted_member), "api_key=settings.API_KEY"),
    except(ANY, Otherwise, &[Shell], Bare, Word(code::is_plain_variable), "run --token accessToken"),
    except(ANY, AsConstant, &[Setting, Assigned], Bare, Word(code::is_rooted_member), "API_KEY: config.api_key"),
    except(ANY, AsConstant, &[Assigned], Bare, Word(code::is_typed_number), "TOKEN = 212u16"),
    except(ANY, Otherwise, &[Setting, Assigned], Bare, Word(code::is_member), "password = args.word"),
    except(ANY, Otherwise, &[Setting, Assigned], Bare, Word(code::is_telling_variable), "password: SecretText"),
    except(ANY, Otherwise, &[Setting, Assigned], Bare, Word(code::is_telling_constant), "api_key: GITHUB_TOKEN"),
    except(ANY, Otherwise, &[Setting, Assigned], Bare, Word(code::is_typed_number), "secret: 12u8"),
    except(ANY, Otherwise, &[Assigned], Bare, Word(code::is_common_variable), "token = response"),
    except(ANY, ANY_CASE, &[Literal, Code, Argument, Prose], Bare, Word(code::is_bare_code), "DEVSTAT_MATCH_PASS = 0x04,"),
    // What settings say about a secret
    except(ANY, ANY_CASE, &[Setting, Assigned], ANY_WAY, Word(looks::is_participle), "password: unlocked"),
    except(ANY, ANY_CASE, &[Setting, Assigned], ANY_WAY, Word(public::is_term), "password: argon2id"),
    except(&[Secret, Token, Vague, Weak], ANY_CASE, &[Setting, Assigned], ANY_WAY, Beside(is_type_of_name), "token: Address"),
    // What code says about one
    except(&[Secret, Token, Vague, Weak], ANY_CASE, &[Code], ANY_WAY, Word(public::is_mundane), "secret: sha256,"),
    except(&[Secret, Token, Vague, Weak], ANY_CASE, &[Code], ANY_WAY, Word(public::is_number), "secret: 12:34:56,"),
    except(&[Token, Vague, Weak], Otherwise, &[Code], ANY_WAY, Word(is_shorter_than::<8>), "token: 42&str,"),
    // What a sentence says about one
    except(&[Password], ANY_CASE, &[Prose], ANY_WAY, Word(is_shorter_than::<5>), "Passwort geändert auf w1is"),
    except(&[Secret, Token, Vague, Weak], ANY_CASE, &[Prose], ANY_WAY, Word(is_shorter_than::<6>), "client secret a1b2 works"),
    except(ANY, ANY_CASE, &[Prose], ANY_WAY, Word(public::is_number), "the password is 12:34:56"),
    except(ANY, ANY_CASE, &[Prose], Bare, Word(public::is_mundane), "use token 8d7f6_io_uring_completion"),
    except(&[Token], ANY_CASE, &[Prose], ANY_WAY, Word(public::is_upper_hex_id), "signing key 8F6E13437EFEAB83"),
    except(ANY, ANY_CASE, &[Prose], ANY_WAY, Word(looks::is_pair), "password guifg=#0a0b0c"),
    except(ANY, ANY_CASE, &[Prose], ANY_WAY, Word(is_markup), "use token ab1cd2ef3gh4](x)"),
    // What stands beside a name as an argument or an item of a list
    except(ANY, ANY_CASE, &[Argument], Bare, Word(is_anything), "withPassword(s3cr3tpw)"),
    except(ANY, ANY_CASE, &[Argument], ANY_WAY, Word(is_shorter_than::<6>), "cy.get('[name=password]').type('stpw9')"),
    except(ANY, ANY_CASE, &[Argument], ANY_WAY, Word(is_option), "option(\"secret\", \"-t1x2y3\")"),
    except(ANY, ANY_CASE, &[Argument], ANY_WAY, Word(public::is_number), "set(\"password\", \"12:34:56\")"),
    except(ANY, ANY_CASE, &[Argument], ANY_WAY, Word(public::is_mundane), "set(\"password\", \"sha256\")"),
    except(ANY, ANY_CASE, &[Argument], ANY_WAY, Word(code::is_constant), "get(\"secret\", \"API_V2_NAME\")"),
    except(ANY, ANY_CASE, &[Argument], ANY_WAY, Word(is_field_of_secret), "get(\"secret\", \"api2Key\")"),
];

impl Exception {
    fn spares(&self, value: &str, named: Named<'_>, constant: bool) -> bool {
        let spelled = match self.spelled {
            Spelled::Anyhow => true,
            AsConstant => constant,
            Otherwise => !constant,
        };
        let single = || !value.contains(char::is_whitespace);
        spelled
            && self.names.contains(&named.kind)
            && self.places.contains(&named.place)
            && !(self.written == Bare && named.quoted)
            && match self.looks {
                Any(test) => test(value),
                Word(test) => single() && test(value),
                Words(test) => !single() && test(value),
                Beside(test) => test(named.identifier, value),
            }
    }
}

fn has_no_letters(value: &str) -> bool {
    !value.chars().any(char::is_alphanumeric)
}

fn is_anything(_: &str) -> bool {
    true
}

fn is_shorter_than<const LENGTH: usize>(value: &str) -> bool {
    value.len() < LENGTH
}

fn is_count(value: &str) -> bool {
    public::is_number(value) && value.len() < 4
}

fn is_long_count(value: &str) -> bool {
    public::is_number(value) && value.len() < 5
}

/// Characters such as `](`, which follow a word in a link or an attribute.
fn is_markup(value: &str) -> bool {
    ["=\"", "](", "\\"].iter().any(|part| value.contains(part))
}

fn is_option(value: &str) -> bool {
    value.starts_with('-')
}

fn is_field_of_secret(value: &str) -> bool {
    ["Key", "Token", "Secret", "Password"]
        .iter()
        .any(|end| value.ends_with(end))
}

fn is_lower_case_word(value: &str) -> bool {
    value.bytes().all(|b| b.is_ascii_lowercase())
}

/// `New password`, `api_key`. One lower-case word may well be the secret.
fn is_label(value: &str) -> bool {
    !is_lower_case_word(value) && reference::is_of_name_words(value)
}

/// The letters and digits of an identifier, in lower case.
fn squeezed(identifier: &str) -> String {
    let letters = identifier.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Six bytes or more that are part of the name, however it is spelled.
fn is_part_of_name(name: &str, value: &str) -> bool {
    !is_lower_case_word(value) && value.len() >= 6 && squeezed(name).contains(&squeezed(value))
}

fn is_within_name(name: &str, value: &str) -> bool {
    value.len() > 2 && name.to_ascii_lowercase().contains(value)
}

/// `TOKEN_KEY = 'token'` names an entry of a store; `SECRET_KEY = 'secret'` may be one.
fn is_entry_of_key(name: &str, value: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let entry = name
        .strip_suffix("_key")
        .is_some_and(|of| of.ends_with(value));
    entry && value != "secret"
}

fn ends_name(name: &str, value: &str) -> bool {
    is_lower_case_word(value)
        && reference::is_of_name_words(value)
        && name.to_ascii_lowercase().ends_with(value)
}

fn is_name(name: &str, value: &str) -> bool {
    reference::is_of_name_words(value) && name.eq_ignore_ascii_case(value)
}

/// A digit that switches something: `REQUIRE_PASSWORD=1`.
fn is_switched(name: &str, value: &str) -> bool {
    let first = name.split(['_', '-']).next().unwrap_or_default();
    value.len() == 1
        && public::is_number(value)
        && SWITCHING.contains(&first.to_ascii_lowercase().as_str())
}

/// The color of a token's text, in a theme: its name is one word.
fn is_color_of_token(name: &str, value: &str) -> bool {
    let digits = value.strip_prefix('#').unwrap_or_default();
    !name.contains(['_', '-']) && matches!(digits.len(), 3 | 6 | 8) && HEX.covers(digits)
}

/// `token: Address`: the type of a field with a name of one word.
fn is_type_of_name(name: &str, value: &str) -> bool {
    !name.contains(['_', '-']) && looks::is_type_name(value)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::EXCEPTIONS;
    use crate::redact::redact;

    thread_local! {
        /// The row that this thread leaves out.
        pub(super) static WITHOUT: Cell<Option<usize>> = const { Cell::new(None) };
    }

    #[test]
    fn each_exception_is_all_that_spares_its_example() {
        let mut needless = Vec::new();
        for (row, exception) in EXCEPTIONS.iter().enumerate() {
            let text = exception.example;
            WITHOUT.set(None);
            assert_eq!(redact(text).text, text, "row {row}");
            WITHOUT.set(Some(row));
            if redact(text).count == 0 {
                needless.push((row, text));
            }
        }
        WITHOUT.set(None);
        assert_eq!(needless, [], "spared without their rows");
    }
}
