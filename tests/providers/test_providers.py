"""The table of providers, the contract that each keeps, where keys come from."""

import json
import os
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loopback import ANSWERS, completion, loopback
from replycases import chunk_of, good_reply

from scry.errors import BadReplyError, ConfigError, ProviderError
from scry.extract.prompt import build_prompt
from scry.model import Reply
from scry.providers import PROVIDERS, ProviderSpec, make_provider
from scry.providers.canned import Canned
from scry.providers.keys import resolve_key, without_key

PROMPT = build_prompt(chunk_of("We moved Hermes to the mini."), [])
KEY = "sesame" + "-opens-42"


@pytest.mark.parametrize("kind", sorted(PROVIDERS))
def test_every_provider_answers_a_prompt_and_bears_its_own_name(kind):
    spec = ProviderSpec(id="x", type=kind, model="m/1:2")
    reply = json.loads(good_reply())
    with loopback(ANSWERS.get(kind, completion)(good_reply())) as server:
        match kind:
            case "canned":
                spec = replace(spec, options={"replies": [good_reply()]})
            case "command":
                say = "import sys; sys.stdin.read(); print(sys.argv[1])"
                spec = replace(spec, argv=(sys.executable, "-c", say, good_reply()))
            case _:
                spec = replace(spec, base_url=server.url)
        provider = make_provider(spec)
        assert provider.name == "x/m/1:2"
        assert json.loads(provider.complete(PROMPT).text) == reply


@pytest.mark.parametrize("kind", sorted(PROVIDERS))
def test_every_provider_that_lacks_what_it_needs_is_a_configuration_error(kind):
    with pytest.raises(ConfigError, match="'x'"):
        make_provider(ProviderSpec(id="x", type=kind))


def test_an_unknown_type_is_told_with_the_nearest_known_one():
    with pytest.raises(ConfigError, match="Did you mean openai"):
        make_provider(ProviderSpec(id="x", type="open-ai"))


def test_the_entry_of_a_provider_never_shows_its_key():
    assert KEY not in repr(ProviderSpec(id="x", type="openai", api_key=KEY))


def test_options_that_were_read_as_text_are_sent_as_what_they_are():
    options = {
        "a": "0.2",
        "b": "16384",
        "c": "true",
        "d": "low",
        "e": {"f": ["1", "007", "1.2.3"]},
        "g": 1.5,
    }
    assert ProviderSpec(id="x", type="openai", options=options).settings == {
        "a": 0.2,
        "b": 16384,
        "c": True,
        "d": "low",
        "e": {"f": [1, "007", "1.2.3"]},
        "g": 1.5,
    }


def test_canned_replies_come_in_turn_and_the_last_one_stays(tmp_path):
    canned = Canned(["a", Reply("b", tokens_in=1), ProviderError("down")])
    assert [canned.complete(PROMPT).text for _ in range(2)] == ["a", "b"]
    for _ in range(2):
        with pytest.raises(ProviderError, match="down"):
            canned.complete(PROMPT)
    assert len(canned.asked) == 4

    file = tmp_path / "reply.json"
    file.write_bytes("é".encode("latin-1"))
    with pytest.raises(BadReplyError):
        make_provider(ProviderSpec(id="x", type="canned", options={"file": str(file)})).complete(
            PROMPT
        )
    with pytest.raises(ConfigError, match=r"none\.json"):
        make_provider(
            ProviderSpec(id="x", type="canned", options={"file": str(tmp_path / "none.json")})
        )


def test_a_key_comes_from_the_environment_a_private_file_or_a_command(tmp_path):
    environ = {"FAKE_KEY": f" {KEY}\n", "HOME": str(tmp_path)}
    file = tmp_path / "a key"
    file.write_text(f"{KEY}\nsecond line\n")
    file.chmod(0o600)
    printing = json.dumps(f"print({KEY!r}); print(2)")

    assert resolve_key("", owner="x", environ=environ) == ""
    for reference in (
        "env:FAKE_KEY",
        f"file:{file}",
        "file:~/a key",
        f"cmd:{sys.executable} -c {printing}",
    ):
        assert resolve_key(reference, owner="x", environ=environ) == KEY


@pytest.mark.parametrize(
    "reference",
    ["env:NO_SUCH_VARIABLE", "env:", "file:/no/such/file", "cmd:no-such-command-anywhere", "cmd:false", "cmd:true", "cmd:'",
     f"cmd:{sys.executable} -c \"print('a b')\"", "cmd:printf sesame-opens-42\x07", KEY, f"literal:{KEY}"],
)  # fmt: skip
def test_a_key_that_cannot_be_had_is_the_trouble_of_that_provider_and_is_not_shown(reference):
    with pytest.raises(ProviderError) as caught:
        resolve_key(reference, owner="x/m", environ=os.environ)
    assert caught.value.kind == "permanent"
    assert str(caught.value).startswith("x/m: api_key: ")
    assert KEY not in str(caught.value)


LONG_KEY = "k-" + "".join(f"{n:x}" for n in range(7, 40))


@given(st.text(st.characters(codec="utf-8")), st.text(st.characters(codec="utf-8")))
def test_no_eight_characters_of_a_key_are_shown_wherever_it_stands(before, behind):
    for size in (len(LONG_KEY), 20, 12, 8):
        for at in (0, 5, len(LONG_KEY) - size):
            said = f"{before} {LONG_KEY[at : at + size]} {behind}"
            shown = without_key(said, LONG_KEY)
            assert not any(LONG_KEY[n : n + 8] in shown for n in range(len(LONG_KEY) - 7))


@pytest.mark.parametrize("key", ["", "x", "ab", "---", "lm-studio"])
def test_a_text_that_does_not_hold_the_key_is_shown_as_it_is(key):
    said = "model 'm' not found, try pulling it first: 100 % & <b> \\x zz \\u00"
    assert without_key(said, key) == said


def test_a_short_key_is_masked_where_it_stands():
    assert without_key("wrong key: hunt3r", "hunt3r") == "wrong key: [key]"


def test_a_file_that_others_may_read_is_no_place_for_a_key(tmp_path):
    file = tmp_path / "key"
    file.write_text(KEY)
    file.chmod(0o640)
    with pytest.raises(ProviderError, match="chmod 600"):
        resolve_key(f"file:{file}", owner="x", environ=os.environ)


def test_a_command_that_prints_without_end_is_stopped():
    with pytest.raises(ProviderError, match="far more than a key"):
        resolve_key("cmd:yes", owner="x", environ=os.environ)


def test_a_command_that_does_not_end_is_killed(monkeypatch):
    monkeypatch.setattr("scry.providers.keys._SECONDS", 0.2)
    with pytest.raises(ProviderError, match="did not end within"):
        resolve_key("cmd:sleep 60", owner="x", environ=os.environ)


def test_a_command_for_a_key_is_not_given_to_a_shell(tmp_path):
    target = tmp_path / "made"
    with pytest.raises(ProviderError):
        resolve_key(f"cmd:false ; touch {target}", owner="x", environ=os.environ)
    assert not target.exists()
