r"""Tokens known by their shape, from L to Z of what they are named after.

    kind          what it begins with     what follows (a regular expression)

`kinds` reads this table and explains its columns.
"""

TABLE = r"""
lambda-key         secret_                                     <U>{1,40}_<H>{32}\.<W>{32}
langfuse-key       sk-lf- pk-lf-                               <UUID>
langsmith-key      lsv2_pt_ lsv2_sk_                           <H>{32}_<H>{8,}
launchdarkly-key   sdk- api- mob-                              <UUID>
linear-key         *lin_api_ *lin_oauth_                       <W>{32,}
linkedin-secret    *WPL_AP1.                                   <W>{16}\.<W>{6,8}={0,2}
llamacloud-key     llx-                                        <W>{40,}
lob-key            live_ test_                                 (?:pub_)?<H>{31,35}<end>
luma-key           luma-                                       <UUID>-<UUID>
mailchimp-key      ~-us                                        (?<!<W>)<H>{32}<lit>\d{1,2}<end>
mailersend-key     *mlsn.                                      <H>{60,}
mailgun-key        key- pubkey-                                <H>{32}<end>
mandrill-key       md-                                         <U>{22}<end>
mapbox-token       sk.eyJ                                      [\w-]{40,}\.[\w-]{16,}
matrix-token       syt_                                        <B>{2,80}_[A-Za-z]{20}_<W>{6}
matrix-token       mct_ mcr_ mat_                              <W>{20,40}_<W>{6}<end>
mem0-key           m0-                                         <W>{40}<end>
modal-token        as- ak-                                     (?=[A-Za-z]{0,21}\d)<W>{22}<end>
mollie-key         live_ test_                                 (?=[A-Za-z]{0,29}\d)<W>{30}<end>
neon-key           napi_                                       <W>{50,}
netlify-token      nfp_ nfc_ nfo_ nfu_ nfb_                    <W>{36}
newrelic-key       NRAK- NRJS- NRII- NRRA- NRIQ- NRAA-         <U>{16,}
newrelic-key       ~NRAL                                       (?<!<H>)<H>{36}<lit><end>
nomic-key          nk-                                         (?=[A-Za-z_-]{0,42}\d)<U>{43}(?!<U>)
nostr-key          *nsec1 *ncryptsec1                          [a-z0-9]{50,}
notion-token       ntn_                                        <W>{40,}
notion-token       secret_                                     (?=[A-Za-z]{0,42}\d)<W>{43}<end>
npm-token          *npm_                                       (?=[A-Za-z]{0,35}\d)<W>{30,}
nuget-key          oy2                                         [a-z0-9]{43}<end>
nvidia-key         *nvapi-                                     <U>{40,}
nylas-key          nyk_v0_                                     <W>{60,}
octopus-key        API-                                        [A-Z0-9]{25,32}<end>
onesignal-key      os_v2_app_ os_v2_org_                       [a-z0-9]{60,}
openai-key         *sk-proj- *sk-svcacct- *sk-admin- *sk-None- *sk-or-v1- <U>{20,}
openai-key         sk-                                         (?=[A-Za-z]{0,200}\d)<W>{20,}
openpipe-key       opk_                                        <H>{40}<end>
openshift-token    *sha256~                                    <U>{40,50}
ory-token          ory_at_ ory_st_ ory_pat_ ory_rt_ ory_ac_    [\w.-]{30,}
paddle-key         *pdl_live_apikey_ *pdl_sdbx_apikey_ *pdl_ntfset_ \w{30,}
paseto             v1.local. v2.local. v3.local. v4.local. v1.public. v2.public. v3.public. v4.public.  [\w-]{40,}(?:\.[\w-]+)?
paypal-token       A21AA                                       <U>{80,}
perplexity-key     *pplx-                                      <W>{40,}
pinecone-key       *pcsk_                                      \w{40,}
plaid-token        access-sandbox- access-development- access-production- public-production- <UUID>
planetscale-token  *pscale_tkn_ *pscale_pw_ *pscale_oauth_ *pscale_otk_ [\w=.-]{32,}
polar-token        polar_oat_ polar_pat_ polar_whs_            <W>{30,}
portainer-token    ptr_                                        <B>{40,}={0,2}
posthog-key        phx_ phs_ pha_ phr_                         <W>{32,}
postman-key        *PMAK- *PMAT-                               <H>{24}-<H>{34}
prefect-key        pnu_ pnb_                                   <W>{36}<end>
promptlayer-key    pl_                                         <H>{32}<end>
pulumi-token       pul-                                        <H>{40}<end>
pylon-key          *pylon_api_                                 <H>{60,}
pypi-token         *pypi-AgE                                   <U>{20,}
rapidapi-key       ~msh                                        (?<!<H>)<H>{10}<lit><H>{15}p1<H>{6}jsn<H>{12}<end>
raycast-token      rca_                                        <H>{60,}
razorpay-key       rzp_live_ rzp_test_                         <W>{14,}
readme-key         rdme_                                       <W>{50,}
render-key         rnd_                                        <W>{28,40}<end>
replicate-token    r8_                                         <W>{37,40}<end>
resend-key         re_                                         <W>{8}_<W>{20,}
roboflow-key       rf_                                         (?=[A-Za-z]{0,28}\d)<W>{20,30}<end>
rootly-key         *rootly_                                    <H>{60,}
rubygems-key       *rubygems_                                  <H>{40,}
runpod-key         rpa_                                        [A-Z0-9]{40}<W>{0,8}<end>
runway-key         key_                                        <H>{128}<end>
salesforce-token   00D                                         <W>{12,15}![\w.]{80,}
sanity-token       sk                                          (?=[A-Za-z]{0,79}\d)<W>{80,190}<end>
scalingo-token     tk-us-                                      <U>{40,}
sendgrid-key       SG.                                         [\w=.-]{60,}
sendinblue-key     *xkeysib- *xsmtpsib-                        <U>{40,}
sentry-token       *sntrys_ *sntryu_ *sntrya_ *sntryi_         [\w+/=-]{40,}
settlemint-token   sm_aat_ sm_pat_ sm_sat_                     <W>{16,}
shippo-token       shippo_live_ shippo_test_                   <H>{40}
shopify-token      *shpat_ *shpca_ *shppa_ *shpss_ *shptka_    <W>{30,}
slack-token        *xoxb- *xoxp- *xoxa- *xoxr- *xoxo- *xoxs- *xoxc- *xoxd- *xoxe- (?:\d-)?(?=[A-Za-z%/+_-]{0,80}\d)<W>{6,}[\w%/+-]{4,}
slack-token        *xoxe.xox                                   [bp]-\d-(?=[A-Za-z]{0,60}\d)<W>{30,}
slack-token        *xapp-                                      \d-[A-Z0-9]{6,}-\d{6,}-<W>{20,}
snyk-token         snyk_uat. snyk_sat.                         <H>{8}\.[\w-]{40,}
socket-token       *sktsec_                                    <W>{30,}(?:_api)?
sonar-token        sqp_ squ_ sqa_                              <W>{40}<end>
sourcegraph-token  sgp_                                        (?:<W>{1,16}_)?<H>{40}
square-token       *sq0atp- *sq0csp- *sq0idp-                  [\w\]-]{20,}
square-token       EAAA                                        (?=[A-Za-z_-]{0,58}\d)<U>{56,60}(?!<U>)
steel-key          ste-                                        <W>{60,}
stripe-key         *sk_live_ *sk_test_ *sk_prod_ *rk_live_ *rk_test_ *rk_prod_ *sk_org_ \w{10,}
stripe-key         *whsec_                                     [\w+/=-]{20,}
stytch-secret      secret-live- secret-test-                   [\w=-]{30,}
supabase-key       *sb_secret_ *sbp_oauth_ *sbp_               <U>{20,}
tabnine-token      t9u_                                        <W>{30,}
tailscale-key      *tskey-                                     <W>{2,20}-<W>{10,}(?:-<W>{10,})?
tally-key          tly-                                        <W>{36,}
tavily-key         tvly-                                       <U>{20,}
telegram-token     ~:A                                         (?<!\d)\d{5,16}<lit>(?=[A-Za-z_-]{0,40}\d)[\w-]{32,40}(?![\w-])
telegram-token     ~:                                          (?<!\d)\d{8,10}<lit>(?=[\w-]{0,34}[A-Z])(?=[\w-]{0,34}[a-z])(?=[\w-]{0,34}\d)[\w-]{35}(?![\w-])
telnyx-key         KEY                                         [0-9A-F]{32}_<W>{22}<end>
telnyx-key         KEY0                                        <H>{30,31}_<W>{22}<end>
tencent-key        AKID                                        <W>{32}<end>
terraform-token    ~.atlasv1.                                  (?<!<W>)<W>{14}<lit>[\w=-]{50,}
together-key       tgp_v1_                                     <U>{30,}
trello-token       ATTA                                        <H>{64,72}<end>
trigger-key        tr_dev_ tr_prod_ tr_stg_ tr_preview_        <W>{16,}
turnstile-secret   0x4AAAAAAA                                  <U>{20,40}
twilio-key         SK                                          <H>{32}<end>
twitch-token       oauth:                                      [a-z0-9]{30}<end>
twitter-token      AAAAAAAAAAAAAAAAAAAAA                       [\w%]{60,200}
typeform-token     tfp_                                        [\w.=-]{40,}
unkey-key          unkey_                                      <W>{16,}
upcloud-token      *ucat_                                      <W>{20,}
upstage-key        up_                                         (?=[A-Za-z]{0,28}\d)<W>{29}<end>
valtown-token      vtwn_                                       <W>{20,}
vault-token        hvs. hvb. hvr.                              <U>{24,}
vault-token        s.                                          (?<![\w.]s\.)(?=[A-Za-z]{0,23}\d)<W>{24}<end>
vercel-token       *vercel_blob_rw_                            \w{30,}
vercel-token       vca_ vcp_ vci_ vcr_ vck_                    <W>{24,}
voyage-key         pa-                                         (?=[A-Za-z_-]{0,42}\d)<U>{43}(?!<U>)
wakatime-key       *waka_                                      <UUID>
wallet-key         xprv yprv zprv tprv                         <W>{100,}
wallet-key         ed25519:                                    [1-9A-HJ-NP-Za-km-z]{80,90}<end>
wallet-key         *suiprivkey1                                [a-z0-9]{50,}
wallet-key         edsk edesk                                  [1-9A-HJ-NP-Za-km-z]{50,100}<end>
wallet-key         SA SB SC SD SN SO SU                        [A-Z2-7]{54,56}<end>
wandb-key          wandb_v1_                                   <U>{50,}
warp-key           wk-1.                                       <H>{60,}
webflow-token      ws-                                         <H>{64}<end>
woocommerce-key    ck_ cs_                                     <H>{40}<end>
xai-key            *xai-                                       <W>{60,}
yandex-token       t1.                                         [\w-]{2,40}={0,2}\.[\w-]{60,}={0,2}
yandex-token       *AQVN                                       <U>{35,38}<end>
zep-key            z_1d                                        [\w-]{20,}\.[\w-]{30,}
"""
