"""The configuration: what is right is read, what is wrong is said with file, key and remedy."""

import pytest

from scry.config import Config, read_config
from scry.errors import ConfigError

OPENAI = {
    "id": "far",
    "type": "openai",
    "base_url": "https://api.example.com/v1",
    "model": "glm-5.3",
    "api_key": "env:EXAMPLE_KEY",
}


def chain(*links):
    return {"version": "1", "extraction": {"chain": list(links)}}


def test_without_a_file_the_chain_is_rules():
    assert [link.type for link in read_config(None, "c").chain] == ["rules"]
    assert read_config({}, "c") == Config()


def test_a_model_s_name_is_kept_byte_for_byte():
    odd = "vendor/model:4b@2026.08"
    (link,) = read_config(chain({**OPENAI, "model": odd}), "c").chain
    assert (link.model, link.timeout, link.structured) == (odd, 120.0, "auto")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        pytest.param({"version": "2"}, "version is 2", id="a later version"),
        pytest.param({"extracton": {}}, "Did you mean 'extraction'?", id="a misspelt key"),
        pytest.param(["a"], "must be a mapping", id="a list"),
        pytest.param(chain({"type": "magic"}), "type is 'magic'", id="an unknown type"),
        pytest.param(chain({"type": "openai"}), "needs base_url and model", id="no server"),
        pytest.param(chain({**OPENAI, "api_key": "sesame"}), "a reference", id="a key in clear"),
        pytest.param(chain({**OPENAI, "timeout": "soon"}), "above 0", id="a timeout in words"),
        pytest.param(chain(OPENAI, OPENAI), "two extractors", id="one id twice"),
        pytest.param({"extraction": {"chain": []}}, "is a list", id="an empty chain"),
        pytest.param(chain({**OPENAI, "structured": "xml"}), "one of auto", id="unknown structure"),
    ],
)
def test_what_is_wrong_is_said_with_the_file_and_what_would_be_right(data, says):
    with pytest.raises(ConfigError, match=r"^c\.yaml") as caught:
        read_config(data, "c.yaml")
    assert says in str(caught.value)
    assert caught.value.exit_code == 10


def test_a_key_in_clear_is_never_repeated_in_the_error():
    with pytest.raises(ConfigError) as caught:
        read_config(chain({**OPENAI, "api_key": "sesame-open"}), "c")
    assert "sesame" not in str(caught.value)


@pytest.mark.parametrize("where", ["env:sk-live-ZqX81kkPqL0027", "env:", "env:A B", "env:9TAILS"])
def test_what_cannot_be_the_name_of_a_variable_is_refused_and_not_repeated(where):
    with pytest.raises(ConfigError) as caught:
        read_config(chain({**OPENAI, "api_key": where}), "c")
    assert where[4:] == "" or where[4:] not in str(caught.value)


@pytest.mark.parametrize("value", [["a"], {"a": "b"}, "a\nb", "a\x1bb"])
@pytest.mark.parametrize("key", ["model", "id", "base_url", "type", "api_key"])
def test_what_is_not_one_line_of_text_is_no_name(key, value):
    with pytest.raises(ConfigError, match=key):
        read_config(chain({**OPENAI, key: value}), "c")


def test_a_preset_and_an_argv_exclude_each_other():
    with pytest.raises(ConfigError, match="exclude each other"):
        read_config(chain({"type": "command", "preset": "llm", "argv": ["cat"]}), "c")
