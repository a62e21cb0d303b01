"""What the documents say is so: commands, examples, links and lists are compared with the code."""

import json
import re
import shlex
from dataclasses import fields
from importlib import import_module
from pathlib import Path

import click
import pytest

from scry.commands._group import group
from scry.config import TYPES, Budget, Link, read_config
from scry.model import ENTITY_TYPES, Fact
from scry.relations import RELATIONS
from scry.statement import birth_of, stretch_id
from scry.store.codec import decode, encode, read_yaml
from scry.store.fields import FIXED, KEYS
from scry.store.paths import path_of

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
FORMAT = (ROOT / "docs" / "format.md").read_text()
PAGES = sorted(
    page
    for place in ("*.md", "docs/*.md", "docs/adr/*.md", "hooks/*.md")
    for page in ROOT.glob(place)
)
IDS = [str(page.relative_to(ROOT)) for page in PAGES]
ADRS = sorted((ROOT / "docs" / "adr").glob("*.md"))
EXAMPLES = re.findall(
    r"^`(\w+/\S+\.md)`\n\n```markdown\n(.*?)^```$", FORMAT, re.MULTILINE | re.DOTALL
)


def blocks(text: str, language: str) -> list[str]:
    """Return the fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


# --- commands ------------------------------------------------------------------------------------


def test_the_readme_s_two_commands_are_those_that_continuous_integration_runs():
    promised = [b.strip() for b in blocks(README, "sh") if b.startswith("python3 -m venv")]
    run = [line.strip() for line in (ROOT / ".ci" / "run").read_text().splitlines()]

    assert len(promised) == 2
    assert [command for command in promised if run.count(command) != 1] == []


def commands_in(page: Path) -> list[list[str]]:
    """Return every call of scry that a page shows in code, as words."""
    text = page.read_text()
    spans = re.findall(
        r"`([^`\n]+)`", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    )
    lines = [line for block in blocks(text, "sh") for line in block.splitlines()]
    found = []
    for code in [*spans, *lines]:
        for call in re.split(r"&&|;|\|", code):
            words = re.sub(r"^\s*(?:\w+=\S+ )*(?:\S*/)?", "", call, count=1).strip()
            if re.match(r"scry [a-z-]", words):
                found.append(shlex.split(words.replace("…", "X")))
    return found


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_every_command_and_option_that_a_page_shows_exists(page):
    context = click.Context(group)
    for _, name, *rest in commands_in(page):
        if name.startswith("-"):
            continue
        assert name in group.list_commands(context), f"there is no `scry {name}`"
        command = import_module(f"scry.commands.{name}").command
        known = {option for param in command.params for option in param.opts} | {"--help"}
        assert {word for word in rest if word.startswith("-")} <= known, f"scry {name} {rest}"


def test_the_comparison_of_commands_sees_the_readme_s_commands():
    names = {words[1] for words in commands_in(ROOT / "README.md")}

    assert {"sweep", "recall", "why", "remember", "log", "mcp"} <= names
    assert ["scry", "sweep", "--dry-run"] in commands_in(ROOT / "README.md")


def test_the_readme_s_configuration_is_one():
    (example,) = blocks(README, "yaml")

    config = read_config(read_yaml(example), "README.md")

    assert [link.type for link in config.chain] == ["openai", "rules"]


def test_the_configuration_page_has_an_example_that_is_one_and_names_every_key():
    page = (ROOT / "docs" / "configuration.md").read_text()
    (example,) = blocks(page, "yaml")

    config = read_config(read_yaml(example), "configuration.md")

    assert {link.type for link in config.chain} == set(TYPES) - {"gemini"}
    assert (config.budget.calls_per_day, config.off, config.notes and len(config.notes)) == (
        500,
        ("cursor",),
        3,
    )
    keys = [field.name for field in (*fields(Link), *fields(Budget))]
    assert not [key for key in keys if f"`{key}`" not in page and f"{key}:" not in page]


def test_the_hooks_page_s_settings_name_the_scripts_that_are_there():
    (settings,) = blocks((ROOT / "hooks" / "README.md").read_text(), "json")
    hooks = json.loads(settings)["hooks"]

    called = {event: Path(group[0]["hooks"][0]["command"]).name for event, group in hooks.items()}

    assert called == {"SessionStart": "claude-session-start", "SessionEnd": "claude-session-end"}
    assert all((ROOT / "hooks" / name).exists() for name in called.values())


# --- the format ----------------------------------------------------------------------------------


def test_the_format_page_has_an_example_of_every_kind_of_file():
    kinds = {type(decode(path, text.encode())) for path, text in EXAMPLES}

    assert kinds == set(KEYS)


@pytest.mark.parametrize(("path", "text"), EXAMPLES, ids=[path for path, _ in EXAMPLES])
def test_an_example_of_the_format_page_is_just_what_would_be_written(path, text):
    record = decode(path, text.encode())

    assert encode(record).decode() == text
    object.__setattr__(record, "path", "")
    assert path_of(record) == path


def test_the_ids_of_the_format_page_s_facts_are_those_of_their_words():
    facts = [decode(path, text.encode()) for path, text in EXAMPLES]

    for fact in (fact for fact in facts if isinstance(fact, Fact)):
        birth, edited = birth_of(fact)
        assert not edited, fact.path
        assert fact.id in (birth, stretch_id(birth, fact.valid_from))


def test_the_format_page_names_every_key_type_and_relation():
    named = set(re.findall(r"`([a-z_0-9]+)`", FORMAT))

    keys = {key.name for keys in KEYS.values() for key in keys}
    examples = set(re.findall(r"^(\w+):", "".join(text for _, text in EXAMPLES), re.MULTILINE))
    assert keys - named - examples == set()
    assert {*ENTITY_TYPES, *RELATIONS} - named == set()
    assert examples - keys == set()
    assert set(FIXED.values()) <= set(re.findall(r"^type: (\w+)$", FORMAT, re.MULTILINE))


# --- the rest ------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_every_link_inside_the_project_leads_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("number", range(1, len(ADRS) + 1))
def test_every_decision_has_a_number_a_status_and_its_costs(number):
    page = ADRS[number - 1]
    text = page.read_text()

    assert page.name.startswith(f"{number:04d}-")
    assert text.startswith(f"# {number}. ")
    assert re.search(r"^Status: (accepted|superseded by \d+), \d{4}-\d\d-\d\d$", text, re.MULTILINE)
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == ["Context", "Decision", "Costs"]


def test_the_changelog_begins_with_what_is_not_released():
    headings = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)

    assert headings[0] == "Unreleased"
