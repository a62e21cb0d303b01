"""Which files in a project's folder the patterns of notes mean."""

import os

import pytest
from sources.run_folders import lay

from scry.sources import note_places
from scry.sources.note_places import USUAL, check_pattern, notes_in


def found(folder, *patterns):
    return [os.path.relpath(path, folder) for path in notes_in(str(folder), patterns)]


@pytest.mark.parametrize(
    ("pattern", "want"),
    [
        ("a.md", ["a.md"]),
        ("A.MD", ["a.md"]),
        ("*.md", ["a.md", "b.md"]),
        ("?.md", ["a.md", "b.md"]),
        ("*", ["a.md", "b.md", "c.markdown"]),
        ("docs/*.md", ["docs/x.md"]),
        ("./docs/*.md", ["docs/x.md"]),
        ("docs/**/*.md", ["docs/deep/er/z.md", "docs/deep/y.md", "docs/x.md"]),
        ("docs/**", ["docs/deep/er/z.md", "docs/deep/y.md", "docs/x.md"]),
        ("**/z.md", ["docs/deep/er/z.md"]),
        ("*/*/y.md", ["docs/deep/y.md"]),
        (".hidden/*.md", [".hidden/h.md"]),
        ("**/h.md", []),
        ("**/n.md", []),
        ("node_modules/*.md", ["node_modules/n.md"]),
        ("a.txt", []),
        ("gone/*.md", []),
        ("a.md/*", []),
    ],
)
def test_a_pattern_means_these_files(tmp_path, pattern, want):
    names = """a.md b.md c.markdown a.txt docs/x.md docs/deep/y.md docs/deep/er/z.md .hidden/h.md
        node_modules/n.md"""
    lay(tmp_path, dict.fromkeys(names.split(), "x"))

    assert found(tmp_path, pattern) == want


def test_a_file_that_several_patterns_mean_is_found_once(tmp_path):
    lay(tmp_path, {"docs/adr/1.md": "x"})

    assert found(tmp_path, "docs/adr/*.md", "**/1.md", "docs/**") == ["docs/adr/1.md"]


def test_links_in_a_circle_come_to_an_end(tmp_path):
    lay(tmp_path, {"docs/x.md": "x"})
    (tmp_path / "docs/again").symlink_to(tmp_path)

    assert found(tmp_path, "**/*.md", "docs/**/*.md") == ["docs/x.md"]


def test_a_folder_is_listed_once_and_only_where_a_pattern_leads(tmp_path, monkeypatch):
    lay(
        tmp_path, dict.fromkeys(["src/a/b.py", "docs/adr/1.md", "docs/img/x.png", "CLAUDE.md"], "x")
    )
    listed = []
    scan = os.scandir
    monkeypatch.setattr(note_places.os, "scandir", lambda at: listed.append(at) or scan(at))

    assert found(tmp_path, *USUAL) == ["CLAUDE.md", "docs/adr/1.md"]
    assert [os.path.relpath(at, tmp_path) for at in listed] == [".", "docs", "docs/adr"]


@pytest.mark.parametrize(
    "pattern", ["docs/*.md", "*", "docs/**", "NOTES.MD", ".cursor/rules/*.mdc"]
)
def test_a_pattern_within_a_project_is_right(pattern):
    assert check_pattern(pattern) == ""


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("/etc/*.md", "relative"),
        ("~/notes/*.md", "relative"),
        ("../other/*.md", "relative"),
        ("docs/../../x.md", "relative"),
        (".git/*.md", "Markdown"),
        ("notes.txt", "Markdown"),
        ("docs/", "Markdown"),
    ],
)
def test_a_pattern_that_cannot_be_meant_is_told_in_a_sentence(pattern, said):
    assert said in check_pattern(pattern)


def test_the_usual_patterns_are_right_themselves():
    assert [pattern for pattern in USUAL if check_pattern(pattern)] == []
