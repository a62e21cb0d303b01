"""Which folders a pattern of `sources.exclude` means, and what it does not."""

from pathlib import Path

import pytest

from scry.errors import ConfigError
from scry.exclude import Excluded, is_exclusion

HOME = Path("/home/jane")


@pytest.mark.parametrize(
    ("pattern", "inside", "outside"),
    [
        ("~/clients/acme", ["~/clients/acme", "~/clients/acme/a/b"], ["~/clients", "~/clients/acme2"]),
        ("~/clients/acme/", ["~/clients/acme"], ["~/clients/acm"]),
        ("~/clients/acme/**", ["~/clients/acme", "~/clients/acme/x"], ["~/clients"]),
        ("~/w/*/private", ["~/w/a/private", "~/w/a/private/x"], ["~/w/private", "~/w/a/b/private"]),
        ("~/w/**/private", ["~/w/private", "~/w/a/b/private/x"], ["~/private", "~/w/privateer"]),
        ("**/secret", ["/secret", "/srv/x/secret/y", "~/secret"], ["/srv/secrets", "/srv/notsecret"]),
        ("/srv/[ab]?", ["/srv/a1", "/srv/b2/x"], ["/srv/c1", "/srv/a", "/srv/a/b"]),
        ("/srv/[!a]x", ["/srv/bx"], ["/srv/ax", "/srv//x"]),
        ("/srv/a.b", ["/srv/a.b"], ["/srv/aXb"]),
        ("/srv/[", ["/srv/["], ["/srv/x"]),
        ("/srv/a+(b)|c", ["/srv/a+(b)|c"], ["/srv/aab", "/srv/c"]),
        ("~", ["~", "~/x"], ["/home/janet", "/home"]),
    ],
)  # fmt: skip
def test_a_pattern_means_a_folder_and_all_below_it(pattern, inside, outside):
    excluded = Excluded([pattern], HOME)

    def reason(path):
        return excluded.reason([path.replace("~", str(HOME))])

    assert [path for path in inside if not reason(path)] == []
    assert [path for path in outside if reason(path)] == []


def test_any_of_the_places_of_a_session_is_enough():
    excluded = Excluded(["/a", "/b"], HOME)

    assert excluded.reason(["/x", "/b/c"]).endswith("/b")
    assert excluded.reason(["/x", "/y"]) == excluded.reason([]) == ""


def test_dots_in_a_path_do_not_lead_out_of_a_folder():
    excluded = Excluded(["/a/b"], HOME)

    assert excluded.reason(["/a/x/../b/c"])
    assert not excluded.reason(["/a/b/../c"])


def test_a_link_counts_as_what_it_leads_to_from_either_side(tmp_path):
    (tmp_path / "real/acme").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "direct").symlink_to(tmp_path / "real/acme")

    through_link = Excluded([f"{tmp_path}/link/acme"], HOME)
    plain = Excluded([f"{tmp_path}/real/acme"], HOME)

    assert through_link.reason([f"{tmp_path}/real/acme/x"])
    assert plain.reason([f"{tmp_path}/link/acme/x"])
    assert plain.reason([f"{tmp_path}/direct"])
    assert plain.reason([f"{tmp_path}/direct/not/there"])


@pytest.mark.parametrize(
    "pattern", ["secret", "./secret", "*/secret", "/", "**/", "**/*", "/**", " "]
)
def test_a_pattern_that_says_no_folder_is_refused_with_what_would_be_right(pattern):
    with pytest.raises(ConfigError, match=r"c.yaml: sources.exclude has .* Begin with ~/ or /"):
        Excluded([pattern], HOME, "c.yaml")


def test_nothing_is_excluded_where_nothing_is_configured():
    excluded = Excluded([], HOME)

    assert not excluded
    assert not excluded.reason(["/anything"])


def test_an_exclusion_is_known_by_its_reason():
    excluded = Excluded(["/a"], HOME)

    assert excluded.reasons == {excluded.reason(["/a/b"])}
    assert is_exclusion(excluded.reason(["/a"]))
    assert not is_exclusion("too small")
