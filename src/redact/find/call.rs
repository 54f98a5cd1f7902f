//! Secrets among the arguments of well-known functions, where no name announces them.

use crate::redact::lex::haystack::Haystack;
use crate::redact::lex::quotes::{self, Bare};
use crate::redact::lex::reach;
use crate::redact::span::Span;
use crate::redact::value::entropy;
use crate::redact::value::reference::is_reference;

/// A function and which of its string literals is the secret, counted from 1.
pub(crate) struct Function {
    name: &'static str,
    literal: usize,
    #[cfg(test)]
    pub(crate) hit: &'static str,
    #[cfg(test)]
    pub(crate) miss: &'static str,
}

#[cfg_attr(
    not(test),
    expect(unused_variables, reason = "the tests alone read them")
)]
const fn function(
    name: &'static str,
    literal: usize,
    hit: &'static str,
    miss: &'static str,
) -> Function {
    Function {
        name,
        literal,
        #[cfg(test)]
        hit,
        #[cfg(test)]
        miss,
    }
}

#[rustfmt::skip] // A table reads by the row.
pub(crate) const FUNCTIONS: &[Function] = &[
    function("jwt.sign(", 1, "jwt.sign(payload, \"SECRET\", { expiresIn: \"1h\" })", "jwt.sign(payload, key)"),
    function("jwt.verify(", 1, "jwt.verify(token, 'SECRET')", "jwt.verify(token, publicKey)"),
    function("jwt.encode(", 1, "jwt.encode(claims, \"SECRET\", algorithm=\"HS256\")", "jwt.encode(claims, key, algorithm=\"HS256\")"),
    function("jwt.decode(", 1, "jwt.decode(token, \"SECRET\", algorithms=[\"HS256\"])", "jwt.decode(token, key, algorithms=[\"HS256\"])"),
    function("hmac.new(", 1, "hmac.new(b\"SECRET\", msg, hashlib.sha256)", "hmac.new(key, msg)"),
    function("createHmac(", 2, "crypto.createHmac('sha256', 'SECRET')", "crypto.createHmac('sha256', key)"),
    function("hash_hmac(", 2, "hash_hmac('sha256', 'SECRET')", "hash_hmac('sha256', $data, $key)"),
    function("pgp_sym_encrypt(", 1, "SELECT pgp_sym_encrypt(note, 'SECRET')", "SELECT pgp_sym_encrypt(note, key)"),
    function(" crypt(", 1, "SELECT crypt('SECRET', gen_salt('bf'))", "SELECT crypt(word, gen_salt('bf'))"),
    function(".auth(", 2, "db.auth('ci', 'SECRET')", "db.auth(user, word)"),
    function("changeUserPassword(", 2, "db.changeUserPassword('ci', 'SECRET')", "db.changeUserPassword(user, word)"),
    function("cookieParser(", 1, "app.use(cookieParser('SECRET'))", "app.use(cookieParser())"),
    function("bcrypt.hash(", 1, "await bcrypt.hash('SECRET', 10)", "await bcrypt.hash(word, 10)"),
    function("bcrypt.hashSync(", 1, "bcrypt.hashSync('SECRET', 10)", "bcrypt.hashSync(word, 10)"),
    function("hashpw(", 1, "bcrypt.hashpw(b'SECRET', salt)", "bcrypt.hashpw(word, salt)"),
    function("createCipheriv(", 2, "crypto.createCipheriv('aes-256-cbc', 'SECRET', iv)", "crypto.createCipheriv('aes-256-cbc', key, iv)"),
    function("Wallet(", 1, "new ethers.Wallet('SECRET')", "new ethers.Wallet(key, provider)"),
    function("privateKeyToAccount(", 1, "web3.eth.accounts.privateKeyToAccount('SECRET')", "privateKeyToAccount(key)"),
    function("WiFi.begin(", 2, "WiFi.begin(\"HomeNet\", \"SECRET\");", "WiFi.begin(ssid, pass);"),
    function("create_superuser(", 3, "User.objects.create_superuser(\"ci\", \"a@b.example\", \"SECRET\")", "create_superuser(name, mail, word)"),
    function("create_user(", 3, "User.objects.create_user(\"ci\", \"a@b.example\", \"SECRET\")", "create_user(name)"),
    function("HTTPBasicAuth(", 2, "HTTPBasicAuth(\"ci\", \"SECRET\")", "HTTPBasicAuth(user, word)"),
    function("BasicAuth(", 2, "req.SetBasicAuth(\"ci\", \"SECRET\")", "aiohttp.BasicAuth(user, word)"),
    function("basic_auth(", 2, ".basic_auth(\"ci\", Some(\"SECRET\"))", ".basic_auth(user, None::<&str>)"),
    function("NetworkCredential(", 2, "new NetworkCredential(\"ci\", \"SECRET\")", "new NetworkCredential(user, word)"),
    function("UsernamePasswordCredentials(", 2, "new UsernamePasswordCredentials(\"ci\", \"SECRET\")", "new UsernamePasswordCredentials(u, p)"),
    function("PasswordAuthentication(", 2, "new PasswordAuthentication(\"ci\", \"SECRET\")", "new PasswordAuthentication(u, p)"),
    function("DriverManager.getConnection(", 3, "DriverManager.getConnection(\"jdbc:h2:mem\", \"sa\", \"SECRET\")", "DriverManager.getConnection(url)"),
    function("mysqli_connect(", 3, "mysqli_connect(\"localhost\", \"ci\", \"SECRET\", \"db\")", "mysqli_connect($h, $u, $p)"),
    function("new mysqli(", 3, "new mysqli(\"localhost\", \"ci\", \"SECRET\")", "new mysqli($h, $u, $p)"),
    function("new PDO(", 3, "new PDO(\"mysql:host=h\", \"ci\", \"SECRET\")", "new PDO($dsn, $u, $p)"),
    function(".login(", 2, "smtp.login(\"a@b.example\", \"SECRET\")", "client.login(user, word)"),
    function("auth=(", 2, "requests.get(url, auth=(\"ci\", \"SECRET\"))", "requests.get(url, auth=(user, word))"),
    function("AWSCredentials(", 2, "new BasicAWSCredentials(\"AKIA\", \"SECRET\")", "new BasicAWSCredentials(id, key)"),
    function("StaticCredentials(", 2, "credentials.NewStaticCredentials(\"id\", \"SECRET\", \"\")", "NewStaticCredentials(id, key, \"\")"),
    function("::add-mask::", 0, "echo \"::add-mask::SECRET\"", "echo \"::add-mask::$TOKEN\""),
    function("Bearer::new(", 1, "Bearer::new(\"SECRET\")", "Bearer::new(value)"),
    function("bearer_auth(", 1, "client.get(url).bearer_auth(\"SECRET\")", "client.get(url).bearer_auth(value)"),
    function("BearerAuth(", 1, "headers.setBearerAuth(\"SECRET\")", "headers.setBearerAuth(value)"),
    function("send \"", 0, "expect \"assword:\"; send \"SECRET\\r\"", "send \"ls\\r\""),
    function("send \\\"", 0, "expect \\\"assword:\\\"; send \\\"SECRET\\r\\\"", "send \\\"ls\\r\\\""),
];

/// Adds the secrets among the literal arguments of the functions of the table.
pub(crate) fn find(haystack: &Haystack<'_>, spans: &mut Vec<Span>) {
    let text = haystack.text();
    for function in FUNCTIONS {
        for at in haystack.find_all(function.name) {
            let start = at + function.name.len();
            let span = if function.literal == 0 {
                bare(text, start)
            } else {
                literal(text, start, function.literal)
            };
            spans.extend(span.filter(|span| is_credible(span.of(text))));
        }
    }
}

fn is_credible(value: &str) -> bool {
    value.len() >= 6
        && value.bytes().any(|b| b.is_ascii_digit())
        && entropy::shannon(value) >= 2.5
        && !is_reference(value, true)
}

/// The `number`-th string literal of the argument list at `start`.
fn literal(text: &str, start: usize, number: usize) -> Option<Span> {
    let mut at = start;
    let mut seen = 0;
    let limit = start + 512;
    while at < limit.min(text.len()) {
        match text.as_bytes().get(at)? {
            b'"' | b'\'' | b'`' | b'\\' => {
                let value = quotes::read(text, at, Bare::Word).filter(|value| value.quoted)?;
                seen += 1;
                if seen == number {
                    return Some(value.span);
                }
                at = value.after;
            }
            b')' | b'\n' => return None,
            _ => at += 1,
        }
        reach::spend(1);
    }
    None
}

/// The bare word at `start`.
fn bare(text: &str, start: usize) -> Option<Span> {
    let rest = reach::ahead(text, start);
    let end = rest.find(|c: char| c.is_whitespace() || "\"'`\\".contains(c));
    let length = reach::passed(rest, end).unwrap_or(rest.len());
    let word = rest.get(..length)?;
    Some(Span {
        start,
        end: start + length,
    })
    .filter(|_| !word.is_empty())
}
