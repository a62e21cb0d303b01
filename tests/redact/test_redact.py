"""What `redact` promises: it fails closed, is stable, keeps what stands around a secret, and knows keys in any dress."""

import base64
import json
import random
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scry.redact
from scry.errors import ScryError
from scry.redact import KINDS, environment_literals, redact

BEGIN, END = "-----BEGIN {}PRIVATE" + " KEY-----", "-----END {}PRIVATE" + " KEY-----"


def body(lines: int, seed: int = 1) -> list[str]:
    rng = random.Random(seed)
    return [
        "".join(rng.choices(string.ascii_letters + string.digits + "+/", k=64))
        for _ in range(lines)
    ]


def key(kind: str = "RSA ", lines: int = 6) -> list[str]:
    return [BEGIN.format(kind), *body(lines), END.format(kind)]


DRESSES = {
    "plain": "\n".join,
    "carriage returns": "\r\n".join,
    "indented": lambda key: "\n".join("        " + line for line in key),
    "in a diff": lambda key: "\n".join("+" + line for line in key),
    "quoted": lambda key: "\n".join("> " + line for line in key),
    "quoted twice": lambda key: "\n".join("> > " + line for line in key),
    "numbered": lambda key: "\n".join(f"{n:6}\t{line}" for n, line in enumerate(key, 1)),
    "numbered with arrows": lambda key: "\n".join(f"{n:6}→{line}" for n, line in enumerate(key, 1)),
    "escaped": "\\n".join,
    "escaped twice": "\\\\n".join,
    "on one line": " ".join,
    "in JSON": lambda key: json.dumps({"private_key": "\n".join(key)}),
    "in JSON in JSON": lambda key: json.dumps({"a": json.dumps({"private_key": "\n".join(key)})}),
    "without its end": lambda key: "\n".join(key[:-1]),
    "without its end, cut in a line": lambda key: (
        "\n".join(key[:-2]) + "\n" + key[-2][:31] + "\n... (cut)"
    ),
    "without its end, indented": lambda key: "\n".join("        " + line for line in key[:-1]),
    "without its end, numbered": lambda key: "\n".join(
        f"{n:6}\t{line}" for n, line in enumerate(key[:-1], 1)
    ),
    "without its end, in a diff": lambda key: "\n".join("+" + line for line in key[:-1]),
    "without its beginning": lambda key: "\n".join(key[2:]),
    "without its beginning, escaped": lambda key: "\\n".join(key[2:]),
    "without its beginning, quoted": lambda key: "\n".join("> " + line for line in key[2:]),
    "as base64": lambda key: base64.b64encode("\n".join(key).encode()).decode(),
}


@pytest.mark.parametrize("kind", ["", "RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED "])
@pytest.mark.parametrize("dress", DRESSES)
def test_a_private_key_is_masked_in_any_dress(dress, kind):
    lines = key(kind)
    text = "before\n" + DRESSES[dress](lines) + "\nafter"

    redacted = redact(text)

    assert not any(line[:24] in redacted for line in lines[2:-2])
    assert not any(line[:24] in redacted for line in lines[1:-1]) or "beginning" in dress
    assert redacted.startswith("before\n")
    assert redacted.endswith("\nafter")
    assert redacted.count("\n") == text.count("\n")


def test_a_cut_key_ends_where_the_prose_begins():
    text = "\n".join([BEGIN.format(""), *body(4), "and that was all of it, thanks."])

    assert redact(text).endswith("\nand that was all of it, thanks.")


@pytest.mark.parametrize(
    "label",
    ["PUBLIC KEY", "CERTIFICATE", "PGP PUBLIC KEY BLOCK", "PGP SIGNATURE", "RSA PUBLIC KEY"],
)
def test_what_is_public_is_left(label):
    text = "\n".join([f"-----BEGIN {label}-----", *body(5), f"-----END {label}-----"])

    assert redact(text) == text


def test_a_key_and_a_certificate_in_one_file_are_told_apart():
    certificate = "\n".join(
        ["-----BEGIN CERTIFICATE-----", *body(3, 2), "-----END CERTIFICATE-----"]
    )
    text = "\n".join([certificate, *key(), certificate])

    redacted = redact(text)

    assert redacted.count(certificate) == 2
    assert key()[2] not in redacted


def test_code_about_keys_is_left():
    for text in (
        f'if "{BEGIN.format("RSA ")}" in text:',
        f"{BEGIN.format('')}\n...\n{END.format('')}",
        'PATTERN = r"-----BEGIN [A-Z ]*PRIVATE' + ' KEY-----"',
    ):
        assert redact(text) == text


def test_a_known_value_is_masked_wherever_it_stands():
    assert redact("aVerdantHedgehog!", literals=["VerdantHedgehog"]) == "a[REDACTED:literal]!"


def test_of_two_known_values_the_longer_one_wins():
    assert (
        redact("x hedgehog-in-fog x", literals=["hedgehog", "hedgehog-in-fog"])
        == "x [REDACTED:literal] x"
    )


def test_a_known_value_that_is_a_word_of_the_masks_does_not_tear_them():
    once = redact("password=Zx81kQ97plm", literals=["REDACTED", "password"])

    assert redact(once, literals=["REDACTED", "password"]) == once
    assert "[REDACTED:password]" in once


def test_very_short_known_values_are_ignored():
    assert redact("a b c abc", literals=["", "a", "abc"]) == "a b c abc"


def test_what_only_looks_like_a_mask_is_searched_too():
    value = "hun" + "ter2x9k"

    assert value not in redact(f"[REDACTED:{value}]", literals=[value])


def test_when_a_finder_fails_nothing_comes_out(monkeypatch):
    def fails(_text):
        raise KeyError("the text that must not be told")

    monkeypatch.setattr(scry.redact, "Page", fails)

    with pytest.raises(ScryError) as caught:
        redact("password=Zx81kQ97plm")

    assert "neither stored nor sent" in str(caught.value)
    assert "must not be told" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_text_that_never_settles_does_not_come_out(monkeypatch):
    monkeypatch.setattr(
        scry.redact, "mask", lambda text, _spans, _kinds: text + " [REDACTED:token]"
    )

    with pytest.raises(ScryError, match="rounds"):
        redact("anything")


def test_what_is_no_text_is_an_error_and_not_passed_on():
    with pytest.raises(ScryError):
        redact(None)  # type: ignore[arg-type]


def test_every_mask_names_a_kind_that_is_known():
    assert all(kind == kind.lower() and len(kind) <= 31 for kind in KINDS)


def test_json_stays_json():
    text = json.dumps(
        {
            "a": {"password": "Zx81kQ97plm", "n": 1, "k": "\n".join(key())},
            "list": ["token=Zx81kQ97plmWW2"],
        }
    )

    assert json.loads(redact(text))["a"]["n"] == 1


def test_values_of_variables_that_are_named_like_secrets_are_known():
    environ = {
        "DEPLOY_TOKEN": "q8" * 2 + "Zk3vLm0Pa",
        "DB_PASSWORD": "correct" + "horsebattery",
        "API_TOKEN": "tulip" + "9920marble",
        "HOME": "/home/jane",
        "SSH_AUTH_SOCK": "/tmp/ssh-XXXX/agent.1",
        "SECRET_FILE": "/run/secrets/app",
        "API_KEY_PATH": "/etc/keys/api.key",
        "SHORT_TOKEN": "abc123",
        "AUTH_TOKEN": "$OTHER_TOKEN",
        "SECRET_NAME": "production-database",
        "PASSWORD": "password",
        "LANG": "en_GB.UTF-8",
    }

    assert environment_literals(environ) == (
        environ["DB_PASSWORD"],
        environ["API_TOKEN"],
        environ["DEPLOY_TOKEN"],
    )


_VALUES = st.text(string.ascii_letters + string.digits + "!$%+/=_-", min_size=1, max_size=40)
_WORDS = """password token secret api_key key Bearer Authorization: Cookie: -p -u https:// @ : = => " ' ` \\" \\n is the
    for user [REDACTED:token] [REDACTED:password] [REDACTED] -----BEGIN -----END PRIVATE KEY----- ghp_ sk- eyJ . | , ; < >
    ( ) { } %3D &quot; \\u003d \x1b[1m \u200b $TOKEN ${X} <your-token> *** xxxxxxxx kind:Secret data: mnemonic 密码 ："""
_GLUE = st.sampled_from([*_WORDS.split(), " ", "\n", "\n  ", "\t", "\\\n", '" + "'])
_PATCHWORK = st.lists(st.one_of(_VALUES, _GLUE), max_size=24).map("".join)


@given(_PATCHWORK)
@settings(max_examples=400, deadline=None)
def test_whatever_the_text_redacting_twice_is_redacting_once(text):
    once = redact(text)

    assert redact(once) == once
    assert once.count("\n") == text.count("\n")


@given(st.text(max_size=300))
@settings(max_examples=100, deadline=None)
def test_any_text_can_be_redacted(text):
    assert redact(redact(text)) == redact(text)


@pytest.mark.parametrize("between", [" ", "\t", " : ", " and the secret ", ", secret key is "])
def test_the_secret_that_stands_beside_the_id_of_a_key_is_taken_out_too(between):
    name, secret = "AKIA" + "Q7ZP2MXL4RT9WK3B", "Zq8rT" * 8

    masked = redact(f"it is {name}{between}{secret}, see 0f3a6c1e9b7d24580f3a6c1e9b7d24580f3a6c1e")

    assert secret not in masked
    assert name not in masked
    assert "0f3a6c1e9b7d24580f3a6c1e9b7d24580f3a6c1e" in masked
