r"""The table of secrets that are known by their shape: what a vendor's token begins with, and how it goes on.

    kind          what it begins with     what follows (a regular expression)

A row is tried wherever one of its beginnings occurs, behind anything but a letter or a digit, so that `task-runner`
is no `sk-` key.  `*` before a beginning lets it stand behind a letter too.  `~` marks text from inside the token;
the last column then holds what stands before it, `<lit>`, and what follows.  `<W>` is a letter or digit, `<U>` that or `_` or `-`, `<H>`
a hexadecimal digit, `<B>` base64, `<end>` that no letter or digit follows.

To extend: add a row; the tests make tokens from each row and want them gone.  What follows must be decided within a
bounded number of steps, or by one greedy run: a pattern that can fail after a long run makes time quadratic.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

_TABLE = r"""
1password-key      A3-                                         [A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}<end>
1password-token    *ops_eyJ                                    [\w+/=-]{40,}
adobe-secret       p8e-                                        <W>{32}<end>
age-key            *AGE-SECRET-KEY-1                           [A-Z0-9]{40,}
age-key            *AGE-PLUGIN-                                [A-Z0-9]{1,20}-1[A-Z0-9]{20,}
airtable-token     pat                                         <W>{14}\.<H>{64}<end>
alibaba-key        LTAI                                        <W>{12,22}<end>
anthropic-key      *sk-ant-                                    <U>{20,}
apify-token        apify_api_                                  <W>{30,}
artifactory-key    AKCp                                        <W>{60,80}<end>
artifactory-key    cmVmd                                       <W>{59,64}<end>
atlassian-token    *ATATT3 *ATCTT3 *ATSTT3                     [\w=-]{40,}
authress-key       sc_ ext_ scauth_ authress_                  [a-z0-9]{5,30}\.[a-z0-9]{4,6}\.acc[_-][a-z0-9-]{8,32}\.[\w+/=-]{30,120}
aws-key            AKIA ASIA ABIA ACCA                         [A-Z0-9]{16}<end>
aws-key            A3T                                         [A-Z0-9]{17}<end>
aws-key            amzn.mws.                                   <UUID>
aws-key            *ABSKQmVkcm9ja0FQSUtleS                     <B>{20,}={0,2}
aws-key            *bedrock-api-key-                           <B>{20,}={0,2}
aws-session-token  *IQoJb3JpZ2lu *FwoGZXIvYXdz *FQoGZXIvYXdz   <B>{30,}={0,2}
azure-secret       ~Q~                                         (?<![\w.~-])[\w.~-]{3}\d<lit>[\w.~-]{31,34}(?![\w~-])
beamer-key         b_                                          (?=[a-z_=-]{0,43}\d)[a-z0-9=_-]{44}<end>
bitbucket-password *ATBB                                       <W>{24,40}
braintree-token    access_token$production$ access_token$sandbox$  [a-z0-9]{16}\$<H>{32}
buildkite-token    bkua_ bkct_ bkaj_                           <W>{30,}
cerebras-key       csk-                                        (?=[A-Za-z]{0,39}\d)<W>{40,}
circleci-token     *CCIPAT_ *CCIPRJ_                           [\w-]{30,}
clojars-token      *CLOJARS_                                   <W>{40,}
cloudflare-key     v1.0-                                       <H>{24}-<H>{100,}
cloudflare-token   cfut_ cfat_ cfk_                            <W>{40,}
contentful-token   CFPAT-                                      <U>{40,}
crates-token       cio                                         (?=[A-Za-z]{0,31}\d)<W>{32}<end>
databricks-token   dapi                                        <H>{32}(?:-\d)?<end>
digitalocean-token *dop_v1_ *doo_v1_ *dor_v1_                  <H>{40,}
discord-token      ~.                                          [MNO][\w-]{22,27}<lit>[\w-]{5,7}\.(?=[\w!-]{0,60}\d)[\w!-]{27,80}
dnkey              dnkey-                                      [\w=-]{26}-[\w=-]{50,56}
docker-token       *dckr_pat_ *dckr_oat_                       <U>{20,}
doppler-token      dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.  (?:[\w-]{2,35}\.)?<W>{30,}
dropbox-token      sl.                                         (?:u\.)?[\w=-]{100,}
duffel-token       duffel_test_ duffel_live_                   [\w=-]{30,}
dynatrace-token    dt0c01. dt0s01. dt0s16. dt0s02.             [\w.-]{40,}
e2b-key            e2b_                                        <H>{40}<end>
easypost-key       EZAK EZTK                                   <W>{54}<end>
elevenlabs-key     sk_                                         <H>{48}<end>
facebook-token     EAA                                         <W>{80,}
facebook-token     ~|                                          (?<!\d)\d{14,17}<lit><U>{20,60}
figma-token        figd_ figu_ figo_                           <U>{30,}
firecrawl-key      fc-                                         <H>{32}<end>
fireworks-key      fw_                                         (?=[A-Za-z]{0,20}\d)<W>{20,30}<end>
flutterwave-key    *FLWSECK_TEST- *FLWSECK_LIVE- *FLWSECK- *FLWPUBK_TEST- *FLWPUBK-  <W>{12,}(?:-X)?
fly-token          fm1r_ fm1a_ fm2_ fo1_                       [\w+/=-]{30,}
frameio-token      fio-u-                                      [\w=-]{50,}
gcp-key            AIza                                        <U>{35}<end>
gcp-oauth          ya29.                                       [\w.-]{20,}
gcp-oauth          *GOCSPX-                                    <U>{20,}
gcp-oauth          1//0                                        <U>{30,}
github-token       *ghp_ *gho_ *ghu_ *ghs_ *ghr_               (?:<W>{30,}|\d{1,12}_eyJ<U>{10,2000}\.<U>{1,2000}\.<U>{1,2000})
github-token       *github_pat_                                \w{30,}
gitlab-token       *glpat- *gldt- *glft- *glrt- *glrtr- *glcbt- *glptt- *glimt- *gloas- *glsoat- *glffct-  [\w=-]{15,}(?:\.[\w-]{7,}){0,2}
gitlab-token       *glagent- *GR1348941                        <U>{20,}
gitlab-cookie      _gitlab_session=                            <W>{16,}
grafana-token      *glc_                                       <B>{30,}={0,2}
grafana-token      *glsa_                                      <W>{20,}_<H>{8}
grafana-token      eyJrIjoi                                    <B>{40,}={0,2}
groq-key           gsk_                                        <W>{40,}
harness-token      pat. sat.                                   <U>{22}\.<W>{24}\.<W>{20}
heroku-key         *HRKU-                                      <U>{30,}
honeycomb-key      hcaik_ hcxik_ hcamk_ hcbik_ hcalk_          <W>{40,}
hubspot-token      pat-na1- pat-na2- pat-na3- pat-eu1- pat-ap1-  <UUID>
huggingface-token  hf_                                         <W>{34,40}<end>
huggingface-token  api_org_                                    <W>{34}<end>
infracost-key      ico-                                        <W>{32}<end>
intra42-secret     s-s4t2ud- s-s4t2af-                         <H>{64}
jina-key           jina_                                       <W>{50,}
jwt                eyJ                                         (?<![\w-]eyJ)<U>{8,}\.(?:<U>{8,}|)(?:\.<U>*){0,3}
jwt                ZXlK                                        (?<![\w+-]ZXlK)<B>{60,}={0,2}
langfuse-key       sk-lf- pk-lf-                               <UUID>
langsmith-key      lsv2_pt_ lsv2_sk_                           <H>{32}_<H>{8,}
launchdarkly-key   sdk- api- mob-                              <UUID>
linear-key         *lin_api_ *lin_oauth_                       <W>{32,}
lob-key            live_ test_                                 (?:pub_)?<H>{31,35}<end>
mailchimp-key      ~-us                                        (?<!<W>)<H>{32}<lit>\d{1,2}<end>
mailgun-key        key- pubkey-                                <H>{32}<end>
mandrill-key       md-                                         <U>{22}<end>
mapbox-token       sk.eyJ                                      [\w-]{40,}\.[\w-]{16,}
matrix-token       syt_                                        <B>{2,80}_[A-Za-z]{20}_<W>{6}
modal-token        as- ak-                                     (?=[A-Za-z]{0,21}\d)<W>{22}<end>
mollie-key         live_ test_                                 (?=[A-Za-z]{0,29}\d)<W>{30}<end>
neon-key           napi_                                       <W>{50,}
netlify-token      nfp_ nfc_ nfo_ nfu_ nfb_                    <W>{36}
newrelic-key       NRAK- NRJS- NRII- NRRA- NRIQ- NRAA-         <U>{16,}
notion-token       ntn_                                        <W>{40,}
notion-token       secret_                                     (?=[A-Za-z]{0,42}\d)<W>{43}<end>
npm-token          *npm_                                       (?=[A-Za-z]{0,35}\d)<W>{30,}
nuget-key          oy2                                         [a-z0-9]{43}<end>
nvidia-key         *nvapi-                                     <U>{40,}
octopus-key        API-                                        [A-Z0-9]{25,32}<end>
openai-key         *sk-proj- *sk-svcacct- *sk-admin- *sk-None- *sk-or-v1-  <U>{20,}
openai-key         sk-                                         (?=[A-Za-z]{0,200}\d)<W>{20,}
openshift-token    *sha256~                                    <U>{40,50}
ory-token          ory_at_ ory_st_ ory_pat_ ory_rt_ ory_ac_    [\w.-]{30,}
perplexity-key     *pplx-                                      <W>{40,}
pinecone-key       *pcsk_                                      \w{40,}
plaid-token        access-sandbox- access-development- access-production- public-production-  <UUID>
planetscale-token  *pscale_tkn_ *pscale_pw_ *pscale_oauth_ *pscale_otk_  [\w=.-]{32,}
portainer-token    ptr_                                        <B>{40,}={0,2}
posthog-key        phx_ phs_ pha_ phr_                         <W>{32,}
postman-key        *PMAK- *PMAT-                               <H>{24}-<H>{34}
prefect-key        pnu_ pnb_                                   <W>{36}<end>
pulumi-token       pul-                                        <H>{40}<end>
pypi-token         *pypi-AgE                                   <U>{20,}
razorpay-key       rzp_live_ rzp_test_                         <W>{14,}
readme-key         rdme_                                       <W>{50,}
render-key         rnd_                                        <W>{28,40}<end>
replicate-token    r8_                                         <W>{37,40}<end>
resend-key         re_                                         <W>{8}_<W>{20,}
rubygems-key       *rubygems_                                  <H>{40,}
scalingo-token     tk-us-                                      <U>{40,}
sendgrid-key       SG.                                         [\w=.-]{60,}
sendinblue-key     *xkeysib- *xsmtpsib-                        <U>{40,}
sentry-token       *sntrys_ *sntryu_ *sntrya_ *sntryi_         [\w+/=-]{40,}
settlemint-token   sm_aat_ sm_pat_ sm_sat_                     <W>{16,}
shippo-token       shippo_live_ shippo_test_                   <H>{40}
shopify-token      *shpat_ *shpca_ *shppa_ *shpss_ *shptka_    <W>{30,}
slack-token        *xoxb- *xoxp- *xoxa- *xoxr- *xoxo- *xoxs- *xoxc- *xoxd- *xoxe-  (?:\d-)?(?=[A-Za-z%/+_-]{0,80}\d)<W>{6,}[\w%/+-]{4,}
slack-token        *xoxe.xox                                   [bp]-\d-(?=[A-Za-z]{0,60}\d)<W>{30,}
slack-token        *xapp-                                      \d-[A-Z0-9]{6,}-\d{6,}-<W>{20,}
sonar-token        sqp_ squ_ sqa_                              <W>{40}<end>
sourcegraph-token  sgp_                                        (?:<W>{1,16}_)?<H>{40}
square-token       *sq0atp- *sq0csp- *sq0idp-                  [\w\]-]{20,}
square-token       EAAA                                        (?=[A-Za-z_-]{0,58}\d)<U>{56,60}(?!<U>)
stripe-key         *sk_live_ *sk_test_ *sk_prod_ *rk_live_ *rk_test_ *rk_prod_ *sk_org_  \w{10,}
stripe-key         *whsec_                                     [\w+/=-]{20,}
supabase-key       *sb_secret_ *sbp_oauth_ *sbp_               <U>{20,}
tailscale-key      *tskey-                                     <W>{2,20}-<W>{10,}(?:-<W>{10,})?
tavily-key         tvly-                                       <U>{20,}
telegram-token     ~:A                                         (?<!\d)\d{5,16}<lit>(?=[A-Za-z_-]{0,40}\d)[\w-]{32,40}(?![\w-])
telegram-token     ~:                                          (?<!\d)\d{8,10}<lit>(?=[\w-]{0,34}[A-Z])(?=[\w-]{0,34}[a-z])(?=[\w-]{0,34}\d)[\w-]{35}(?![\w-])
terraform-token    ~.atlasv1.                                  (?<!<W>)<W>{14}<lit>[\w=-]{50,}
together-key       tgp_v1_                                     <U>{30,}
twilio-key         SK                                          <H>{32}<end>
twitch-token       oauth:                                      [a-z0-9]{30}<end>
typeform-token     tfp_                                        [\w.=-]{40,}
vault-token        hvs. hvb. hvr.                              <U>{24,}
vault-token        s.                                          (?<![\w.]s\.)(?=[A-Za-z]{0,23}\d)<W>{24}<end>
vercel-token       *vercel_blob_rw_                            \w{30,}
vercel-token       vca_ vcp_ vci_ vcr_ vck_                    <W>{24,}
voyage-key         pa-                                         (?=[A-Za-z_-]{0,42}\d)<U>{43}(?!<U>)
wallet-key         xprv yprv zprv tprv                         <W>{100,}
woocommerce-key    ck_ cs_                                     <H>{40}<end>
xai-key            *xai-                                       <W>{60,}
yandex-token       t1.                                         [\w-]{2,40}={0,2}\.[\w-]{60,}={0,2}
yandex-token       *AQVN                                       <U>{35,38}<end>
"""
_CLASSES = {
    "<UUID>": "<H>{8}(?:-<H>{4}){3}-<H>{12}",
    "<W>": "[A-Za-z0-9]",
    "<U>": "[A-Za-z0-9_-]",
    "<H>": "[0-9A-Fa-f]",
    "<B>": "[A-Za-z0-9+/]",
    "<end>": "(?![A-Za-z0-9])",
}
# A letter before the token that is none: `%20`, and the `\n` of a JSON string.
_ESCAPED = re.compile(r"%[0-9A-Fa-f]{2}\Z|\\[nrt]\Z")


_LONGEST_HEAD = 40


@dataclass(frozen=True, slots=True)
class Shape:
    """One row of the table, for one of its beginnings.

    `literal` is text that every such token holds: it is what is searched for first.
    """

    kind: str
    literal: str
    tail: str
    where: str
    """`*` the token may begin anywhere, `~` it begins with a head, "" it begins a word."""
    head: str = ""

    @property
    def regex(self) -> re.Pattern[str]:
        """What follows the literal; compiled on first use."""
        return _compile(self.tail)

    def beginning(self, text: str, at: int) -> int | None:
        """Return where a token begins whose literal stands at a place, or None when it cannot be one."""
        if self.where == "~":
            found = _compile(self.head + r"\Z").search(text, max(0, at - _LONGEST_HEAD), at)
            return found.start() if found else None
        return at if self._may_begin(text, at) else None

    def _may_begin(self, text: str, at: int) -> bool:
        if self.where == "*" or at == 0:
            return True
        before = text[at - 1]
        bare = not (before.isascii() and before.isalnum()) and before != "+"
        return bare or bool(_ESCAPED.search(text[max(0, at - 3) : at]))


@cache
def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _read(table: str) -> Iterator[Shape]:
    for line in table.strip().splitlines():
        kind, *literals, tail = line.split()
        for name, expression in _CLASSES.items():
            tail = tail.replace(name, expression)
        for literal in literals:
            where = literal[0] if literal[0] in "*~" else ""
            head, _, rest = tail.partition("<lit>") if where == "~" else ("", "", tail)
            yield Shape(kind, literal.removeprefix(where), rest, where, head)


SHAPES = tuple(_read(_TABLE))
