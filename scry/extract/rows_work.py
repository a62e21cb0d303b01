"""Ways of saying how something is done: commands, steps, and what something is made with.

Rows of the table in `patterns`, whose docstring tells what the columns and groups mean.
"""

_RUN = "run start launch serve boot get bring build compile bundle deploy ship release publish roll test"
_DOING = "testing checking starting running launching building compiling deploying shipping releasing publishing"
_DOES = "starts launches runs builds deploys ships releases publishes"
_EFFECT = (
    "sets runs starts builds creates does deploys generates regenerates resets updates checks lints seeds restores applies"
    " installs brings gives opens rolls publishes spins wipes rebuilds syncs formats dumps imports exports migrates tests"
    " writes takes dumps reads shows lists removes deletes drops rolls releases ships stops restarts cleans refreshes recreates loads pulls pushes rotates verifies renders compiles"
)
_ASK = "get start run bring build deploy seed reset restore create open publish release generate regenerate lint format check connect test roll update refresh dump import export migrate sync install clean ship stop restart rebuild recreate log"

_STATE = (
    r"(?:not|a|an|the|too|so|in|done|broken|slow|red|down|fixed|still|now|very|full|up|back|all|missing|failing|green|fine|working|ok|okay|paused|live|frozen|retired|deprecated|required"
    r"|enabled|disabled|optional|easy|hard|great|nice|good|bad|important|expensive|cheap|impossible|possible|running|stuck|blocked|empty|this|that|it|my|your|pending|unclear|next|gone|on|off|also|just|only|always|never|really)\b"
)

# fmt: off
ROWS = (
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
    ("runbook", "", "steps", r"steps (?:for|to) (?!reproduce)[\w -]{3,60}: (?P<what>.{10,260})", "steps for restoring a backup: `systemctl stop shop`, then `pg_restore latest.dump`"),
    ("procedure", "", ": =", r"(?P<label>(?:how (?:we|i|you|to) )?<LABEL>) ?(?::|=) ?(?:(?:just|simply|run|use|it's|via) )?<CMDS>", "migrations: `./manage.py migrate --database=main`, then restart"),
    ("procedure", "", "to for", r"(?:to|for) (?!me\b|see\b|be\b)[a-z]+ .{2,70}?(?:[,:]| -)? ?<HOW><CMDS>", "To regenerate the fixtures run `UPDATE=1 go test ./...`."),
    ("procedure", "", "is are turned", r"(?:the )?<LABEL> (?:is|are|turned out to be)(?: now| just)?:? (?:done (?:with|by|via) )?<CMDS>", "The right invocation is `cargo test --workspace`; nothing else works."),
    ("procedure", "", "with using via through by", r"<NOUN> (?:runs?|works?|starts?|go(?:es)?|happens?|(?:is|are|must be|ha(?:s|ve) to be|can be|should be|needs? to be|gets?) [a-z]+)(?: [a-z]+)? <WITH> <CMDS>",
     "The benchmark is started with `hyperfine ./target/app` and takes a minute."),
    ("procedure", "", _EFFECT, rf"(?:`(?P<what>[^`]{{2,200}})`|(?P<bare>(?:make|just|npm run|pnpm|yarn|cargo|task|mise run|uv run|poetry run) [\w:-]+)) (?:{_EFFECT.replace(' ', '|')}|will|is (?:how|what)) (?!not\b).{{3,}}",
     "`make bootstrap` sets up a fresh laptop."),
    ("procedure", "", _ASK, rf"(?:you|we|i)(?: (?:can|always|usually|just|only|now|should|must|have to))* (?:{_ASK.replace(' ', '|')})\b .{{0,70}}?<WITH> <CMDS>", "You get a console with `heroku run rails c -a shop`, careful."),
    ("procedure", "", "run use call comment", r"(?:(?:just|please|always) )?(?:run|use|call|comment) <CMDS> (?:to (?!see\b)|for |whenever |every |from the root|in order|on the pr|when (?:you|we) )\b.{2,}", "run `just gen` to refresh the types"),
    ("procedure", "", "run use", r"(?:run|use) `(?P<what>[^`]{2,200})` from (?:the )?(?:repo(?:sitory)? )?root\b.*", "run `bazel build //...` from the root"),
    ("procedure", "", "must has need needs have", r"<NOUN> (?:must|has to|have to|needs? to) (?:be |run |get ).{3,80}?(?:,|:| -) <CMDS>", "The mock server has to be up before the tests, `npm run mock &`"),
    ("procedure", "", "before after whenever when for", r"(?:before|after|whenever|when|for) [^,;]{3,60}?,? (?:run|use|do|call) <CMDS>", "before pushing run `just ci`"),
    ("procedure", "", "need have must should", r"(?:you|we) (?:need to|have to|must|should) (?:run|use|call|do) <CMDS>", "you need to run `make proto` after a change of the schema"),
    ("procedure", "", "it's its", r"it's <CMDS> (?:for|to) .{3,}", "its `just e2e` for the browser tests"),
    ("procedure", "", "needs need", r"<NOUN> needs? `(?P<what>[^`]{2,200})` (?:first|before)\b.*", "integration tests need `docker compose up -d db` first"),
    ("stack", "", "via through with", r"<NOUN> (?:go|goes|is sent|are sent|is handled|are handled|is done|are done)(?: out)? (?:via|with) (?!(?:the|a|an|it|this|that|no|to)\b)[\w.-]{3,30}(?:[,.;] .*|[.!]*)$", "mail goes out via postmark"),
    ("advice", "", "run start build deploy apply restore seed check lint format publish generate regenerate create", r"(?:run|start|build|deploy|apply|restore|seed|check|lint|format|publish|generate|regenerate|create) (?:the |all )?[\w -]{3,50}? <WITH> <CMDS>", "Run the migrations with `alembic upgrade head`."),
    ("procedure", "", "run", r"run `(?P<what>[^`]{2,200})` (?:before|after|whenever) (?:you|every|each|any|\w+ing)\b.{2,}", "run `make fmt` before every commit"),
    ("runbook", "", "restoring restore recover recovering recovery bringing rollback rolling back", (r"(?:(?:to )?(?:restor(?:e|ing)|recover(?:y|ing)?|bring(?:ing)? .{2,40}? back|roll(?:ing)? ?back)\b.{0,60}?)"
     r"(?::|,? (?:goes|works) like (?:this|so)[:,]?|,? means[: ]) (?P<what>.{12,260})"), "Restoring the shop works like this: stop the worker, load the last dump, start it again"),

    ("stack", "", "written built implemented coded done", r"(?!(?:the )?(?:script|function|test|file|class|module)\b)<THING> (?:is|are) (?:all |completely |mostly )?(?:written|built|implemented|coded)(?: entirely)? (?:in|with|on top of|on) <TOOL>", "The cli is written in Go, the prototype was not."),
    ("stack", "", "code", r"(?:the )?(?:whole|rest|most|all) (?:of )?<THING> is <TOOL> code", "The whole of hermes is Elixir code"),
    ("stack", "", "is are happens runs = : goes", r"(?:the |our )?(?P<label>monitoring|logging|tracing|ci|ci/cd|cd|hosting|packaging|linting|formatting|type[- ]?checking|storage|caching|queue(?:ing|s)?|search|auth\w*|login|styling|e2e|state management|bundling"
     r"|dependency management|infra(?:structure)?|metrics|alerting|frontend|backend|web framework|framework|formatter|linter|package manager|test runner|build tool|bundler|orm|database|db|message (?:broker|queue)|broker|cache|(?:tech )?stack|i18n|charts|migrations)(?: ?[:=]|"
     r" (?:is|are|happens|runs|goes|works)(?: (?:all|done|handled|based|built|written|now))*(?: (?:by|with|via|through|on|in))?) (?!" + _STATE + r")[\w+`.-]{2,30}(?: [\w.+-]+){0,2}(?: ?(?:\+|and|with|plus|here|for|on top|,|\().*|[.!]*)$", "monitoring is Prometheus + Grafana here"),
    ("stack", "", "for", r"for [\w -]{2,30}? we (?:have|use|run|rely on) (?!(?:a|an|the|no|it|this|that|to)\b)[\w`.+-]{2,30}.*", "for feature flags we have unleash"),
    ("stack", "", "uses use runs", r"(?:the |our |this )?(?:project|repo|repository|codebase|app|monorepo|frontend|backend|site|package|ci|pipeline|build|test suite|tests|[\w-]+ service) (?:uses?|runs on|relies on|is based on) (?!.*[`(])(?:[A-Z][\w.+-]*|<NAMED>)(?: [A-Z][\w.+-]*)*(?: (?:for|with|and|as|to manage|to build|in) .{2,}|[.!]*$)", "The project uses Poetry for its dependencies."),
    ("stack", "", "we team they", (r"(?:<IN>)(?:we|the team|the \w+ team)(?: (?:all|also|only|always|already|now))? (?:uses?|formats?|lints?|tests?|deploys?|builds?|manages?|tracks?|monitors?|provisions?|hosts?|writes?|generates?|bundles?|scans?|mocks?|migrates?|handles?)"
     r" (?!`[^`]*[._(])(?!(?:it|that|this|them|the|an?|two|three|both|one|those|these)\b)[\w`][^,;:]{0,60}? (?:for|with|in|via|through|as) .{2,120}"), "We use mise for tool versions."),
    ("stack", "", "we", r"(?:<IN>)we (?:lint|format|test|deploy|build|bundle|monitor|track|type-?check|scan|provision|develop|release|log|mock|document|containeri[sz]e|chat|plan)(?: (?:everything|it all|all of it))? (?:with|via|using|through) (?!(?:it|that|this|the|a|an|no)\b)[\w`.+-]{2,30}(?:[,.;( ].*|[.!]*)$", "we lint with ruff"),
    ("stack", "", "does do handles manages", r"<THING> (?:does|do|handles?|manages?) (?:its|their|all|the) [\w -]{2,30} (?:with|via|through) (?!it\b|that\b|this\b|an?\b|the\b)[\w`].{1,80}", "hermes does its caching with Redis"),
    ("stack", "", "for leans relies", r"for [\w -]{2,30}?,? <THING> (?:leans on|relies on|uses) (?!it\b|that\b|this\b|an?\b|the\b)[\w`].{1,80}", "for queueing hermes leans on NATS"),
    ("stack", "", "pinned bumped upgraded", r"(?:we |i )?(?:have |'ve )?(?:just )?(?:pinned|bumped|upgraded) <THING> (?:at|to) (?!the\b|be\b|it\b|that\b)[\w`][\w`.+ -]{1,40}<STOP>", "pinned hermes at Python 3.12"),
    ("stack", "", "compiles builds runs", r"<THING>(?: now)? (?:compiles|builds|runs|is built) (?:with|against|under) (?!the\b|an?\b|it\b|no\b)[A-Z`][\w`.+#-]*(?: \d[\w.]*)?<STOP>", "hermes now compiles with OpenSSL 3.3."),
    ("stack", "", "talks", r"<THING>(?: now)? talks to (?!the\b|an?\b|it\b|me\b)[\w`.+-]+ for .{3,60}", "hermes now talks to Redis for caching."),
)
# fmt: on
