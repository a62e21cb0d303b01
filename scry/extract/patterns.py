r"""The table of what rules look for: plain English, one row a way of saying it.

    kind  qualifier  trigger words  regular expression  example

A row is tried at the *start* of a sentence only (behind "so", "btw," and the like), and only when the sentence holds
one of its trigger words.  Groups mean: `what` the value (else the kept sentence), `say` the part of the sentence that
is kept (else all of it), `s` the subject, `o` the other end, `q` the word that gives the qualifier, `bare` a command
without backticks.  `<S>`, `<O>`, `<CMD>` and so on stand for the shapes in `_SHAPES`.

To extend: add a row.  The tests run every example and want exactly one claim of that kind from it, so a row without a
good example does not pass.  Keep quantifiers bounded, for time must stay linear.
"""

import re
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Kind:
    """What the rows of one kind have in common.

    `fact` is the stored sentence, behind the subject's name where it does not name it.  `subject` says what `s` must
    be: `named` a clear name; `own` that, or a word for the project ("the app"); `loose` anything, and what is no clear
    name is said of the project.
    """

    relation: str
    confidence: float
    subject: str = "loose"
    fact: str = "{said}"
    users_only: bool = False
    lasting: bool = False


@dataclass(frozen=True, slots=True)
class Pattern:
    """One way of saying something; see the module."""

    kind: str
    qualifier: str
    words: frozenset[str]
    shape: str
    example: str

    @property
    def regex(self) -> re.Pattern[str]:
        """The expression with its shapes filled in, compiled when it is first needed."""
        return _regex(self.shape)


KINDS = {
    "rule": Kind("enforces", 0.6, users_only=True, lasting=True),
    "preference": Kind(
        "prefers", 0.6, "loose", "the user prefers {what}", users_only=True, lasting=True
    ),
    "command": Kind("uses", 0.6, "own", "the {q} command is `{what}`", lasting=True),
    "choice": Kind("decided", 0.6, users_only=True, lasting=True),
    "decision": Kind("decided", 0.6, lasting=True),
    "host": Kind("runs_on", 0.55, "named"),
    "move": Kind("runs_on", 0.55, "named"),
    "deployment": Kind("deployed_on", 0.55, "named"),
    "address": Kind("located_at", 0.55, "named"),
    "status": Kind("status", 0.55, "named"),
    "blocker": Kind("blocked_by", 0.5),
    "issue": Kind("has_issue", 0.5),
    "dead end": Kind("conflicts_with", 0.5),
    "fix": Kind("has_issue", 0.5),
    "tool": Kind("uses", 0.4),
}

# --- words -------------------------------------------------------------------------------------

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
    ssh mise nix bash sh task dart tsx pdm air""".split()
)
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
    "before after and to if when in on the for a then first again please it with or but because now".split()
)
"""Words that show that a command without backticks has run into prose."""
STARTERS = frozenset(
    """always never no from we the decided agreed decision tried please all every each don't do let's our my a an for in
    when before after this root nobody only you going tests moved deployed any stop it there""".split()
)
"""First words that lose their capital behind the subject's name."""
ENVIRONMENT = re.compile(
    r"\b(production|prod|staging|development|qa|preview|canary)\b", re.IGNORECASE
)

# --- the table ---------------------------------------------------------------------------------

_SHAPES = {
    "S": r"(?P<s>(?:(?:the|our|my|this) )?(?:`[^`]{1,60}`|[\w.+#()/-]{1,60})(?: [\w.+#()-]{1,40}){0,3}?)",
    "O": r"(?P<o>(?:(?:the|our|my|an?) )?(?:`[^`]{1,60}`|[\w.+#:/-]{1,80})(?: [\w.+#-]{1,40}){0,3}?)",
    "CMD": r"(?:`(?P<what>[^`]{2,160})`|(?P<bare>[\w./-]{2,40}(?: [\w./:=@-]{1,60}){0,5})[.!]?$)",
    "OF": r"(?: (?:of|for|in) <S>)?",
    "TESTS": r"(?:the |all |our )?(?:unit |integration |full |whole |e2e )?(?:tests?|test suite|suite|specs)",
    "USE": r"[,:]? (?:(?:just|simply) )?(?:(?:use|run|type|do|execute|call|it's|we use|we run|you run) )?",
    "WITH": r"(?:with|using|via|through|by running|under)",
    "WE": r"(?:(?:we|i|you)(?:'ve| have)?(?: (?:can|should|always|now|just|usually|finally|also|then))? )?",
    "VERB": r"(?!(?:mind|again|before|the|an?|had|have|been|is|was|were|seen|ever|did|knew|know|known|got|get|ran|saw|came|went"
    r"|made|took|found|heard|thought|built|sent|told|kept|left|lost|began|gave|done|forget|want|like|love|hate|mean|in|on|at"
    r"|this|that|really|quite|good|nice|happy|wrong|right|more|less|too|so|good|bad|see|seem|true|false|free|possible|null"
    r"|there|available|been|able|possible|necessary)\b)(?!\w+(?:ed|ing)\b)(?!\w+[^su]s\b)[a-z]+(?:-[a-z]+)?",
    "STATE": r"(?P<what>paused|live|deprecated|retired|frozen|archived|on hold|abandoned|discontinued|in (?:alpha|beta"
    r"|maintenance(?: mode)?)|feature[- ]complete|unmaintained|read-only|decommissioned|end[- ]of[- ]life|shelved|degraded"
    r"|offline|down|sunset|cancelled|canceled|(?:done|finished|complete) now)",
    "END": r"(?:,? (?:now|again|already|today|yesterday|last (?:night|week|month)|this (?:morning|week|month)|instead|for good"
    r"|(?:since|as of|from|on) [\w ,-]{3,25}|too|as well|\([^)]{1,40}\)|in (?:production|prod|staging|qa))){0,2}"
    r"(?:[.!,;:]*$|[,;(]| (?:and|but|because|with|under|via|so|which|where|behind|until|after)\b)",
}
_RUN = "run start launch serve boot get bring build compile bundle deploy ship release publish roll test"
_DOING = "testing checking starting running launching building compiling deploying shipping releasing publishing"
_DOES = "starts launches runs builds deploys ships releases publishes"
_STATES = """paused live deprecated retired frozen archived hold abandoned discontinued alpha beta maintenance feature
unmaintained read decommissioned end shelved degraded offline down sunset cancelled canceled now"""
_CHOSE = "decided agreed settled settle opted chose chosen voted"

# fmt: off
_ROWS = (
    ("command", "test", "test tests suite specs", r"<WE>run <TESTS><OF> <WITH> <CMD>", "Run the tests with `just check`."),
    ("command", "test", "test tests suite specs", r"to run <TESTS><OF>(?: locally)?<USE><CMD>", "To run the tests, use `cargo nextest run`."),
    ("command", "test", "test tests suite specs", r"<TESTS><OF> (?:runs?|(?:is|are) run|go(?:es)?) <WITH> <CMD>", "The suite runs with `npm test`."),
    ("command", "test", "runs run", r"`(?P<what>[^`]{2,160})` runs <TESTS><OF>[.!,]*$", "`make check` runs the tests."),
    ("command", "", _RUN, rf"<WE>(?P<q>{_RUN.replace(' ', '|')})(?: out)?(?: <S>)?(?: locally)? <WITH> <CMD>", "We deploy with `fly deploy`."),
    ("command", "run", "get bring", r"to (?:get|bring) <S> (?:going|running|up|started)(?: locally)?<USE><CMD>", "To get it going locally: `just dev`."),
    ("command", "", _RUN, (r"to (?P<q>run|start|launch|serve|boot|build|compile|deploy|ship|release|publish|test|roll)(?: out)?(?: <S>)?"
     r"(?: up)?(?: locally)?<USE><CMD>"), "To start it: `npm run dev`."),
    ("command", "", "command script", (r"(?:the |our )?(?P<q>test|run|start|dev|build|deploy|release|publish|launch)(?:ment)? (?:command|script)"
     r"<OF> is(?: now)?:? <CMD>"), "The deploy command is `make ship`."),
    ("command", "", "test tests run start dev build deploy release", r"(?P<q>tests?|run|start|dev|build|deploy|release): <CMD>[.!]*$", "build: `make all`"),
    ("command", "", _DOING, rf"(?P<q>{_DOING.replace(' ', '|')})(?: <S>)? (?:is|works with|goes through|happens with|is done with)(?: just| now)?:? <CMD>",
     "Deploying is `./ops/ship.sh`."),
    ("command", "", _DOES, rf"<S> (?P<q>{_DOES.replace(' ', '|')})(?: locally)? <WITH> <CMD>", "The app starts with `docker compose up`."),
    ("command", "", _DOES, rf"`(?P<what>[^`]{{2,160}})` (?P<q>{_DOES.replace(' ', '|')})(?: <S>)?(?: locally)?[.!,]*$", "`uv run serve` starts the app."),

    ("rule", "", "always never", r"(?:(?:we|you (?:must|should|have to|need to)) )?(?:always|never(?:,? ever,?)?) <VERB>\b.{3,}", "Never release on a Friday."),
    ("rule", "", "always never", r"(?:when|before|after|whenever|for|in|on|every time) [^,]{3,80}, (?:always|never) <VERB>\b.{3,}", "Before a commit, always run the linter."),
    ("rule", "", "always never", r"(?:make|be) sure(?: that)?(?: you| we)?(?: to)? (?P<say>(?:always|never) <VERB>\b.{3,})", "Make sure to always pin versions."),
    ("rule", "", "ever", r"(?:do not|don't|no(?! (?:problem|luck|way|idea|worries|issue)))\b (?:ever .{4,}|.{4,200}?,? ever(?: again)?[.!]*$)", "No release on Fridays, ever."),
    ("rule", "", "from going henceforth", r"(?:from (?:now|here|today) on|going forward|henceforth)[,:]? (?P<say>.{8,})", "From now on, use tabs."),
    ("rule", "", "rule policy convention", (r"(?:(?:as a|the|our|new|house|standing|hard|general|team) ){0,2}(?:rule|policy|convention)(?: is)?"
     r"(?::|,| that) ?(?P<say>.{8,})"), "House rule: one approval before a merge."),
    ("rule", "", "remember mind", r"(?:always )?(?:remember|(?:keep|bear) in mind)(?: that|:) (?P<say>.{8,})", "Remember that staging is wiped every night."),
    ("rule", "", "must may has have", r"(?:(?:all(?! of)|every|each) [\w /-]{2,60}? (?:must|has to|have to)|no [\w /-]{2,60}? (?:must|may)) .{3,}",
     "Every endpoint must answer within 300 ms."),
    ("rule", "", "must", r"(?!(?:it|this|that|there|they|he|she|i|the|an?|my)\b)[\w `./-]{2,60}? must (?:not|never|always|only) .{3,}", "Tests must not touch the network."),
    ("rule", "", "banned off forbidden allowed", (r"(?!(?:it|this|that|there|they|i)\b)[\w ,.'-]{2,80}? (?:is|are) (?:banned|off[- ]limits|(?:strictly )?forbidden here"
     r"|not allowed (?:here|in this (?:repo|project|codebase)))\b.{0,200}$"), "Floats are banned in this project."),
    ("rule", "", "only", r"only [\w ]{2,40}? (?:may|(?:is|are) allowed to) (?:push|merge|deploy|release|approve)\b.{3,}", "Only maintainers may merge to main."),
    ("rule", "", "don't not", r"we (?:do not|don't) <VERB> .{3,120}? (?:here|at all|in this (?:repo|project|codebase))[.!]*$", "We don't use semicolons here."),
    ("rule", "", "nobody one", r"(?:nobody|no[- ]one) (?:commits|pushes|edits|patches|touches|merges|deploys|releases|changes|adds|deletes) .{3,}", "Nobody pushes to main."),
    ("preference", "", "prefer", r"(?:i|we)(?: (?:really|always|generally|usually|much|strongly))? prefer (?P<what>(?!.*\b(?:it|this|that)\b).{3,200})", "I prefer small commits over big ones."),
    ("preference", "", "preference", r"my preference is (?P<what>.{3,200})", "My preference is plain SQL."),
    ("preference", "", "my", r"i like my (?P<what>(?:code|commits?|commit messages|tests?|functions?|docs|docstrings|diffs|branches|answers|imports) .{3,200})", "I like my commit messages short."),

    ("decision", "", _CHOSE, rf"(?:we|the team)(?:'ve| have)?(?: (?:all|now|just|finally))? (?:{_CHOSE.replace(' ', '|')})(?: (?:that|to|on|for))?:? (?P<what>.{{3,250}})",
     "We decided to keep SQLite instead of Postgres."),
    ("decision", "", "decided decision agreed", r"(?:it was )?(?:(?:the |our |final )?decision(?: is| was)?|decided|agreed)(?::| that| to) ?(?P<what>.{3,250})", "Decided: templates go to Jinja."),
    ("choice", "", _CHOSE, rf"i(?:'ve| have)? (?:{_CHOSE.replace(' ', '|')})(?: (?:that|to|on|for))?:? (?P<what>.{{3,250}})", "I've decided to drop Python 3.9."),
    ("choice", "", "let's lets", r"let'?s (?:(?:go|stick|stay) with (?P<what>.{2,250})|use .{2,120} (?:instead of|rather than|over) .{2,120})", "Let's go with Redis instead of Memcached."),
    ("decision", "", "use", r"we(?: (?:now|only|always))? use (?P<what>(?!`[^`]*[._(])(?!it\b).{2,120}? (?:instead of|rather than|over|and not) .{2,120})", "We use pnpm instead of npm."),
    ("decision", "", "go going stick sticking stay staying", r"we(?:'ll|'re| will| are)? (?:go|stick|stay)(?:k?ing)? with (?P<what>.{2,250})", "We'll stick with Postgres."),
    ("choice", "", "switched moved migrated", r"we(?:'ve| have)? (?:(?:just|now|finally) )?(?:switched|moved|migrated) from (?P<what>.{2,60} to .{2,120})", "We switched from Jest to Vitest."),

    ("host", "", "runs running lives hosted sits", r"<S>(?: now| currently| still)? (?:runs|is running|lives|is hosted|sits) (?:now )?on <O><END>", "hermes runs on the old laptop now."),
    ("deployment", "", "deployed", r"<S>(?: is| was| has been)(?: now)? deployed (?:on|to) <O><END>", "hermes is deployed on fly.io."),
    ("deployment", "", "deploy deployed", r"(?:we|i)(?:'ve| have)?(?: now)? deploy(?:ed)?(?: <S>)? to <O><END>", "We deploy to `lab-cluster`."),
    ("move", "", "moved migrated", r"<WE>(?:moved|migrated) <S>(?: over)?(?: from .{2,40}?)? (?:on)?to <O><END>", "We moved hermes to the host db1."),
    ("address", "", "listens", r"<S>(?: now)? listens on (?:port )?(?P<what>:?\d{2,5}|[\w.-]{1,60}:\d{2,5})<END>", "hermes listens on port 8080."),
    ("address", "", "reachable available", r"<S> is (?:now )?(?:reachable|available|served) (?:at|under) `?(?P<what>(?:https?://)?[\w-]+(?:\.[\w-]+)+[\w/:.-]*)`?<END>",
     "hermes is reachable at https://hermes.example.org."),
    ("status", "", _STATES, r"<S> (?:is|are|went|has been|was)(?: now| currently| still| officially)? <STATE><END>", "hermes is paused."),
    ("status", "", _STATES, r"(?:<WE>(?:set|put|marked|mark)|treat|consider) <S> (?:to|as|on|into) ['\"`]?<STATE>['\"`]?<END>", "I put hermes to 'frozen'."),
    ("status", "", "paused archived deprecated retired decommissioned discontinued", r"(?:we|i)(?:'ve| have)?(?: just| now)? (?P<what>paused|archived|deprecated|retired|decommissioned|discontinued) <S><END>",
     "We retired hermes."),

    ("blocker", "", "blocked", r"(?:(?:we|i|it|this|<S>) ?(?:'re|'m|'s|are|am|is) )?(?:(?:still|currently) )?blocked (?:by|on) (?P<what>.{4,200})", "We are blocked by the missing certificate."),
    ("issue", "", "work start build compile boot connect", r"(?P<what><S> (?:doesn't|does not|won't|can't|cannot) (?:work|start|build|compile|boot|connect)\b.{0,60}? because .{5,200})",
     "The importer doesn't work because the feed has no dates."),
    ("dead end", "", "tried", r"(?:(?:we|i)(?:'ve| have)? )?(?:already )?tried <O>,?(?: (?:in|for|with) .{2,40}?)?,? (?:but .{5,}|and (?:threw|dropped|reverted|removed|abandoned|gave|rolled)\b.{3,})",
     "We tried Redis but it lost writes."),
    ("dead end", "", "dead blind", r"(?P<what>[^,;:]{3,60}?) (?:was|is|turned out to be|proved) an? (?:dead end|blind alley)\b.{0,200}", "The Docker route was a dead end."),
    ("dead end", "", "gave", r"(?:we|i) gave up on <O> (?:because|since|as) .{5,}", "We gave up on GraphQL because nobody could debug it."),
    ("fix", "", "problem issue bug culprit cause outage", (r"the (?:problem|issue|bug|culprit|root cause|cause|outage)(?: (?:with|of|in) <S>)? (?:was|came down to)(?: this:)? "
     r"(?:that )?(?P<what>.{5,160}?)[,;.] (?:(?:and|it was|we|i) ){0,2}(?:fixed|solved|resolved|cured) (?:it )?(?:by|with) .{3,160}"), "The problem was a stale lock, fixed by deleting it."),
    ("fix", "", "cause", r"(?:the )?root cause(?: (?:for|of|in) <S>)?(?::| was| is) (?P<what>.{5,200})", "Root cause: a retry loop hammered the gateway."),
)
# fmt: on


@cache
def _regex(shape: str) -> re.Pattern[str]:
    while found := re.search(r"<([A-Z]+)>", shape):
        shape = shape.replace(found[0], _SHAPES[found[1]])
    return re.compile(shape, re.IGNORECASE)


TABLE = tuple(
    Pattern(kind, qualifier, frozenset(words.split()), shape, example)
    for kind, qualifier, words, shape, example in _ROWS
)
