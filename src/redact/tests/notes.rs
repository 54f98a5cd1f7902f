//! Notes that tell a secret, and notes that tell of one, in several languages.

use super::assert_redacted;

#[rustfmt::skip]
const TOLD: &[&str] = &[
    "root pw on build01: ⟦w1nter9⟧",
    "db pass is ⟦w1nter9⟧",
    "user: ci pass: ⟦w1nter99⟧",
    "use ⟦W1nter!9⟧ as the password",
    "\"⟦hunter2x⟧\" is the root password",
    "login root/⟦toor⟧",
    "login admin/⟦W1nter99⟧ works",
    "log in with ci / ⟦W1nter!9⟧",
    "creds are ci:⟦W1nter!9⟧",
    "basic auth: ci:⟦w1nter99⟧",
    "the key is ⟦4uGnSOoK2VfWFWHNSHIEJvZtQvG1CVJG⟧",
    "The passphrase for the key is `⟦correct horse battery⟧`",
    "| API_KEY | ⟦w1nter2024⟧ |",
    "DB_PASSWORD -> ⟦w1nter9⟧",
    "Kennwort ist \"⟦winter⟧\"",
    "Passwort geändert auf ⟦w1nter9⟧",
    "Zugangsdaten: ci / ⟦W1nter99⟧",
    "API-Schlüssel: ⟦r5ZdpJOAR8AJcpIjgSpj⟧",
    "Le mot de passe admin est ⟦w1nter9⟧",
    "a senha do banco é ⟦w1nter9⟧",
    "la password è ⟦w1nter9⟧",
    "密码是 ⟦w1nter9⟧",
    "パスワードは ⟦w1nter9⟧",
    "비밀번호: ⟦w1nter9⟧",
    "jelszó: ⟦w1nter9⟧",
    "şifre: ⟦w1nter9⟧",
    "adgangskode: ⟦w1nter9⟧",
];

#[rustfmt::skip]
const TOLD_OF: &[&str] = &[
    "all user tests pass on node18",
    "second pass took 12ms",
    "use Argon2id as the password hash",
    "SHA256 is the password digest",
    "login admin/users is broken",
    "login: root/index.html",
    "sign in with Apple / Google2",
    "login via SSO / OAuth2Proxy",
    "the key is unique per tenant",
    "the cache key is 3f2a9b8c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f6a",
    "DB_PASSWORD -> moved to Vault",
    "GITHUB_TOKEN is \"read-only\" in forks",
    "Passwort vergessen?",
    "API-Schlüssel: fehlt",
    "clave: valor",
    "password: 'Mot de passe oublié ?',",
    "a senha é obrigatória",
    "密码是必填项",
];

#[test]
fn notes_that_tell_a_secret_lose_it() {
    TOLD.iter().for_each(|line| assert_redacted(line));
}

#[test]
fn notes_that_tell_of_a_secret_stay() {
    TOLD_OF.iter().for_each(|line| assert_redacted(line));
}
