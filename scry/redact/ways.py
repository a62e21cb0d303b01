r"""How a name that promises a secret may go on to its value.

    name   how it may go on to its value                                          such as
    ----   --------------------------------------------------------------------   ---------------------------------
    ident  quote? type? = : := => == -> ：                                         token: str = "…", 'key' => '…'
    ident  line break, alone on its line                                          password:\n  …
    ident  > … <                                                                  <password>…</password>
    ident  </key><string>                                                         <key>apiToken</key><string>…
    ident  quote , … value = :                                                    key="ApiKey" value="…"
    ident  quote ,                                                                define('DB_PASSWORD', '…')
    ident  ( quote  or  { quote                                                   setPassword("…")
    ident  quote … > … <                                                          <entry key="password">…</entry>
    ident  </td><td>                                                              <th>Password</th><td>…</td>
    -ident blank                                                                  --password …
    ident  | , (a table)   is, to, for …:   blank                                 the password for the bot is …

The expressions here match what lies between; what follows is read by `reading` and judged by `assignments`.
"""

import re

_CLOSE = r"""(?:\\{0,8}["'`]|\[\d{0,5}\]|\]|\*\*|\}(?=[ \t]{0,4}=)|</\w{1,8}>(?=[ \t]?[:=])){0,3}"""
_OPEN = r"""(?:[rbfunRBFUN@$]{1,2}(?=["'])|(?:new[ ])?[A-Za-z_][\w.:]{0,40}\((?=\\{0,8}["'`])|\*\*|\[\[|%[qQ][({\[]|qq?[({])?[“„«]?(?P<quote>\\{0,8}["'`]{1,3})?"""
_TYPE = (
    r"""(?:[ \t]*:?[ \t]*&?(?:'static[ ])?(?:string|str|String|char[ ]?\*|SecretStr|bytes|Text|any|Any|object|Optional\[str\]|"""
    r"""str[ ]\|[ ]None|\[\]byte|NSString[ ]?\*)[?!]?(?=[ \t]{0,4}=)|[ ]?\{[ ]?get;[^{}\n]{0,30}\})?"""
)
WAYS: dict[str, re.Pattern[str]] = {
    "direct": re.compile(
        _CLOSE
        + _TYPE
        + r"[ \t]{0,20}(?:\*\*)?(?:={2,3}|=>|:{0,3}=|(?:\?\?|\|\||[?+.~])=|(?:\?\?|\|\|)(?=[ \t]{0,4}[\x22'`])|!={1,2}|<-|->|[→👉]|:(?![:/]/?)|：|＝)(?:\*\*|(?:[ ]?</?\w{1,8}>){1,2})?"
        r"""(?:[ \t]{0,20}[|>]?[+-]?[ \t]{0,8}\r?\n(?P<below>[ \t]{0,60})|[ \t\xa0\u3000]{0,20}(?:!!str[ ])?(?:\(\s{0,60}(?=[rbfu]?["']))?)"""
        + _OPEN
    ),
    "element": re.compile(
        r"[^<>\n]{0,80}>\s{0,80}(?:<(?:[Vv]alue|string)[^<>\n]{0,40}>\s{0,40})?(?:<!\[CDATA\[)?(?P<quote>(?!))?"
    ),
    "titled": re.compile(r"""["'][^<>\n]{0,80}>\s{0,20}(?P<quote>(?!))?(?=[^<>\s]{6,200}<)"""),
    "beneath": re.compile(
        r":?</\w{1,10}>\s{0,80}<(?!string)\w{1,10}[^<>\n]{0,60}>(?P<quote>(?!))?"
    ),
    "call": re.compile(r"(?:\(\s{0,20}(?:[A-Za-z][\w.:]{0,30}\(|@)?|\{)(?P<quote>\\{0,8}[\"'])"),
    "atom": re.compile(r",[ \t]{0,4}(?:<<)?(?P<quote>[\"'])"),
    "pair": re.compile(
        r"""\\{0,8}["'`]?(?:[ ][\w-]{1,20}=["'][^"'\n]{0,40}["']){0,2}[ \t]{0,8}[,;{]?\s{0,40}(?:(?:type|description|sensitive|nullable)[ \t]{0,20}=[^\n]{0,200}\n\s{0,40}){0,4}[-{]?\s{0,8}\\{0,8}["']?(?:\w{1,20}[_-])?(?:value|Value|VALUE|default|content)"""
        r"""\\{0,8}["']?[ \t]{0,8}[:=][ \t]{0,8}""" + _OPEN
    ),
    "plist": re.compile(r"</key>\s{0,80}<string>(?P<quote>(?!))?"),
    "next": re.compile(r"""\\{0,8}["'`][ \t]{0,8},[ \t]{0,8}""" + _OPEN),
    "flag": re.compile(r"[ \t]{1,8}" + _OPEN),
    "cell": re.compile(r"[`*\"]{0,3}(?:[ \t]{0,40}\|[ \t]{0,40}|[,;](?=\S)|\t{1,4})" + _OPEN),
    "said": re.compile(
        r"[`*\"']{0,3}(?:[ \t][\w'’/()@.-]{1,24}){0,6}?[ \t]{0,2}(?::|=|：|[ \t](?:is|IS|are|was|to|as|be|è|é|es|est|ist|lautet|jest|är|er|=|->|→|[-–—])(?::|[ \t]now)?)"
        r"[ \t]{1,4}" + _OPEN
    ),
    "beside": re.compile(r"(?:[?!]{1,3}|\.{2,3}|…|::)?[ \t]{1,4}\(?" + _OPEN),
}
BEHIND: dict[str, tuple[str, ...]] = {
    '"': ("next",),
    "'": ("next",),
    "`": ("next",),
    "<": ("element",),
    ":": ("element",),
}
BEHIND |= {">": ("plist", "beneath"), "{": ("atom",), ".": ("titled",)}
for _sign in "\"'":
    BEHIND[_sign] = (*BEHIND[_sign], "titled")
"""Ways that are open to a name only behind such a character."""
IN_TAGS = frozenset({"element", "plist", "titled", "beneath"})
PROSE = ("cell", "said", "beside")
"""Ways that are open to a name anywhere in a sentence."""
