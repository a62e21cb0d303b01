"""Ways of giving a rule or a preference; only a user or a document makes one.

Rows of the table in `patterns`, whose docstring tells what the columns and groups mean.  What is
asked for once ("don't commit yet") differs from a rule by what it is said of: a rule speaks of
things in the plural, of every or no such thing, or of each time.
"""

_DOES_NOT = (
    r"(?:do not|don't) (?:ever |just )?(?!(?:worry|forget|bother|know|think|care|mind|see|need|want|get|have|understand|remember"
    r"|like|believe|stop|panic|sweat|be|you|we|i|they|go|let|feel|hesitate|wait|seem|think|work|give up|even|really|quite|trust me)\b)"
)
_NO = (
    r"no (?!(?:luck|idea|problems?|issues?|errors?|rush|need|progress|differences?|change|way|worries|hurry|output|results?|clue|doubt"
    r"|reason|chance|time|matter|longer|response|answer|sign|one|news|tests?|warnings?|wonder|thanks|big|such|response|guarantee|point"
    r"|evidence|effect|trace|match|matches|data|clear|file|files?|question|questions|complaints|regressions?|failures?)\b)"
)
_GATED = "get gets go goes is are gets land lands ships ship"

# fmt: off
ROWS = (
    ("rule", "", "always never", r"(?:(?:we|you (?:must|should|have to|need to)) )?(?:always|never(?:,? ever,?)?) (?!say never|look on)<VERB>\b.{3,}", "Never release on a Friday."),
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
    ("rule", "", "always never", r"(?:<IN>)(?:(?:you (?:should|must|have to|need to|can)|i (?:want|need|would like|'d like) you to|we|please|make sure you|make sure to) )*(?:always|never(?:,? ever,?)?) (?!say never|look on)<VERB>\b.{3,}",
     "i want you to always ask before you install something"),
    ("rule", "", "don't not", _DOES_NOT + r"(?:(?:ask|tell|show|send|give) (?:me|us) |(?!touch anything)[a-z-]+(?: (?:up|in|out|on|to|with|for))? (?!(?:the|it|that|this|these|those|them|me|us|my|your|anything yet)\b))(?!.*(?:\b(?:yet|now|this|it|these)\b|\bthat(?: \w+)?[.!,]*$)).{3,}",
     "don't add new dependencies"),
    ("rule", "", "don't not", _DOES_NOT + r"[a-z-]+ (?!.*\b(?:yet|now|this|that|it|these)\b).{3,}\b(?:when|unless|without|any|anything|directly|by hand|manually|again|ever|(?:in|on|to|into) (?:the )?(?:\w+ )?(?:main|master|prod\w*|code|src|[\w/-]+s))\b.*",
     "don't mock the database in integration tests"),
    ("rule", "", "stop", r"(?:please )?stop (?:adding|using|writing|creating|asking|putting|making|changing|committing|pushing|mocking|touching|wrapping|importing|leaving|apologi[sz]ing|explaining|summari[sz]ing) (?!(?:it|this|that|the|these|those|them|now)\b).{4,}",
     "stop adding comments to obvious code"),
    ("rule", "", "no", _NO + r"(?!.{0,50}\b(?:is|was|are|were|has|have|had|found|available|made|seems?)\b)[\w `'./-]{2,50}? (?:in|on|without|before|after|from|for|at|outside|inside|unless|over|longer|bigger|larger|except|younger|older|via|through|by hand) .{2,}", "no network calls in unit tests"),
    ("rule", "", "in future", r"(?:(?:and|so) )?in (?:the )?future,? (?:please )?(?!(?:we|i|you|it|this|that|there|he|she|they|the|an?|versions?|releases?)\b)[a-z'-]+ .{5,}", "in future name branches like jo/short-topic"),
    ("rule", "", "from going future onwards", r"(?!(?:it|this|that|i|we'll see|do that|do this|the)\b)(?!.*\b(?:that|this|it)\b)[\w`].{8,200}?,? (?:from (?:now|here|today) on(?:wards)?|going forward|in (?:the )?future)[.!]*$", "write the commit messages in English from now on"),
    ("rule", "", "remember mind note", r"(?:please )?(?:always )?(?:remember|(?:keep|bear) in mind|note)(?: that|:|,) (?P<say>(?!.*\b(?:i|this)\b).{8,})", "please keep in mind that names must not show up in logs"),
    ("rule", "", "remember", r"remember to (?:always )?(?!push|commit|run|do|check|fix)[a-z]+ .{3,60}? (?:when(?:ever)?|before|after|every|each|any|all) .{3,}", "remember to update the changelog with every release"),
    ("rule", "", "must", r"(?:we|you) must(?: (?:not|never|always|only))? (?!(?:have|be|admit|say|confess|know|see|not|kid)\b)[a-z]+ (?!.*\b(?:this|that|it|today|first)\b).{5,}", "we must keep invoices for ten years"),
    ("rule", "", "must may should", r"you (?:mustn't|may not|must not|should never|should always|shouldn't ever|are not allowed to|can't ever|can never) .{4,}", "you may not change the public interface"),
    ("convention", "", "every each all any need needs requires require has have gets goes must", (r"(?:(?:all|any|every|each)(?! of\b| time\b)(?: \w[\w/.-]*){1,6}?|both [\w -]{3,30}) (?:needs?|gets?|must(?! have)|has to|have to|goes|go|requires?|ends?"
     r"|starts?|comes?|carr(?:y|ies)|lives?|links?|answers?|follows?|belongs?|(?:is|are) (?:to be|never|always|only))\b(?! (?:fixed|to be (?:fixed|done)|red|wrong))(?!.*\b(?:this|today)\b) .{3,}"), "every pr needs a screenshot"),
    ("convention", "", "must have need may should can only never always", (r"<PLURAL> (?:must|have to|need to(?! be (?:fixed|done|updated|changed))|need(?= an?\b)|may (?:not|only|never)|should (?:always|never|only)|can only|never|(?:are|get) (?:always|never|only))"
     r" (?!have\b|been\b|be able\b).{4,}"), "migrations have to be reversible"),
    ("convention", "", "must", r"(?:the|our) [\w -]{3,40}? must (?:stay|remain|work|fit|keep|run|support|be (?:usable|able|compatible|reachable)) .{4,}", "the frontend must work without javascript"),
    ("convention", "", "always ever exceptions exception period policy rule convention standard contract law", (r"<NOUN> .{4,200}?(?:, (?:always|ever)|,? (?:no exceptions?(?: here)?|without exceptions?|period)|(?:,|;| -) (?:it's|its|it is|that's|this is) "
     r"(?:(?:our|a|the|company|team|an?) )*(?:\w+ )?(?:policy|rule|convention|standard|law|contract)\b.*)[.!]*$"), "copy changes go through Nina, always"),
    ("convention", "", "exceptions", r"(?:for|in|on) .{5,150}, no exceptions?[.!]*$", "for anything in infra/ get a second pair of eyes, no exceptions"),
    ("convention", "", "everywhere anywhere throughout nowhere", r"(?!(?:it|this|that|the (?:error|bug|same)|i|rename|replace|fix|change|update|remove|apply|look\w*|you)\b)[\w`].{3,150}?(?:is|are|get|gets|goes?|come|comes|use|not|no) .{2,80}?,? (?:everywhere|anywhere|nowhere else|throughout)(?: (?:in|else|across|for) .{2,60})?[.!]*$",
     "timestamps get compared in utc, no naive dates anywhere"),
    ("convention", "", "only", r"<NOUN> (?:[a-z]+s?|is|are|gets?) (?:[\w -]{1,30} )?only (?:with|after|when|via|through|by|from|on|in|for|against|behind|as) .{2,}", "merges happen only with two approvals"),
    ("convention", "", "only", r"<NOUN> (?:go|goes|come|comes|get|gets|lives?|runs?|is|are) .{3,80}? only(?:,.*|[.!]*)$", "colours come from tokens.css only"),
    ("convention", "", "only", r"<NOUN> (?:merges?|ships?|releases?|deploys?|takes?|accepts?|uses?|supports?|speaks?|talks?|imports?|reads?|writes?) only .{3,}", "hermes merges only with two approvals"),
    ("rule", "", "only", r"only (?!(?:the|a|an|one|two|if|when|in|on|then|this|that|thing|it)\b)(?:(?!(?:can|may|should|must)\b)[\w'-]+ ){1,4}(?:merges?|pushes|push|deploys?|releases?|approves?|touch(?:es)?|edits?|changes?|signs?|(?:can|may|should|must|gets? to|(?:is|are) allowed to) (?:merge|push|deploy|approve|release|touch|change|edit (?!the post)))\b.{2,}",
     "Only Marta merges to release branches."),
    ("rule", "", "nothing", r"(?:nothing|no [\w -]{2,40}?) (?:gets?|goes|go|is|are|lands?|ships?)(?: to be)?(?: \w+)? ?(?:without|before|until|unless|on a?)\b .{3,}", "nothing gets merged without a green nightly"),
    ("rule", "", "for", r"for (?:anything|everything|any|all|every|each)\b.{2,80}?,? (?:please )?(?:get|use|ask|run|add|write|open|check|make|keep|take|create|put|go through|prefer|include|update) .{3,}", "for every new table add an index"),
    ("rule", "", "whenever time", r"(?:whenever|every time|each time|any time|anytime) .{5,90}? (?:please )?(?:run|add|update|bump|regenerate|use|write|ask|check|make sure|commit|rebase|tell|open|create|include|keep|put|mention|document)\b(?! (?:fails|is|was)).{3,}",
     "whenever you change the proto files regenerate the client"),
    ("rule", "", "before after when", (r"(?:before|after|when) (?:(?:every|each|any) [\w -]{3,40}|(?:committing|pushing|merging|opening|releasing|deploying|changing|adding|touching|editing|writing|renaming|removing|bumping|creating|upgrading)(?: [\w/.-]+){0,6}"
     r"|you (?:commit|push|merge|open|release|deploy|add|change|touch|write|rename|bump)(?: [\w/.-]+){0,6}), (?:please )?(?!(?:i|we|it|the|you|there|this|that|they|nothing|everything|he|she)\b)[a-z]+ .{4,}"), "before every release, bump the version"),
    ("rule", "", "ask", r"(?:please )?(?:always )?ask(?: (?:me|us|first|for \w+|[A-Z]\w+))?(?: first)? (?:before|when|if) .{5,}", "ask me before you add a dependency"),
    ("rule", "", "keep", r"keep (?!(?:it|this|that|the|going|in|on|an?|me|you|at|up|doing|working|trying|your|them)\b)(?:\w[\w`/.-]* ){1,5}?(?:under|below|out of|short|small|within|sorted|alphabetical|in sync|free of|flat|simple|minimal|backwards?|to)\b.*", "keep functions under 40 lines please"),
    ("rule", "", "wants want expects expect requires insists demands", r"(?:(?:the|our) )?(?!it\b|that\b|this\b|i\b)[\w ]{1,30} (?:wants?|expects?|requires?|insists?(?: on| that)?|demands?) (?:every|each|all|us to|you to always|that (?:every|each|all|no)|no) (?!of (?:this|that|it)).{5,}",
     "the ops team wants every alert to link a runbook"),
    ("rule", "", "mandatory compulsory obligatory taboo forbidden verboten", r"<NOUN> (?:is|are) (?:mandatory|compulsory|obligatory|taboo|verboten|(?:strictly )?forbidden in)\b.*", "docstrings are mandatory for public functions"),
    ("rule", "", "not", r"(?!(?:no|yes|ok|it|this|that|maybe|the|so|sure)\b)[\w-]+(?: [\w-]+){0,2}, not [\w -]{2,30}?,? (?:everywhere|in|for|throughout|across)\b .*", "tabs, not spaces, everywhere in hermes"),
    ("rule", "", "makes make sure ensure", r"(?:please )?(?:make sure|ensure|see to it)(?: that)? (?:every|each|all|any|no|nothing) .{5,}", "make sure every migration has a way back"),
    ("rule", "", "most least more max maximum", r"(?:at most|at least|no more than|max\.?|maximum) (?:one|two|three|four|five|\d+) [\w -]{2,40} (?:per|in|for|before|on|a)\b.*", "at most one migration per release"),
    ("rule", "", "treat", r"treat [a-z]+(?: [a-z]+)?s as (?!(?:if|live|paused|frozen|retired|deprecated)\b).{3,}", "treat warnings as errors"),
    ("rule", "", "nobody one", r"(?:nobody|no[- ]one) (?:writes|runs|uses|calls|reads|ships|opens|creates|renames|bumps|patches|rebases|restarts|logs) (?!(?:it|this|that)\b).{3,}(?:by hand|under|in|without|directly|on|from|before|,).*", "nobody patches files under gen/"),
    ("convention", "", "takes take accepts accept allows allow tolerates", r"<NOUN> (?:takes?|accepts?|allows?|tolerates?|permits?) no (?!arg|param|input|effect|time|long)\w.{4,}", "hermes takes no dependency that is younger than a year"),
    ("convention", "", "stay stays remain remains", r"<NOUN> (?:stays?|remains?) (?:under|below|within|out of|free of|in sync|behind|backwards?|compatible|stable|private|optional|at most|above)\b.*", "commit subjects stay under sixty characters"),
    ("convention", "", "are get", (r"<PLURAL> (?:are|get) (?:always |only |never )?(?:(?:removed|deleted|rotated|archived|purged|pruned|dropped|reviewed|closed) (?:after|when|once|every|by|within)|(?:stored|kept|written|named|formatted|indented|sorted|squashed|tagged|signed"
     r"|compared|measured|prefixed|versioned|pinned|cached|generated|rounded|documented|translated|grouped|wrapped|encrypted|numbered) (?:as|in|with|by|under|at|from|using|to|into|behind|for|before)) .{2,}"), "feature flags are removed after thirty days"),
    ("convention", "", "come start begin end carry", r"<PLURAL> (?:come|start|begin|end|carry) (?:with )?(?!(?:to|up|out|in|at|the same)\b).{5,}", "schema changes come with a way back"),
    ("convention", "", "go belong live goes belongs", r"<PLURAL> (?:go|live|land|belong) (?:in|into|under|behind|through|next to|beside) (?!(?:it|that|this|the same|wrong|mad)\b).{2,}", "secrets live in the vault"),
    ("convention", "", "follow", r"<PLURAL> follow (?!me|up|this|that|it).{3,}", "Commits follow Conventional Commits."),
    ("convention", "", "get", r"<PLURAL> get an? (?!\d|timeout|blank|white|popup|pop-up|mail|message|notification|new\b).{3,}", "public functions get a docstring"),
    ("convention", "", "are always", r"<PLURAL> (?:in [\w -]{3,30} )?(?:are|is) (?:always|whole|plain|never) (?!(?:nice|good|fun|hard|true|here|there|a pain)\b)\w.{3,}", "amounts are whole cents"),
    ("convention", "", "we", (r"(?:<IN>)we(?: (?:always|only|never|all|strictly|generally))? (?:version|format|write|name|prefix|tag|squash|rebase|branch|lint|pin|document|type|review|support|store|sort|indent|wrap|vendor|target|follow|require|sign|rotate"
     r"|translate|round|number|group|measure|spell|cut|freeze|merge|deprecate|encrypt|commit to|release|gitignore|test) (?!(?:it|that|this|the (?:same|result|value|error)|over|up|back|down|about|for)\b).{3,}"), "we version the api by date"),
    ("convention", "", "we", (r"(?:<IN>)we (?:don't|do not|never) (?:use|gitignore|support|write|commit|merge|ship|test|mock|log|deploy|release|store|allow|accept|do|add|push|rebase|squash|vendor|catch|hardcode|hard-code|expose|import)"
     r" (?!(?:it|that|this|the|them|yet|have|know|anything)\b)(?!.*\b(?:yet|now|anymore|currently)\b).{3,}"), "we don't commit generated code"),
    ("rule", "", "use not", r"(?:<IN>)(?:we )?use (?!(?:it|that|this|the)\b)[\w`+.-]+(?: [\w`+.-]+){0,3}?(?:,? (?:and )?(?:not|never)|; ?no|, no) (?!(?:the|this|that|it)\b).{2,}", "In this repo we use pnpm, not npm."),
    ("preference", "", "hate dislike stand like want", r"i (?:hate|dislike|can't stand|(?:don't|do not) (?:like|want)) (?:any |to see )?(?P<what>(?!(?:it|this|that|to|when|how|you|the|your|my)\b)[\w -]{3,60}?(?: in|,? (?:please )?(?:write|use|keep|prefer|do)) .{3,})", "i hate abbreviations in names"),
    ("preference", "", "want expect", r"i (?:want|expect|need) (?P<what>(?:every|each|all) (?!of (?:it|that|this))[\w -]{3,40} (?:to|in|with|on|under) (?!.*\bnow\b).{3,})", "i want every public function to have a test"),
    ("preference", "", "rather", r"i(?:'d| would) rather (?:have|see|you) (?P<what>(?!(?:it|this|that)\b).{3,120}? (?:than|instead of|over) .{3,})", "I'd rather have two small commits than a big one"),
    ("rule", "", "more", r"no more (?!(?:than|time|questions?|errors?|warnings?|issues?)\b)[\w` -]{2,40}?(?: (?:in|for|on|from|to) .{2,}|[,;.!] .{3,})$", "no more jquery in this project"),
    ("rule", "", "prefer avoid favour favor stick", r"(?:please )?(?:prefer|avoid|favou?r|stick to) (?!(?:it|this|that|the (?:first|second|last|other)|one|option)\b)[\w`].{4,}", "prefer early returns"),
    ("rule", "", "english german french spanish dutch british american", r"(?:please )?(?:answer|reply|respond|speak|talk|write|keep|use|docs|comments|texts?|[\w -]{3,40}) (?:\w+ ){0,4}(?:in )?(?:english|german|french|spanish|dutch|british|american)(?: english| spelling)?(?: only| please| pls)?[.!]*$", "comments in english only"),
    ("rule", "", "prefix suffix name indent sort squash sign tag wrap document format keep write", r"(?:please )?(?:prefix|suffix|name|indent|sort|squash|sign|tag|wrap|document|format|keep|write) (?!(?:the|this|that|it|a|an|these|those|them|me|my|your|down|out|up)\b)(?:[\w-]+ ){1,4}(?:with|by|in|like|as|under|before|per) (?!(?:this|that|it)\b).{3,}", "prefix branch names with the ticket id"),
    ("rule", "", "per", r"(?:only |max |at most )?(?:one|two|three|\d+) [\w -]{2,30} per [\w -]{2,30}(?: at most| max)?[.!]*$", "one migration per release"),
    ("rule", "", "only", r"only (?!(?:the|a|an|one|two|if|when|in|on|then|this|that|thing|it|i|you)\b)[a-z]+ [a-z]+s(?: (?:here|in|for|on) .*|[.!]*)$", "only squash merges"),
    ("convention", "", "always", r"<NOUN> (?:is|are) always (?:an?|in|on|stored|written|named|called|kept|sent|the|done|utc|lower\w*|upper\w*|\w+ed) .{3,}", "money is always an integer in cents"),
    ("convention", "", "need require", r"<PLURAL> (?:need|require) (?:an?|two|at least|approval|review|\w+ approval) .{2,}", "API changes require a major version"),
    ("rule", "", "without not", r"(?:an?|any) [\w -]{2,40}? (?:without|with|that) .{2,50} (?:is|gets|will be) (?:not|never|rejected|closed|refused|reverted)\b.*", "a PR without tests is not merged"),
    ("rule", "", "doubt", r"(?:when|if) in doubt,? .{3,}", "when in doubt ask, dont guess"),
    ("rule", "", "if", r"if you (?:change|add|touch|edit|rename|remove|bump|write|create|open) (?!(?:it|this|that)\b).{3,80}?, (?:also |please |always |then )*(?:update|run|add|bump|regenerate|ask|tell|check|write|document|adjust|mention|open|put|use|rebuild)\b .{3,}", "if you change the schema, update the diagram too"),
    ("convention", "", "how", r"<NOUN> .{4,200}?(?:,|;| -) (?:so )?(?:that's|this is) how we (?:work|do|roll|build|ship|write)\b.*", "tests first, then code, that's how we work here"),
    ("rule", "", "all", r"all [\w -]{3,40}? (?:in|as|utc|lowercase|uppercase|snake_case|camelcase|kebab-case|sorted|signed|typed)\b.*?(?: please| pls| everywhere|[.!]*)$", "all timestamps in utc please"),
    ("convention", "", "line max length", r"(?:the )?(?:max(?:imum)?|min(?:imum)?) (?:line |file |function |column )?(?:length|width|size|coverage|age|depth)(?: is|:| =)? .{2,}", "max line length is 100"),
    ("preference", "", "want", r"i want (?P<what>(?!(?:to|you|it|this|that|the|an?|my|your|one|us|them|some)\b)[\w -]{4,40}? (?:here|everywhere|in|for|only|on)\b(?!.*\bnow\b).*)", "I want conventional commits here"),
)
# fmt: on
