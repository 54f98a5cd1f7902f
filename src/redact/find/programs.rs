//! The table of programs that take a secret as an argument. A new program is one row here.

use Take::{
    Cookies, Glued, Headers, HereString, Literals, Login, Logins, Nth, Option, Pairs, PipedOut,
    Separate,
};

/// Where a command has its secret.
#[derive(Clone, Copy)]
pub(crate) enum Take {
    /// `-p X`, `-pX`, `--pass X`, `--pass=X`.
    Option(&'static str),
    /// `-p X` only; glued to the option it would mean something else.
    Separate(&'static str),
    /// `-pX` only; the word after the option is something else.
    Glued(&'static str),
    /// `-u user:X`, with the separator.
    Login(&'static str, char),
    /// `-b 'name=X; other=Y'`, where the names tell which value is secret.
    Cookies(&'static str),
    /// Any operand `user:X`, with the separator.
    Logins(char),
    /// The n-th operand after this word; after the program itself when the word is empty.
    Nth(&'static str, usize),
    /// `<<< X`.
    HereString,
    /// `Some-Token:X`, where the name tells that the value is secret.
    Headers,
    /// `--from-literal=name=X`.
    Literals,
    /// `NAME=X`, whatever the name.
    Pairs,
    /// Written to the standard output, into a program that reads a secret from there.
    PipedOut,
}

/// How some programs take secrets.
pub(crate) struct Command {
    pub(crate) programs: &'static [&'static str],
    /// Words that must be among the arguments; one that ends in `…` stands for all it begins.
    pub(crate) with: &'static [&'static str],
    pub(crate) takes: &'static [Take],
    /// Commands with `SECRET` where the secret is.
    #[cfg(test)]
    pub(crate) hits: &'static [&'static str],
    /// Commands without a secret.
    #[cfg(test)]
    pub(crate) misses: &'static [&'static str],
}

#[cfg_attr(
    not(test),
    expect(unused_variables, reason = "the tests alone read them")
)]
const fn command(
    programs: &'static [&'static str],
    with: &'static [&'static str],
    takes: &'static [Take],
    hits: &'static [&'static str],
    misses: &'static [&'static str],
) -> Command {
    Command {
        programs,
        with,
        takes,
        #[cfg(test)]
        hits,
        #[cfg(test)]
        misses,
    }
}

#[rustfmt::skip] // A table reads by the row.
pub(crate) const COMMANDS: &[Command] = &[
    // Transfer
    command(&["curl"], &[], &[Login("-u", ':'), Login("--user", ':'), Login("-U", ':'), Login("--proxy-user", ':'), Option("--oauth2-bearer"), Login("-E", ':'), Login("--cert", ':'), Option("--pass"), Option("--proxy-pass"), Option("--tlspassword"), Cookies("-b")],
        &["curl -u admin:SECRET https://h.example", "curl -sSfu admin:SECRET https://h.example", "curl --user='a:SECRET' https://h.example", "curl -b 'theme=dark; session=SECRET' https://h.example"], &["curl -u admin https://h.example/a:b", "curl -u \"$U:$P\" https://h.example", "curl -o out:file https://h.example"]),
    command(&["wget"], &[], &[Option("--password"), Option("--http-passwd"), Option("--ftp-password")], &["wget --user a --password 'SECRET' ftp://h.example/x"], &["wget -q https://h.example"]),
    command(&["http", "https", "xh", "xhs"], &[], &[Login("-a", ':'), Login("--auth", ':'), Headers], &["http -a ci:SECRET PUT https://h.example", "http h.example X-Api-Key:SECRET"], &["http GET https://h.example a:b", "http POST h.example token:=5 X-Api-Key:$KEY", "https://h.example/token:8080"]),
    command(&["http", "https", "xh", "xhs"], &["bearer"], &[Option("-a"), Option("--auth")], &["xh https://h.example -A bearer -a SECRET"], &[]),
    command(&["httpx"], &["--auth"], &[Nth("--auth", 2)], &["httpx --auth ci SECRET https://h.example"], &["httpx https://h.example"]),
    command(&["ab", "siege", "wrk", "hey", "vegeta", "oha"], &[], &[Login("-A", ':'), Login("-P", ':'), Login("-a", ':')], &["ab -A ci:SECRET -n 100 https://h.example/"], &["ab -n 100 https://h.example/"]),
    command(&["lftp", "ncftp", "ncftpput", "ncftpget"], &[], &[Separate("-p"), Login("-u", ',')], &["lftp -u ci,SECRET h.example", "ncftpput -u ci -p SECRET h.example / f"], &["lftp -p 21 h.example"]),
    command(&["smbclient", "rpcclient", "winexe", "smbget", "net", "pth-winexe", "smbmap"], &[], &[Login("-U", '%'), Login("--user", '%')], &["smbclient //h/s -U ci%SECRET"], &["smbclient //h/s -U ci"]),
    command(&["sshpass"], &[], &[Option("-p")], &["sshpass -p SECRET ssh h", "sshpass -p'SECRET' rsync a b"], &["sshpass -e ssh h", "sshpass -f /etc/x ssh -p 2222 h"]),
    // Databases
    command(&["mysql", "mysqldump", "mysqladmin", "mysqlimport", "mysqlcheck", "mysqlshow", "mysqlbinlog", "mysqlslap", "mysqlsh", "mycli", "mariadb", "mariadb-dump", "mariadb-admin", "mydumper", "innobackupex", "xtrabackup"], &[], &[Glued("-p")],
        &["mysql -u root -pSECRET shop", "mysqldump -u a -p'SECRET' db > d.sql"], &["mysql -u root -p shop", "mysql -uXtoken -hYkey -p shop", "mysql -P 3307 -p\"$PW\" shop"]),
    command(&["mysqladmin", "mariadb-admin"], &["password"], &[Nth("password", 1)], &["mysqladmin -u root -pSECRET password 'SECRET'"], &["mysqladmin -u root -p password"]),
    command(&["redis-cli", "valkey-cli", "keydb-cli", "redis-benchmark", "memtier_benchmark"], &[], &[Separate("-a"), Option("--pass")], &["redis-cli -h h -a SECRET keys '*'"], &["redis-cli -p 6380 ping"]),
    command(&["mongo", "mongosh", "mongodump", "mongorestore", "mongoexport", "mongoimport", "mongostat", "mongotop", "mongofiles"], &[], &[Option("-p")], &["mongosh -u ci -p SECRET --authenticationDatabase admin"], &["mongosh --port 27018"]),
    command(&["cqlsh", "nodetool", "cypher-shell", "arangosh", "ysqlsh", "influx", "usql"], &[], &[Separate("-p"), Separate("-password"), Separate("-pw")], &["cqlsh h -u ci -p SECRET"], &["cqlsh h -u ci"]),
    command(&["sqlcmd", "bcp", "isql", "tsql", "osql", "mssql-cli", "fisql", "db2", "vsql"], &[], &[Option("-P"), Separate("-w")], &["sqlcmd -S h -U sa -P 'SECRET' -Q 'select 1'"], &["sqlcmd -S h -E -Q 'select 1'"]),
    command(&["sqlplus", "sqlldr", "expdp", "impdp", "exp", "imp", "rman", "sqlcl"], &[], &[Logins('/')], &["sqlplus ci/SECRET@h.example:1521/XE"], &["sqlplus / as sysdba"]),
    command(&["ldapsearch", "ldapmodify", "ldapadd", "ldapdelete", "ldapwhoami", "ldapcompare", "ldapmodrdn"], &[], &[Option("-w")], &["ldapsearch -x -D cn=admin -w SECRET -b dc=a", "ldapsearch -x -wSECRET"], &["ldapsearch -x -W -s base", "ldapsearch -x -s sub -b dc=a"]),
    command(&["ldappasswd"], &[], &[Separate("-w"), Separate("-s"), Separate("-a")], &["ldappasswd -x -D cn=admin -w SECRET -s SECRET cn=ci"], &["ldappasswd -x -W cn=ci"]),
    command(&["snowsql", "beeline", "trino", "presto", "hdbsql", "clickhouse-client", "clickhouse"], &[], &[Separate("-p"), Option("--password")], &["beeline -u jdbc:hive2://h -n ci -p SECRET"], &["trino --server h"]),
    command(&["rabbitmqadmin"], &[], &[Separate("-p")], &["rabbitmqadmin -u ci -p SECRET list queues"], &["rabbitmqadmin -P 15672 list queues"]),
    command(&["rabbitmqctl"], &["add_user"], &[Nth("add_user", 2)], &["rabbitmqctl add_user ci SECRET"], &["rabbitmqctl list_users"]),
    command(&["rabbitmqctl"], &["change_password"], &[Nth("change_password", 2)], &["rabbitmqctl change_password ci SECRET"], &[]),
    command(&["rabbitmqctl"], &["authenticate_user"], &[Nth("authenticate_user", 2)], &["rabbitmqctl authenticate_user ci SECRET"], &[]),
    command(&["mosquitto_pub", "mosquitto_sub", "mosquitto_rr"], &[], &[Separate("-P")], &["mosquitto_pub -h h -u ci -P SECRET -t t -m m"], &["mosquitto_pub -h h -p 1883 -t t"]),
    command(&["mosquitto_passwd", "htdigest"], &["-b"], &[Nth("", 3)], &["mosquitto_passwd -b passwd ci SECRET"], &[]),
    command(&["etcdctl"], &[], &[Login("--user", ':')], &["etcdctl --user root:SECRET get /"], &["etcdctl get /"]),
    // Containers and clusters
    command(&["docker", "podman", "nerdctl", "buildah", "skopeo", "helm", "oras", "crane", "regctl", "oc", "az", "cf", "gcrane", "cosign", "singularity", "apptainer", "expo", "ibmcloud", "swr", "tanzu", "ctr"], &["login"], &[Option("-p")],
        &["docker login -u a -p SECRET ghcr.io", "docker login -u a -pSECRET ghcr.io", "helm registry login h -u a -p SECRET"], &["docker run -p 8080:80 redis", "docker login -u a -p \"$PW\""]),
    command(&["skopeo", "buildah", "podman"], &[], &[Login("--creds", ':'), Login("--src-creds", ':'), Login("--dest-creds", ':')], &["skopeo copy --src-creds ci:SECRET docker://a docker://b", "buildah push --creds=ci:SECRET a"], &["skopeo inspect --creds $CREDS docker://a"]),
    command(&["kubectl", "oc", "k", "microk8s"], &["create", "secret"], &[Literals], &["kubectl create secret generic a --from-literal=username=ci --from-literal=blob=SECRET -n b"], &["kubectl create secret generic a --from-file=key.json"]),
    command(&["docker"], &["secret", "create"], &[HereString], &["docker secret create a - <<< SECRET"], &[]),
    command(&["fly", "flyctl"], &["secrets"], &[Pairs], &["fly secrets set SENTRY_DSN_INTERNAL=SECRET --app a"], &["fly secrets list --app=a"]),
    // Secret stores and continuous integration
    command(&["gh"], &["secret"], &[Option("-b"), Option("--body"), HereString], &["gh secret set NAME -b'SECRET'", "gh secret set NAME --body \"SECRET\" --repo a/b"], &["gh secret set NAME < f.txt"]),
    command(&["gh", "glab", "wrangler", "gcloud", "vault", "fly", "flyctl", "cargo", "op", "sentry-cli", "snyk", "vercel", "vc", "firebase", "pass", "gopass", "secret-tool", "circleci", "kinit", "railway", "supabase", "eas", "kubeseal"], &[], &[HereString], &["gh auth login --with-token <<< SECRET"], &["gcloud auth list"]),
    command(&["az"], &["keyvault", "secret", "set"], &[Option("--value")], &["az keyvault secret set --vault-name a --name b --value 'SECRET'"], &["az keyvault secret show --name b"]),
    command(&["az"], &["sql"], &[Separate("-p")], &["az sql server create -n a -g b -u ci -p SECRET"], &["az sql server list"]),
    command(&["aws"], &["ssm", "SecureString"], &[Option("--value")], &["aws ssm put-parameter --name /a --type SecureString --value 'SECRET'"], &["aws ssm get-parameter --name /a"]),
    command(&["aws"], &["secretsmanager"], &[Option("--secret-string")], &["aws secretsmanager create-secret --name a --secret-string SECRET"], &["aws secretsmanager get-secret-value --secret-id a"]),
    command(&["netlify", "ntl"], &["env:set"], &[Nth("env:set", 2)], &["netlify env:set SIGNING_SALT SECRET --context production"], &["netlify env:list"]),
    command(&["pulumi"], &["config", "set", "--secret"], &[Nth("set", 2)], &["pulumi config set --secret dbLogin SECRET", "pulumi config set a:b \"SECRET\" --secret"], &["pulumi config set aws:region eu-west-1"]),
    command(&["vault", "bao"], &["login"], &[Nth("login", 1)], &["vault login SECRET"], &["vault login -method=oidc", "vault login -method=ldap username=ci"]),
    command(&["vault", "bao"], &["unseal"], &[Nth("unseal", 1)], &["vault operator unseal SECRET"], &["vault operator unseal -status"]),
    command(&["glab", "gh", "conjur"], &["variable", "set"], &[Option("--value"), Separate("-v")], &["glab variable set NAME --value SECRET", "conjur variable set -i a/b -v SECRET"], &["glab variable list"]),
    command(&["travis", "clever"], &["env", "set"], &[Nth("set", 2)], &["travis env set SENTRY_DSN SECRET"], &["travis env list"]),
    command(&["cf"], &["set-env"], &[Nth("set-env", 3)], &["cf set-env app SENTRY_DSN SECRET"], &["cf env app"]),
    command(&["bitrise", "envman"], &["--key"], &[Option("--value")], &["envman add --key SENTRY_DSN --value SECRET"], &["envman print"]),
    command(&["az"], &["pipelines", "variable", "--secret"], &[Option("--value")], &["az pipelines variable create --name A --secret true --value SECRET"], &["az pipelines variable list"]),
    command(&["glab"], &["variable", "set"], &[Nth("set", 2)], &["glab variable set NAME SECRET"], &["glab variable set NAME < f.txt"]),
    command(&["eas", "expo"], &["--name"], &[Option("--value")], &["eas secret:create --name SENTRY_DSN --value SECRET"], &["eas secret:list"]),
    command(&["drone"], &["secret"], &[Option("--data")], &["drone secret add --repository a/b --name c --data SECRET"], &["drone secret ls a/b"]),
    command(&["bw", "rbw"], &["unlock"], &[Nth("unlock", 1)], &["bw unlock SECRET"], &["bw unlock --check", "bw unlock --passwordenv BW_PASSWORD"]),
    command(&["bw"], &["login"], &[Nth("login", 2)], &["bw login a@b.example SECRET"], &["bw login --sso"]),
    command(&["secret-tool", "ansible-vault"], &["encrypt_string"], &[Nth("encrypt_string", 1)], &["ansible-vault encrypt_string 'SECRET' --name db"], &[]),
    command(&["security"], &["add-generic-password"], &[Separate("-w")], &["security add-generic-password -s a -a b -w SECRET"], &["security find-generic-password -s a -w"]),
    command(&["security"], &["add-internet-password"], &[Separate("-w")], &["security add-internet-password -s a -a b -w SECRET"], &[]),
    command(&["security"], &["unlock-keychain"], &[Separate("-p")], &["security unlock-keychain -p SECRET login.keychain"], &[]),
    command(&["security"], &["create-keychain"], &[Separate("-p")], &["security create-keychain -p SECRET ci.keychain"], &[]),
    command(&["security"], &["set-key-partition-list"], &[Separate("-k")], &["security set-key-partition-list -S apple: -k SECRET ci.keychain"], &[]),
    command(&["certutil"], &["-importpfx"], &[Separate("-p")], &["certutil -f -p SECRET -importpfx a.pfx"], &["certutil -hashfile a.pfx"]),
    command(&["yt-dlp", "youtube-dl"], &[], &[Separate("-p")], &["yt-dlp -u ci -p SECRET https://h.example"], &["yt-dlp https://h.example"]),
    command(&["security"], &["import"], &[Separate("-P")], &["security import cert.p12 -k ci.keychain -P SECRET"], &[]),
    // Packages and services that log in
    command(&["cargo", "wandb", "railway", "hf", "replicate", "modal"], &["login"], &[Nth("login", 1)], &["wandb login SECRET"], &["cargo login"]),
    command(&["dotnet", "nuget"], &["source"], &[Separate("-p"), Separate("-password")], &["dotnet nuget add source https://h.example -u ci -p SECRET"], &["dotnet nuget list source"]),
    command(&["dotnet"], &["user-secrets", "set"], &[Nth("set", 2)], &["dotnet user-secrets set 'Db:Login' SECRET"], &["dotnet user-secrets set Db:Login", "dotnet user-secrets list"]),
    command(&["dotnet", "nuget"], &["push"], &[Separate("-k"), Separate("-ApiKey")], &["dotnet nuget push a.nupkg -k SECRET -s https://h.example"], &["nuget push a.nupkg"]),
    command(&["nuget"], &["setapikey"], &[Nth("setapikey", 1)], &["nuget setapikey SECRET"], &[]),
    command(&["gem"], &["push"], &[Separate("--key")], &["gem push --key SECRET a.gem"], &["gem push a.gem"]),
    command(&["anaconda"], &["upload"], &[Separate("-t")], &["anaconda -t SECRET upload a.tar.bz2"], &[]),
    command(&["npm", "pnpm", "yarn"], &["set", "_auth"], &[Nth("_auth", 1)], &["npm config set _auth SECRET"], &["npm config list"]),
    command(&["ngrok"], &["authtoken"], &[Nth("authtoken", 1)], &["ngrok authtoken SECRET"], &[]),
    command(&["ngrok"], &["add-authtoken"], &[Nth("add-authtoken", 1)], &["ngrok config add-authtoken SECRET"], &["ngrok http 80"]),
    command(&["snyk"], &["auth"], &[Nth("auth", 1)], &["snyk auth SECRET"], &["snyk auth"]),
    command(&["gcloud"], &["activate-refresh-token"], &[Nth("activate-refresh-token", 2)], &["gcloud auth activate-refresh-token a@b.example SECRET"], &[]),
    command(&["cloudflared"], &["install"], &[Nth("install", 1)], &["cloudflared service install SECRET"], &["cloudflared service uninstall"]),
    command(&["cf"], &["auth"], &[Nth("auth", 2)], &["cf auth ci SECRET"], &[]),
    command(&["composer", "poetry"], &["config"], &[Nth("config", 3)], &["poetry config http-basic.a ci SECRET", "composer config http-basic.h.example ci SECRET"], &["poetry config virtualenvs.create false"]),
    command(&["poetry"], &["publish"], &[Separate("-p")], &["poetry publish -u ci -p SECRET"], &["poetry publish --build"]),
    command(&["bundle", "bundler"], &["config"], &[Logins(':')], &["bundle config set --global gems.h.example ci:SECRET"], &["bundle config set path vendor"]),
    command(&["twine", "hatch", "flit"], &["upload"], &[Option("-p"), Option("--password")], &["twine upload -u __token__ -p SECRET dist/*"], &["twine upload dist/*"]),
    command(&["mc"], &["alias", "set"], &[Nth("set", 3), Nth("set", 4)], &["mc alias set m https://h.example SECRET SECRET"], &["mc alias set m https://h.example"]),
    command(&["doctl"], &["auth", "init"], &[Separate("-t")], &["doctl auth init -t SECRET"], &[]),
    command(&["vercel", "vc"], &[], &[Separate("-t")], &["vercel deploy --prod -t SECRET"], &["vercel deploy --prod"]),
    command(&["codecov", "codecovcli"], &[], &[Separate("-t")], &["codecov -t SECRET -f cov.xml"], &["codecov -f cov.xml"]),
    command(&["evil-winrm", "crackmapexec", "nxc", "netexec", "psexec", "psexec.py", "xfreerdp", "rdesktop", "freerdp"], &[], &[Separate("-p"), Glued("/p:")], &["xfreerdp /u:ci /p:SECRET /v:h", "rdesktop -u ci -p SECRET h"], &["xfreerdp /u:ci /v:h"]),
    command(&["snmpwalk", "snmpget", "snmpset", "snmpbulkwalk"], &[], &[Separate("-A"), Separate("-X")], &["snmpwalk -v3 -u ci -A SECRET h"], &["snmpwalk -v2c h"]),
    command(&["swaks"], &[], &[Separate("-ap"), Option("--auth-password")], &["swaks --to a@b.example -au ci -ap SECRET"], &["swaks --to a@b.example"]),
    command(&["p4", "svn"], &[], &[Separate("-P"), Option("--password")], &["p4 -u ci -P SECRET sync"], &["svn update"]),
    // Keys, archives and accounts
    command(&["openssl"], &[], &[Separate("-passin"), Separate("-passout"), Separate("-pass"), Separate("-k"), Separate("-K"), Separate("-password"), Separate("-passwd"), Separate("-hmac")],
        &["openssl rsa -in k.pem -passin pass:SECRET -out p.pem", "openssl enc -aes-256-cbc -in a -out b -k SECRET"], &["openssl rsa -in k.pem -passin env:PW", "openssl rsa -passin file:/run/pw", "openssl rand -hex 32"]),
    command(&["openssl"], &["passwd"], &[Nth("passwd", 1), Nth("passwd", 2)], &["openssl passwd -6 SECRET"], &["openssl passwd -6 -stdin"]),
    command(&["mkpasswd"], &["-m"], &[Nth("", 2)], &["mkpasswd -m sha-512 SECRET"], &["mkpasswd -m sha-512"]),
    command(&["oathtool"], &[], &[Nth("", 1)], &["oathtool --totp -b SECRET"], &["oathtool --totp -b \"$SEED\""]),
    command(&["cryptsetup"], &[], &[HereString], &["cryptsetup luksOpen /dev/sda1 data <<< SECRET"], &["cryptsetup luksDump /dev/sda1"]),
    command(&["htpasswd"], &["-bc"], &[Nth("", 3)], &["htpasswd -bc /etc/x ci SECRET"], &["htpasswd -c /etc/x ci"]),
    command(&["htpasswd"], &["-b"], &[Nth("", 3)], &["htpasswd -b /etc/x ci SECRET"], &[]),
    command(&["htpasswd"], &["-bB"], &[Nth("", 3)], &["htpasswd -bB /etc/x ci SECRET"], &[]),
    command(&["htpasswd"], &["-Bb"], &[Nth("", 3)], &["htpasswd -Bb /etc/x ci SECRET"], &[]),
    command(&["htpasswd"], &["-cb"], &[Nth("", 3)], &["htpasswd -cb /etc/x ci SECRET"], &[]),
    command(&["htpasswd"], &["-cbB"], &[Nth("", 3)], &["htpasswd -cbB /etc/x ci SECRET"], &[]),
    command(&["htpasswd"], &["-bcB"], &[Nth("", 3)], &["htpasswd -bcB /etc/x ci SECRET"], &[]),
    command(&["htpasswd"], &["-nb"], &[Nth("", 2)], &["htpasswd -nb ci SECRET"], &[]),
    command(&["htpasswd"], &["-nbB"], &[Nth("", 2)], &["htpasswd -nbB ci SECRET"], &[]),
    command(&["htpasswd"], &["-bnB"], &[Nth("", 2)], &["htpasswd -bnB ci SECRET"], &[]),
    command(&["apksigner"], &[], &[Option("--ks-pass"), Option("--key-pass")], &["apksigner sign --ks a.jks --ks-pass pass:SECRET a.apk"], &["apksigner sign --ks a.jks --ks-pass stdin a.apk", "apksigner sign --ks-pass env:PW a.apk"]),
    command(&["altool", "xcrun"], &["altool"], &[Separate("-p")], &["xcrun altool --upload-app -u a@b.example -p SECRET"], &["xcrun altool --validate-app -p @keychain:AC"]),
    command(&["caddy"], &["hash-password"], &[Option("--plaintext"), Separate("-p")], &["caddy hash-password --plaintext SECRET"], &["caddy hash-password"]),
    command(&["drush"], &[], &[Nth("upwd", 2), Nth("user:password", 2)], &["drush user:password ci 'SECRET'"], &["drush user:login ci"]),
    command(&["rclone"], &["obscure"], &[Nth("obscure", 1)], &["rclone obscure SECRET"], &["rclone obscure -"]),
    command(&["rclone"], &["config"], &[Nth("pass", 1)], &["rclone config create r sftp host h user ci pass SECRET"], &["rclone config show"]),
    command(&["ssh-keygen"], &[], &[Separate("-N"), Separate("-P")], &["ssh-keygen -t ed25519 -N 'SECRET' -f k"], &["ssh-keygen -t ed25519 -N '' -f k"]),
    command(&["zip", "unzip", "zipcloak", "ipmitool"], &[], &[Separate("-P")], &["zip -P SECRET -r b.zip d/", "ipmitool -I lanplus -U admin -P SECRET power status"], &["zip -r b.zip d/"]),
    command(&["7z", "7za", "7zz", "7zr", "rar", "unrar", "arj"], &[], &[Glued("-p"), Glued("-hp")], &["7z a -pSECRET -mhe=on o.7z d/"], &["7z a o.7z d/"]),
    command(&["qpdf"], &["--encrypt"], &[Nth("--encrypt", 1), Nth("--encrypt", 2)], &["qpdf --encrypt SECRET SECRET 256 -- a.pdf b.pdf"], &[]),
    command(&["useradd", "usermod", "adduser"], &[], &[Separate("-p")], &["useradd -m -p SECRET ci"], &["useradd -m ci"]),
    command(&["wpa_passphrase"], &[], &[Nth("", 2)], &["wpa_passphrase HomeNet SECRET"], &["wpa_passphrase HomeNet"]),
    command(&["nmcli"], &["wifi", "password"], &[Nth("password", 1)], &["nmcli dev wifi connect HomeNet password SECRET"], &["nmcli dev wifi list"]),
    command(&["nmcli"], &[], &[Nth("wifi-sec.psk", 1), Nth("802-11-wireless-security.psk", 1)], &["nmcli con modify HomeNet wifi-sec.psk SECRET"], &["nmcli con modify HomeNet wifi-sec.key-mgmt wpa-psk"]),
    command(&["net"], &["user"], &[Nth("user", 2)], &["net user ci SECRET /add"], &["net user ci /active:yes"]),
    command(&["net"], &["use", "/user:…"], &[Nth("use", 2), Nth("use", 3)], &["net use \\\\h\\share /user:ci SECRET", "net use z: \\\\h\\share SECRET /user:ci"], &["net use z: /delete"]),
    command(&["ConvertTo-SecureString"], &["-AsPlainText"], &[Nth("", 1), Separate("-String")], &["ConvertTo-SecureString 'SECRET' -AsPlainText -Force"], &["ConvertTo-SecureString $x -AsPlainText -Force"]),
    command(&["cmdkey", "runas"], &[], &[Glued("/pass:"), Glued("/p:")], &["cmdkey /add:h /user:ci /pass:SECRET"], &["cmdkey /list"]),
    command(&["signtool"], &["sign"], &[Separate("/p")], &["signtool sign /f c.pfx /p SECRET a.exe"], &["signtool verify a.exe"]),
    command(&["schtasks"], &[], &[Separate("/rp"), Separate("/RP")], &["schtasks /create /ru ci /rp SECRET /tn t"], &[]),
    // Standard output into a program that reads a secret
    command(&["echo", "printf", "print", "cat", "Write-Output"], &[], &[PipedOut], &["echo 'SECRET' | sudo -S apt-get update", "echo -n SECRET | gh secret set NAME", "printf '%s' \"SECRET\" | docker login h -u a --password-stdin"], &["echo hello | wc -c", "echo \"$PW\" | docker login h --password-stdin"]),
];

/// Words of commands that read a secret from their standard input; all of one row must be there.
pub(crate) const SINKS: &[&[&str]] = &[
    &["--password-stdin"],
    &["--with-token"],
    &["--token-stdin"],
    &["--api-key-stdin"],
    &["sudo", "-S"],
    &["sudo", "-kS"],
    &["passwd"],
    &["chpasswd"],
    &["secret", "set"],
    &["secret", "put"],
    &["secret", "create"],
    &["secret", "add"],
    &["secrets", "set"],
    &["secrets", "put"],
    &["secrets", "create"],
    &["secrets", "add"],
    &["functions:secrets:set"],
    &["secrets:set"],
    &["env", "add"],
    &["cryptsetup"],
    &["cloudsmith", "login"],
    &["gpg", "--passphrase-fd"],
    &["--passphrase-fd"],
    &["vault", "login"],
    &["security", "import"],
    &["smbpasswd"],
    &["kinit"],
    &["pass", "insert"],
    &["ansible-vault", "encrypt_string"],
    &["wrangler", "secret"],
    &["htpasswd"],
    &["openconnect", "--passwd-on-stdin"],
    &["rclone", "obscure"],
    &["su"],
];
