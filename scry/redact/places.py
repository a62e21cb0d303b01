r"""The table of places that hold a secret: addresses, headers, commands, files of passwords, sentences.

    kind  triggers  check  regular expression, of which the group `s` is the secret

A row is tried only near one of its triggers (`|` stands between them, `_` is a blank and `__` is `_`; the words in them count only as
whole words, behind `*` also as parts of one); `^` says that its expression begins with the trigger.  Triggers and expressions are
matched against the text in lower case, unless an expression says `(?-i:`.  Checks: `any`; `word` refuses placeholders
and references; `random` wants letters and digits mixed.  To extend: add a row; keep what stands before the secret
bounded, for time must stay linear.

More rows stand in `codes` (what people are given to keep), `settings` (files and protocols), `commands` and
`languages`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from scry.redact import codes, commands, languages, settings

_TABLE = r"""
url-password   ^://                    login     ://[^\s:/@"'<>`]{0,100}:(?P<s>[^\s/"'<>`]{1,200})@(?=[\w\[{$%(-])
url-password   ^://                    random    ://(?P<s>[^\s:/@"'<>`\\]{16,255})(?::(?:x-oauth-basic)?)?@
aws-secret     *akia|*asia             random    (?:akia|asia)[a-z0-9]{16}\b[^\n]{1,40}?(?<![\w/+])(?P<s>(?![0-9a-f]{40}\b)[a-z0-9/+]{40})(?![\w/+=])
url-password   jdbc:oracle             word      jdbc:oracle:\w{2,6}:[\w.$\#-]{1,60}/(?P<s>[^\s@/"']{3,100})@
authorization  ^authorization          header    authorization\W{1,8}(?:[a-z][a-z0-9-]{1,20}[ ]{1,3}(?:(?:token|key)=)?)?["']?(?P<s>[^\s"'\\,;)}<>]{6,4096})
bearer         ^bearer                 header    \bbearer(?:[ ]{1,3}|%20|\+|[:=][ ]{0,3}|[ ]token[ ])["'`]?(?P<s>[\w.~+/=-]{12,4096})
basic          auth                    userpass  \b_?auth\\*["']?[ ]?[:=][ ]?\\*["']?(?P<s>[a-z0-9+/]{12,512}={0,2})
basic          ^basic                  userpass  \bbasic[ ]{1,3}(?P<s>[a-z0-9+/]{8,512}={0,2})
token          ^token:_                random    (?<=["'\s])token:[ ](?P<s>[\w.-]{16,512})(?=["'])
cookie         cookie|cookies                 cookie    \b(?:set-)?cookie\\*["']?[ ]?[:=][ ]?\\*["']?(?P<s>[^\r\n"']{8,4096})
cookie         -b_|--cookie_           cookie    \s(?:-b|--cookie)[ ]["']?(?P<s>[^\r\n"']{8,4096})
login          -u|--user|--proxy-user|--auth|-a_ login     \s(?:-u|--user|--proxy-user|--auth|-a)[ =]{0,3}["']?[^\s:"'$/{(]{1,80}:(?P<s>[^\s"']{3,200})
login          -u_|login_|--username   flag      \b(?:login|mysql\w{0,6}|mongo\w{0,8}|mariadb\w{0,6}|sqlplus|psql|auth)\b[^\n|;]{0,120}?\s-p[ =]["']?(?P<s>[^\s"']{4,200})
login          ^mysql|mariadb|mysqldump|mysqladmin|mysqlimport|mysqlshow          flag      \b(?:mysql|mariadb)(?:dump|admin|import|show|-\w{1,8})?\b[^\n|;]{0,120}?\s-p["']?(?P<s>[^\s"'=-][^\s"']{3,200})
login          auth|basicauth          login     auth[ ]?[=(:][ ]?\(?["'][^"'\n]{1,80}["'],[ ]?(?:some\()?["'](?P<s>[^"'\n]{3,200})["']
basic          auth                    random    (?<!\w)_auth[ ]?=[ ]?["']?(?P<s>[^\s"'=]{8,512}={0,2})
login          httpbasicauth|httpdigestauth|basicauth|setbasicauth|plainauth|passwordauthentication|networkcredential|usernamepasswordcredentials|login|authenticate argument (?:auth|authentication|credentials?|\.login|authenticate)\((?:["']{2},[ ]?)?["'][^"'\n]{1,80}["'],[ ]?["'](?P<s>[^"'\n]{5,200})["']
login          login                   random    \blogin(?:[ ](?:--[\w-]{2,20}[ =]){0,2}|\((?:(?:api_?)?key=|token=)?)["']?(?P<s>\w{20,200})(?![\w.@/:-])
api-key        ^client                 random    client\(["'](?P<s>[\w-]{20,200})["']
login          ^openssl                flag      \bopenssl[ ]enc\b[^\n|;]{0,120}?\s-k[ ]["']?(?P<s>[^\s"']{3,200})
login          ^expect                 argument  expect[^\n]{0,80}?(?:\n[^\n]{0,60}?)?ass[wp][^\n]{0,20}[\s{;]{1,20}(?:[\w.]{1,20}\.)?send(?:line)?[ (](?:--[ ])?["'](?P<s>[^"'\n\\]{4,200})
login          login|auth|setbasicauth|authenticate password  (?:auth|\.login|authenticate)\([\w.]{1,40},[ ]?["'](?P<s>[^"'\n]{5,200})["']
login          ^getconnection          argument  getconnection\((?:"[^"\n]{0,200}"|[\w.]{1,60}),\s?(?:"[^"\n]{1,80}"|[\w.]{1,60}),\s?"(?P<s>[^"\n]{5,200})"
login          ^rabbitmqctl            flag      rabbitmqctl[ ](?:add_user|change_password|authenticate_user)[ ]\S{1,60}[ ]["']?(?P<s>[^\s"']{3,200})
login          ^mosquitto|ipmitool|rdesktop|cqlsh|influx flag (?:mosquitto_\w{2,3}|ipmitool|rdesktop|cqlsh|influx)\b[^\n|;]{0,120}?\s-p[ ]["']?(?P<s>[^\s"']{4,200})(?![^|;\n]{0,80}\s-p[ ][^\d\s])
login          xfreerdp|wlfreerdp      flag      freerdp\b[^\n]{0,120}?\s/p:["']?(?P<s>[^\s"']{3,200})
login          ^lftp                   flag      lftp\b[^\n|;]{0,80}?-u[ ]["']?[^\s,]{1,60},(?P<s>[^\s"']{3,200})
login          snmpget|snmpwalk|snmpset|snmpbulkwalk|snmptrap flag \s-[ax][ ]["']?(?P<s>[^\s"']{8,200})
login          ^sshpass                flag      \bsshpass\s{1,3}-p[ ]{0,3}["']?(?P<s>[^\s"']{3,200})
login          ^redis-cli              flag      \bredis-cli\b[^\n|;]{0,120}?\s(?:-a|--pass|auth)[ ](?:default[ ])?["']?(?P<s>[^\s"']{3,200})
login          ldapsearch|ldapadd|ldapmodify|ldapdelete|ldapwhoami|ldappasswd|ldapcompare                   flag      \bldap\w{3,8}\b[^\n|;]{0,120}?\s-w[ ]{0,2}["']?(?P<s>[^\s"']{3,200})
login          sqlcmd|bcp_|osql        flag      \b(?:sqlcmd|bcp|osql)\b[^\n|;]{0,120}?\s-p[ ]{0,2}["']?(?P<s>[^\s"']{3,200})
login          7z|zip_|unzip_|rar_|unrar_            flag      \b(?:7z\w?|un?zip|zip|un?rar)\b[^\n|;]{0,120}?\s(?:-p[ ]?|-hp)["']?(?P<s>[^\s"'-][^\s"']{3,200})
login          smb|smbclient|cifs|net_           flag      \s-u[ ]{0,2}["']?[\w.\\/-]{1,60}%(?P<s>[^\s"']{3,200})
login          ^net_use                flag      \bnet[ ]use\b[^\n]{0,120}?/user:[^\s]{1,80}[ ](?P<s>[^\s"'/]{3,200})
login          ^net_use                flag      \bnet[ ]use[ ]\S{1,80}[ ](?:\\{1,4}\S{1,100}[ ])?(?P<s>[^\s"'/\\*][^\s"']{3,200})[ ]/user:
login          ^net_user               flag      \bnet[ ]user[ ][\w.-]{1,40}[ ](?P<s>[^\s"'/*][^\s"']{3,200})
login          ^htpasswd               flag      \bhtpasswd[ ]-\w{0,6}b\w{0,6}[ ](?:\S{1,100}[ ])?[\w.@-]{1,60}[ ]["']?(?P<s>[^\s"']{3,200})
login          pass:                   flag      [ =:"'](?:pass|file)?pass:(?P<s>[^\s"'$]{3,200})
login          sudo|-stdin|passwd|cryptsetup|kinit flag      \b(?:echo|printf)[ ](?:-\w{1,3}[ ]|["']%s(?:\\n)?["'][ ]){0,2}["']?(?P<s>[^\s"'|$`][^\s"'|]{3,200})["']?[ ]?\|[ ]?(?:sudo[ ](?:-\w{1,3}[ ]){0,3}-\w?s|[^\n|]{0,120}(?:--password-stdin|--with-token|--stdin)|sudo[ ]cryptsetup|cryptsetup|kinit|(?:sudo[ ])?passwd)
login          chpasswd                login     \becho[ ]["']?[\w.-]{1,40}:(?P<s>[^\s"'|]{3,200})["']?[ ]?\|[ ]?(?:sudo[ ])?chpasswd
login          nmcli|wpa_passphrase|iwctl flag      \b(?:nmcli\b[^\n]{0,120}?\b(?:password|\S{0,30}psk)|wpa_passphrase[ ]\S{1,40}|iwctl[ ]--passphrase)[ ]["']?(?P<s>[^\s"']{8,63})
password       ^identified|with_password|encrypted_password|set_password|password_for flag      \b(?:identified(?:[ ]with[ ]\S{1,40})?[ ]by|(?:with|encrypted|set)[ ]password|password[ ]for[ ]\S{1,60}[ ]?=|set[ ]password[ ]?=)[ ]?(?:=[ ]?)?(?:password[ ]?\(?)?n?["'](?P<s>[^"'\n]{3,200})["']
password       ^convertto-securestring flag      \bconvertto-securestring[ ](?:-string[ ])?["'](?P<s>[^"'\n]{3,200})["']
password       ^login                  flag      \blogin\s{1,8}\S{1,80}\s{1,8}(?:account\s\S{1,80}\s{1,8})?password\s{1,8}(?P<s>[^\s"'`]{3,200})
password       :5432:|:3306:|:6432:|:*:|:5433: told      (?<![\w.*:-])[\w.*-]{1,100}:(?:5432|5433|6432|3306|\*):[\w.*-]{1,60}:[\w.*-]{1,60}:(?P<s>[^\s:]{4,200})(?!\S)
password       ^login|logged|log|sign|signed|credential|credentials|creds|user|username|account|ssh pair      \b(?:log(?:ged)?[ -]?in|sign(?:ed)?[ -]?in|login|credentials?|creds|user(?:name)?|account|ssh)(?![\w-])[^\n:/=]{0,40}?[ :=("'`]{1,2}[\w.@-]{2,32}(?:[ ]/[ ]|[/:][ ]?)["'`]?(?P<s>[^\s"'`/,;]{6,100})
password-hash  $6$|$5$|$1$|$2a$|$2b$|$2y$|$y$|$argon2|$apr1$|$pbkdf2|pbkdf2|$7$|$gy$|scrypt: any       (?P<s>\$(?:1|2[abxy]?|5|6|7|y|gy|apr1|argon2\w{0,2}|scrypt|pbkdf2[\w-]{0,12})\$[./a-z0-9$=,+]{20,400}|pbkdf2_\w{3,10}\$\d{1,8}\$[\w+/=]{4,60}\$[\w+/=]{20,128}|scrypt:\d+:\d+:\d+\$[\w+/=]{4,60}\$[0-9a-f]{64,128})
webhook        ^hooks.slack            any       hooks\.slack(?:-gov)?\.com/(?:services|triggers|workflows)/(?:\w{6,24}/){0,3}(?P<s>[\w-]{16,200})
webhook        ^discord|discordapp                any       discord(?:app)?\.com/api(?:/v\d{1,2})?/webhooks/\d{5,25}/(?P<s>[\w-]{20,200})
webhook        office.com              any       (?:webhook\.office\.com/webhookb2|outlook\.office(?:365)?\.com/webhook)/(?P<s>[^\s"'<>)]{20,400})
webhook        hooks.zapier|ifttt      any       (?:hooks\.zapier\.com/hooks/catch|maker\.ifttt\.com/(?:trigger/\w{1,60}/(?:json/)?with/key|use))/(?P<s>[\w/-]{8,200}[\w-])
webhook        hook|hooks|webhook|webhooks                   path      /(?:web)?hooks?(?:/v?\d)?/(?:[\w.-]{1,40}/){0,3}(?P<s>[\w-]{20,200})
webhook        hc-ping|cronitor.link|opsgenie|pagerduty path      (?:hc-ping\.com|cronitor\.link|integration/\w{1,30})/(?:[\w.-]{1,40}/){0,2}(?P<s>[\w-]{20,200})
jwk            "kty                    any       \\*"(?:d|p|q|dp|dq|qi|k)\\*"\s{0,4}:\s{0,4}\\*"(?P<s>[\w+/=-]{16,4096})
private-key    <rsakeyvalue            any       <(?:d|p|q|dp|dq|inverseq)>(?P<s>[a-z0-9+/=\s]{16,2000})<
wallet-key     ^mnemonic|seed|phrase   phrase    \b(?:mnemonic|seed|phrase)\b(?:[ ](?:phrase|words?))?\W{1,8}(?:(?:is|are|words?)\W{1,4})?(?P<s>[a-z]{3,8}(?:[ ,]{1,2}[a-z]{3,8}){11,23})\b
wallet-key     wif|private|wallet|bitcoin any       (?<!\w)(?P<s>(?-i:[5KLc9][1-9A-HJ-NP-Za-km-z]{50,51}))(?!\w)
wallet-key     solana|keypair|secret|private any       (?P<s>\[\s{0,4}\d{1,3}(?:,\s{0,4}\d{1,3}){63}\s{0,4}\])
sidekiq-secret ^contribsys             any       contribsys__com\S{0,12}?[=:][ ]?["']?(?P<s>[0-9a-f]{8}:[0-9a-f]{8})
token          _set_|:set_|_put_|_store_|_create_|_add_ named     (?:set|put|store|create|add)[ ](?:-{1,2}\w[\w-]{0,20}[ =]){0,3}(?P<name>[\w./:@-]{3,120})[ ](?:-{1,2}b(?:ody)?[ =])?["']?(?P<s>[^\s"'-][^\s"']{7,400})
"""


_LINK = re.compile(r"\(\?P<link>(?P<link>.*)\)\(\?#label\)")
_BLANK = re.compile(r"(?<!_)_(?!_)")


@dataclass(frozen=True, slots=True)
class Place:
    """One row of the table."""

    kind: str
    triggers: tuple[str, ...]
    check: str
    pattern: str
    begins: bool
    """Whether the pattern begins where the trigger stands, so that it need not be searched for."""
    parts: frozenset[str] = frozenset()
    """Those of the triggers that may stand inside a word."""
    link: str = ""
    """What leads from a value to the trigger after it, "" when the trigger comes first."""

    @property
    def regex(self) -> re.Pattern[str]:
        """The compiled expression; compiled when it is first needed."""
        return _compile(self.pattern)


@cache
def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE if "(?-i:" in pattern else 0)


@cache
def linking(link: str) -> re.Pattern[str]:
    """Return the compiled expression for what stands right before a trigger."""
    return re.compile(rf"(?:{link})\Z")


def _read(table: str) -> Iterator[Place]:
    for line in table.strip().splitlines():
        kind, triggers, check, pattern = line.split(None, 3)
        yield _place(kind, triggers, check, pattern)


def _place(kind: str, triggers: str, check: str, pattern: str) -> Place:
    words = _BLANK.sub(" ", triggers.removeprefix("^")).replace("__", "_").split("|")
    parts = frozenset(word[1:] for word in words if word.startswith("*"))
    own = tuple(word[1:] if word[1:] in parts else word for word in words)
    linked = _LINK.search(pattern)
    link = linked["link"] if linked else ""
    return Place(kind, own, check, pattern, triggers.startswith("^"), parts, link)


PLACES = (
    *_read(_TABLE),
    *_read(codes.TABLE),
    *_read(settings.TABLE),
    *(_place("login", *row) for row in commands.rows()),
    *(_place("password", *row) for row in languages.rows()),
)
