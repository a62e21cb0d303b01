"""Names in texts: whole ones, longest first, in any spelling."""

import pytest

from scry.vocabulary import Vocabulary

KNOWN = Vocabulary(["Hermes", "hermes-ops", "the Mac mini", "C", "C++", "望遠鏡", "Zoë", "db1"])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("ask Hermes, please", ["hermes"], id="a name with a comma"),
        pytest.param("Hermes's log", ["hermes"], id="a possessive"),
        pytest.param("hermes-east is down", [], id="a name that goes on"),
        pytest.param("pre-hermes days", [], id="a name that began before"),
        pytest.param("hermes-ops and hermes", ["hermes-ops", "hermes"], id="two of a family"),
        pytest.param("hermes ops", ["hermes-ops"], id="another separator"),
        pytest.param("on the mac-mini now", ["mac-mini"], id="an article and a hyphen"),
        pytest.param("C++ is not C#", ["c-b5f869"], id="signs belong to names"),
        pytest.param("昨晚把望遠鏡迁移", ["x"], id="no spaces between words"),
        pytest.param("db11 or db", [], id="digits belong to names"),
    ],
)
def test_a_text_names_whole_names_only(text, found):
    keys = list(KNOWN.names_in(text))
    assert len(keys) == len(found)
    assert all(key.startswith(want[:3].rstrip("-")) for key, want in zip(keys, found, strict=True))
