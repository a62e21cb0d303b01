"""Ways of telling what is in the way, what went wrong, and what was tried in vain.

Rows of the table in `patterns`, whose docstring tells what the columns and groups mean.
"""

_FAILED = r"(?:failed|didn't work(?: out)?|did not work(?: out)?|no luck|no good|not good enough|no success|doesn't work|broke|too slow|dead end|gave up|never again|not again|reverted|in vain|made (?:it|things) worse|was a mess|rolled back|pointless|useless|deadlocks?|crashed|not worth|lost|leak(?:s|ed)|hung|timed out|(?:too|so|really|very) (?:flaky|slow|expensive|heavy|complex|brittle|buggy)|flaky|overkill|unusable|nightmare|horrible|painful|worse|none of them|nothing helped|no effect|no difference|segfault(?:s|ed)?|killed us|removed it|threw it|fails|would have (?:needed|meant|required|cost|taken)|wouldn't|couldn't|won't)"
_NOT_ME = r"(?!(?:it|this|that|i|you|he|she|there|which|they|what|who|the (?:test|tests|build|command|function|file|script|page|error))\b)"

# fmt: off
ROWS = (
    ("blocker", "", "blocked", r"(?:(?:we|i|it|this|(?!my\b)<S>) ?(?:'re|'m|'s|are|am|is) )?(?:(?:still|currently) )?blocked (?:by|on) (?P<what>.{4,200})", "We are blocked by the missing certificate."),
    ("issue", "", "work start build compile boot connect", r"(?P<what><S> (?:doesn't|does not|won't|can't|cannot) (?:work|start|build|compile|boot|connect)\b.{0,60}? because .{5,200})",
     "The importer doesn't work because the feed has no dates."),
    ("dead end", "", "tried", r"(?:(?:we|i)(?:'ve| have)? )?(?:already )?tried <O>,?(?: (?:in|for|with) .{2,40}?)?,? (?:but .{5,}|and (?:threw|dropped|reverted|removed|abandoned|gave|rolled)\b.{3,})",
     "We tried Redis but it lost writes."),
    ("dead end", "", "dead blind", r"(?P<what>[^,;:]{3,60}?) (?:was|is|turned out to be|proved) an? (?:dead end|blind alley)\b.{0,200}", "The Docker route was a dead end."),
    ("dead end", "", "gave", r"(?:we|i) gave up on <O> (?:because|since|as) .{5,}", "We gave up on GraphQL because nobody could debug it."),
    ("fix", "", "problem issue bug culprit cause outage", (r"the (?:problem|issue|bug|culprit|root cause|cause|outage)(?: (?:with|of|in) <S>)? (?:was|came down to)(?: this:)? "
     r"(?:that )?(?P<what>.{5,160}?)[,;.] (?:(?:and|it was|we|i) ){0,2}(?:fixed|solved|resolved|cured) (?:it )?(?:by|with) .{3,160}"), "The problem was a stale lock, fixed by deleting it."),
    ("fix", "", "cause", r"(?:the )?root cause(?: (?:for|of|in) <S>)?(?::| was| is) (?P<what>.{5,200})", "Root cause: a retry loop hammered the gateway."),
    ("blocker", "", "can't cannot can", r"(?!(?:i|you|it|this|that|these|those|they|there|he|she)\b)(?:the )?[\w`'./-]+(?: [\w`'./+-]+){0,6} (?:can't|cannot|can not|won't be able to) (?!(?:find|see|read|tell|think|believe|wait|stand|be right|just|use|merge|push|work (?:here|with|for us))\b).{3,120}? (?:until|till|before|because|since|as long as|without) .{4,}",
     "we can't ship the build until google approves the permission"),
    ("blocker", "", "stuck", r"(?:(?:i'm|we're|i am|we are|<NOUN>(?: is| are)) )?(?:still |currently |also )?stuck (?:on|with|at|behind|because|until|waiting) (?!(?:it|this|that)\b).{3,}", "still stuck on the vpn"),
    ("blocker", "", "stuck hold stalled parked", r"(?!(?:it|this|that|i|which|the (?:spinner|cursor|process|terminal|test|build|loop|page))\b)(?:the |our )?[\w`'./-]+(?: [\w`'./-]+){0,3} (?:is|are) (?:still )?(?:stuck|on hold|stalled|frozen)(?:,|:|;| -| until| because| till| as) .{5,}", "the sso work is on hold, IT has not made the app"),
    ("blocker", "", "waiting wait", (r"(?:(?:we're|we are|i'm|i am|<NOUN>(?: is| are)|everything(?: is|'s)|we) )?(?:still |currently |now |also )?wait(?:ing|s) (?:for|on) (?!(?:you|coffee|lunch|your|me|my|it|this|that|a (?:second|bit|moment)"
     r"|(?:the )?(?:build|tests?|ci|job|command|process|output|result|results|reply|answer|server|page|run|download|further|user|response|input|element|lock|event|promise|mutex|socket|click|signal|timeout)s?)\b).{4,}"), "we are waiting on legal for the contract"),
    ("blocker", "", "progress", r"no progress (?:on|with) (?!(?:it|this|that)\b).{3,}", "no progress on payments, the account is still locked"),
    ("blocker", "", "blocks blocking holds holding block", r"(?!(?:it|this|that|which)\b).{5,150}?(?: which|,? that|, this|,? and (?:it|that))? (?:blocks|is blocking|are blocking|holds up|is holding up|holding up) (?!(?:the (?:main thread|event loop|thread|ui|request|call|loop))\b)(?:the |our |us\b|all |every |any ).{3,}",
     "the missing GPU nodes are blocking the load test"),
    ("blocker", "", "before", r"(?!(?:it|this|that|i|you|the (?:test|tests|file|function|server))\b)(?:the )?[\w`'./-]+(?: [\w`'./-]+){0,4} (?:has|have|needs?) (?:to )?.{3,80} before (?:we|anyone|anybody|i|the \w+|they) (?:can|may|could|start)\b.{3,}", "Marta has to sign off on the model before anyone can start"),
    ("blocker", "", "need", r"(?:we|i) need .{3,80} before (?:we|i|anyone|the \w+) can (?!(?:see|test|tell|check)\b).{3,}", "we need the new certificate before we can go live"),
    ("blocker", "", "so", r"(?!(?:it|this|i)\b).{8,150}?(?:,| and) so (?:(?:it|that|this|we|everything|all of it|the \w+) (?:has|have|had) to wait|(?:the )?[\w -]{2,40}? (?:can't|cannot|won't) (?:be \w+|run|start|ship|move|go|happen|continue|land)\b(?! it\b)|no [\w -]{3,40} (?:until|this|before|for now|yet)).*",
     "the runner is out of minutes, so signing cannot run before monday"),
    ("blocker", "", "until lease ends", r"(?:we|nobody|no one|they) (?:can't|cannot|can not) (?!(?:see|find|tell|merge|push)\b)[a-z]+ .{2,80} (?:until|before|till) .{4,}", "we can't upgrade it before the lease ends"),
    ("blocker", "", "hasn't haven't", r"(?!(?:i|you|we|it|this|that|he|she|git|the (?:test|tests|file|server|page|build))\b)(?:the )?[\w'-]+(?: [\w'-]+){0,3} (?:still )?(?:hasn't|haven't|has not|have not) (?:\w+ ){0,2}(?:unlocked|approved|sent|created|signed|delivered|answered|replied|granted|paid|released|published|given|set up|confirmed|provided|reviewed|merged|renewed|shipped|fixed)\b.*",
     "legal hasn't signed the contract yet"),
    ("blocker", "", "start run boot work come", r"<THING> (?:can't|cannot|won't) (?:start|run|boot|work|come up) (?:unless|without|until) .{3,}", "hermes can't start unless Redis is up"),

    ("dead end", "", "tried", r"(?:(?:we|i|they|you)(?:'ve| have)? )?(?:already |once |also |just )?tried (?!(?:it|this|that|again|to (?:run|open|find|read))\b).{3,160}?(?:,|:|;| but| and|\.| -) .{0,60}?" + _FAILED + r"\b.*", "we tried websockets last year, didn't work behind the proxy"),
    ("dead end", "", "tried", r"<NOUN>: (?:we |i |already )*tried\b.{0,80}?" + _FAILED + r"\b.*", "nix on the ci box: tried, failed, not again"),
    ("dead end", "", "failed help work solve fix cure didn't doesn't did does not helped", (r"(?!(?:it|this|that|i|you)\b)(?:(?!(?:nothing|something|anything|everything|during|according|string|thing|ping|being|running the tests?|missing|existing)\b)[a-z]+ing\b .{2,120}?) (?:did not|didn't|does not|doesn't|won't|never) (?:help|work|solve|fix|cure|survive|scale|hold up|improve|pay off|stick)\b.*"),
     "Switching the image to alpine did not help: musl breaks the wheels."),
    ("dead end", "", "failed breaks broke makes made", r"(?:using|switching to|moving to|upgrading to|replacing|patching|splitting|sharding|rewriting|wrapping|running .{2,30} under) .{3,100}? (?:failed because|breaks|broke|failed:|makes? (?:it|everything|things) (?:worse|slower)|made (?:it|everything|things) (?:worse|slower)) ?(?!.*\b(?:typo|fixing|fixed)\b).{3,}",
     "Using filter-repo on the clone failed because the pointers were rewritten."),
    ("dead end", "", "mistake bust waste disaster nightmare flop bad failure go", _NOT_ME + r"[\w`'./-]+(?: [\w`'./+-]+){0,6} (?:was|were|is(?= a dead end| a blind alley| a no-go| a non-starter)|turned out to be|proved|proved to be|ended up) (?:a |an |just a |a complete |a total )*(?:mistake|bust|waste of time|waste|disaster|nightmare|flop|blind alley|dead end|failure|no-go|non-starter|bad idea|fiasco|useless|too slow to use|not worth it)\b(?!.*\b(?:sorry|my)\b).*",
     "mmap for the index was a bust, windows locks the file"),
    ("dead end", "", "dead blind", r".{5,160}?[;,:] (?:that|this|the)(?: whole)? (?:approach|route|path|idea|road|way|one)? ?(?:is|was) a (?:dead end|blind alley)\b.*", "the driver deadlocks under load; that approach is a dead end"),
    ("dead end", "", "neither", r"neither .{3,80} nor .{3,80} (?:cured|helped|fixed|solved|worked|changed|made)\b.*", "Neither a bigger heap nor splitting the bundle cured the crash."),
    ("dead end", "", "spent wasted lost", r"(?:(?:i|we)(?:'ve| have)? )?(?:spent|wasted|lost|burned|burnt) (?:\w+ ){0,3}(?:hours?|days?|weeks?|afternoons?|evenings?|mornings?|nights?|sprints?) (?:on|with|trying|to) (?!(?:it|this|that)\b).{3,}", "spent 2 days with the esm build, no luck"),
    ("given up", "", "abandoned gave given dropped reverted scrapped back", _NOT_ME + r"(?:the )?[\w`'./-]+ .{5,160}?,? (?:so )?(?:we|i)(?:'ve| have)? (?:abandoned|gave up|given up|dropped|scrapped|reverted|ripped|went back|rolled) ?(?:on|it|that|back|to|out|again)?\b.{0,80}$", "the regex approach gets half of them right, we've abandoned it"),
    ("dead end", "", "gave given", r"(?:(?:we|i)(?:'ve| have)? )?(?:gave|given) up (?:on|with) (?!(?:it|this|that)\b).{3,}", "we gave up on the arm build"),
    ("dead end", "", "bother again touch", r"(?:please )?(?:don't|do not) (?:bother|waste (?:your |any )?time|go there|try)(?: again)?(?: (?:with|on|trying|to)) (?!(?:it|this|that)\b).{3,}", "don't bother with the vendor's sdk, it leaks sockets"),
    ("dead end", "", "cannot can't work doesn't", r"(?!(?:it|this|that|i|you|which)\b)[\w`'./-]+(?: [\w`'./-]+){0,6} (?:cannot|can't|can not|doesn't|does not|won't) work (?:here|with|for us|on our|in our|under)\b.{0,10}(?:,|:|;| because| since).{4,}", "parallel tests cannot work here, since the fixtures share a schema"),
    ("dead end", "", "threw tried", r"(?:(?:we|i) )?(?:tried|tested|evaluated|gave) <O>(?: in <S>)?(?: a try)?,? (?:and|but|then) (?:threw|tossed|ripped|took|pulled|backed|dropped|reverted|binned|ditched).{3,}", "tried Nomad in hermes and threw it out again"),
    ("dead end", "", "blind dead alley", r"<O> (?:was|is|turned out(?: to be)?) (?:a )?(?:blind alley|dead end|wrong turn|cul-de-sac)\b.*", "Loki was a blind alley for hermes"),
    ("issue", "", "because", r"(?!the (?:test|tests|build|command|script|first|second|edit|patch|import|run|job|ci)\b)<THING> (?:fell over|went down|broke|crashed|died|failed|hung|stalled)(?: (?:yesterday|today|again|last \w+|in \w+))? (?:because|since|after|when|as) .{5,}", "hermes fell over because the disk was full"),
    ("outage", "", "outage", r"the (?:outage|crash|failure|incident|downtime|breakage)(?: (?:of|in|with) <THING>)? (?:came down to|was caused by|was due to|happened because|traced back to).{5,}", "the outage of hermes came down to this: the disk was full"),
    ("outage", "", "cause", r"(?:the )?root cause (?:for|of|in|behind) .{3,40}?(?::| is| was) .{5,}", "Root cause for hermes: the disk was full. Fixed by a cron job."),

    ("blocker", "", "blocker blockers", r"(?:(?:the|our|one|only|main|open|current|remaining|big|biggest|first|last) )*blockers?(?: (?:for|on|with|here|right now)[\w ]{0,40}?)?(?::| is| are) (?!(?:gone|none|no(?=[.,]|$)|fixed|resolved|unclear|that you)\b).{5,}", "One open blocker: the certificate expires too early."),
    ("blocker", "", "blocked", r"(?:<NOUN> (?:is|are) )?(?:still )?blocked(?:,|:| -| since| until| because| as) .{5,}", "the deploy is blocked, ops has to open the port"),
    ("blocker", "", "can't cannot", r"(?:(?:i|we) )?(?:still )?(?:can't|cannot|can not) (?!(?:find|see|tell|think|wait|believe|just|use|be)\b)[a-z]+ .{2,100}? (?:until|till|before|as long as) .{4,}", "can't test the webhook until the vendor gives us a sandbox"),
    ("blocker", "", "can't cannot couldn't not", r"i (?:can't|cannot|could not|couldn't|was not able to|wasn't able to) (?:finish|complete|deploy|publish|release|ship|apply|migrate|upgrade)\b.{0,100}?(?::|,|;| because| since) .{8,}", "I could not finish the migration: the user has no rights on prod."),
    ("blocker", "", "nothing nobody until", r"(?:nothing|nobody|no one|no[- ]one) .{3,80} until (?!you\b).{4,}", "nothing moves until Jonas is back"),
    ("blocker", "", "as long while", r"(?:as long as|while) .{5,100}?,? (?:nobody|we|i|no one|nothing|the \w+) (?:can't|cannot|can|won't) .{4,}", "as long as the VPN is down nobody can reach the warehouse"),
    ("blocker", "", "so", r"(?!(?:it|this|i)\b)(?:the |our )?[\w`'./-]+ .{5,150}?,? so (?:i|we|nobody) (?:can't|cannot|couldn't|am stuck|are stuck) (?!(?:see|tell|find|run it)\b).{4,}", "the cluster is full so I can't deploy atlas there"),
    ("blocker", "", "held", r"(?:<NOUN> (?:is|are) )?(?:still )?held up (?:by|because|at|in|on) .{3,}", "held up by legal"),
    ("blocker", "", "first need needs", r"(?:we|i|<NOUN>) needs? (?!to\b).{3,60} from (?!(?:the (?:file|list|array|docs?|log)|it|this|that)\b).{3,40} (?:first|before .{4,})[.!]*$", "we need a license key from the vendor first"),
    ("blocker", "", "needs which", r"<NOUN> needs (?!to\b).{3,60}, which (?:we|they|nobody|is|are|only)\b.{4,}", "the migration needs a window, which we only get in march"),

    ("dead end", "", "worse slower made makes", r"(?!(?:it|this|that|which|you|i)\b)[\w`'./-]+(?: [\w`'./+-]+){1,8} (?:made|makes) (?:it|things|everything|matters) (?:even |much )?(?:worse|slower|less stable)\b.*", "caching at the proxy made it worse"),
    ("dead end", "", "effect difference", r"(?!(?:nothing|something|anything|everything)\b)[a-z]+ing [\w`'=./+-]+(?: [\w`'=./+-]+){0,8} (?:had|has|made|makes) no (?:effect|difference)\b.*", "Increasing the timeout had no effect: the proxy cuts the connection."),
    ("dead end", "", "attempted attempt attempts", r"(?:(?:i|we)(?:'ve| have)? )?(?:attempted|made an attempt) (?:to )?.{3,160}?(?:,|:|;| but| and|\.) .{0,60}?" + _FAILED + r"\b.*", "Attempted to build with clang 18, which fails on the old headers."),
    ("dead end", "", "workaround approach route trick hack idea experiment attempt patch variant detour way path", r"the (?:[\w`-]+ )?(?:workaround|approach|route|trick|hack|idea|experiment|attempt|patch|variant|detour|way|path)\b(?: (?:with|via|using|of|through|for|over) .{2,60}?)? (?:" + _FAILED + r"|(?:was|is|turned out|proved)(?: to be)? (?:a |an |too |not )?(?:" + _FAILED + r"|dead|slow|brittle|fragile|complicated|expensive|wrong|no good|useless|impossible|failure))\b.{4,}", "The workaround with LD_PRELOAD fails on arm64, so I dropped it."),
    ("dead end", "", "down", r"(?:we|i) went down (?:the|that) .{3,60}? (?:path|route|road|rabbit hole)\b.{5,}", "we went down the lambda path once, cold starts killed us"),
    ("dead end", "", "dead blind", r"(?:that|this|it) (?:was|is|turned out to be) a (?:dead end|blind alley)(?::|,|;| because| since) .{8,}", "That was a dead end: the pooler has no LISTEN in this mode."),
    ("dead end", "", "removed dropped reverted ripped threw never", r"<NOUN>: (?:looked|seemed|sounded|worked|was|had|cost|took|used) .{3,120}?(?:,|;| and| but) .{0,60}?(?:removed|dropped|reverted|gave up|ripped|threw|never again|not again|rolled back)\b.{0,40}$", "webpack federation: looked great, cost us two weeks, removed it again"),
    ("dead end", "", "down back rolled reverted", r"(?:upgrading|moving|switching|bumping|migrating) .{3,80}? broke .{3,}", "upgrading to react 19 broke the datepicker, rolled back"),
    ("dead end", "", "enough", r"(?!(?:it|this|that|you|i)\b)[\w`'./-]+(?: [\w`'./+-]+){0,6} (?:wasn't|was not|weren't|isn't|is not) (?:fast|good|stable|reliable|mature|flexible|accurate|precise|cheap) enough\b.{4,}", "sqlite wasn't fast enough for the report"),
    ("blocker", "", "until till before", r"(?:until|till|before) .{5,80}, (?:no|nothing|we can't|i can't|nobody) .{3,}", "until legal has signed, nobody gets an account"),
    ("blocker", "", "no", r"(?:i|we|they|the team|<NOUN>) (?:still )?(?:have|has|got|have got) no (?:access|permissions?|rights|credentials|account|licen[cs]e|quota|budget|test data|sandbox|certificate|vpn|hardware)\b.*", "we still have no access to the sandbox"),
    ("blocker", "", "pending ice outstanding overdue limbo", r"<NOUN> (?:is|are) (?:still )?(?:pending|on ice|outstanding|in limbo|overdue)(?:,| since| until| with| at| because| for) .{3,}", "security review is pending since march"),
    ("blocker", "", "approval sign-off signoff review decision go-ahead light access answer", r"<NOUN> (?:needs?|requires?|depends on|awaits?) (?:an? |the |another )?(?:approval|sign-?off|review|decision|go-?ahead|green light|access|answer|input|permission) (?:from|by|of) (?!(?:the (?:user|caller)|you|me)\b).{2,}", "publishing needs approval from legal"),

    ("given up", "", "looked evaluated tested benchmarked experimented played checked prototyped measured considered", r"(?:(?:we|i)(?:'ve| have)? )?(?:looked into|evaluated|tested|benchmarked|experimented with|played with|checked out|prototyped|measured) .{3,120}?(?:,|:|;| but| and| -) .{0,60}?(?:" + _FAILED + r"|rejected|no gain|slower|not an option|nothing gained|discarded)\b.*", "evaluated Temporal for the jobs, too heavy for one box"),
    ("dead end", "", "option", r"<NOUN> (?:is|was) (?:not|no) (?:an? )?option(?:,|:|;| because| since| here| for us).*", "polling is no option here, the vendor bans it"),
    ("dead end", "", "brought gave bought gained", r"<NOUN> (?:brought|bought|gained|gave)(?: us)? (?:nothing|no (?:gain|speedup|speed-up|improvement|benefit|real gain))\b.*", "sharding brought nothing"),
    ("dead end", "", "turned proved", r"(?!(?:it|this|that|which)\b)[\w`'./-]+(?: [\w`'./+-]+){0,6} (?:turned out|proved)(?: to be)? (?:too|not|un|im|in|slower|worse|a (?:mess|pain))\w* ?.{3,}", "The in-memory index turned out too big for the box."),
)
# fmt: on
