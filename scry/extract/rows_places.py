"""Ways of telling where something runs, lives or listens, in what state it is, and whose it is.

Rows of the table in `patterns`, whose docstring tells what the columns and groups mean.
"""

_STATES = """paused live deprecated retired frozen archived hold abandoned discontinued alpha beta maintenance feature
unmaintained read decommissioned end shelved degraded offline down sunset cancelled canceled now"""
_CARES = "owns own maintains maintain manages leads runs drives handles responsible charge looks takes call owner maintainer lead contact person"

# fmt: off
ROWS = (
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
    ("site", "", "runs run running lives live hosted sits installed deployed served on at behind", (r"<PLACED>,? (?:(?:now|currently|still|only|always|also) )*(?:runs?|is running|are running|lives?|is hosted|are hosted|sits?|is installed|is deployed|are deployed|is served)"
     r"(?: (?:now|currently|still|only|always|also|up))* (?:on|at|from|by|with|behind|to) <O><STOP>"), "prod runs on two hetzner boxes"),
    ("seat", "", "is are sits", r"<PLACED>,? (?:is|are|sits?)(?: (?:now|currently|still|only|always|also|up))* (?:on|at|behind) <O><STOP>", "staging is still on kiwi"),
    ("site", "", "up answers", r"<PLACED>(?: now)? (?:is up(?: and running)?|is back|answers|serves|responds)(?: now)? (?:on|from|at) <O><STOP>", "Prod answers from db2 now."),
    ("site", "", "moved migrated moves", r"(?:(?:we|i)(?:'ve| have)? )?(?:just |finally )?(?:moved|migrated|relocated) <PLACED>(?: over)?(?: (?:off|from|away from) .{2,40}?)? (?:on)?to <O><STOP>", "we moved the nightly job to nas-2"),
    ("site", "", "moved migrated", r"<PLACED> (?:(?:has|have|was|were|got)(?: been)? |just )?(?:moved|migrated|relocated)(?: over)?(?: (?:from|off|away from) .{2,40}?)? (?:on)?to <O><STOP>", "The staging database has moved to db2."),
    ("site", "", "deploy deploys ship ships host", r"(?:we|i)(?: now)? (?:deploy|host|ship|run)(?: <PLACED>| everything| it all)? (?:on|to|at|with) <O><STOP>", "we host the docs on netlify"),
    ("site", "", "deploys ships goes gets deployed", r"<PLACED> (?:deploys?|ships?|gets deployed|goes out)(?: now)? to <O><STOP>", "staging deploys to nas-2"),
    ("site", "", "from today on", r"from (?:today|now|tomorrow|this week)(?: on)?,? <PLACED> (?:lives|runs|sits) on <O><STOP>", "from today prod lives on db2"),
    ("spot", "", "lives live stored kept sits found is are", r"<PLACED> (?:lives?|(?:is|are) (?:stored|kept|found)|sits?)(?: now)? (?:in|at|under) (?P<what>`?[~/][\w./~-]{2,80}`?)(?:[ ,;.].*)?$", "The config lives in /etc/hermes/main.toml on every box"),
    ("spot", "", "address url reach open", r"(?:(?:the )?public (?:address|url) of|you (?:can )?(?:reach|open)|people (?:open|use|reach)) <S> (?:is|at|under|on) <PORT><STOP>", "you reach hermes at :8080"),
    ("spot", "", "bind port bound binds answers is", r"(?:(?:(?:i|we) )?(?:changed|moved|set) the (?:bind|port)(?: address)? of <S> to|<NOUN> (?:is (?:now )?bound to|binds to|answers at|is (?:now )?on port)) <PORT><STOP>", "hermes is bound to :9090 after the restart"),
    ("spot", "", "live up released out shipped", r"(?P<s>(?!(?:it|this|that|we|i|which|the (?:build|page|site))\b)(?:the )?[\w.-]+(?: [\w.-]+){0,3}) (?P<what>went live|is live(?= (?:on|at|in|since)\b)|went out|is out|was released|shipped to \w+)(?: (?:this|last|yesterday|today|on|since|in|now|for|at|with)\b.*|[.!]*$)", "quill v3 went live this morning"),
    ("spot", "", "upgraded updated still now", r"(?P<s>(?:the )?(?:prod|production|staging|dev|qa|[\w-]+ (?:cluster|server|box|database|db|runner)s?)) (?:(?:has|have|was|were|got)(?: been)? (?:upgraded|updated|bumped) to|(?:is|are) (?:still|now)(?: on)?) (?P<what>(?!running|listening)(?=[^,;]*\d)[\w.][\w. -]{1,40}?)<STOP>", "staging has been upgraded to k8s 1.31"),

    ("spot", "", "listens", r"<PLACED>(?: now)? listens on (?:port )?<PORT><STOP>", "The gateway listens on :8085 behind a proxy."),
    ("spot", "", "deployed released rolled shipped pushed", r"<PLACED> (?:got|was|has been|have been|is)(?: now)? (?:deployed|released|rolled out|shipped|pushed) to (?P<what>(?:prod|production|staging|stage|stg|qa|canary|all \w+s)\b).*", "atlas got deployed to prod this morning"),
    ("spot", "", "on in", r"(?P<s>(?=[^,;:]*\d)(?!<NOBODY>\b)(?:the |our )?[\w.-]+(?: [\w.-]+){0,3}?) (?:is|are)(?: now| still| live)* (?P<what>(?:on|in) (?:prod|production|staging|stage|stg|qa))\b.*", "quill v3 is in production since tuesday"),
    ("spot", "", "rolled upgraded downgraded bumped updated deployed", r"(?:we|i)(?:'ve| have)?(?: just)? (?:rolled back|upgraded|downgraded|bumped|updated|deployed) (?P<s>(?:the )?(?:prod|production|staging|[\w-]+ (?:cluster|server|box|database|db)s?|version [\w.]+|[\w-]+ v?\d[\w.]*)) (?:back )?to (?P<what>(?:prod|production|staging)\b|(?=[^,;]*\d)[\w.][\w. -]{1,40}?)(?:<STOP>|$)", "we rolled back prod to 1.8.2"),

    ("spot", "", "hosts serves", r"(?P<s>(?!<NOBODY>\b|(?:the|a|an)\b)[\w.-]+)(?: now)? (?P<what>hosts (?!(?:it|this|that|an?|events?|files?)\b)[\w`].{2,100})", "kiwi hosts atlas and the queue"),
    ("spot", "", "is", r"(?P<s>(?!<NOBODY>\b|(?:the|a|an)\b)[\w.-]+) (?P<what>is (?:now )?(?:the|our) (?:staging|prod\w*|dev|build|ci|backup|db|database|test|monitoring|mail|web) (?:box|server|host|machine|cluster|runner|vm|vps|node)\b).*", "mango is the staging box"),
    ("spot", "", "on", r"<PLACED> (?:is |runs |listens |answers )?(?:now )?on (?P<what>(?:port )?:?\d{4,5})(?:,| now| instead| because|[.!]*$).*", "redis is on 6380 now"),
    ("spot", "", "in", r"<PLACED> (?:is|are|runs?|lives?|sits?|stays?)(?: now| all)? in (?P<what>(?:eu|us|ap|sa|ca|af|me)-[a-z]+-\d)\b.*", "the lambda functions are in eu-west-1"),

    ("owner", "", _CARES, r"<WHO> (?:(?:now|currently|still|also) )?(?:owns?|maintains?|looks after|leads|drives|handles|is (?:now )?(?:responsible for|in charge of|on call for|the (?:owner|maintainer|lead|contact|person|one) (?:of|for|behind))|takes care of) (?!(?:it|this|that|them|errors?)\b).{3,}",
     "Jonas owns the payments code"),
    ("owner", "", "owner maintainer lead contact", r"(?:the |our )?(?:code ?owner|owner|maintainer|lead|contact|reviewer)s? (?:of|for|on) <NOUN> (?:is|are) (?!(?:not|set|null|missing|a|an|the)\b)[A-Z].{1,40}", "the owner of the gateway is Priya"),
    ("owner", "", "owned maintained run managed", r"(?!(?:it|this|that|which|i)\b)(?:the )?[\w`./-]+(?: [\w`./-]+){0,4} (?:is|are) (?:owned|maintained|run|managed|looked after|handled) by (?:the \w+ (?:team|guild|squad)|[A-Z][a-z]+\b).*", "the gateway is owned by the platform team"),
    ("owner", "", "belongs belong", r"(?!(?:it|this|that|which)\b)(?:the )?[\w`./-]+(?: [\w`./-]+){0,4} belongs? to (?:the \w+ (?:team|guild|squad)|[A-Z][a-z]+(?: now)?)(?:[ ,.;].*)?$", "the gateway belongs to the platform team"),
    ("owner", "", "nobody one", r"(?:nobody|no[- ]one) (?:really )?(?:owns|maintains|looks after|takes care of|is responsible for) (?!(?:it|this|that)\b).{3,}", "nobody maintains the scraper any more"),
    ("owner", "", "took taking handed hand takes", r"(?:<WHO> (?:took|taken|takes|is taking|are taking|am taking|'ve taken)(?: over)? (?!(?:it|this|that)\b)[\w`./ -]{2,50}? (?:over )?from|(?:i|we)(?:'ve| have)? handed <NOUN>(?: over)? to|handed <NOUN> over to|<WHO> (?:took|takes|has taken) over) (?!(?:it|this|that|the)\b)[\w`].{1,80}", "i took over atlas from Lena in may"),
    ("owner", "", "ask ping talk", r"(?:please )?(?:ask|ping|talk to|check with|go to) (?:(?P<w>[A-Z][a-z]+|the \w+ team|\w+(?=,? (?:he|she|they)\b)) )(?:about|for|when|if|before|regarding) (?!(?:it|this|that)\b).{3,}", "ask Priya about the gateway"),
    ("owner", "", "baby", r"<NOUN> is [A-Z]\w+(?: \w+)?'s (?:baby|job|turf|area|domain|responsibility|thing)\b.*", "hermes is Maren's baby now"),
    ("owner", "", "questions stuff anything issues topics things everything", r"(?:for |about )?(?:anything|everything|questions?|stuff|[\w/-]+(?: [\w/-]+){0,2} (?:questions?|stuff|issues|topics|things|matters))(?: (?:about|on|around|with|for|in|regarding) [\w` /-]{2,40}?)?,? (?:goes? to|belongs? to|ping|ask|talk to|contact|is|are) (?:the \w+ team|[A-Z]\w+(?:'s)?)\b(?! not).*", "anything about payments goes to Jonas"),
    ("owner", "", "owner maintainer contact reviewer", r"(?:<NOUN>[:,] )?(?:the |code ?)?(?:owner|maintainer|contact|reviewer)(?: of <NOUN>)?(?: is|:| =) (?!(?:TBD|None|Unknown|N/?A)\b)(?:@[\w-]+|the \w+ team|[A-Z][a-z]+(?: [A-Z][a-z]+)?)(?:[,.;( ].*)?$", "gateway: owner is Priya"),
    ("owner", "", "lists names", r"[\w`./-]+(?: [\w`./-]+){0,4} (?:lists|names|has) (?:@[\w-]+|the \w+ team|[A-Z]\w+) as (?:the |an? )?(?:code ?)?(?:owner|maintainer|reviewer|contact)\b.*", "CODEOWNERS lists Priya as the owner of the gateway."),
    ("duty", "", "runs does reviews handles manages coordinates approves signs drives", r"(?!(?:It|This|That|There|He|She|They|The|What|Which|Who|Everything|Nothing|Everyone|Somebody|Git|Docker|Github|GitHub|Python|Node|Nginx|Redis|Postgres|CI|Jenkins|React|Vite|Webpack|Cargo|Make)\b)[A-Z][a-z]+(?: and [A-Z][a-z]+)? (?:runs|does|reviews?|handles|manages|coordinates|approves|signs off|drives)(?: on)? (?:the|all|every|everything|our|any) .{3,}", "Marta does the releases"),
)
# fmt: on
