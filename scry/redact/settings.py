r"""The table of secrets in the files of programs and in what they say to each other.

    kind  triggers  check  regular expression, of which the group `s` is the secret

The columns are those of `places`, which reads this table too.
"""

TABLE = r"""
secret         pwgen|openssl|makepasswd|apg|get-login-password|pass_show|get_password|find-generic-password|base64|op_read|.erlang.cookie|master.key|urandom|token__hex|token__urlsafe|vault__pass|.token|secret.txt|password.txt  printed  (?:\bpwgen\b|\bopenssl[ ]rand\b|\bmakepasswd\b|\bapg\b|get-login-password|\bpass[ ]show\b|\bget[ ]password\b|find-generic-password|base64[ ]-{1,2}d\w{0,5}|\bop[ ]read\b|\.erlang\.cookie|master\.key|/dev/u?random|token_(?:hex|urlsafe)|vault_pass|[\w-]{0,20}(?:token|secrets?|passwords?)\.txt)\b[^\n]{0,80}\n[ \t>]{0,8}(?P<s>[^\s"'`]{8,400})[ \t]{0,4}(?=\r?\n|\Z)
password       .fill(|.type(|send__keys|sendkeys|settext  told  (?:passw\w{0,6}|pwd|passphrase)[\w-]{0,12}["'\]]{1,3}\)?(?:,[ ]?|\.(?:fill|type|send_keys|sendkeys|settext)\()["'](?P<s>[^"'\n]{6,200})["']
password       temporary|initial       told      \b(?:temporary|initial)\b[^\n:]{0,30}\bpassword[^\n:]{0,60}:[ ](?P<s>[^\s"'`]{6,200})
secret         ^secretid|secret_id|secret__id     random    secret[ _]?id\\*["']?[ ]{0,2}[:=]?[ \t]{1,24}["']?(?P<s>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})
secret         auth__key|secure__auth__key|logged__in__key|nonce__key|auth__salt|secure__auth__salt|logged__in__salt|nonce__salt any       define\(\s?["'](?:auth|secure_auth|logged_in|nonce)_(?:key|salt)["'],\s{0,12}["'](?P<s>[^\n]{20,120})["']\s?\)
password       ^auth-user-pass         told      auth-user-pass\s{1,4}\S{1,60}\n(?P<s>[^\s"'`]{4,200})
password-hash  password__hash          any       password_hash\\*["'][ ]?:[ ]?\\*["'](?P<s>[\w+/=$.,:-]{20,300})
password       admin|root|administrator told     (?<![\w/.@:-])(?:admin|root|administrator)(?:[ ]/[ ]|:[ ]?)(?P<s>[^\s"'`/,;:()@]{6,100})(?![\w/:@])
password       ^*password:|*secret:|*token: told   (?:password|secret|token):\s{0,40}(?:(?:type|noecho|description|minlength|maxlength|constraintdescription):[^\n]{0,120}\n\s{0,40}){1,6}default:[ ]["']?(?P<s>[^\s"']{4,200})
password       ^monitorrole|controlrole  told    (?:monitor|control)role[ \t]{1,8}(?P<s>[^\s"']{6,100})
password       ^user|username|login    flag      \b(?:user(?:name)?|login)[ ]?/[ ]?(?:pass\w{0,5}|pw|pwd)[ ]?[:=][ ]?[\w.@-]{2,40}[ ]?[/:][ ]?(?P<s>[^\s"'`,;]{4,200})
signature      digest                  any       \bdigest\b[^\n]{0,400}?\bresponse=\\*["']?(?P<s>[0-9a-f]{32,64})
signature      aws4-hmac-sha256        any       aws4-hmac-sha256\b[^\n]{0,500}?signature=(?P<s>[0-9a-f]{64})
signature      hawk                    any       \bhawk\b[^\n]{0,300}?\bmac=\\*["'](?P<s>[\w+/=-]{20,100})
signature      oauth__signature        any       oauth_signature=\\*["']?(?P<s>[\w+/=%-]{20,400})
password       form-data               field     form-data;[ ]name=\\*["'](?P<name>[\w.\[\]-]{2,60})\\*["'][^\r\n]{0,80}(?:\r?\n[a-z-]{4,40}:[^\n]{0,100}){0,3}\r?\n\r?\n(?P<s>[^\r\n]{4,4000})
saml           ^samlresponse|samlrequest|samlart                   any       saml(?:response|request|art)(?:=|\\*["'][^>\n]{0,80}?value=\\*["'])(?P<s>[\w+/%=-]{40,60000})
api-key        appid=|subscription-key=|app__key=|hapikey=|apikey=|api__key= random  [?&](?:appid|subscription-key|app_key|hapikey|apikey|api_key)=(?P<s>[\w-]{16,100})
token          reset|magic|verify|invite|confirm|activate|magic-link|reset-password|password-reset|unsubscribe|onboarding path /(?:[\w-]{0,20}(?:reset|magic|verify|invite|confirm|activate)[\w-]{0,20})/(?:[\w-]{1,12}/){0,2}(?P<s>[\w-]{20,300})
token          reset|magic|verify|invite|confirm|activate|magic-link|reset-password path /[\w-]{0,20}(?:reset|magic|verify|invite|confirm|activate|login)[\w/-]{0,40}\?(?:\w{1,20}=[^&\s]{0,80}&){0,4}(?:t|k|c|h|s|ticket|hash|nonce|invite)=(?P<s>[\w.-]{20,400})
token          ical|calendar|webcal    any       /(?:private-|feed/|calendar/[\w@.%-]{5,100}/)(?P<s>[0-9a-z]{20,100})/
api-key        alchemy|infura|quiknode|alchemyapi|chainstack|ankr|drpc|getblock  path (?:alchemy\.com|alchemyapi\.io|infura\.io|quiknode\.pro|chainstack\.com|ankr\.com|drpc\.org|getblock\.io)/(?:[a-z]{2,20}/|v\d/|ws/){0,3}(?P<s>[\w-]{20,100})
login          @tcp(|@unix(            login     (?<![\w.:-])[\w.-]{1,40}:(?P<s>[^\s@"'`]{3,100})@(?:tcp|unix)\(
login          login=                  login     \blogin=[\w.-]{1,40}:(?P<s>[^\s"',;]{3,100})
login          connect|pdo|mysqli|begin|addap|basic|basic__auth|mysql__connect|mysqli__connect told      (?:credentials\.basic|\.basic|mysqli?_connect|new[ ]mysqli|new[ ]\\?pdo|->connect|\.connect|wifi\.begin|\.addap|basic_auth)\((?:\w{1,20}=)?(?:["'][^"'\n]{0,120}["'],[ ]?){1,2}(?:some\()?["'](?P<s>[^"'\n]{5,200})["']
password       tochararray             argument  "(?P<s>[^"\n]{4,200})"\.tochararray\(
password       value                   flag      \b[\w-]{0,30}(?:password|pwd|secret)[ ]pic[ ]\S{1,12}[ ]value[ ]["'](?P<s>[^"'\n]{4,100})["']
secret         "value":|"value"_:      field     "value"\s?:\s?"(?P<s>[^"\n]{4,400})"\s?,\s?"(?:name|key)"\s?:\s?"(?P<name>[\w.-]{2,80})"
password       option_key              network   \boption[ ]key[ ]["']?(?P<s>[^\s"']{8,63})
password       ^secret_|password_      told      (?:secret|password)[ ](?:[05789]|4)[ ](?P<s>[^\s"']{6,200})
community      ^rocommunity|rwcommunity|snmp-server_community|com2sec flag (?:r[ow]community6?|snmp-server[ ]community|com2sec\s\S{1,40}\s\S{1,40})[ \t]{1,8}["']?(?P<s>[^\s"']{4,100})
password       ^createuser             flag      createuser[ ](?:-e[ ]\S{1,40}[ ])?\S{1,40}[ ](?:md5|sha\S{0,5})[ ]["']?(?P<s>[^\s"']{6,100})
password       tacacs-server|radius-server  flag (?:tacacs|radius)-server\b[^\n]{0,60}?\bkey[ ](?:\d[ ])?(?P<s>[^\s"']{4,100})
password       ^user_                  flag      user[ ][\w.@-]{1,40}[ ](?:on[ ])?>(?P<s>[^\s"']{4,200})
password       ]:587|]:465|]:25        login     \]:(?:587|465|25)[ \t]{1,8}[^\s:]{1,80}:(?P<s>[^\s"']{4,200})
password       {plain}|{cleartext}|{ssha}|{ssha256}|{ssha512}|{sha}|{sha256}|{sha512}|{crypt}|{blf-crypt}|{argon2id}|{sha512-crypt} flag \{(?:plain|cleartext|ssha\d{0,3}|sha\d{0,3}|crypt|blf-crypt|argon2id|sha512-crypt)\}(?P<s>[^\s"':]{4,200})
password       ^userpassword::         any       userpassword::[ ](?P<s>[a-z0-9+/=]{8,400})
password-hash  ^grub.pbkdf2            any       (?P<s>grub\.pbkdf2\.\w{3,10}\.\d{1,7}\.[0-9a-f.]{64,600})
password       ^rootpw                 flag      rootpw[ \t]{1,4}(?:--\w{2,20}[ ]){0,3}(?P<s>[^\s"']{4,200})
password       chpasswd:               login     chpasswd:\s{1,40}(?:expire:[ ]\w{4,5}\s{1,40})?list:[ ]?\|?\s{1,40}(?:-[ ])?[\w.-]{1,40}:(?P<s>[^\s"']{4,200})
password       ^sqlconnectinfo|sqlnamedconnectinfo flag  sql(?:named)?connectinfo[ ]\S{1,80}[ ]\S{1,40}[ ](?P<s>[^\s"']{4,200})
password       identified_by           flag      \b(?:user|role|to)[ ](?!is[ ]|are[ ]|was[ ]|be[ ])[\w."'@%$-]{1,80}[ ]identified[ ]by[ ](?!values?\b|externally|globally|password\b)["']?(?P<s>[^\s"'`;]{3,200})
password       gen__salt|crypt(         argument  \bcrypt\(["'](?P<s>[^"'\n]{4,200})["'],[ ]?gen_salt
password       ^user_                  told      user[ ]\S{1,60}\s{1,4}(?:[ >]{0,3}(?:331|\+ok)[^\n]{0,80}\n[ >]{0,3})?pass[ ](?P<s>[^\s"'\\]{4,200})
login          sqlplus|impdp|expdp|rman|sqlldr flag  \b(?:sqlplus|impdp|expdp|rman|sqlldr)\b[^\n|;]{0,80}?[ ]["']?[\w$]{1,30}/(?P<s>[^\s"'@/]{3,100})
password       ^privilege              told      privilege[ ]\d{1,2}[ ](?:secret|password)[ ](?:\d[ ])?(?P<s>[^\s"']{4,200})
password       pass_                   told      (?:quote[ ]pass|["']pass)[ ](?P<s>[^\s"'\\]{4,200})
login          ^auth_plain|auth_login  any       auth[ ](?:plain|login)[ ](?P<s>[a-z0-9+/]{12,400}={0,2})(?![\w])
login          ugfzc3dvcmq6            any       ugfzc3dvcmq6\\?r?\s{1,4}(?:c:[ ])?(?P<s>[a-z0-9+/]{4,400}={0,2})
login          login_                  flag      (?-i:\b[a-zA-Z]{1,4}\d{1,5}[ ]LOGIN[ ])\S{1,80}[ ]["']?(?P<s>[^\s"']{4,200})
login          auth_                   told      (?-i:(?<![\w ])(?:>[ ])?AUTH[ ])(?:default[ ])?(?P<s>[^\s"']{8,200})
password-hash  aad3b435b51404eeaad3b435b51404ee any  aad3b435b51404eeaad3b435b51404ee:(?P<s>[0-9a-f]{32})
login          secrets|secret|env|wrangler|vncpasswd|gpg|gpg2|insert|smbpasswd|passwd|kubeseal|ansible-vault|openssl|htpasswd|mkpasswd flag \b(?:echo|printf)[ ](?:-\w{1,3}[ ]|["']%s(?:\\n)?["'][ ]){0,2}["']?(?P<s>[^\s"'|$`;\\][^\s"'|;\\]{3,200})(?:\\\\?n[^\s"'|]{0,40})?["']?(?:;[^\n|]{1,60}\))?[ ]?\|[ ]?(?:sudo[ ])?(?:gh[ ]secret|vercel[ ]env|(?:npx[ ])?wrangler[ ]secret|gcloud[ ]secrets|fly(?:ctl)?[ ]secrets|docker[ ]secret|podman[ ]secret|vncpasswd|gpg2?[ ][^\n|]{0,80}passphrase-fd|pass[ ]insert|smbpasswd|passwd|kubeseal|ansible-vault|openssl[ ]passwd|mkpasswd|htpasswd)
token          _-x_|_-gx_|_-ux_|_--export_|setx_|setenv_|fastcgi__param_|env_|proxy__set__header_ named (?:set[ ](?:-{1,2}\w[\w-]{0,20}[ ]){1,3}|setx[ ]|setenv[ ]|fastcgi_param[ ]|env[ ]|proxy_set_header[ ])(?P<name>[\w./:@-]{3,120})[ ]["']?(?P<s>[^\s"'-][^\s"';]{5,400})
"""
