"""`review: {until: two sessions}` of the configuration: what one session says waits for the next."""

from pathlib import Path

from faces import REPLY, TALK, Home, model, saying


def test_what_a_model_says_waits_until_a_second_session_repeats_it(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.transcript(*TALK)
    with model(home, saying(REPLY), saying(REPLY)):
        config = home.root / ".scry" / "config.yaml"
        config.write_text(config.read_text() + "review:\n  until: two sessions\n")
        home.call("sweep", "--idle", "0")
        waiting = home.call("review")["waiting"]
        assert {row["reason"] for row in waiting} == {
            "said in one session only: runs_on",
            "said in one session only: uses",
        }
        assert home.run("facts", "Hermes")[0] != 0

        home.transcript(*TALK, session="2f3c9e0a-5b7d-4c55-9a3e-0d6f1c2b7a91")
        home.call("sweep", "--idle", "0")

    assert home.call("review")["waiting"] == []
    assert len(home.call("facts", "Hermes")["facts"]) == 2


def test_what_is_no_number_of_sessions_is_a_configuration_error(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    (home.root / ".scry").mkdir()
    (home.root / ".scry" / "config.yaml").write_text("review: {until: three sessions}\n")

    code, _, err = home.run("sweep")

    assert code == 10
    assert "one session, two sessions" in err
