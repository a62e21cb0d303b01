r"""Tokens known by their shape, from A to K of what they are named after.

    kind          what it begins with     what follows (a regular expression)

`kinds` reads this table and explains its columns.
"""

TABLE = r"""
1password-key      A3-                                         [A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}<end>
1password-token    *ops_eyJ                                    [\w+/=-]{40,}
ably-key           ~:                                          (?<!<W>)<U>{6}\.<U>{6}<lit>(?=[A-Za-z_-]{0,42}\d)<U>{43}(?!<U>)
adafruit-key       aio_                                        <W>{28}<end>
addy-token         addy_io_                                    <W>{40,}
adobe-secret       p8e-                                        <W>{32}<end>
adyen-key          AQE                                         [A-Za-z0-9+/]{60,}={0,2}-[A-Za-z0-9+/=.<>(){}\[\]|:;,~^*?!@#$%&_-]{16,80}
age-key            *AGE-SECRET-KEY-1                           [A-Z0-9]{40,}
age-key            *AGE-PLUGIN-                                [A-Z0-9]{1,20}-1[A-Z0-9]{20,}
airtable-token     pat                                         <W>{14}\.<H>{64}<end>
alibaba-key        LTAI                                        <W>{12,22}<end>
anthropic-key      *sk-ant-                                    <U>{20,}
anyscale-key       esecret_                                    <W>{26,}
apify-token        apify_api_                                  <W>{30,}
appwrite-key       standard_                                   <H>{200,}
aptos-key          *ed25519-priv-0x                            <H>{64}
artifactory-key    AKCp                                        <W>{60,80}<end>
artifactory-key    cmVmd                                       <W>{59,64}<end>
asana-token        1/1 2/1                                     \d{14,16}(?:/\d{15,17})?:<H>{32}<end>
atlassian-token    *ATATT3 *ATCTT3 *ATSTT3                     [\w=-]{40,}
authress-key       sc_ ext_ scauth_ authress_                  [a-z0-9]{5,30}\.[a-z0-9]{4,6}\.acc[_-][a-z0-9-]{8,32}\.[\w+/=-]{30,120}
aws-key            AKIA ASIA ABIA ACCA                         [A-Z0-9]{16}<end>
aws-key            A3T                                         [A-Z0-9]{17}<end>
aws-key            amzn.mws.                                   <UUID>
aws-key            *ABSKQmVkcm9ja0FQSUtleS                     <B>{20,}={0,2}
aws-key            *bedrock-api-key-                           <B>{20,}={0,2}
aws-session-token  *IQoJb3JpZ2lu *FwoGZXIvYXdz *FQoGZXIvYXdz   <B>{30,}={0,2}
axiom-token        xaat- xapt-                                 <UUID>
azure-key          ~JQQJ99                                     (?<!<B>)<B>{40,76}<lit><W>{5,40}<end>
azure-devops-token ~AZDO                                       (?<!<W>)<W>{76}<lit><W>{4}<end>
azure-secret       ~Q~                                         (?<![\w.~-])[\w.~-]{3}\d<lit>[\w.~-]{31,34}(?![\w~-])
backblaze-key      K001 K002 K003 K004 K005                    (?=[A-Za-z/+]{0,26}\d)[A-Za-z0-9/+]{27}<end>
beamer-key         b_                                          (?=[a-z_=-]{0,43}\d)[a-z0-9=_-]{44}<end>
bitbucket-password *ATBB                                       <W>{24,40}
braintree-token    access_token$production$ access_token$sandbox$ [a-z0-9]{16}\$<H>{32}
brave-key          BSA                                         (?=[A-Za-z_-]{0,27}\d)<U>{28}(?!<U>)
browserbase-key    bb_live_ bb_test_                           [\w-]{25,}
buildkite-token    bkua_ bkct_ bkaj_                           <W>{30,}
cal-key            cal_live_                                   <H>{32}
cal-key            cal_                                        <H>{32}<end>
cartesia-key       sk_car_                                     <W>{20,}
cerebras-key       csk-                                        (?=[A-Za-z]{0,39}\d)<W>{40,}
checkly-key        cu_ sv_                                     <H>{32}<end>
checkout-key       sk_sbox_                                    [a-z0-9*=-]{26,}
chroma-key         ck-                                         (?=[A-Za-z]{0,43}\d)<W>{43,44}<end>
circleci-token     *CCIPAT_ *CCIPRJ_                           [\w-]{30,}
clickup-token      pk_                                         \d{6,10}_[A-Z0-9]{32}<end>
clojars-token      *CLOJARS_                                   <W>{40,}
close-key          api_                                        <W>{22}\.<W>{22}<end>
cloudflare-key     v1.0-                                       <H>{24}-<H>{100,}
cloudflare-token   cfut_ cfat_ cfk_                            <W>{40,}
cockroach-key      CCDB1_                                      <W>{22}_<W>{40}
coinbase-key       organizations/                              <UUID>/apiKeys/<UUID>
composio-key       ak_                                         (?=[A-Za-z_-]{0,20}\d)<U>{20,24}(?!<U>)
contentful-token   CFPAT-                                      <U>{40,}
convex-key         prod: dev: preview:                         [\w:-]{3,60}\|<B>{40,}={0,2}
courier-key        pk_prod_ pk_test_ dk_prod_                  [A-Z0-9]{28}<end>
crates-token       cio                                         (?=[A-Za-z]{0,31}\d)<W>{32}<end>
cursor-key         crsr_ key_                                  <H>{64}<end>
dagger-token       dag_                                        <U>{30,}
databricks-token   dapi                                        <H>{32}(?:-\d)?<end>
datadog-key        ddapp_ ddpat_                               <W>{32,}
daytona-key        dtn_                                        <H>{60,}
dbt-token          dbtc_ dbtu_ dbts_                           <U>{30,}
deepl-key          ~:fx                                        (?<!<H>)<UUID><lit><end>
deno-token         ddp_ ddo_ ddw_                              <W>{36,}
depot-token        depot_org_ depot_project_                   <H>{60,}
digitalocean-token *dop_v1_ *doo_v1_ *dor_v1_                  <H>{40,}
discord-token      ~.                                          [MNO][\w-]{22,27}<lit>[\w-]{5,7}\.(?=[\w!-]{0,60}\d)[\w!-]{27,80}
dnkey              dnkey-                                      [\w=-]{26}-[\w=-]{50,56}
docker-swarm-token SWMTKN-1-                                   [a-z0-9]{40,}-[a-z0-9]{20,}
docker-token       *dckr_pat_ *dckr_oat_                       <U>{20,}
doppler-token      dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit. (?:[\w-]{2,35}\.)?<W>{30,}
dropbox-token      sl.                                         (?:u\.)?[\w=-]{100,}
duffel-token       duffel_test_ duffel_live_                   [\w=-]{30,}
dynatrace-token    dt0c01. dt0s01. dt0s16. dt0s02.             [\w.-]{40,}
e2b-key            e2b_                                        <H>{40}<end>
easypost-key       EZAK EZTK                                   <W>{54}<end>
elevenlabs-key     sk_                                         <H>{48}<end>
exoscale-key       EXO                                         <H>{24}<end>
facebook-token     EAA                                         <W>{80,}
facebook-token     ~|                                          (?<!\d)\d{14,17}<lit><U>{20,60}
fal-key            ~:                                          (?<!<H>)<UUID><lit><H>{32}<end>
fauna-key          fnA                                         (?=[A-Za-z_-]{0,36}\d)<U>{37,44}(?!<U>)
fcm-key            AAAA                                        <U>{7}:APA91b<U>{100,}
fernet-token       gAAAAA                                      [\w-]{80,}={0,2}
figma-token        figd_ figu_ figo_                           <U>{30,}
firecrawl-key      fc-                                         <H>{32}<end>
fireworks-key      fw_                                         (?=[A-Za-z]{0,20}\d)<W>{20,30}<end>
flutterwave-key    *FLWSECK_TEST- *FLWSECK_LIVE- *FLWSECK- *FLWPUBK_TEST- *FLWPUBK- <W>{12,}(?:-X)?
fly-token          fm1r_ fm1a_ fm2_ fo1_                       [\w+/=-]{30,}
frameio-token      fio-u-                                      [\w=-]{50,}
gcp-key            AIza                                        <U>{35}<end>
gcp-oauth          ya29.                                       [\w.-]{20,}
gcp-oauth          *GOCSPX-                                    <U>{20,}
gcp-oauth          1//0                                        <U>{30,}
ghost-key          ~:                                          (?<!<H>)<H>{24}<lit><H>{64}<end>
github-token       *ghp_ *gho_ *ghu_ *ghs_ *ghr_               (?:<W>{30,}|\d{1,12}_eyJ<U>{10,2000}\.<U>{1,2000}\.<U>{1,2000})
github-token       *github_pat_                                \w{30,}
gitlab-cookie      _gitlab_session=                            <W>{16,}
gitlab-token       *glpat- *gldt- *glft- *glrt- *glrtr- *glcbt- *glptt- *glimt- *gloas- *glsoat- *glffct- [\w=-]{15,}(?:\.[\w-]{7,}){0,2}
gitlab-token       *glagent- *GR1348941                        <U>{20,}
gitlab-token       *glwt-                                      <U>{20,}
gitpod-token       *gitpod_pat_                                [\w.-]{30,}
gocardless-token   live_ sandbox_                              (?=[A-Za-z_-]{0,38}\d)<U>{40}(?!<U>)
grafana-token      *glc_                                       <B>{30,}={0,2}
grafana-token      *glsa_                                      <W>{20,}_<H>{8}
grafana-token      eyJrIjoi                                    <B>{40,}={0,2}
groq-key           gsk_                                        <W>{40,}
harness-token      pat. sat.                                   <U>{22}\.<W>{24}\.<W>{20}
helicone-key       *sk-helicone- *pk-helicone-                 <W>{7}-<W>{7}-<W>{7}(?:-<W>{7}){0,2}
heroku-key         *HRKU-                                      <U>{30,}
honeycomb-key      hcaik_ hcxik_ hcamk_ hcbik_ hcalk_          <W>{40,}
hubspot-token      pat-na1- pat-na2- pat-na3- pat-eu1- pat-ap1- <UUID>
huggingface-token  hf_                                         <W>{34,40}<end>
huggingface-token  api_org_                                    <W>{34}<end>
hyperbolic-key     hyp_                                        <W>{40,}
hyperbrowser-key   hb_                                         <H>{28,}<end>
infisical-token    st.                                         [\w-]{20,40}\.[0-9a-f]{32}\.[0-9a-f]{32}
infomaniak-token   *ikp_                                       <W>{40,}
infracost-key      ico-                                        <W>{32}<end>
inngest-key        signkey-prod- signkey-test- signkey-branch- <H>{32,}
instagram-token    IGQV IGAA                                   <U>{80,}
intercom-token     dG9rO                                       <B>{30,}={0,2}
intra42-secret     s-s4t2ud- s-s4t2af-                         <H>{64}
ionic-token        ion_                                        <W>{42}<end>
jina-key           jina_                                       <W>{50,}
jwt                eyJ                                         (?<![\w-]eyJ)<U>{8,}\.(?:<U>{8,}|)(?:\.<U>*){0,3}
jwt                ZXlK                                        (?<![\w+-]ZXlK)<B>{60,}={0,2}
k3s-token          K10                                         <H>{64}::(?:server|node|[a-z0-9]{6}):?[\w.:]{8,}
keeper-token       US: EU: AU:                                 (?=[A-Za-z_-]{0,42}\d)<U>{43}(?!<U>)
"""
