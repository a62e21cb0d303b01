import io

import frontmatter
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML
from store.store_worlds import MOMENT, NASTY, RECORD, TEXT, entity, episode, fact

from scry.model import Citation, Entity, Fact, Proposal, Tombstone
from scry.statement import birth_of
from scry.store import yaml_strict, yaml_subset
from scry.store.codec import WAITS, decode, encode, read_citation, read_yaml, write_citation
from scry.store.document import LIMIT, BadFileError
from scry.store.paths import path_of
from scry.store.yaml_write import scalar


def _bad(path, text):
    with pytest.raises(BadFileError) as caught:
        decode(path, text.encode() if isinstance(text, str) else text)
    return str(caught.value), caught.value.line


# --- round trips --------------------------------------------------------------------------------


@settings(max_examples=400, deadline=None)
@given(RECORD)
def test_any_record_is_the_same_after_a_round_trip(record):
    path = path_of(record)

    again = decode(path, encode(record))

    assert again == record
    assert again.path == path
    assert encode(again) == encode(record)


def test_a_fact_is_written_as_the_format_shows_it():
    record = fact(
        qualifier="production",
        valid_from=MOMENT,
        invalid_at=MOMENT,
        superseded_by="p8w2xq",
        said_src="the: Hermes agent",
        supersedes=("a1",),
    )

    assert encode(record).decode() == (
        "---\ntype: fact\nsrc: hermes\nrelation: runs_on\ndst: mac-mini\nqualifier: production\n"
        "valid_from: 2026-08-01T09:30:00Z\ninvalid_at: 2026-08-01T09:30:00Z\n"
        "superseded_by: p8w2xq\nconfidence: 0.9\norigin: user\n"
        'said_src: "the: Hermes agent"\nsupersedes: a1\nepisodes:\n'
        "- 2026-08-01-claude-7k3m9q:214\n---\nHermes runs on the Mac mini (k3v9m2).\n"
    )


def test_an_episode_is_written_as_the_format_shows_it():
    record = episode(cwd="~/src/hermes", repo="github.com/jane/hermes", facts=("k3v9m2",))

    assert encode(record).decode() == (
        "---\ntype: episode\nsource: claude\nsession: 1f3c9e0a\nspan: ~/t.jsonl:1-9\n"
        "sha256: 9b1d\nturns: 3\noccurred_at: 2026-08-01T09:30:00Z\n"
        "ingested_at: 2026-08-01T09:30:00Z\ncwd: ~/src/hermes\nrepo: github.com/jane/hermes\n"
        "extractor: pending\nfacts:\n- k3v9m2\n---\nMoved Hermes.\n"
    )


@pytest.mark.parametrize("value", NASTY)
def test_a_nasty_scalar_is_read_alike_by_every_reader(value):
    text = f"key: {scalar(value)}\nlist:\n- {scalar(value)}\n"

    assert yaml.safe_load(text) == {"key": value, "list": [value]}
    assert YAML(typ="safe", pure=True).load(text) == {"key": value, "list": [value]}
    assert YAML().load(text) == {"key": value, "list": [value]}
    assert yaml_strict.plain(yaml_strict.parse(text)) == {"key": value, "list": [value]}


@settings(max_examples=500, deadline=None)
@given(TEXT)
def test_any_scalar_is_read_alike_by_every_reader(value):
    text = f"key: {scalar(value)}\n"

    assert yaml.safe_load(text) == {"key": value}
    assert YAML(typ="safe", pure=True).load(text) == {"key": value}
    assert yaml_strict.plain(yaml_strict.parse(text)) == {"key": value}


@pytest.mark.parametrize("word", ["y", "N", "no", "On", "NULL", "~", "<<", "=", "1_000", "12:30"])
def test_a_word_that_only_some_readers_take_for_something_else_is_quoted(word):
    assert scalar(word) == f'"{word}"'


def test_other_tools_read_our_files():
    record = fact(value="1.10", dst=None, relation="status")

    post = frontmatter.loads(encode(record).decode())

    assert (post["value"], post["src"], post.content) == ("1.10", "hermes", record.fact)


def test_a_cut_letter_is_written_as_a_replacement_and_not_refused():
    record = decode("entities/x/x.md", encode(entity("x", name="a\ud83d", description="b\ud83d")))

    assert record.name == "a\ufffd"


# --- the quick reader -----------------------------------------------------------------------------

PIECES = st.sampled_from(
    [
        "key: value\n",
        "a: b\n",
        "list:\n- x\n- y\n",
        "- z\n",
        'q: "a\\tb"\n',
        "s: 'it''s'\n",
        "\n",
        "# note\n",
        "x: y # note\n",
        "a:\n",
        "  - i\n",
        "u: ~\n",
        "t: 1.10\n",
        "w: |\n  a\n",
        "k: [a]\n",
        'e: ""\n',
        "e: ''\n",
        "v: a:b\n",
        "v: a: b\n",
        "p: \u2028\n",
        'z: "\\x"\n',
        "a : b\n",
        "é: x\n",
        "c: a\n  b\n",
        "d:  two\n",
        "d: two  \n",
        "&a b: c\n",
        "y: *a\n",
        "r: !!str x\n",
        "f: \ta\n",
    ]
)


@settings(max_examples=600, deadline=None)
@given(
    st.lists(PIECES, max_size=6).map("".join)
    | st.lists(st.tuples(st.sampled_from("abc"), TEXT.map(scalar))).map(
        lambda rows: "".join(f"{k}: {v}\n" for k, v in rows)
    )
    | st.text("ab:- \n'\"#[\\", max_size=20).map(lambda t: t + "\n")
)
def test_where_the_quick_reader_answers_it_says_what_the_strict_one_says(text):
    quick = yaml_subset.parse(text)

    if quick is not None:
        assert yaml_strict.plain(yaml_strict.parse(text)) == quick


@settings(max_examples=100, deadline=None)
@given(RECORD)
def test_the_quick_reader_is_enough_for_what_we_write(record):
    assert yaml_subset.parse(encode(record).decode().split("---\n")[1]) is not None or (
        "---\n" in "".join(map(str, vars_of(record)))
    )


def vars_of(record):
    return [getattr(record, name) for name in record.__slots__]


# --- what people write ------------------------------------------------------------------------------

HAND = """---
# about the machine
type:   fact      # really
src: hermes
relation: 'runs_on'
mine: {a: [1, 2], b: "x"}
dst: "mac-mini"
episodes:
  - b:3   # the second time
  # in between
  - d:4
---

Hermes runs on it.


"""
PATH = "facts/he/hermes/runs_on--mac-mini--k3v9m2.md"


def test_comments_quotes_flow_and_other_indentation_are_read():
    assert decode(PATH, HAND.encode()) == Fact(
        id="k3v9m2",
        src="hermes",
        relation="runs_on",
        dst="mac-mini",
        fact="Hermes runs on it.",
        episodes=(Citation("b", 3), Citation("d", 4)),
    )


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda t: t.replace("\n", "\r\n"), id="CRLF"),
        pytest.param(lambda t: "\ufeff" + t, id="byte order mark"),
        pytest.param(lambda t: t.rstrip("\n"), id="no final newline"),
        pytest.param(lambda t: t.replace("---\n", "---  \n"), id="blanks after the fences"),
        pytest.param(lambda t: t + "\n---\n\nmore\n".replace("more", ""), id="a rule at the end"),
    ],
)
def test_files_of_other_editors_are_read(change):
    record = decode(PATH, change(HAND).encode())

    assert record.src == "hermes"
    assert record.episodes == (Citation("b", 3), Citation("d", 4))
    assert record.fact.startswith("Hermes runs on it.")


def test_a_persons_file_name_gives_slug_and_id():
    data = encode(fact())

    assert decode("facts/my notes/the mini--Mini.md", data).id == "Mini"
    assert decode("facts/he/a--b--c.md", data).id == "c"
    assert decode("entities/x/My Thing.md", encode(entity())).slug == "My Thing"


@pytest.mark.parametrize("name", ["mini", "my note", "uses--redis--k3v9m2 (conflict)", "a--b c"])
def test_a_file_whose_name_has_no_id_goes_by_its_words(name):
    record = decode(f"facts/{name}.md", encode(fact()))

    assert record.id == birth_of(record)[0]
    assert not birth_of(record)[1]
    assert decode("facts/elsewhere.md", encode(fact())).id == record.id
    assert decode(f"facts/{name}.md", encode(fact(fact="Other words."))).id != record.id


def test_the_least_that_a_person_may_write_is_a_subject_a_relation_an_object_and_a_sentence():
    text = "---\nsrc: The Hermes\nrelation: runs_on\ndst: Mac mini\n---\nHermes runs there.\n"

    record = decode("facts/note.md", text.encode())

    assert (record.src, record.dst, record.origin) == ("hermes", "mac-mini", "person")
    assert record.fact == "Hermes runs there."


def test_scalars_are_text_whatever_they_look_like():
    text = "---\ntype: service\nname: no\naliases: [1.10, 12:30, 0123, ~, yes]\n---\n"

    record = decode("entities/no/no.md", text.encode())

    assert (record.name, record.aliases) == ("no", ("1.10", "12:30", "0123", "~", "yes"))


def test_the_folder_decides_whether_a_fact_waits():
    data = encode(fact(reason="addresses the agent"))
    path = "he/hermes/runs_on--mac-mini--k3v9m2.md"

    assert decode(f"review/{path}", data).reason == "addresses the agent"
    assert decode(f"facts/{path}", data).reason == ""
    assert decode(f"review/{path}", encode(fact())).reason == WAITS


def test_review_holds_proposals_too():
    record = Proposal(entity="hermes", alias="the bot", reason="claimed twice")

    assert decode(path_of(record), encode(record)) == record


@pytest.mark.parametrize(
    "text", ["ep", "ep:3", "ep@2026-08-01T00:00:00Z", "ep:3@2026-08-01T00:00:00Z"]
)
def test_a_citation_is_written_as_it_was_read(text):
    assert write_citation(read_citation(text)) == text


# --- damage -----------------------------------------------------------------------------------------

FACT = "---\ntype: fact\nsrc: a\nrelation: uses\ndst: b\n"


@pytest.mark.parametrize(
    ("text", "said", "line"),
    [
        pytest.param("", "begins with a line `---`", 1, id="empty"),
        pytest.param("Hello\n", "begins with a line `---`", 1, id="prose"),
        pytest.param("---\ntype: fact\n", "not closed", 1, id="no second fence"),
        pytest.param(b"---\nsrc: \xff\n---\n", "not UTF-8", 2, id="not UTF-8"),
        pytest.param(b"\x00\x01", "begins with", 1, id="binary"),
        pytest.param(f"{FACT}src: c\n---\n", "`src` stands here a second time", 6, id="twice"),
        pytest.param(f"{FACT}said: &x y\n---\n", "Anchors and aliases", 6, id="anchor"),
        pytest.param(f"{FACT}said: *x\n---\n", "Anchors and aliases", 6, id="alias"),
        pytest.param(f"{FACT}said: !!python/x y\n---\n", "Tags are not read", 6, id="tag"),
        pytest.param(f"{FACT}said: [a\n---\n", "not YAML", 6, id="open bracket"),
        pytest.param(f"{FACT}said: a: b\n---\n", "not YAML", 6, id="two colons"),
        pytest.param(f"{FACT}a: b\x07\n---\n", "not allowed", 6, id="control character"),
        pytest.param(f"{FACT}x: {'[' * 30}{']' * 30}\n---\n", "deeper than 20", 6, id="deep"),
        pytest.param("---\n- a\n---\n", "`key: value` lines", 2, id="a list"),
        pytest.param(
            "---\ntype: fact\nsrc: a\ndst: b\n---\n", "`relation` is missing", 1, id="key"
        ),
        pytest.param(f"{FACT}value: c\n---\n", "a `dst` or a `value`", 5, id="both ends"),
        pytest.param(
            "---\ntype: fact\nsrc: a\nrelation: b\n---\n", "one of the two", 1, id="no end"
        ),
        pytest.param(f"{FACT}stance: maybe\n---\n", "'maybe' is none of", 6, id="unknown stance"),
        pytest.param(f"{FACT}valid_from: soon\n---\n", "'soon' is no time", 6, id="no time"),
        pytest.param(f"{FACT}confidence: high\n---\n", "no number from 0", 6, id="a word"),
        pytest.param(f"{FACT}confidence: 1.7\n---\n", "no number from 0", 6, id="too sure"),
        pytest.param(f"{FACT}confidence: .nan\n---\n", "no number from 0", 6, id="not a number"),
        pytest.param(f"{FACT}episodes: ep:1\n---\n", "must be a list", 6, id="scalar for list"),
        pytest.param(
            f"{FACT}said:\n- a\n---\n", "`said` must be one value", 6, id="list for scalar"
        ),
        pytest.param(f"{FACT}episodes:\n- a b\n---\n", "is no citation", 6, id="no citation"),
        pytest.param("---\ntype: gadget\nname: x\n---\n", "type` is `gadget`", 2, id="kind"),
        pytest.param(
            f"{FACT}---\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n", "unsettled", 7, id="merge"
        ),
        pytest.param(FACT + "---\n" + "x" * LIMIT, "larger than 1 MB", None, id="big"),
    ],
)
def test_a_damaged_file_is_named_with_its_line(text, said, line):
    message, where = _bad("facts/a/a/x.md", text)

    assert said in message
    assert where == line


def test_an_unknown_type_of_entity_is_never_guessed():
    message, line = _bad("entities/x/x.md", "---\nname: x\ntype: gadget\n---\n")

    assert "'gadget' is none of project, service" in message
    assert line == 3


# --- configuration ------------------------------------------------------------------------------------


def test_any_yaml_is_read_as_text_for_the_configuration():
    text = "version: 1\nchain:\n- id: a\n  on: yes\n  options: {num_ctx: 16384}\n"

    assert read_yaml(text) == {
        "version": "1",
        "chain": [{"id": "a", "on": "yes", "options": {"num_ctx": "16384"}}],
    }
    assert read_yaml("") == read_yaml("# nothing\n") == {}


@pytest.mark.parametrize(
    "text", ["a: 1\na: 2\n", "a: &x 1\n", "a: [", "a: !!int 1\n", "a: 1\n---\nb: 2\n"]
)
def test_configuration_that_is_no_plain_yaml_is_a_value_error(text):
    with pytest.raises(ValueError, match=r"line \d"):
        read_yaml(text)


def test_a_tombstone_needs_no_triple():
    record = Tombstone(id="k3v9m2", triple="", when=MOMENT)

    assert encode(record) == b"---\ntype: tombstone\nid: k3v9m2\nwhen: 2026-08-01T09:30:00Z\n---\n"
    assert decode(path_of(record), encode(record)) == record


def test_ruamel_writes_our_documents_back_as_they_are():
    text = encode(fact(value="no", dst=None)).decode().split("---\n")[1]
    yaml_io = YAML()
    yaml_io.preserve_quotes = True
    yaml_io.width = 1 << 20
    out = io.StringIO()

    yaml_io.dump(yaml_io.load(text), out)

    assert out.getvalue() == text


def test_an_entity_needs_a_name():
    assert _bad("entities/x/x.md", "---\ntype: tool\nname:\n---\n") == ("`name` is empty.", 3)
    assert isinstance(decode("entities/x/x.md", b"---\ntype: tool\nname: x\n---\n"), Entity)
