from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store.store_worlds import (
    BODY,
    CITATIONS,
    ENTITY,
    EPISODE,
    MOMENT,
    PROPOSAL,
    SLUG,
    TEXT,
    TEXTS,
    TIME,
    TOMBSTONE,
    fact,
    facts,
)

from scry.errors import StoreError
from scry.model import Citation, Entity, Episode, Fact
from scry.store.codec import decode, encode
from scry.store.document import split
from scry.store.paths import path_of
from scry.store.splice import rewrite

PATH = "facts/he/hermes/runs_on--mac-mini--k3v9m2.md"
HAND = b"""---
# about the machine
type:   fact      # really
src: hermes
relation: 'runs_on'
mine: {a: [1, 2], b: "x"}
"dst": "mac-mini"   # the small one
note: |
  two
  lines

episodes:
  - b:3   # the second time
  # in between
  - d:4
# the end
confidence: 0.90
---

Hermes runs on it.   \x20


"""


def _changed(data, **changes):
    return rewrite(data, replace(decode(PATH, data), **changes), PATH).decode()


def test_a_rewrite_that_changes_nothing_gives_the_same_bytes():
    assert rewrite(HAND, decode(PATH, HAND), PATH) == HAND


def test_a_changed_scalar_leaves_everything_around_it():
    assert _changed(HAND, dst="laptop") == HAND.decode().replace('"mac-mini"', "laptop")


def test_a_new_key_stands_where_the_format_has_it():
    expected = HAND.decode().replace("episodes:", "invalid_at: 2026-08-01T09:30:00Z\nepisodes:")
    before = HAND.replace(b"note:", b"valid_from: 2026-01-01\nnote:")

    assert _changed(before, invalid_at=MOMENT) == expected.replace(
        "\nnote:", "\nvalid_from: 2026-01-01\ninvalid_at: 2026-08-01T09:30:00Z\nnote:"
    ).replace("invalid_at: 2026-08-01T09:30:00Z\nepisodes:", "episodes:")


def test_a_key_that_goes_takes_only_its_own_lines_along():
    data = HAND.replace(b"note:", b"# why\nstance: planned # for now\nnote:")

    assert _changed(data, stance="asserted") == HAND.decode().replace("note:", "# why\nnote:")


def test_an_item_is_added_in_its_place_and_comments_stay_with_their_items():
    text = _changed(
        HAND, episodes=(Citation("a"), Citation("b", 3), Citation("c"), Citation("d", 4))
    )

    assert text == HAND.decode().replace("  - b:3", "  - a\n  - b:3").replace(
        "second time\n", "second time\n  - c\n"
    )


def test_an_item_is_removed_with_its_line_only():
    assert _changed(HAND, episodes=(Citation("d", 4),)) == HAND.decode().replace(
        "  - b:3   # the second time\n", ""
    )


def test_a_list_in_brackets_stays_in_brackets():
    data = HAND.replace(b"note:", b"supersedes: [x, 'y z'] # both\nnote:")

    assert 'supersedes: [a, x, "y z"] # both\n' in _changed(data, supersedes=("a", "x", "y z"))


def test_a_block_scalar_is_replaced_whole():
    data = HAND.replace(b"note:", b"said: >-\n  moved\n  to\n\n# why\nnote:")

    assert decode(PATH, data).said == "moved to"
    assert _changed(data, said="went to") == HAND.decode().replace(
        "note:", "said: went to\n\n# why\nnote:"
    )


def test_a_body_is_replaced_and_the_blanks_around_it_stay():
    assert _changed(HAND, fact="One.\n\nTwo.") == HAND.decode().replace(
        "Hermes runs on it.", "One.\n\nTwo."
    )


def test_a_body_is_added_to_a_file_that_had_none():
    data = encode(Entity(slug="a", name="A", type="tool"))

    assert rewrite(
        data, replace(decode("entities/a/a.md", data), description="D."), "entities/a/a.md"
    ) == (data + b"D.\n")


def test_crlf_and_a_byte_order_mark_stay():
    data = b"\xef\xbb\xbf" + HAND.replace(b"\n", b"\r\n")
    plain = _changed(
        HAND, dst="laptop", invalid_at=MOMENT, fact="One.\nTwo.", supersedes=("x", "y")
    )

    assert _changed(
        data, dst="laptop", invalid_at=MOMENT, fact="One.\nTwo.", supersedes=("x", "y")
    ) == "\ufeff" + plain.replace("\n", "\r\n")


def test_a_missing_final_newline_stays_missing():
    assert _changed(HAND.rstrip(), dst="x").endswith("Hermes runs on it.")


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"---\n{type: fact, src: a, relation: uses, dst: b}\n---\nx\n", id="flow"),
        pytest.param(b"---\nsrc: a\nsrc: b\n---\nx\n", id="damaged"),
    ],
)
def test_what_cannot_be_rewritten_safely_is_refused(data):
    new = fact(invalid_at=MOMENT, episodes=(), superseded_by="x")

    with pytest.raises(StoreError, match=PATH):
        rewrite(data, new, PATH)


def test_a_key_in_the_long_form_is_rewritten_too():
    data = encode(fact()).replace(b"src: hermes", b"? src\n: hermes")

    assert decode(PATH, rewrite(data, fact(src="talos"), PATH)) == fact(src="talos")


def test_a_file_of_another_kind_is_refused():
    with pytest.raises(StoreError, match="another kind of record"):
        rewrite(encode(fact()), Entity(slug="a", name="a", type="tool"), PATH)


def test_a_record_that_moves_takes_its_text_along():
    data = HAND.replace(b"note:", b"reason: held\nnote:")
    source = PATH.replace("facts/", "review/")
    record = replace(decode(source, data), reason="", path="")

    assert rewrite(data, record, PATH, source) == HAND


# --- any document -----------------------------------------------------------------------------------

COMMENT = st.sampled_from(["# note\n", "\n", "#\n"])
FOREIGN = st.sampled_from(
    [
        "mine: 1.10\n", "tags: [a, b]\n", "nested:\n  a: 1\n  b:\n  - x\n", "text: |\n  one\n\n  two\n",
        "fold: >-\n  one\n  two\n", "empty:\n", 'quoted: "a: #b"  # note\n', "'odd key': x\n",
        "wörter: ä\n", "emoji: 🦊\n", "long: " + "word " * 40 + "end\n", "multi: one\n  two\n",
        'ls: "a\u2028b"\n', "url: https://a/b#c\n",
    ]
)  # fmt: skip
LINES = {
    "type": st.sampled_from(["type: fact\n", "type: 'fact'\n", '"type": fact # t\n']),
    "src": st.sampled_from(["src: hermes\n", "src:   'hermes'  \n", "src: >-\n  hermes\n"]),
    "relation": st.sampled_from(["relation: uses\n", "relation: |-\n  uses\n"]),
    "dst": st.sampled_from(["dst: b\n", 'dst: "b" # b\n']),
    "valid_from": st.sampled_from(["valid_from: 2026-08-01\n", "valid_from:\n", ""]),
    "confidence": st.sampled_from(["confidence: .5\n", "confidence: '0.70'\n", ""]),
    "stance": st.sampled_from(["stance: planned\n", "stance: # none\n", ""]),
    "episodes": st.sampled_from(
        [
            "episodes: []\n",
            "episodes:\n",
            "",
            "episodes: [a, 'b:3']\n",
            "episodes:\n- a\n- b:3 # b\n",
            "episodes:\n  - a\n\n  # x\n  - 'b:3'\n",
            "episodes:\n-   a\n",
            "episodes: [\n  a,\n  c]\n",
        ]
    ),
    "supersedes": st.sampled_from(["supersedes: x\n", "supersedes:\n- x\n- y\n", ""]),
}


@st.composite
def documents(draw):
    """Draw a fact as a person may have written it."""
    parts = [draw(lines) for lines in LINES.values()]
    parts += draw(st.lists(FOREIGN, max_size=3, unique=True))
    front = ""
    for part in draw(st.permutations(parts)):
        front += draw(st.just("") | COMMENT) + part
    body = draw(st.sampled_from(["x", "", "\nx\n\n", "x\n---\ny\n", "  x"]))
    text = "---\n" + front + "---\n" + body
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return text.encode()


CHANGES = {
    "src": SLUG,
    "qualifier": TEXT,
    "valid_from": TIME | st.none(),
    "invalid_at": TIME | st.none(),
    "stance": st.sampled_from(["asserted", "denied"]),
    "confidence": st.floats(0, 1),
    "episodes": CITATIONS
    | st.sampled_from([(Citation("a"),), (Citation("a"), Citation("aa"), Citation("b", 3))]),
    "supersedes": TEXTS,
    "fact": BODY,
}


@settings(max_examples=500, deadline=None)
@given(documents(), st.sampled_from(sorted(CHANGES)), st.data())
def test_a_rewrite_of_one_key_leaves_all_other_lines_of_a_hand_written_document(data, key, more):
    old = decode(PATH, data)
    value = more.draw(CHANGES[key])
    new = replace(old, **{key: value})

    out = rewrite(data, new, PATH)

    assert decode(PATH, out) == new
    if new == old:
        assert out == data
    assert _others(out, key) == _others(data, key)
    if key == "fact":
        assert split(out).front == split(data).front
    else:
        assert split(out).body == split(data).body


def _others(data, key):
    """Return the lines that belong to no value of the key: comments, other keys, their order."""
    lines = split(data).front.split("\n")
    out, ours = [], False
    for line in lines:
        if not line.startswith((" ", "-", "#", "\r")) and line:
            ours = line.split(":")[0].strip("\"'") == key
        if not ours or line.lstrip().startswith("#"):
            out.append(line.strip() if line.lstrip().startswith("#") else line)
    return [line for line in out if line.strip()]


PAIRS = st.one_of(
    [st.tuples(kind, kind) for kind in (facts(), ENTITY, EPISODE, PROPOSAL, TOMBSTONE)]
)


@settings(max_examples=300, deadline=None)
@given(PAIRS)
def test_any_record_can_be_rewritten_to_any_other_of_its_kind(pair):
    record, other = pair
    path = path_of(record)
    if isinstance(other, Fact):
        other = replace(other, id=record.id, reason=decode(path, encode(record)).reason)
    elif isinstance(other, Entity):
        other = replace(other, slug=record.slug)
    elif isinstance(other, Episode):
        other = replace(other, id=record.id)

    assert decode(path, rewrite(encode(record), replace(other, path=path), path)) == other
