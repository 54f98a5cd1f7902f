//! Secrets and their likes in commands, settings and code, one line for each way to write them.

use super::assert_redacted;

#[rustfmt::skip]
const SECRETS: &[&str] = &[
    // What is glued to an option is no name.
    "mysql -p⟦S3cretPass⟧ db",
    "mysql -uroot -p⟦MyToken1⟧ -e 'show tables'",
    "mysql -u app -p⟦winterKey⟧ shop users",
    "7z x -p⟦ZipPass12⟧ out.7z",
    "docker login h.example -u ci -p⟦w1nterKey⟧",
    "./gradlew publish -Psigning.password=⟦winter⟧",
    // A word of letters is a value where a flag or a variable has one.
    "run --password ⟦winterKey⟧ --user ci",
    "run --token=⟦winterToken⟧",
    "export api_token=⟦winterToken⟧",
    // Symbols that mean something elsewhere.
    "run --password '⟦$w1nter⟧'",
    "DB_PASSWORD='⟦$w1nter9⟧'",
    "PASSWORD=⟦p@ss/w0rd⟧",
    "docker run --env \"API_KEY=⟦Tr0ub4dor&3⟧\" img",
    "curl --data-urlencode \"password=⟦w1nter 9⟧\" h.example",
    "set \"DB_PASSWORD=⟦some words⟧\"",
    r#"PASSWORD='⟦a"b'"'"'c9⟧' run"#,
    // Lists, pairs and substitutions.
    r#""args": ["--api-key", "⟦w1nter99⟧"]"#,
    "helm upgrade x . --set global.redis.password=⟦winter⟧,image.tag=1.2",
    "sed -i 's/DB_PASSWORD=.*/DB_PASSWORD=⟦w1nter9⟧/' .env",
    "curl -d 'user=ci&pass=⟦winter⟧' h.example",
    "kubectl create secret generic a --from-literal='password=⟦S!B*d$zDsb=⟧'",
    "NEO4J_AUTH=neo4j/⟦s3cr3tgraph⟧",
    // Commands that set a variable.
    "cf set-env app API_KEY ⟦winter⟧",
    "SETX API_KEY \"⟦winter⟧\"",
    "Set-Item Env:API_KEY \"⟦winter⟧\"",
    "app config set API_KEY ⟦winter⟧",
    "aws configure set \\↵  aws_secret_access_ke¦y \\↵  ⟦kd83Kd02ks92kd8sZZkd83kd02ks92kd8sZZ9dk2⟧",
    "jq --arg token \"⟦w1nter9x⟧\" '.t=$token' f",
    "machine h.example↵  login ci↵  password ⟦winter⟧",
    "setx /M API_KEY ⟦winter⟧",
    "wmic /user:ci /password:⟦winter⟧ os get",
    "curl -u :⟦kd83Kd02ks92d8sZZkd83⟧ https://h.example",
    // Headers.
    "http GET h.example token:⟦winter⟧",
    r#"req.Header.Set("X-API-Key", "⟦w1nter99⟧")"#,
    "Authorization: HMAC-SHA256 ⟦IGp4gag8dFYYSKnSVofWkj1q=⟧",
    r#"headers = { Authorization: "Bearer " + "⟦rjmL6KGczlVLPrOWpsXI⟧" }"#,
    "X-JFrog-Art-Api: ⟦fQ1y3GQsMpSscDlkrCaqx9vJ⟧",
    // A value goes on in the next line.
    "export TOKEN=⟦ab12cdef\\↵gh34ij⟧ run↵next",
    "<key>ApiToken</key><string>⟦c8oNYTnraLMT↵sA0FSdlLRh5B6⟧</string>",
    // A login under a name.
    "DB_AUTH=admin/⟦w1nterNight⟧",
    "X_CREDS=bob:⟦w1nterNight⟧",
    // Texts within texts.
    r#"{"header": "X-Gitlab-Token: ⟦winter⟧"}"#,
    r#"{"command": "cat > c.yml
  password: ⟦winter⟧
EOF"}"#,
    r#"{"command": "db.auth("ci", "⟦w1nter9x⟧")"}"#,
    r#"{"jwk": "{"kty":"oct","k":"⟦N72fUm4oENY-I6TJ36qfvxSX⟧"}"}"#,
    "Ran `run --token ⟦winterToken⟧ x` and it failed.",
    "run --master-user a --password ⟦winter⟧ 2>&1 | tail",
    "mysql -u root \\\r↵  -p⟦w1nterPass⟧ \\\r↵  shop",
    "seed phrase: ⟦abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about⟧↵next",
    // Code and SQL.
    "session({ secret: '⟦keyboard cat⟧', resave: false })",
    "Given I log in with password \"⟦winter⟧\"",
    r#"let password = String::from("⟦w1nter9⟧");"#,
    "UPDATE users SET password=MD5('⟦w1nter9⟧') WHERE id=1",
    r#"psycopg2.connect("dbname=shop user=app password=⟦winter⟧")"#,
    "putenv(\"API_KEY=⟦winter⟧\");",
    "define( 'DB_PASSWORD', '⟦winter⟧' );",
    "ALTER ROLE app WITH PASSWORD '⟦winter⟧';",
    "CREATE USER MAPPING FOR app SERVER s OPTIONS (user 'ci', password '⟦winter⟧');",
    "<password><![CDATA[⟦a<b9⟧]]></password>",
    "redis-cli ACL SETUSER ci on '>⟦w1nter9x⟧' ~*",
];

#[rustfmt::skip]
const HARMLESS: &[&str] = &[
    "mysql -uAppToken -p shop",
    "gcc -DTokenKey -c x.c",
    "run --token accessToken",
    "DB_PASSWORD='$s3_bucket_password'",
    "git log --format=%h&token",
    "https://h.example/x?token=$T&amp;page=2",
    "docker run -e 'API_KEY=$API_KEY' img",
    r#"["--password", "--user"]"#,
    r#"parser.add_argument("--token", "-t")"#,
    ".option('--token', 'access token')",
    "sed 's/password=.*/password=/' f",
    "gpg --gen-key↵ls",
    "run --token↵foo bar",
    "describe('secret: rotation', () => {",
    "grep root /etc/passwd",
    "echo root | grep root /etc/passwd",
    "skopeo inspect --creds $CREDS docker://a",
    "credentials: aws:profile",
    "gcloud config set project acme",
    "set token limit to 4096",
    "ALTER USER app PASSWORD :'pw';",
    "kubectl describe secret api-token-2",
    "existingSecret: db-creds2",
    "export API_KEY=\"process.env.API_KEY\"",
    "password: \"%env(DB_PASSWORD)%\"",
    "'password' => 'required|min:8|confirmed',",
    "<li key=\"password\">x</li>",
    "<option value=\"token\">abc</option>",
    "const TOKEN_KEY = 'token';",
    "self.token += nextchar",
    "hi SpecialKey guifg=#008b8b guibg=NONE",
    "print(\"shlex: token=EOF\")",
    "let key = Some(\"name\");",
    "API_KEY=changeme-please",
    "git commit -m \"password: trim\"",
    "| API_TOKEN | 32+ characters | yes |",
    "NEO4J_AUTH=neo4j/$NEO4J_PASSWORD",
];

#[test]
fn secrets_go_in_every_way_to_write_them() {
    SECRETS.iter().for_each(|line| assert_redacted(line));
}

#[test]
fn what_is_written_like_a_secret_stays() {
    HARMLESS.iter().for_each(|line| assert_redacted(line));
}
