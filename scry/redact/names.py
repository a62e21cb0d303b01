"""Names that promise a secret: `DB_PASSWORD`, `apiToken`, `client-secret`, `x-api-key`.

The last word of a name tells what it holds: `token` is a secret, `token_count` a number, `secretName` a name.  So a
name is cut into words (at separators and capitals), trailing decoration is dropped, and the last word decides.
"""

import re
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache


class Trust(IntEnum):
    """How sure a name makes us that its value is a secret."""

    WEAK = 1  # the value must look random by itself: `key`, `session`, `sig`
    NAMED = 2  # what holds letters and digits will do: `token`, `credential`, `api_key`
    SURE = 3  # a word will do, if it is quoted: `password`, `secret`


@dataclass(frozen=True, slots=True)
class Promise:
    """What a name says about its value: the kind in the mask, and how much the value must show by itself."""

    kind: str
    trust: Trust


def _table(kind: str, trust: Trust, words: str) -> dict[str, Promise]:
    return dict.fromkeys(words.split(), Promise(kind, trust))


NOUNS = {
    **_table(
        "password",
        Trust.SURE,
        "password passwd passwort kennwort passcode pwd pw pass psk",
    ),
    **_table(
        "password",
        Trust.SURE,
        "storepass keypass dbpass userpass rootpass rootpw adminpass sshpass bindpw",
    ),
    **_table(
        "password",
        Trust.SURE,
        "mysqlpass smtppass mailpass ftppass passin passout contrasena motdepasse mdp senha requirepass masterauth",
    ),
    **_table("password", Trust.SURE, "passwrod pasword passowrd paswd pswd userpw adminpw parole"),
    **_table("passphrase", Trust.SURE, "passphrase"),
    **_table("password", Trust.NAMED, "passwords passphrases unlockcode pin"),
    **_table("secret", Trust.SURE, "secret"),
    **_table(
        "secret", Trust.NAMED, "secrets credential credentials creds cred salt pepper hmac dsn"
    ),
    **_table("token", Trust.NAMED, "token tokens jwt pat bearer otp totp"),
    **_table("api-key", Trust.SURE, "apikey accesskey secretkey authkey"),
    **_table(
        "api-key",
        Trust.NAMED,
        "apikeys licensekey accountkey masterkey sharedkey presharedkey appkey",
    ),
    **_table("private-key", Trust.SURE, "privatekey privkey signingkey encryptionkey"),
    **_table("signature", Trust.WEAK, "sig signature"),
    **_table("cookie", Trust.WEAK, "cookie sid sessid session sessionid phpsessid jsessionid"),
    **_table("secret", Trust.WEAK, "auth authorization login seed keys webhook code"),
}
# A `key` is a secret, a place in a table, or a button: the word before it tells.
_KEYS = {
    **_table("api-key", Trust.SURE, "api access secret auth"),
    **_table("private-key", Trust.SURE, "private priv signing encryption encrypt aes hmac fernet"),
    **_table(
        "api-key",
        Trust.NAMED,
        """account storage license licence master shared preshared app application service admin client server deploy
        wifi wlan wpa webhook integration subscription ingest ingestion write jwt crypto cipher root consumer developer live
        function personal merchant sdk rest node wallet deployer signer unseal recovery backup sign session cookie
        security install registration enrollment join agent bot user device stream project team org workspace
        hubspot algolia stripe openai anthropic gemini google aws azure gcp github gitlab heroku twilio sendgrid mailgun
        mailchimp datadog newrelic sentry segment mixpanel amplitude posthog shopify square paypal plaid cloudflare fastly
        vercel netlify fly render supabase firebase mapbox maps weather nasa tmdb omdb news finnhub alpaca binance kraken
        coinbase infura alchemy etherscan slack discord telegram notion linear asana jira trello airtable intercom zendesk
        freshdesk pagerduty opsgenie grafana elastic rapidapi deepl cohere mistral groq replicate alibaba sumo snyk sonar
        management validation decryption luks disk vault pinecone weaviate qdrant deepgram elevenlabs""",
    ),
}
_HARMLESS_KEYS = frozenset(
    """public primary foreign partition sort cache object bucket row group routing hot short map dict index idempotency
    schema unique natural composite surrogate lookup config translation message answer registry home end enter shift
    ctrl alt arrow up down left right tab escape any turn site sitekey item column field hash range search metric label
    state storage_ react list param query string json data default host known authorized ssh gpg pgp sequence dedup
    first last next prev press pressed main meta super media event i18n l10n locale""".split()
)
# A token that is a place in a list or a switch, not a secret.
_HARMLESS_TOKENS = frozenset(
    """page next nextpage continuation sync cancel cancellation cursor design max min prompt completion input output
    total cached used start stop eos bos pad unk special lexer parser syntax keyword separator""".split()
)
_DECORATION = frozenset(
    """value val b b64 base64 base data raw str string text plain plaintext cleartext enc env var prod production dev test
    testing staging live local default old new prev current primary secondary hex v json arg header ci
    encoded literal override""".split()
)
# What is said about a secret, and is none.
_HARMLESS_LAST = frozenset(
    """name id ids hash digest fingerprint url uri urls path file files filename type version ref sha checksum etag arn
    length len size count limit min max ttl expiry expires expiration expired age timeout field label hint prompt policy
    method mode kind scheme format algorithm alg provider manager store service endpoint host port header headers
    generator validator checker handler helper factory builder class reset required enabled disabled valid invalid
    strength rotation position chars charset alphabet pattern regex prefix suffix rule rules index usage budget param
    params""".split()
)
_PUBLIC = frozenset("public publishable fingerprint masked redacted".split())
_LONG = re.compile(
    r".*(password|passwd|passphrase|secret|token|credentials?|apikey|accesskey|secretkey|privatekey|authkey)\Z",
    re.DOTALL,
)
# Digits and signs that people write for letters: `passw0rd`, `pa$$word`, `s3cret`.
_LEET = str.maketrans("01345$@", "oieassa")
_LEETED = re.compile(
    r"p[a4@][s5$]{2}w[o0]rd|t[o0]ken|s[e3]cr[e3]t|p[a4@][s5$]{2}w?d?\Z", re.IGNORECASE
)
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


@lru_cache(maxsize=4096)
def promise_of(name: str) -> Promise | None:
    """Return what a name promises, or None when it names nothing secret.

    >>> promise_of("MYSQL_ROOT_PASSWORD").kind
    'password'
    >>> promise_of("max_tokens"), promise_of("token_type"), promise_of("publicKey"), promise_of("monkey")
    (None, None, None, None)
    """
    name = name[-80:]
    if any(sign in name for sign in "01345$@"):
        name = _LEETED.sub(lambda found: found[0].translate(_LEET), name)
    words = [word.lower() for word in _WORDS.findall(name)]
    if not words or not _PUBLIC.isdisjoint(words):
        return None
    while len(words) > 1 and (words[-1].isdigit() or words[-1] in _DECORATION):
        words.pop()
    last, before = words[-1], words[-2] if len(words) > 1 else ""
    if last == "key" or (last in {"token", "tokens"} and before in _HARMLESS_TOKENS):
        return _key(before) if last == "key" else None
    if found := NOUNS.get(last) or _suffix(last) or NOUNS.get(before + last):
        return found
    if len(words) > 3 and len(name) <= 2 * len(words):  # PaSsWoRd
        return _suffix(name.lower())
    if last in _HARMLESS_LAST or NOUNS.keys().isdisjoint(words):
        return None
    return Promise("secret", Trust.WEAK)


def _key(before: str) -> Promise | None:
    if before in _HARMLESS_KEYS:
        return None
    if before.endswith("api"):
        return _KEYS["api"]
    return _KEYS.get(before) or Promise("api-key", Trust.WEAK)


def _suffix(word: str) -> Promise | None:
    found = _LONG.match(word)
    return NOUNS[found[1]] if found else None
