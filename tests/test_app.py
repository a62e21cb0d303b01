"""The composition root: what the environment says becomes concrete parts."""

import json
from pathlib import Path

import pytest

from scry.app import App, read_env
from scry.errors import ConfigError, NotAStoreError


def app(home: Path, **environ: str) -> App:
    return App.of_environment({"HOME": str(home), **environ})


def test_the_environment_moves_things(tmp_path):
    moved = app(
        tmp_path,
        SCRY_HOME=str(tmp_path / "s"),
        SCRY_STORE=str(tmp_path / "elsewhere"),
        CLAUDE_CONFIG_DIR=str(tmp_path / "c"),
        CODEX_HOME=str(tmp_path / "x"),
    )
    assert moved.home == tmp_path / "s"
    assert moved.store_path == tmp_path / "elsewhere"
    assert (moved.places.claude, moved.places.codex) == (tmp_path / "c", tmp_path / "x")
    plain = app(tmp_path)
    assert plain.store_path == tmp_path / ".scry" / "store"
    assert plain.places.claude == tmp_path / ".claude"


def test_paths_below_home_are_shown_with_a_tilde_and_found_again(tmp_path):
    here = app(tmp_path)
    path = tmp_path / "src" / "a.jsonl"
    assert here.show(path) == "~/src/a.jsonl"
    assert here.unshow("~/src/a.jsonl") == path
    assert here.show(Path("/etc/hosts")) == "/etc/hosts"


def test_a_store_that_is_not_there_is_said(tmp_path):
    with pytest.raises(NotAStoreError, match="scry init"):
        app(tmp_path).index()


def test_a_configuration_that_is_no_yaml_is_said_with_its_place(tmp_path):
    (tmp_path / ".scry").mkdir()
    (tmp_path / ".scry" / "config.yaml").write_text("extraction: [\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"config\.yaml"):
        _ = app(tmp_path).config


def test_the_values_of_a_project_s_env_file_are_taken_out(tmp_path):
    project = tmp_path / "w"
    project.mkdir()
    (project / ".env").write_text('export DB_PASSWORD="maple-Otter47-quay"\nPORT=8080\n')
    folder = tmp_path / ".claude" / "projects" / "-w"
    folder.mkdir(parents=True)
    said = "I typed maple-Otter47-quay into the form on port 8080 and it let me in at once."
    records = [
        {
            "type": role,
            "uuid": role,
            "sessionId": "s",
            "cwd": str(project),
            "timestamp": "2026-08-01T09:00:00Z",
            "message": {"role": role, "content": text},
        }
        for role, text in (("user", said), ("assistant", "Good, then the form works as it should."))
    ]
    path = folder / "s.jsonl"
    path.write_text("\n".join(map(json.dumps, records)) + "\n", encoding="utf-8")
    here = app(tmp_path)
    here.sweep(here.sweep_due(idle_minutes=0), lambda found: found)
    (episode,) = here.index().episodes.values()
    text = here.reader.evidence(episode.id)
    assert "on port 8080" in text
    assert "Otter47" not in text + episode.summary


def test_an_env_file_that_cannot_be_read_is_no_trouble(tmp_path):
    assert read_env(tmp_path / "none") == {}
    (tmp_path / ".env").mkdir()
    assert read_env(tmp_path / ".env") == {}
