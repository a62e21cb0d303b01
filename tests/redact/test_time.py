"""Time grows with length and no faster, whatever the text; and ordinary text is fast.

Processor time is measured, the best of a few runs, so that a busy machine does not matter much.
"""

import json
import random
import string
import time

import pytest

from scry.redact import redact

_RANDOM = random.Random(7)


def _some(alphabet: str, size: int) -> str:
    return "".join(_RANDOM.choices(alphabet, k=size))


def _seconds(text: str, runs: int = 3) -> float:
    best = float("inf")
    for _ in range(runs):
        start = time.process_time()
        redact(text)
        best = min(best, time.process_time() - start)
    return best


_BEGIN, _END = "-----BEGIN PRIVATE" + " KEY-----\n", "-----END PRIVATE" + " KEY-----\n"
UNITS = [
    *"""a A 0 é = - _ + / . , : ; @ | ~ * # $ % & ! ? < > ( ) [ ] { } " ' ` \\""".split(),
    *(" ", "\n", "\t", "\r\n", "\x1b", "\u200b", "a ", "a.-", "1,", "[1,", "a=b; ", "word "),
    *(
        "://",
        "://a:",
        "://a:b@",
        "-----BEGIN",
        _BEGIN,
        _END,
        _BEGIN + "A" * 32 + "\n",
        "A" * 32 + "\n" + _END,
    ),
    *(
        "password",
        "password=",
        "password: ",
        "password is ",
        'key="',
        "key='",
        '"key":"',
        '\\"key\\":\\"',
        "key=",
        "key.",
    ),
    *(
        "token ",
        "pass",
        "secret\\n",
        "api key for the ",
        "sk-",
        "gh" + "p_",
        "eyJ",
        "eyJhbGci.",
        "xox" + "b-1",
        "s.",
        "1:A",
    ),
    *(
        "Q~",
        "x-us",
        "authorization: ",
        "bearer ",
        "basic ",
        "cookie: ",
        "-u a:",
        "mysql -p",
        "echo x | ",
        "login ",
        "login me ",
    ),
    *(
        "net use ",
        "x:5432:",
        "$6$",
        "hooks.slack.com/services/",
        "/hook/",
        "seed word ",
        "kind: secret\n",
        "data:\n",
    ),
    *(
        "kind: secret\ndata:\n",
        "  a: bcdef\n",
        "\x1b[0m",
        '" + "',
        "\\\n",
        "%41",
        "&quot;",
        "\\u0041",
        "QUJD",
        "<password>",
    ),
    *(
        "[REDACTED:token]",
        "[REDACTED:",
        "password [REDACTED:password] ",
        "passwort ",
        "密码",
        "İ",
        "Private-Lines: 1\n",
        "a|password\n-|-\n",
        "|-",
        "a|password\n|-|\n|",
        "password,token\n",
        "name,password\na,b\n",
        ",",
        "insert into a (password) values ('",
        "insert into a (password) values (''",
        "values ('a', 'b'), ",
        "`\n",
        "a`\n",
        "password = (",
        "password[0]",
        "password:\n",
        "token&",
        "expect pass",
        ".login(a, ",
        "client('",
        "_auth=",
        "getconnection(",
        "identified by ",
        "user a identified by ",
        "wifi:",
        "my pin is ",
        "recovery codes: ",
        "backup codes\n1234-",
        "ab12-cd34 ",
        "seed phrase amber ",
        "passphrase is amber harbor ",
        "password\n",
        "token\n",
        "setup key abcd ",
        "card 4539 ",
        "is your code ",
        "cat token\n",
        'form-data; name="password"\n\n',
        "samlresponse=",
        "digest response=",
        "echo abcd | gpg ",
        "keytool ",
        "keytool -storepass ",
        "vault login -a ",
        "user a on >",
        "set -x a ",
        "hunter22 is the ",
        "admin:",
        "setPassword(",
        'password" type="',
        "password</td>\n<td>",
        "token: >-\n  ab\n",
        'variable "token" {\ntype = a\n',
        "1 2 ",
        "p a s s ",
        "a*b",
        "\\n",
        "\\_",
        "\\101",
        "<b>a</b>",
        "'a' 'b' ",
        "ｐ",
        "pа",
        "рр",
        "gh" + "p_abcd\n",
        "sk" + "-ant-api\n# ",
        "p4ss",
        "pa$$",
        "70617373",
        "SA",
        "key_",
        "a:",
        "jqqj99",
    ),
]


@pytest.mark.parametrize("unit", UNITS, ids=ascii)
def test_four_times_the_text_takes_about_four_times_as_long(unit):
    size = 12_000
    short, long = ((unit * size)[:n] for n in (size, 4 * size))

    # A quadratic pattern needs sixteen times as long.  Below a few milliseconds the clock says little.
    assert _seconds(long) < 9 * max(_seconds(short), 0.004)


@pytest.mark.parametrize(
    "alphabet",
    [
        string.ascii_letters + string.digits + "+/",
        string.hexdigits,
        string.punctuation,
        string.printable,
        "ab \n=:'\"",
    ],
    ids=ascii,
)
def test_random_text_takes_time_by_its_length_too(alphabet):
    text = _some(alphabet, 48_000)

    assert _seconds(text) < 9 * max(_seconds(text[:12_000]), 0.004)


@pytest.mark.parametrize(
    "unit", ["a", "=", "-", '"', " ", "\\", "-----BEGIN", "a.-", "://"], ids=ascii
)
def test_a_long_run_is_done_at_once(unit):
    assert _seconds((unit * 200_000)[:200_000], runs=2) < 1.0


def test_a_long_line_without_a_break_is_done_at_once():
    line = json.dumps(
        [
            {"id": n, "text": "the quick brown fox", "hash": _some("0123456789abcdef", 40)}
            for n in range(4000)
        ]
    )

    assert _seconds(line, runs=2) < len(line) / 500_000


def test_ordinary_prose_is_redacted_at_two_megabytes_a_second_at_least():
    words = "the server keeps a queue of jobs and each worker takes one when it is free so nothing waits for long".split()
    prose = " ".join(_RANDOM.choices(words, k=60_000))

    assert _seconds(prose) < len(prose) / 2_000_000
