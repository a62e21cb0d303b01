"""Tokens by what their makers publish about their look, one kind a line; for `blind_secrets`."""

TOKENS = """
aws access key = AKIA{U16}
aws temporary access key = ASIA{U16}
github classic = ghp_{A36}
github oauth = gho_{A36}
github user to server = ghu_{A36}
github server to server = ghs_{A36}
github refresh = ghr_{A36}
github fine grained = github_pat_{A22}_{A59}
gitlab personal = glpat-{B20}
gitlab routable = glpat-{B27}.01.{l9}
gitlab deploy = gldt-{B20}
gitlab runner = glrt-{B20}
gitlab trigger = glptt-{h40}
gitlab job = glcbt-64_{B20}
slack bot = xoxb-{d12}-{d13}-{A24}
slack user = xoxp-{d12}-{d12}-{d12}-{h32}
slack app = xapp-1-A{C10}-{d13}-{h64}
slack refresh = xoxe-1-{A146}
stripe live = sk_live_{A24}
stripe test = sk_test_{A99}
stripe restricted = rk_live_{A24}
stripe webhook = whsec_{A32}
openai legacy = sk-{A20}T3BlbkFJ{A20}
openai project = sk-proj-{B74}T3BlbkFJ{B74}
openai service account = sk-svcacct-{B58}T3BlbkFJ{B58}
anthropic = sk-ant-api03-{B93}AA
anthropic oauth = sk-ant-oat01-{B93}AA
openrouter = sk-or-v1-{h64}
deepseek = sk-{h32}
google api = AIza{B35}
google oauth access = ya29.a0{B120}
google client secret = GOCSPX-{B28}
google refresh = 1//0{B60}
npm = npm_{A36}
pypi = pypi-AgEIcHlwaS5vcmc{B120}
docker hub = dckr_pat_{B27}
digitalocean personal = dop_v1_{h64}
digitalocean oauth = doo_v1_{h64}
heroku = HRKU-AA{B58}
sendgrid = SG.{B22}.{B43}
mailgun = key-{h32}
mailchimp = {h32}-us12
twilio key = SK{h32}
telegram bot = {d10}:AA{B33}
discord bot = MT{A24}.G{B5}.{B38}
shopify admin = shpat_{h32}
shopify shared = shpss_{h32}
square = sq0atp-{B22}
square secret = sq0csp-{B43}
hugging face = hf_{A34}
replicate = r8_{A37}
databricks = dapi{h32}
linear = lin_api_{A40}
notion old = secret_{A43}
notion = ntn_{d11}{A35}
figma = figd_{B40}
airtable = pat{A14}.{h64}
atlassian = ATATT3xFfGF0{B176}={H8}
bitbucket = ATBB{A32}
new relic = NRAK-{C27}
grafana cloud = glc_{A80}
grafana service account = glsa_{A32}_{h8}
sentry user = sntryu_{h64}
planetscale token = pscale_tkn_{B43}
planetscale password = pscale_pw_{B43}
supabase personal = sbp_{h40}
supabase secret = sb_secret_{B22}_{B8}
netlify = nfp_{A36}
fly = fo1_{B43}
doppler personal = dp.pt.{A43}
doppler service = dp.st.prd.{A43}
vault service = hvs.{B95}
vault batch = hvb.{B138}
terraform cloud = {A14}.atlasv1.{B67}
pulumi = pul-{h40}
circleci = CCIPAT_{A22}_{h40}
buildkite = bkua_{h40}
postman = PMAK-{h24}-{h34}
rubygems = rubygems_{h48}
crates = cio{A32}
nuget = oy2{l43}
artifactory = AKCp{A69}
sonar project = sqp_{h40}
sonar user = squ_{h40}
groq = gsk_{A52}
perplexity = pplx-{A48}
xai = xai-{A80}
cerebras = csk-{l48}
nvidia = nvapi-{B64}
langsmith = lsv2_pt_{h32}_{h10}
langfuse = sk-lf-{uuid}
pinecone = pcsk_{A6}_{A60}
tailscale = tskey-auth-k{A11}CNTRL-{A32}
onepassword service account = ops_eyJ{P250}
age = AGE-SECRET-KEY-1{z58}
json web token = eyJhbGciOiJIUzI1NiJ9.eyJ{B60}.{B43}
azure client secret = {A3}8Q~{B34}
contentful = CFPAT-{B43}
dynatrace = dt0c01.{C24}.{C64}
easypost = EZAK{A54}
prefect = pnu_{A36}
readme = rdme_{l70}
frameio = fio-u-{B64}
shippo = shippo_live_{h40}
flutterwave = FLWSECK_TEST-{h32}-X
brevo = xkeysib-{h64}-{A16}
clojars = CLOJARS_{l60}
scalingo = tk-us-{B48}
alibaba = LTAI{A20}
infracost = ico-{A32}
adobe = p8e-{l32}
resend = re_{A8}_{A24}
launchdarkly = sdk-{uuid}
mapbox secret = sk.eyJ{A80}.{B22}
facebook = EAA{A120}
dropbox = sl.{B135}
plaid = access-production-{uuid}
razorpay = rzp_live_{A14}
mollie = live_{A30}
sourcegraph = sgp_{h16}_{h40}
tavily = tvly-{A32}
firecrawl = fc-{h32}
elevenlabs = sk_{h48}
neon = napi_{l64}
modal = as-{A22}
render = rnd_{A28}
typeform = tfp_{B44}_{A14}
duffel = duffel_live_{B43}
"""

KEYS = (
    "RSA PRIVATE KEY",
    "PRIVATE KEY",
    "EC PRIVATE KEY",
    "OPENSSH PRIVATE KEY",
    "ENCRYPTED PRIVATE KEY",
    "DSA PRIVATE KEY",
    "PGP PRIVATE KEY BLOCK",
)
"""What stands behind BEGIN in an armoured key."""

WRAPPINGS = {
    "key in a json string": ('{"private_key": "', "\\n", '\\n", "client_id": "12"}', ""),
    "key in an env line": ('SIGNING_KEY="', "\\n", '"', ""),
    "key in json in json": ('{"body": "{\\"private_key\\": \\"', "\\\\n", '\\"}"}', ""),
    "key in a yaml block": ("tls.key: |\n", "\n", "", "    "),
    "key in a heredoc": ("cat > id_rsa <<'EOF'\n", "\n", "\nEOF", ""),
    "key in a quotation": ("", "\n", "", "> "),
    "key in a fence": ("```\n", "\n", "\n```", ""),
    "key with crlf": ("", "\r\n", "", ""),
    "key in a diff": ("", "\n", "", "+"),
    "key in a listing with numbers": ("", "\n", "", "   12\t"),
    "key on one line": ("", " ", "", ""),
    "key in terraform": ("private_key = <<-KEY\n", "\n", "\n  KEY", "    "),
    "key in xml": ("<key><![CDATA[", "\n", "]]></key>", ""),
    "key in python": ('PEM = """', "\n", '"""', ""),
    "key in joined literals": ("", '\\n" +\n', "", '    "'),
    "key with escaped crlf": ('"key": "', "\\r\\n", '"', ""),
}
"""Head, what parts the lines, tail, indent."""
