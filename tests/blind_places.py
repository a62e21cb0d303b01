"""Places where a secret stands that has no look of its own, three forms each; for `blind_secrets`.

`{v}` is where a password goes; a piece such as `{h32}` in the first form asks for that shape.
"""

PLACES: dict[str, tuple[str, ...]] = {
    # --- assignments in the dialects of configuration -------------------------------------------
    "env file": ("DB_PASSWORD={v}", 'POSTGRES_PASSWORD="{v}"', "REDIS_PASS='{v}'"),
    "env file with export": (
        "export JWT_SECRET={v}",
        'export ADMIN_PASSWORD="{v}"',
        "export SESSION_SECRET='{v}' # prod",
    ),
    "fish and powershell and cmd": (
        "set -gx DB_PASSWORD {v}",
        '$env:DB_PASSWORD = "{v}"',
        "set DB_PASSWORD={v}",
    ),
    "json": (
        '{"user": "jane", "password": "{v}"}',
        '{\n  "clientSecret": "{v}",\n  "port": 5432\n}',
        "{'db_password':'{v}'}",
    ),
    "json escaped": (
        '"{\\"user\\": \\"jane\\", \\"password\\": \\"{v}\\"}"',
        '{"body": "{\\"client_secret\\":\\"{v}\\"}"}',
        '"args": "{\\\\\\"api_key\\\\\\": \\\\\\"{v}\\\\\\"}"',
    ),
    "yaml": ("db:\n  user: jane\n  password: {v}", 'secret_key: "{v}"', "- passphrase: '{v}'"),
    "toml": (
        '[db]\npassword = "{v}"',
        "api_secret = '{v}'",
        'auth = { user = "jane", token = "{v}" }',
    ),
    "ini": ("[client]\nuser = root\npassword = {v}", "[smtp]\npass={v}", "[mysql]\npasswd: {v}"),
    "properties": (
        "spring.datasource.password={v}",
        "javax.net.ssl.keyStorePassword={v}",
        "jdbc.password : {v}",
    ),
    "xml element": (
        "<password>{v}</password>",
        "<server>\n  <username>jane</username>\n  <password>{v}</password>\n</server>",
        "<ApiSecret>{v}</ApiSecret>",
    ),
    "xml attribute": (
        '<add key="DbPassword" value="{v}" />',
        '<user name="jane" password="{v}"/>',
        "<property name='hibernate.connection.password' value='{v}'/>",
    ),
    "python": (
        'PASSWORD = "{v}"',
        "client = Client(api_key='{v}')",
        'os.environ["DB_PASSWORD"] = "{v}"',
    ),
    "javascript": (
        "const apiSecret = '{v}';",
        "process.env.DB_PASSWORD = `{v}`",
        'login({ user: "jane", password: "{v}" })',
    ),
    "go and rust and java": (
        'dbPassword := "{v}"',
        'let client_secret = "{v}".to_string();',
        'private static final String API_SECRET = "{v}";',
    ),
    "ruby and php": (
        "config.secret_key_base = '{v}'",
        "'password' => '{v}',",
        "define('DB_PASSWORD', '{v}');",
    ),
    "c preprocessor": (
        '#define WIFI_PASSWORD "{v}"',
        'const char* password = "{v}";',
        'static const char MQTT_PASS[] = "{v}";',
    ),
    # --- programs -------------------------------------------------------------------------------
    "docker run": (
        "docker run -e POSTGRES_PASSWORD={v} postgres:16",
        "docker run --env MYSQL_ROOT_PASSWORD='{v}' mysql",
        'docker build --build-arg NPM_PASSWORD="{v}" .',
    ),
    "docker compose": (
        "environment:\n  - POSTGRES_PASSWORD={v}",
        "    environment:\n      MYSQL_ROOT_PASSWORD: {v}",
        'MINIO_ROOT_PASSWORD: "{v}"',
    ),
    "dockerfile": ("ENV API_SECRET={v}", "ENV DB_PASSWORD {v}", 'ARG REGISTRY_PASSWORD="{v}"'),
    "docker login": (
        "docker login -u jane -p {v} registry.example.com",
        "echo {v} | docker login -u jane --password-stdin",
        "podman login --password {v} --username jane quay.io",
    ),
    "flag with a space": (
        "deploy --password {v} --verbose",
        "tool --api-key '{v}' list",
        'x --token "{v}"',
    ),
    "flag with a sign": (
        "deploy --password={v} --force",
        "tool --client-secret={v} run",
        "x -token={v}",
    ),
    "mysql": (
        "mysql -u root -p{v} shop",
        "mysqldump --password={v} shop",
        "mysql -uroot -p'{v}' -h db",
    ),
    "psql and redis": (
        "PGPASSWORD={v} psql -h db shop",
        "redis-cli -a {v} ping",
        "redis-cli AUTH {v}",
    ),
    "sshpass": (
        "sshpass -p {v} ssh jane@host",
        "sshpass -p '{v}' scp a host:",
        'sshpass -p"{v}" rsync -a . host:',
    ),
    "curl user": (
        "curl -u jane:{v} https://x.example.com",
        "curl --user 'jane:{v}' x",
        'wget --password="{v}" x',
    ),
    "sudo and chpasswd": (
        "echo '{v}' | sudo -S apt update",
        "echo 'jane:{v}' | chpasswd",
        'echo "jane:{v}" | sudo chpasswd',
    ),
    "openssl": (
        "openssl rsa -in k.pem -passin pass:{v}",
        "openssl pkcs12 -export -out a.p12 -passout pass:{v}",
        "openssl enc -aes-256-cbc -k {v} -in a",
    ),
    "keytool and zip": (
        "keytool -list -keystore a.jks -storepass {v}",
        "keytool -genkey -keypass {v} -alias a",
        "unzip -P {v} backup.zip",
    ),
    "az and gcloud and aws": (
        "az login --service-principal -u app -p {v} --tenant t",
        "aws configure set aws_secret_access_key {v}",
        "az vm create --admin-password '{v}' -n box",
    ),
    "gh and kubectl and vault": (
        "kubectl create secret generic db --from-literal=password={v}",
        "vault kv put secret/db password={v}",
        "gh secret set DB_PASSWORD --body '{v}'",
    ),
    "npm and heroku and fly": (
        "heroku config:set SECRET_KEY_BASE={v}",
        "fly secrets set DATABASE_PASSWORD={v}",
        "npm config set //registry.example.com/:_authToken {v}",
    ),
    "ansible and helm": (
        "ansible_become_pass: {v}",
        "ansible-playbook site.yml -e 'ansible_password={v}'",
        "helm install db chart --set auth.postgresPassword={v}",
    ),
    "heredoc": (
        "cat > .env <<EOF\nDB_USER=jane\nDB_PASSWORD={v}\nEOF",
        "tee /etc/app.conf <<'END'\npassword = {v}\nEND",
        "cat <<-EOF >> ~/.pgpass\ndb:5432:shop:jane:{v}\nEOF",
    ),
    "expect": (
        'expect "Password:"\nsend "{v}\\r"',
        "Password: {v}",
        "Enter passphrase for key '/home/jane/.ssh/id_rsa': {v}",
    ),
    "wifi": (
        'wpa_passphrase="{v}"',
        'network={\n  ssid="home"\n  psk="{v}"\n}',
        'nmcli dev wifi connect home password "{v}"',
    ),
    # --- headers, cookies, addresses ------------------------------------------------------------
    "bearer": (
        "Authorization: Bearer {A40}",
        "-H 'Authorization: Bearer {v}'",
        'headers={"Authorization": "Bearer {v}"}',
    ),
    "authorization of other kinds": (
        "Authorization: token {h40}",
        "Authorization: ApiKey {v}",
        "Authorization: SSWS {v}",
    ),
    "key header": ("X-API-Key: {A32}", "-H 'x-api-key: {v}'", '"X-Auth-Token": "{v}"'),
    "vendor header": ("PRIVATE-TOKEN: {A20}", "DD-API-KEY: {v}", "X-Vault-Token: {v}"),
    "cookie": (
        "Cookie: theme=dark; sessionid={l32}; lang=en",
        "-b 'session={v}'",
        "cookie: connect.sid={v}; a=b",
    ),
    "set-cookie": (
        "Set-Cookie: sid={B40}; Path=/; HttpOnly",
        "set-cookie: auth_token={v}; Secure",
        "Set-Cookie: PHPSESSID={v}; path=/",
    ),
    "query": (
        "https://api.example.com/v1/users?api_key={A32}&page=2",
        "GET /cb?access_token={v}&state=1",
        "https://x.example.com/d?id=4&token={v}",
    ),
    "fragment": (
        "https://app.example.com/cb#access_token={A40}&token_type=bearer",
        "https://app.example.com/#id_token={v}",
        "https://x.example.com/reset#token={v}",
    ),
    "signed address": (
        "https://b.s3.amazonaws.com/a?X-Amz-Expires=60&X-Amz-Signature={h64}",
        "https://acc.blob.core.windows.net/c/a?sv=2023&sp=r&sig={v}",
        "https://storage.googleapis.com/b/a?X-Goog-Signature={v}",
    ),
    "reset link": (
        "https://app.example.com/reset-password?token={A32}",
        "https://app.example.com/invite?code=2&secret={v}",
        "open https://app.example.com/magic?login_token={v} now",
    ),
    "url password": (
        "https://jane:{v}@git.example.com/a.git",
        "ftp://jane:{v}@files.example.com/x",
        "git clone http://deploy:{v}@10.0.0.4/repo",
    ),
    "token as user": (
        "https://{A40}@github.com/jane/x.git",
        "https://oauth2:{v}@gitlab.com/jane/x",
        "https://x-access-token:{v}@github.com/jane/x",
    ),
    "postgres url": (
        "postgres://jane:{v}@db:5432/shop",
        'DATABASE_URL="postgresql+psycopg://jane:{v}@db/shop?sslmode=require"',
        "psql 'postgresql://jane:{v}@10.1.2.3/shop'",
    ),
    "other database urls": (
        "mongodb+srv://jane:{v}@cluster0.ab1cd.mongodb.net/shop",
        "redis://:{v}@cache:6379/0",
        "amqps://jane:{v}@mq.example.com/vhost",
    ),
    "jdbc": (
        "jdbc:postgresql://db:5432/shop?user=jane&password={v}",
        "jdbc:sqlserver://db;databaseName=shop;user=sa;password={v};",
        "jdbc:oracle:thin:jane/{v}@db:1521/xe",
    ),
    "ado and libpq strings": (
        "Server=db;Database=shop;User Id=sa;Password={v};Encrypt=True",
        "host=db user=jane password={v} dbname=shop",
        "Data Source=db;Uid=jane;Pwd={v};",
    ),
    "azure connection string": (
        "DefaultEndpointsProtocol=https;AccountName=acc;AccountKey={P86}==;EndpointSuffix=core.windows.net",
        "Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey={v}",
        "AccountEndpoint=https://x.documents.azure.com:443/;AccountKey={v};",
    ),
    "sentry dsn with secret": (
        "https://public:{h32}@o1.ingest.sentry.io/12",
        "SENTRY_DSN=https://abc:{v}@sentry.example.com/4",
        'dsn="https://key:{v}@sentry.io/9"',
    ),
    # --- webhooks -------------------------------------------------------------------------------
    "slack webhook": (
        "https://hooks.slack.com/services/T0ABCDEFG/B0ABCDEFG/{A24}",
        "SLACK_URL=https://hooks.slack.com/services/T1ABCDEFG/B1ABCDEFG/{v}",
        'curl -X POST "https://hooks.slack.com/services/T2ABCDEFG/B2ABCDEFG/{v}"',
    ),
    "discord webhook": (
        "https://discord.com/api/webhooks/112233445566778899/{B68}",
        "https://discordapp.com/api/webhooks/112233445566778890/{v}",
        'hook = "https://discord.com/api/webhooks/212233445566778899/{v}"',
    ),
    "teams webhook": (
        "https://x.webhook.office.com/webhookb2/a@b/IncomingWebhook/{h32}/c",
        "https://acme.webhook.office.com/webhookb2/1@2/IncomingWebhook/{v}/3",
        "TEAMS=https://y.webhook.office.com/webhookb2/7@8/IncomingWebhook/{v}/9",
    ),
    "telegram address": (
        "https://api.telegram.org/bot7123456789:AA{B33}/sendMessage",
        "curl https://api.telegram.org/bot7023456789:AA{v}/getMe",
        "BOT=https://api.telegram.org/bot6923456789:AA{v}",
    ),
    "zapier webhook": (
        "https://hooks.zapier.com/hooks/catch/1234567/{l7}/",
        "curl -d a=1 https://hooks.zapier.com/hooks/catch/1654321/{v}",
        "https://hooks.zapier.com/hooks/catch/7654321/{v}",
    ),
    "ifttt webhook": (
        "https://maker.ifttt.com/trigger/x/with/key/{B22}",
        "curl https://maker.ifttt.com/trigger/lights_on/json/with/key/{v}",
        "POST https://maker.ifttt.com/use/{v}",
    ),
    # --- files that hold passwords --------------------------------------------------------------
    "npmrc": (
        "//registry.npmjs.org/:_authToken={h36}",
        "//npm.example.com/:_password={v}",
        "_auth={v}",
    ),
    "yarnrc": ('npmAuthToken: "{A36}"', "    npmAuthIdent: jane:{v}", "npmAuthToken: {v}"),
    "pypirc": (
        "[pypi]\nusername = jane\npassword = {v}",
        "[testpypi]\n  username: jane\n  password: {v}",
        "TWINE_PASSWORD={v}",
    ),
    "netrc": (
        "machine api.example.com login jane password {v}",
        "machine x.example.com\n  login jane\n  password {v}",
        "default login jane password {v}",
    ),
    "pgpass": (
        "# ~/.pgpass\ndb.example.com:5432:shop:jane:{v}",
        "localhost:5432:*:postgres:{v}",
        "*:*:*:jane:{v}",
    ),
    "htpasswd": (
        "jane:$apr1$rT9kcH2p${A22}",
        "# .htpasswd\njane:$apr1$mW3xEaQf${v}",
        "htpasswd said jane:$apr1$0bVyGhJn${v}",
    ),
    "bcrypt": ("jane:$2y$05${A53}", "password_hash: $2b$12${v}", "the hash is $2a$10${v} here"),
    "shadow": (
        "root:$6$saltsalt${A86}:19000:0:99999:7:::",
        "jane:$6$rounds=5000$pepper12${v}:19000::::::",
        'passwd: "$6$abcdefgh${v}"',
    ),
    "gradle": ("signingPassword={v}", "storePassword '{v}'", 'keyPassword = "{v}"'),
    "maven and nuget": (
        "<server><id>x</id><password>{v}</password></server>",
        '<add key="ClearTextPassword" value="{v}" />',
        "<passphrase>{v}</passphrase>",
    ),
    "git credentials": (
        "https://jane:{v}@github.com",
        "protocol=https\nhost=x.example.com\nusername=jane\npassword={v}",
        "git config http.extraheader 'AUTHORIZATION: bearer {v}'",
    ),
    "aws credentials": (
        "[default]\naws_secret_access_key = {P40}",
        "AWS_SECRET_ACCESS_KEY={v}",
        '"SecretAccessKey": "{v}",',
    ),
    "aws session": (
        "aws_session_token = {P200}",
        '"SessionToken": "{v}"',
        "export AWS_SESSION_TOKEN={v}",
    ),
    "ssh config and vnc": (
        "rcon.password={v}",
        "requirepass {v}",
        "masterauth {v}",
    ),
    "wireguard": (
        "[Interface]\nPrivateKey = {P43}=\nAddress = 10.0.0.2/24",
        "PresharedKey = {v}=",
        "wg set wg0 private-key {v}=",
    ),
    "rails and django": (
        "secret_key_base: {h64}",
        "SECRET_KEY = 'django-insecure-{v}'",
        "RAILS_MASTER_KEY={v}",
    ),
    "laravel and wordpress": (
        "APP_KEY=base64:{P43}=",
        "define('AUTH_KEY', '{v}');",
        "define( 'NONCE_SALT', '{v}' );",
    ),
    # --- infrastructure -------------------------------------------------------------------------
    "terraform": (
        'master_password = "{v}"',
        'variable "db_password" {\n  default = "{v}"\n}',
        'provider "x" {\n  api_token = "{v}"\n}',
    ),
    "tfvars and pulumi": (
        'db_password="{v}"',
        "TF_VAR_db_password={v}",
        "pulumi config set --secret dbPassword {v}",
    ),
    "kubernetes env": (
        "env:\n- name: DB_PASSWORD\n  value: {v}",
        '- name: "API_SECRET"\n  value: "{v}"',
        '{"name": "DB_PASSWORD", "value": "{v}"}',
    ),
    "kubernetes string data": (
        "kind: Secret\nstringData:\n  password: {v}",
        "stringData:\n  token: '{v}'",
        'kind: Secret\nstringData:\n  api-key: "{v}"',
    ),
    "github actions": (
        "env:\n  DEPLOY_PASSWORD: {v}",
        "with:\n  password: {v}\n  username: jane",
        'run: ./deploy --token "{v}"',
    ),
    "systemd": (
        "Environment=DB_PASSWORD={v}",
        'Environment="API_SECRET={v}"',
        "Environment='MQTT_PASSWORD={v}'",
    ),
    "sql": (
        "CREATE USER jane WITH PASSWORD '{v}';",
        "ALTER USER 'root'@'localhost' IDENTIFIED BY '{v}';",
        "ALTER ROLE jane PASSWORD '{v}';",
    ),
    "sql of others": (
        "CREATE LOGIN jane WITH PASSWORD = N'{v}';",
        "SET PASSWORD FOR 'jane'@'%' = PASSWORD('{v}');",
        "INSERT INTO users (name, password) VALUES ('jane', '{v}');",
    ),
    "mongo shell": (
        "db.createUser({user: 'jane', pwd: '{v}', roles: []})",
        'db.auth("jane", "{v}")',
        "mongosh -u jane -p {v} --host db",
    ),
    # --- vendors whose keys have no look --------------------------------------------------------
    "datadog and heroku by name": (
        "DD_API_KEY={h32}",
        "datadog_api_key: {v}",
        'HEROKU_API_KEY="{v}"',
    ),
    "uuid by name": ("HEROKU_API_KEY={uuid}", "railway_token: {v}", '"snyk_token": "{v}"'),
    "cloudflare by name": (
        "CLOUDFLARE_API_TOKEN={B40}",
        "CF_API_KEY={v}",
        "dns_cloudflare_api_token = {v}",
    ),
    "twilio by name": ("TWILIO_AUTH_TOKEN={h32}", "twilio auth token: {v}", "authToken: '{v}'"),
    "mistral and cohere by name": (
        "MISTRAL_API_KEY={A32}",
        "COHERE_API_KEY='{v}'",
        "co = cohere.Client('{v}')",
    ),
    "vercel and algolia by name": (
        "VERCEL_TOKEN={A24}",
        "ALGOLIA_ADMIN_KEY={v}",
        "vercel --token {v}",
    ),
    "wandb by name": ("WANDB_API_KEY={h40}", "wandb login {v}", 'wandb.login(key="{v}")'),
    "ngrok by name": ("ngrok config add-authtoken {A49}", "authtoken: {v}", "NGROK_AUTHTOKEN={v}"),
    "oauth by name": (
        "client_secret={A40}&grant_type=client_credentials",
        '{"access_token": "{v}", "expires_in": 3600}',
        "refresh_token={v}",
    ),
    "camel and kebab names": (
        '"apiKey": "{A32}"',
        "consumer-secret: {v}",
        "accessTokenSecret = '{v}'",
    ),
    "encryption keys": ("ENCRYPTION_KEY={h64}", "FERNET_KEY='{v}'", "cookie_secret: {v}"),
    "totp": ("otpauth://totp/x:jane?secret={U32}&issuer=x", "TOTP_SECRET={v}", "2FA secret: {v}"),
    # --- prose ----------------------------------------------------------------------------------
    "prose english": (
        "The password is {v}",
        "my password: {v} - please keep it",
        "log in with password {v} as jane",
    ),
    "prose english, looser": (
        "the root pw is {v}, ok?",
        "password for the staging box = {v}",
        "user jane / pass {v}",
    ),
    "prose key": (
        "Our API key is {A32}.",
        "here's the access token: {v}",
        "use this secret: `{v}`",
    ),
    "prose change": (
        "I changed the admin password to {v}",
        "reset the db password to `{v}` for now",
        'set the passphrase to "{v}" please',
    ),
    "prose german": (
        "Das Passwort ist {v}",
        "Passwort: {v}",
        "mein Kennwort lautet {v} und nicht anders",
    ),
    "prose french": ("Le mot de passe est {v}", "mot de passe : {v}", "mdp: {v}"),
    "prose spanish": ("La contraseña es {v}", "contraseña: {v}", "la clave secreta es {v}"),
    "prose portuguese and italian": ("A senha é {v}", "senha: {v}", "La password è {v}"),
    "prose dutch and polish": ("Het wachtwoord is {v}", "wachtwoord: {v}", "hasło: {v}"),
    "prose scandinavian": ("Lösenordet är {v}", "lösenord: {v}", "adgangskode: {v}"),
    "prose russian": ("пароль: {v}", "Пароль от базы {v}", "мой пароль {v}"),
    "prose chinese": ("密码是 {v}", "密码：{v}", "数据库密码是{v}，别外传"),
    "prose japanese and korean": (
        "パスワードは {v} です",
        "パスワード：{v}",
        "비밀번호는 {v} 입니다",
    ),
    "prose turkish and czech": ("Şifre: {v}", "parola: {v}", "heslo: {v}"),
    # --- other forms ----------------------------------------------------------------------------
    "markdown table": (
        "| user | password |\n|---|---|\n| jane | {v} |",
        "| DB_PASSWORD | {v} |",
        "| **Password** | `{v}` |",
    ),
    "markdown": ("**Password:** `{v}`", "- Password: **{v}**", "* `API_SECRET` = `{v}`"),
    "csv": ("name,password\njane,{v}", "user;passwort\njane;{v}", "login,url,password\njane,x,{v}"),
    "html form": (
        '<input type="password" name="pw" value="{v}">',
        '<input name="csrf_token" type="hidden" value="{v}">',
        '<meta name="api-key" content="{v}">',
    ),
    "url encoded form": (
        "username=jane&password={v}&submit=1",
        "-d 'grant_type=password&password={v}'",
        "--data-urlencode 'password={v}'",
    ),
    "log line": (
        "2026-08-01 12:00:01 DEBUG login user=jane password={v} ok",
        'level=info msg="auth" token={v} ms=4',
        "[debug] using api key: {v}",
    ),
    "diff": (
        "-  password: {v}\n+  password: ${DB_PASSWORD}",
        "+DB_PASSWORD={v}",
        '+    "secret": "{v}",',
    ),
    "quoted mail": ("> password: {v}", ">> The password is {v}", "> DB_PASSWORD={v}"),
    "value on the next line": ("Password:\n{v}", "password: >-\n  {v}", '"password":\n    "{v}"'),
    "basic in a tool call": (
        "requests.get(url, auth=('jane', '{v}'))",
        'HTTPBasicAuth("jane", "{v}")',
        "smtp.login('jane@example.com', '{v}')",
    ),
    "wrapped assignment": (
        "DB_PASSWORD=\\\n{v}",
        'password = (\n    "{v}"\n)',
        "--password \\\n  {v}",
    ),
    "percent encoded": ("redirect=%26password%3D{v}%26x", "password%3D{v}", "q=token%3D{A32}"),
}
