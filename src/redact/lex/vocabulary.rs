//! Word lists that the detectors share. Lists read by the line, so the formatter leaves them alone.

/// Words that may follow the telling word: `JWT_SECRET_V2`, `SECRET_KEY_BASE`, `TOKEN_PROD`.
#[rustfmt::skip]
pub(crate) const SUFFIXES: &[&str] = &[
    "a", "b", "b64", "backup", "base", "base64", "bytes", "current", "data", "default", "dev",
    "development", "encoded", "hex", "live", "literal", "local", "main", "new", "old", "plain",
    "prev", "previous", "prod", "production", "raw", "sandbox", "secondary", "stage", "staging",
    "str", "string", "test", "text", "val", "value",
];

/// Words that, before `key`, say that it is no secret.
#[rustfmt::skip]
pub(crate) const HARMLESS_KEYS: &[&str] = &[
    "any", "arrow", "bucket", "build", "cache", "candidate", "column", "composite", "config", "csrf",
    "data", "dedup", "dedupe", "dict", "down", "each", "encrypt", "end", "enter", "escape", "feature", "field", "first", "gnupg", "last", "pg", "start", "tag",
    "file", "fk", "foreign", "function", "gpg", "group", "hash", "header", "host", "hot", "i18n",
    "instrumentation", "idempotency", "idempotent", "index", "item", "json", "kms", "known",
    "label", "limit", "locale", "lock", "lookup", "map", "message", "meta", "metric", "modifier",
    "name", "natural", "node", "object", "pagination", "parent", "partition", "pgp", "pk", "press",
    "primary", "prop", "pub", "public", "publishable", "query", "range", "react", "recaptcha",
    "recv", "redis", "registry", "restore", "result", "route", "row", "s3", "search", "shard", "shift", "shortcut",
    "site", "sort", "sorting", "state", "storage_object", "super", "surrogate", "tab",
    "translation", "trusted", "unique", "up", "verification", "verify", "verifying", "websocket",
    "yaml",
];

/// Words that, before `key`, say that it is a secret.
#[rustfmt::skip]
pub(crate) const TELLING_KEYS: &[&str] = &[
    "access", "account", "admin", "age", "api", "app", "application", "auth", "client",
    "consumer", "crypt", "crypto", "deploy", "encryption", "fernet", "hmac", "integration", "jwt",
    "license", "master", "preshared", "priv", "private", "restricted", "root", "secret",
    "security", "server", "service", "session", "shared", "signing", "ssh", "storage",
    "subscription", "symmetric", "write",
];

/// Words that, before `token`, say that it is no secret.
#[rustfmt::skip]
pub(crate) const HARMLESS_TOKENS: &[&str] = &[
    "bos", "cancel", "change", "idempotency", "lock", "sequence", "starting", "cancellation", "cls", "continuation", "csrf", "cursor", "design", "end",
    "eos", "input", "invalid", "last", "lex", "mask", "max", "min", "next", "num", "output", "pad", "page",
    "pagination", "paging", "progress", "punct", "resume", "sep", "special", "start", "stop", "sync",
    "unexpected", "unk", "xsrf",
];

/// Single words, in lower case, that mean a password in whatever language.
#[rustfmt::skip]
pub(crate) const PASSWORDS: &[&str] = &[
    "passwd", "passphrase", "passcode", "password", "passwort", "kennwort", "pwd", "psw", "pword",
    "senha", "wachtwoord", "contrasena", "contraseña", "haslo", "hasło", "heslo", "jelszo",
    "jelszó", "lösenord", "salasana", "parola", "пароль", "пароля", "mdp", "adgangskode", "kodeord",
    "passord", "şifre",
];

/// Words written together that mean a machine-made secret.
#[rustfmt::skip]
pub(crate) const COMPOUND_TOKENS: &[&str] = &[
    "accesskey", "accountkey", "adminkey", "apikey", "apitoken", "appkey", "authkey",
    "consumerkey", "encryptionkey", "hapikey", "licensekey", "masterkey", "privatekey", "privkey",
    "secretkey", "servicekey", "sessionkey", "sharedkey", "signingkey", "sshkey", "storagekey",
    "subscriptionkey", "writekey",
];

/// Schemes of addresses that secret stores and configuration loaders resolve.
#[rustfmt::skip]
pub(crate) const STORES: &[&str] = &[
    "op:", "vault:", "ref+", "ssm:", "sm:", "asm:", "awssm:", "gcpsm:", "gcp:", "akv:", "azkv:",
    "keyvault:", "secret:", "secrets:", "secretsmanager:", "arn:", "env:", "file:", "kms:",
    "sops:", "keychain:", "keyring:", "gopass:", "bao:", "doppler:", "infisical:", "chamber:",
    "resolve:", "projects/", "aws:", "k8s:", "cmd:", "exec:", "credstash:", "berglas:", "pass:/",
];

/// Bare words that are states, types or settings rather than secrets.
#[rustfmt::skip]
pub(crate) const STATES: &[&str] = &[
    "abgelaufen", "absent", "an", "any", "await", "break", "continue", "return", "raise", "throw", "read", "write", "error", "uint8array", "as", "auto", "basic", "bearer", "bool", "boolean", "buffer",
    "by", "bytea", "bytes", "changed", "char", "correct", "default", "deleted", "deprecated",
    "digest", "disabled", "disallowed", "empty", "enabled", "encrypted", "env", "erforderlich", "expired", "falta",
    "false", "fehlt", "field", "file", "for", "forgotten", "from", "hashed", "here", "hidden", "if",
    "ignored", "in", "include", "incorrect", "int", "integer", "invalid", "is", "leaked",
    "list", "masked", "missing", "never", "nil", "no", "none", "not", "null", "nullable", "number",
    "object", "of", "off", "ok", "omit", "omitted", "on", "option", "optional", "or", 
    "present", "prompt", "protected", "provided", "random", "redacted", "rejected",
    "removed", "required", "same-origin", "reset", "revoked", "rotated", "self", "set",
    "sometimes",
    "status", "stdin", "str", "string", "text", "the", "to", "todo", "true", "type",
    "unchanged", "undefined", "ungültig", "unknown", "unset", "updated", "uuid", "valid", "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f32", "f64", "usize", "c_int", "c_char", "__u32", "__u64",
    "valeur", "valor", "value", "varchar", "void", "was", "were", "with", "wrong", "yes", "you", "your",
];

/// Values that switch something, or say that there is no secret.
#[rustfmt::skip]
pub(crate) const SWITCHES: &[&str] = &[
    "true", "false", "yes", "no", "on", "off", "null", "none", "nil", "undefined", "disabled",
    "enabled", "disable", "enable", "auto", "optional", "todo", "tbd", "unset", "empty",
];

/// Words that begin the name of a switch about secrets: `REQUIRE_PASSWORD=1`.
#[rustfmt::skip]
pub(crate) const SWITCHING: &[&str] = &[
    "allow", "ask", "change", "check", "disable", "enable", "force", "has", "hide", "is", "need",
    "needs", "no", "prompt", "require", "requires", "reset", "save", "show", "skip", "use",
    "validate", "verify", "with", "without",
];

/// What comes before a variable's name where its value follows without a sign: `setx NAME value`.
#[rustfmt::skip]
pub(crate) const SETTERS: &[&str] = &[
    "setx", "SETX", "setx /M", "setenv", "SetEnv", "ENV", "set -x", "set -gx", "set -xg", "set -lx",
    "set -Ux", "set -Ugx", "let-env", "set-environment", "config set", "configure set",
    "secrets set", "--arg", "-Item Env:", "-Path Env:", "(def",
];

/// Words that hold a sentence together, and no passphrase.
#[rustfmt::skip]
pub(crate) const FUNCTION_WORDS: &[&str] = &[
    "a", "also", "an", "and", "are", "as", "at", "be", "because", "been", "but", "by", "can",
    "cannot", "do", "does", "don't", "doesn't", "for", "from", "has", "have", "if", "in", "instead",
    "into", "is", "isn't", "it", "its", "may", "more", "must", "my", "not", "now", "of", "on",
    "only", "or", "our", "over", "please", "should", "so", "than", "that", "the", "their", "then",
    "there", "these", "they", "this", "to", "too", "until", "use", "using", "via", "was", "we",
    "were", "when", "where", "which", "while", "who", "why", "will", "with", "without", "you",
    "your",
];

/// Words that follow a flag in a text about it.
#[rustfmt::skip]
pub(crate) const FLAG_WORDS: &[&str] = &[
    "accepts", "argument", "arguments", "beats", "becomes", "breaks", "comes", "defaults", "does",
    "everywhere", "expects", "fails", "fallback", "flag", "flags", "goes", "handling", "leaks",
    "means", "named", "needs", "option", "options", "overrides", "overriding", "parameter",
    "parsing", "passed", "requires", "reads", "removed", "renamed", "support", "supported",
    "switch", "takes", "usage", "value", "variable", "wins", "works", "arg", "params",
];

/// Words that documentation makes a placeholder of, together with each other and a name's words.
#[rustfmt::skip]
pub(crate) const PLACEHOLDERS: &[&str] = &[
    "a", "any", "change", "changeme", "demo", "dummy", "enter", "example", "fake", "fill", "fixme", "foo",
    "from", "generated", "goes", "here", "in", "insert", "it", "me", "mock", "my", "not", "paste",
    "placeholder", "please", "put", "real", "redacted", "replace", "sample", "some", "test", "the", "this",
    "todo", "value", "with", "your",
];

/// What programs keep settings and requests in: `config.x`, `process.env.X`, `secrets.X`.
#[rustfmt::skip]
pub(crate) const CODE_ROOTS: &[&str] = &[
    "app", "args", "body", "cfg", "cli", "conf", "config", "constants", "context", "ctx", "data",
    "each", "env", "environ", "event", "exports", "flags", "github", "import", "input", "inputs",
    "item", "local", "matrix", "module", "needs", "options", "opts", "os", "params", "parser",
    "process", "props", "query", "req", "request", "res", "response", "result", "row", "secrets",
    "self", "session", "settings", "state", "steps", "store", "sys", "this", "user", "values",
    "var", "vars", "window",
];

/// Words that names of ordinary variables are made of.
#[rustfmt::skip]
pub(crate) const CODE_WORDS: &[&str] = &[
    "arg", "args", "arr", "array", "body", "buf", "buffer", "bytes", "char", "chars", "config",
    "content", "ctx", "current", "data", "decoded", "default", "elem", "element", "encoded", "entry",
    "env", "error", "expected", "expr", "field", "first", "get", "header", "headers", "id",
    "ident", "identifier", "idx", "index", "info", "input", "item", "items", "kwargs", "last",
    "left", "line", "list", "literal", "match", "message", "msg", "name", "new", "next", "node",
    "num", "number", "obj", "object", "old", "opt", "option", "options", "opts", "out", "output",
    "param", "params", "part", "parts", "payload", "prev", "previous", "ptr", "query", "raw",
    "reader", "rec", "record", "req", "request", "res", "resp", "response", "result", "ret",
    "right", "row", "session", "slice", "src", "state", "str", "string", "temp", "text", "tmp",
    "tok", "tree", "tuple", "type", "uid", "url", "user", "userinfo", "username", "val", "value",
    "values", "var", "variable", "word", "words", "self", "this", "super",
];

/// Parts of identifiers that hold a secret, in lower case.
#[rustfmt::skip]
pub(crate) const NAME_STEMS: &[&str] = &[
    "password", "passwd", "token", "secret", "key", "cred", "auth", "string", "schema", "pwd",
];

/// Words a name of a secret is made of; a value of nothing else repeats the name.
#[rustfmt::skip]
pub(crate) const NAME_WORDS: &[&str] = &[
    "access", "api", "apikey", "auth", "authorization", "bearer", "client", "credentials",
    "current", "db", "key", "my", "new", "old", "pass", "passphrase", "pwd", "passwd", "password",
    "passwords", "private", "refresh", "secret", "secrets", "the", "token", "tokens",
    "user", "username", "enter", "confirm", "email", "mot", "de", "passe", "passwort",
    "contraseña", "senha", "kennwort", "login", "keys", "id", "reset", "change", "forgot", "forgotten",
    "jeton", "schlüssel", "clé", "clave", "hasło", "wachtwoord", "lösenord", "heslo", "пароль",
    "invalid", "incorrect", "wrong", "missing", "show", "hide", "required", "create", "generate",
];

/// Ends of the names of files that keys and settings are kept in.
#[rustfmt::skip]
pub(crate) const EXTENSIONS: &[&str] = &[
    "asc", "cer", "cfg", "conf", "crt", "der", "enc", "env", "gpg", "html", "ini", "jks", "js",
    "json", "jwk", "key", "keystore", "kdbx", "md", "p12", "p8", "pem", "pfx", "ppk",
    "properties", "pub", "py", "rb", "rs", "sh", "toml", "ts", "tsx", "txt", "xml", "yaml", "yml",
    "go", "java", "age",
];

/// Accounts that notes write with their password: `root/X`, `admin: X`.
#[rustfmt::skip]
pub(crate) const ACCOUNTS: &[&str] = &[
    "root", "admin", "administrator", "postgres", "sa", "guest", "demo", "sysadmin", "superuser",
];

/// Phrases after or before which any `user:password` or `user / password` is a login.
#[rustfmt::skip]
pub(crate) const LOGINS: &[&str] = &[
    "basic auth", "credentials", "creds", "identifiants", "log in", "logged in", "login", "logins",
    "sign in", "zugangsdaten",
];

/// What follows an account's name in paths and titles, and is no password.
#[rustfmt::skip]
pub(crate) const PAGES: &[&str] = &[
    "access", "admin", "dashboard", "flow", "form", "guest", "home", "index", "login", "logout",
    "page", "pages", "panel", "password", "role", "roles", "route", "screen", "signup", "user",
    "users", "view",
];

/// Words that may stand between a name and the value it has.
#[rustfmt::skip]
pub(crate) const CONNECTING: &[&str] = &[
    "is", "was", "are", "be", "to", "now", "set", "still", "should", "will", "currently", "we",
    "i", "used", "use", "using", "value", "code", "string", "called", "lautet", "era", "named", "ist", "est", "es",
    "er", "é", "è", "auf", "geändert", "=", "equals", "being", "has", "been", "changed", "here", "this", "follows", "as",
    "like",
];

/// Words that begin a phrase about what the secret is for, which ends at `is`.
#[rustfmt::skip]
pub(crate) const RELATING: &[&str] = &[
    "for", "on", "of", "at", "in", "to", "from", "de", "del", "do", "da", "di", "für", "von", "pour",
    "para", "van", "voor",
];

/// Algorithms, formats and services with a digit in their name.
#[rustfmt::skip]
pub(crate) const TERMS: &[&str] = &[
    "oauth2", "oauth1", "base64", "base32", "sha1", "sha256", "sha512", "argon2", "argon2id",
    "argon2i", "bcrypt", "pbkdf2", "scrypt", "hs256", "rs256", "es256", "hs512", "ed25519",
    "x25519", "secp256k1", "aes256", "aes-256", "aes128", "utf8", "utf-8", "x509", "i18n",
    "http2", "pkcs8", "pkcs12", "scram-sha-256", "sha-256", "md5", "totp", "p256", "oauth2.0",
    "openid", "fido2", "u2f", "k8s", "s3", "ec2", "auth0", "web3", "1password",
];

/// Schemes of the `Authorization` header, in lower case; a word of letters before a value that
/// looks random counts as one too.
#[rustfmt::skip]
pub(crate) const SCHEMES: &[&str] = &[
    "bearer", "basic", "token", "digest", "apikey", "api-key", "key", "bot", "ssws", "geniekey",
    "negotiate", "ntlm", "hawk", "oauth", "splunk", "aws4-hmac-sha256", "sharedkey",
    "sharedkeylite", "privatetoken", "jwt", "dpop", "mac", "vapid", "hmac", "client-id", "user",
    "cloudsigma", "zoho-oauthtoken", "klaviyo-api-key", "discogs", "pve-apitoken", "snowflake",
    "sharedaccesssignature", "algolia",
];

/// Cookies that identify nobody's session.
#[rustfmt::skip]
pub(crate) const HARMLESS_COOKIES: &[&str] = &[
    "_ga", "_gid", "_gcl", "_fbp", "utm", "theme", "lang", "locale", "consent", "path", "domain",
    "expires", "max-age", "samesite", "priority", "version", "timezone", "tz",
];

/// Query parameters that carry a secret and are no secret's name elsewhere, in lower case.
#[rustfmt::skip]
pub(crate) const QUERY_SECRETS: &[&str] = &[
    "sig", "signature", "x-amz-signature", "x-goog-signature", "x-oss-signature", "code", "key",
    "auth", "hmac", "x-amz-security-token", "sas", "h", "hash", "se_sig", "apikey", "sk",
    "ticket", "sid", "st", "pass", "pw", "authkey", "appid", "subscription-key", "s",
];
