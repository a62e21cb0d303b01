"""The words that the rules know: programs, places, names that are none, and what verbs mean.

`patterns` holds how things are said; here stands only what may fill the gaps.  A word that is
missing costs a find, a word too many a false one: when in doubt, leave it out.
"""

import re

ACTION_OF = {
    word: action
    for action, words in {
        "run": "run start dev launch serve boot get bring starts launches runs running starting launching serving",
        "test": "test tests check checks testing checking",
        "build": "build compile bundle builds compiles bundles building compiling",
        "deploy": "deploy ship release publish deploys ships releases publishes deploying shipping releasing roll",
    }.items()
    for word in words.split()
}
"""What a verb or label means as the qualifier of a command."""
DID = {"ran tests": ("test", "run its tests"), "built": ("build", "build")}
"""The breadcrumbs that tell of a tool: the qualifier, and the end of "uses X to ..."."""
RUNNERS = frozenset(
    """pytest tox nox jest vitest mocha playwright cypress cargo nextest go rspec phpunit ctest bats mvn gradle sbt dotnet
    swift bazel make just ninja cmake meson npm pnpm yarn bun deno vite webpack rollup esbuild turbo tsc docker podman mix
    stack cabal zig hatch poetry uv maturin lein flutter""".split()
)
"""Programs that are known well enough to be a tool when a breadcrumb names them."""
TESTERS = frozenset(
    "pytest tox nox jest vitest mocha playwright cypress nextest rspec phpunit ctest bats test".split()
)
"""Words of a command that tests, whatever the sentence calls it."""
PROGRAMS = RUNNERS | frozenset(
    """python python3 node npx ruby bundle rails rake php composer java gunicorn uvicorn flask docker-compose kubectl helm
    kustomize skaffold terraform tofu ansible-playbook fly flyctl vercel netlify wrangler firebase heroku gcloud aws az cdk
    sam serverless pulumi nomad systemctl supervisorctl pm2 caddy foreman overmind tilt cap fastlane twine git gh rsync scp
    ssh mise nix bash sh task dart tsx pdm air curl psql pg_restore pg_dump mysql mysqldump redis-cli sqlite3 restic velero borg
    rclone mongorestore mongodump kctx k9s kubectx dokku doctl hcloud oc argocd flux alembic manage.py uvx pipx pip pip3 brew
    xcodebuild adb flask sqlc buf protoc hyperfine k6 locust act vagrant packer consul vault nginx openssl dbt prefect dagster
    tmux screen journalctl wrk ab hugo jekyll mkdocs zola eleventy phx mint pytest ruff mypy eslint prettier biome golangci-lint
    swiftlint ktlint pre-commit lefthook atlantis terragrunt eas expo ng nx lerna rush moon php artisan sail drush wp""".split()
)
ENGLISH = frozenset(
    "make just go task cap fly screen act air stack mix tilt sail rush moon mint flux nomad".split()
)
"""Programs that are plain words too, and need a look at the next word."""
TOOLS = RUNNERS | frozenset(
    """redis postgres postgresql sqlite mysql mariadb mongodb duckdb rabbitmq kafka nats memcached elasticsearch nginx caddy
    traefik kubernetes terraform ansible jenkins prometheus grafana ruff mypy eslint prettier flake8 pylint celery sentry
    typescript javascript python rust golang node ruby java kotlin elixir react vue svelte angular django flask fastapi
    rails laravel github gitlab systemd cron""".split()
)
"""Software whose kind is no guess."""
KIND_BEFORE = {"server": "machine", "host": "machine", "machine": "machine", "service": "service"}
KIND_AFTER = dict.fromkeys("machine host box laptop vm vps".split(), "machine") | {
    "service": "service"
}
"""A word beside a name that says what it is: "the server db1", "the Billing service"."""
MACHINES = frozenset("box server host machine laptop desktop vm vps cluster nas mini pi".split())
"""The last word of a place that needs no name: "the old laptop"."""
FILLERS = frozenset(
    "sure it like one fine right good ahead back to do use run add keep make take ask go with as".split()
)
"""What follows such a program's name where it is a plain word."""
PROVIDERS = frozenset(
    """hetzner aws gcp azure heroku fly fly.io vercel netlify render railway cloudflare digitalocean linode ovh scaleway ec2
    ecs eks gke aks lambda fargate s3 r2 kubernetes k8s k3s nomad openshift docker swarm dokku coolify rds aurora supabase neon
    planetscale firebase testflight npm pypi crates.io ghcr quay artifactory""".split()
)
"""Places that others run."""
CODE = frozenset(
    """function method class callback loop thread variable value error exception cursor button modal test tests code handler
    hook query request response event page screen tooltip menu row column field key line lines argument promise component
    assertion regex animation spinner focus image icon branch commit pr diff message""".split()
)
"""Things inside a program: what is said of them is no deployment."""
DETERMINERS = frozenset("every each port it that this them me us you a all both".split())
NO_PLACE = frozenset(
    """startup boot save push commit demand schedule time average node top purpose hold track linux windows macos mac ios
    android every each weekends weekdays mondays fridays sundays saturdays tuesdays wednesdays thursdays port python main
    master it that this them me us you a the screen page click load read write both all""".split()
)
"""What follows "runs on" and is no machine."""
TRANSIENT = frozenset("down offline degraded".split())
"""States in which a thing of no known kind is not worth remembering."""
SELF = frozenset(
    """|we|us|it|this|everything|this project|the project|this repo|the repo|this repository|this codebase""".split(
        "|"
    )
)
OWN = SELF | frozenset(
    """the app|the application|the server|the dev server|the site|the website|the service|the stack|the whole thing|the api|
    the backend|the frontend|the bot|the daemon|the package|the image|the binary|a dev server|a local server""".replace(
        "\n    ", ""
    ).split("|")
)
GENERIC = frozenset(
    """app application server service api backend frontend database db main master develop branch build deploy deployment
    test tests suite ci cd pipeline job jobs site website project repo repository code codebase file files function class
    module package script bug issue error problem fix feature release version update docs doc readme config cache queue
    worker machine host box prod production staging dev local everything nothing something someone everyone nobody this
    that these those it he she they we you i one all none both what which who there here today tomorrow yesterday now then
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
    october november december pr mr ui http https url json yaml sql cpu gpu ram os ide llm ai cli sdk ssh tls dns done step
    phase end-to-end built-in e-mail linux windows macos""".split()
)
NO_NAME = re.compile(
    r"[0-9a-f]{7,40}|[A-Z]{2,10}-\d+|[a-z_]\w*\.\w+|.*[/\\~@:()=\[\]].*|.*\.(?:py|js|ts|tsx|jsx|go|rs|rb|c|h|cpp|java|md|txt|json|ya?ml"
    r"|toml|sh|sql|css|html|lock)|(?:re|pre|non|un|self|long|short|high|low|well|up|follow|check|set|sign|log|back|opt|read"
    r"|write|one|two|multi|real|full|half|cross|auto|end|sub|co)-\S+|\S+-(?:in|out|up|down|off|on|to|end|time|based|only|free"
    r"|side|level|line)"
)
"""Hashes, tickets, paths, files, and words that merely have a hyphen."""
FOLDERS = frozenset(
    "~ home src work workspace projects dev repos git tmp temp desktop documents root users".split()
)
"""Folders that name no project."""
PROSE = frozenset(
    "isn't aren't wasn't doesn't didn't don't won't can't says said has had does a an this that your my our is are was be been sure sense of into me us them before after and to if when in on the for a then first again please it with or but because now".split()
)
"""Words that show that a command without backticks has run into prose."""
STARTERS = frozenset(
    """only every all everything keep use nothing with by switching using neither per your you noted whenever ask make to
    always never no from we the decided agreed decision tried please all every each don't do let's our my a an for in
    when before after this root nobody only you going tests moved deployed any stop it there""".split()
)
"""First words that lose their capital behind the subject's name."""
ENVIRONMENT = re.compile(
    r"\b(production|prod|staging|development|qa|preview|canary)\b", re.IGNORECASE
)
